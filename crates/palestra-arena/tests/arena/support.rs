//! What the tests share: bots that play properly, games between them and others, and what must hold for every game.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_arena::testing::{Memory, Reaction, VirtualClock};
use palestra_arena::{Bot, BuiltIn, Clock, GameToPlay, PlayedGame, Referee, Rules, Seat, TimeControl, Verdict};
use palestra_games::{GameKind, Record, Side};
use palestra_protocol::{Dialect, Fault};
use palestra_search::any_player;
use palestra_search::rng::Rng;

pub(crate) const MS: Duration = Duration::from_millis(1);

/// Two seconds of CPU time a move, ten seconds to be ready.
pub(crate) fn rules() -> Rules {
    Rules::default()
}

pub(crate) fn with_time(time: TimeControl) -> Rules {
    Rules { time, ..Rules::default() }
}

pub(crate) fn record(game: &str) -> Record {
    Record::new(GameKind::find(game).expect("one of our games"), "-").expect("the default options")
}

/// A bot that is a function.
pub(crate) fn bot(clock: &VirtualClock, bot: impl FnMut(&str) -> Vec<Reaction> + Send + 'static) -> Box<dyn Seat> {
    Box::new(Bot::new(Memory::new(clock, bot), Dialect::One))
}

/// The same, in the language of the course.
pub(crate) fn course_bot(
    clock: &VirtualClock,
    bot: impl FnMut(&str) -> Vec<Reaction> + Send + 'static,
) -> Box<dyn Seat> {
    Box::new(Bot::new(Memory::new(clock, bot), Dialect::Course))
}

pub(crate) fn built_in(game: &str, name: &str) -> Box<dyn Seat> {
    Box::new(BuiltIn::new(any_player(game, name, 1).expect("a built-in player")))
}

/// A bot that plays properly, and answers the go of number `at` (counted from 0) and all after it with something else.
pub(crate) fn proper_until(
    at: usize,
    mut odd: impl FnMut(&[String]) -> Vec<Reaction> + Send + 'static,
) -> impl FnMut(&str) -> Vec<Reaction> + Send + 'static {
    let (mut legal, mut asked) = (vec![], 0);
    move |line| match line.split_once(' ').unwrap_or((line, "")) {
        ("hello", _) => vec![Reaction::line("ready")],
        ("legal", moves) => {
            legal = moves.split(' ').map(str::to_owned).collect::<Vec<_>>();
            vec![]
        }
        ("go", _) => {
            asked += 1;
            if asked > at { odd(&legal) } else { vec![Reaction::line(&format!("move {}", legal[0]))] }
        }
        _ => vec![],
    }
}

/// A bot that plays the first legal move.
pub(crate) fn proper() -> impl FnMut(&str) -> Vec<Reaction> + Send + 'static {
    proper_until(usize::MAX, |_| vec![])
}

/// A bot that plays any legal move.
pub(crate) fn random(seed: u64) -> impl FnMut(&str) -> Vec<Reaction> + Send + 'static {
    let mut random = Rng::new(seed);
    proper_until(0, move |legal| vec![Reaction::line(&format!("move {}", legal[random.below(legal.len())]))])
}

/// Plays a game from here, and checks what holds for every game.
pub(crate) fn play_from(
    record: Record,
    rules: Rules,
    clock: &VirtualClock,
    [mut one, mut two]: [Box<dyn Seat>; 2],
) -> PlayedGame {
    let played = run(record, rules, clock, [&mut *one, &mut *two]);
    check(&played);
    played
}

pub(crate) fn run(record: Record, rules: Rules, clock: &dyn Clock, [one, two]: [&mut dyn Seat; 2]) -> PlayedGame {
    let quit = AtomicBool::new(false);
    let game = GameToPlay { referee: Referee::new(record, rules), seats: [one, two], clock, quit: &quit };
    game.play(&mut |_, _| {}).expect("nobody quits")
}

/// Plays a game of Mancala.
pub(crate) fn play(rules: Rules, clock: &VirtualClock, seats: [Box<dyn Seat>; 2]) -> PlayedGame {
    play_from(record("mancala"), rules, clock, seats)
}

/// Plays a game of Mancala between a bot at a side and one that plays properly.
pub(crate) fn play_odd(
    rules: Rules,
    side: Side,
    odd: impl FnMut(&str) -> Vec<Reaction> + Send + 'static,
) -> (PlayedGame, Duration) {
    let clock = VirtualClock::new();
    let mut seats = [bot(&clock, odd), bot(&clock, proper())];
    if side == Side::Two {
        seats.reverse();
    }
    let played = play(rules, &clock, seats);
    (played, clock.now())
}

/// What the loser did wrong.
pub(crate) fn fault(played: &PlayedGame) -> &Fault {
    played.verdict.fault().unwrap_or_else(|| panic!("no forfeit: {:?}", played.verdict))
}

/// A record says how the game ended, reads back, and replays to the same end.
pub(crate) fn check(played: &PlayedGame) {
    let PlayedGame { record, verdict, .. } = played;
    let result = record.result().expect("a game that is over has a result");
    assert_eq!((result.points, result.reason.as_str()), (verdict.points, verdict.reason.word()));
    let text = record.to_string();
    let again = Record::read_all(text.as_bytes()).expect("a record that was written").pop().expect("one record");
    assert_eq!(again.to_string(), text);
    assert_eq!(again.moves(), record.moves());
    assert_eq!(again.position().notation(), record.position().notation());
    let winner = Verdict::winner_of(result, record.position().outcome());
    assert_eq!(winner, verdict.winner, "the record alone says who won");
}
