//! Bots that do anything at all: the game ends, with a verdict, in time, and the other side pays nothing for it.

use std::time::Duration;

use palestra_arena::testing::{Reaction, VirtualClock};
use palestra_arena::{Clock, Rules, TimeControl};
use palestra_games::Side;
use palestra_protocol::{Dialect, Fault, ForfeitKind};
use proptest::prelude::*;

use crate::support::{MS, bot, course_bot, play, proper, rules, with_time};

/// Pieces of what a bot could say, well or badly.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "ready\n",
        "move 1\n",
        "move 2\n",
        "move 6\n",
        "move ",
        "move 4",
        "info depth 3\n",
        "info text {\n",
        "id name x\n",
        "pong 1\n",
        "PONG\n",
        "OK\n",
        "1\n",
        "4\r\n",
        "7\n",
        "\n",
        "\r\n",
        "\0",
        " ",
        "info pv 1 2 3\n",
        "move 9\n",
    ]);
    prop_oneof![
        6 => words.prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..40),
        1 => (any::<u8>(), 4000usize..5000).prop_map(|(byte, count)| vec![byte; count]),
    ]
}

fn time() -> impl Strategy<Value = Duration> {
    prop_oneof![
        4 => (0u64..3_000_000).prop_map(Duration::from_micros),
        1 => Just(Duration::MAX),
        1 => Just(Duration::ZERO),
    ]
}

fn reaction() -> impl Strategy<Value = Reaction> {
    prop_oneof![
        8 => piece().prop_map(Reaction::Say),
        2 => (time(), time()).prop_map(|(wall, cpu)| Reaction::Think { wall, cpu }),
        1 => any::<String>().prop_map(Reaction::Complain),
        1 => prop::sample::select(ForfeitKind::ALL)
            .prop_map(|kind| Reaction::Exit(Fault::new(kind, "it ended"))),
    ]
}

/// What it does about each line: proper bots answer few of them, so that most reactions are about the right ones.
fn script() -> impl Strategy<Value = Vec<Vec<Reaction>>> {
    prop::collection::vec(prop::collection::vec(reaction(), 0..4), 0..40)
}

fn controls() -> impl Strategy<Value = Rules> {
    let time = prop_oneof![
        Just(TimeControl::cpu(2000 * MS)),
        Just(TimeControl::Wall(2000 * MS)),
        Just(TimeControl::Game { total: 10_000 * MS, increment: 100 * MS }),
    ];
    (time, any::<bool>()).prop_map(|(time, retry)| Rules { retry, ..with_time(time) })
}

/// Says `ready` first if it is to be polite, and then goes by the script, over and over.
fn scripted(script: Vec<Vec<Reaction>>, is_polite: bool) -> impl FnMut(&str) -> Vec<Reaction> + Send + 'static {
    let mut step = 0;
    move |line| match line {
        "hello 1" if is_polite => vec![Reaction::line("ready")],
        _ if is_polite && !line.starts_with("go ") => vec![],
        _ if script.is_empty() => vec![],
        _ => {
            step += 1;
            script[(step - 1) % script.len()].clone()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_a_bot_does_the_game_ends_and_the_other_pays_nothing(
        script in script(),
        is_polite: bool,
        rules in controls(),
        side in prop::sample::select(&Side::BOTH[..]),
        dialect in prop::sample::select(vec![Dialect::One, Dialect::Course]),
    ) {
        let clock = VirtualClock::new();
        let make = if dialect == Dialect::One { bot } else { course_bot };
        let mut seats = [make(&clock, scripted(script, is_polite)), bot(&clock, proper())];
        seats.rotate_left(side.index());
        let played = play(rules, &clock, seats);
        // Ten seconds to start, and at most 6 s for each of its moves; a game of Mancala has fewer than 200.
        prop_assert!(clock.now() < Duration::from_secs(10 + 6 * 200), "{:?}", clock.now());
        prop_assert_eq!(played.charged[side.other().index()], Duration::ZERO);
        if played.verdict.fault().is_some() {
            prop_assert_eq!(played.verdict.winner, Some(side.other()), "the fault is its own");
        }
    }

    #[test]
    fn whatever_bytes_a_bot_answers_with(bytes: Vec<u8>, pause in 0u64..100) {
        let answer = vec![Reaction::sleep(Duration::from_millis(pause)), Reaction::Say(bytes)];
        let clock = VirtualClock::new();
        let seats = [bot(&clock, scripted(vec![answer], true)), bot(&clock, proper())];
        let played = play(rules(), &clock, seats);
        prop_assert_eq!((played.verdict.winner, played.verdict.points), (Some(Side::Two), [0, 48]));
        prop_assert!(clock.now() <= Duration::from_millis(6001));
    }
}
