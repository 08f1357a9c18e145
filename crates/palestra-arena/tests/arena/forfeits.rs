//! Every way in which a bot can lose by its own fault, at both sides of the board.

use std::time::Duration;

use palestra_arena::testing::{Reaction, VirtualClock};
use palestra_arena::{PlayedGame, Rules};
use palestra_games::Side;
use palestra_protocol::Fault;
use palestra_protocol::ForfeitKind::{self, *};

use crate::support::{MS, bot, fault, play, play_from, play_odd, proper, proper_until, record, rules};

/// Plays a bot at both sides: it must lose all 48 points for that reason, and the other is charged nothing for it.
fn loses<B: FnMut(&str) -> Vec<Reaction> + Send + 'static>(
    kind: ForfeitKind,
    detail: &str,
    line: Option<&str>,
    bot: impl Fn() -> B,
) {
    for side in Side::BOTH {
        let (played, _) = play_odd(rules(), side, bot());
        assert_lost(&played, side);
        let found = fault(&played);
        assert_eq!((found.kind, found.detail.as_str(), found.line.as_deref()), (kind, detail, line), "side {side}");
        assert_eq!(played.record.result().expect("a result").reason, kind.word());
    }
}

fn assert_lost(played: &PlayedGame, side: Side) {
    let points = if side == Side::One { [0, 48] } else { [48, 0] };
    assert_eq!((played.verdict.winner, played.verdict.points), (Some(side.other()), points));
    assert_eq!(played.charged[side.other().index()], Duration::ZERO);
}

/// The same for a bot that answers its third question like this.
fn answer_loses(kind: ForfeitKind, detail: &str, line: Option<&str>, answer: &[Reaction]) {
    let answer = answer.to_vec();
    loses(kind, detail, line, || {
        let answer = answer.clone();
        proper_until(2, move |_| answer.clone())
    });
}

fn says(bytes: &[u8]) -> Vec<Reaction> {
    vec![Reaction::Say(bytes.to_vec())]
}

#[test]
fn an_illegal_move() {
    let not_a_move =
        "it answered with something that is no move: bad move at character 1: a pit is a number from 1 to 6";
    answer_loses(Illegal, not_a_move, Some("9"), &says(b"move 9\n"));
    answer_loses(Illegal, not_a_move, Some("{}"), &says(b"move {}\n"));
}

#[test]
fn an_illegal_move_of_a_game_that_refuses_them() {
    for game in ["conecta4boom", "desconecta4boom"] {
        let clock = VirtualClock::new();
        let mut record = record(game);
        while record.position().moves().contains(&"7".to_owned()) {
            record.play("7").expect("a legal move");
        }
        let mover = record.position().turn();
        let mut seats = [bot(&clock, proper_until(0, |_| says(b"move 7\n"))), bot(&clock, proper())];
        seats.rotate_left(mover.index());
        let played = play_from(record, rules(), &clock, seats);
        assert_eq!(fault(&played).detail, "it played 7, which is not legal there");
        assert_eq!((fault(&played).kind, played.verdict.winner), (Illegal, Some(mover.other())));
        assert_eq!(played.verdict.points.iter().sum::<i32>(), 1);
    }
}

#[test]
fn no_move_in_time() {
    answer_loses(Timeout, "it gave no move within 6000 ms: it computed 0.0 s and slept 6.0 s", None, &[]);
    let no_newline = "it gave no move in time: what it wrote does not end with a newline";
    answer_loses(Timeout, no_newline, Some("move 4"), &says(b"move 4"));
    answer_loses(
        Timeout,
        "it gave no move within 6000 ms: it computed 0.0 s and slept 6.0 s",
        None,
        &[Reaction::sleep(6001 * MS), Reaction::line("move 1")],
    );
}

#[test]
fn too_much_cpu_time() {
    let slow = [Reaction::compute(2001 * MS), Reaction::line("move 1")];
    answer_loses(Budget, "it used 2001 ms of CPU time for a move, and has 2000 ms", None, &slow);
    // With four threads it is found while it still thinks.
    let threads = [Reaction::Think { wall: 1000 * MS, cpu: 4000 * MS }, Reaction::line("move 1")];
    let (played, end) = play_odd(rules(), Side::One, proper_until(2, move |_| threads.to_vec()));
    assert_lost(&played, Side::One);
    assert_eq!(fault(&played).kind, Budget);
    assert!(end < 520 * MS, "{end:?}");
}

#[test]
fn cpu_time_off_turn_is_charged_to_the_next_move() {
    let busy = |legal: &[String]| vec![Reaction::line(&format!("move {}", legal[0])), Reaction::compute(1500 * MS)];
    let slow = |legal: &[String]| vec![Reaction::sleep(1600 * MS), Reaction::line(&format!("move {}", legal[0]))];
    let clock = VirtualClock::new();
    let seats = [bot(&clock, proper_until(0, busy)), bot(&clock, proper_until(0, slow))];
    let played = play(rules(), &clock, seats);
    let [one, two] = played.charged;
    assert!(one >= 1500 * MS && two.is_zero(), "{:?}", played.charged);

    let (played, _) = play_odd(
        rules(),
        Side::One,
        proper_until(0, |legal| vec![Reaction::line(&format!("move {}", legal[0])), Reaction::compute(2500 * MS)]),
    );
    assert_lost(&played, Side::One);
    assert_eq!(fault(&played).kind, Budget, "its next move comes too late");
}

#[test]
fn the_program_ends() {
    let exit = |kind, detail: &str| Reaction::Exit(Fault::new(kind, detail));
    let segfault = "it was killed by signal 11 (SIGSEGV)";
    answer_loses(Crash, segfault, None, &[Reaction::compute(MS), exit(Crash, segfault)]);
    answer_loses(Memory, "it used more than 512 MiB", None, &[exit(Memory, "it used more than 512 MiB")]);
    answer_loses(Disconnect, "the connection broke", None, &[exit(Disconnect, "the connection broke")]);
    answer_loses(Security, "it called mount", None, &[exit(Security, "it called mount")]);
    // What it said before counts; that it is gone is found when it is asked again.
    answer_loses(Crash, "it ended with code 1", None, &[Reaction::line("move 1"), exit(Crash, "it ended with code 1")]);
}

#[test]
fn too_much_output() {
    let long = vec![b'a'; 5000];
    let begin = "a".repeat(4096);
    answer_loses(Output, "it wrote a line of more than 4096 bytes", Some(&begin), &says(&long));
    answer_loses(Output, "it wrote more than 1 MiB in a game", None, &says(&b"info depth 1\n".repeat(90_000)));
    let drip: Vec<Reaction> = (0..90_000)
        .flat_map(|_| [Reaction::sleep(Duration::from_micros(10)), Reaction::line("info depth 1")])
        .collect();
    answer_loses(Output, "it wrote more than 1 MiB in a game", None, &drip);
}

#[test]
fn dripping_words_do_not_stop_the_clock() {
    let drip: Vec<Reaction> = (0..10_000).flat_map(|_| [Reaction::sleep(MS), Reaction::line("info depth 1")]).collect();
    let (played, end) = play_odd(rules(), Side::One, proper_until(0, move |_| drip.clone()));
    assert_eq!(fault(&played).kind, Timeout);
    assert!(end < 6020 * MS, "{end:?}");
    let drip: Vec<Reaction> = (0..100_000)
        .flat_map(|_| [Reaction::Think { wall: 5 * MS, cpu: 10 * MS }, Reaction::line("info depth 1")])
        .collect();
    let (played, end) = play_odd(rules(), Side::One, proper_until(0, move |_| drip.clone()));
    assert_eq!(fault(&played).kind, Budget);
    assert!(end < 1020 * MS, "{end:?}");
    let names: Vec<Reaction> =
        (0..100_000).flat_map(|_| [Reaction::sleep(9 * MS), Reaction::line("id name x")]).collect();
    let (played, end) = play_odd(rules(), Side::One, move |_: &str| names.clone());
    assert_eq!(fault(&played).kind, Startup);
    assert!(end < 10_020 * MS, "{end:?}");
}

#[test]
fn words_that_the_protocol_does_not_know() {
    let unknown = |why: &str| format!("it wrote a line that the protocol does not know ({why})");
    let words = unknown("its first word is none of: id ready info move pong option");
    answer_loses(Protocol, &words, Some("4"), &says(b"4\n"));
    answer_loses(Protocol, &words, Some("Move 4"), &says(b"Move 4\r\n"));
    answer_loses(Protocol, &words, Some("thinking..."), &says(b"thinking...\nmove 1\n"));
    answer_loses(Protocol, &unknown("the line is empty"), Some(""), &says(b"\nmove 1\n"));
    answer_loses(Protocol, &unknown("a move is one word"), Some("move 4 1"), &says(b"move 4 1\n"));
    let info = unknown("info has depth, score, states, pv and text, and nothing else");
    answer_loses(Protocol, &info, Some("info nps 7"), &says(b"info nps 7\n"));
}

#[test]
fn bytes_that_are_no_text() {
    let not_text = "it wrote a line that is not plain text in UTF-8";
    answer_loses(Protocol, not_text, Some("move 4\0"), &says(b"move 4\0\n"));
    answer_loses(Protocol, not_text, Some("move \u{fffd}"), &says(b"move \xff\n"));
    answer_loses(Protocol, not_text, Some("\u{1b}[2Jmove 4"), &says(b"\x1b[2Jmove 4\n"));
}

#[test]
fn words_that_nobody_asked_for() {
    let unasked = |expected: &str| format!("it wrote a line when it was not asked to ({expected})");
    let off_turn = unasked("it was not its turn: each go is answered with one move, and nothing after it");
    answer_loses(Protocol, &off_turn, Some("move 1"), &says(b"move 1\nmove 1\n"));
    answer_loses(
        Protocol,
        &off_turn,
        Some("info depth 9"),
        &[Reaction::line("move 1"), Reaction::line("info depth 9")],
    );
    let in_game = unasked("go is answered with move, and before it with any number of info lines");
    answer_loses(Protocol, &in_game, Some("ready"), &says(b"ready\n"));
    answer_loses(Protocol, &in_game, Some("pong 7"), &says(b"pong 7\n"));
    // A move that is there before it is asked for is no answer.
    loses(Protocol, &off_turn, Some("move 1"), || {
        |line: &str| match line {
            "hello 1" => vec![Reaction::line("ready")],
            _ if line.starts_with("game ") => vec![Reaction::line("move 1")],
            _ => vec![],
        }
    });
}

#[test]
fn a_bad_start() {
    let silent = "it was not ready within 10 s: hello is answered with ready";
    loses(Startup, silent, None, || |_: &str| vec![]);
    loses(Startup, silent, None, || |_: &str| says(b"ready"));
    loses(Startup, silent, None, || |_: &str| vec![Reaction::sleep(10_001 * MS), Reaction::line("ready")]);
    let no_file = "it ended with code 127";
    loses(Startup, no_file, None, || move |_: &str| vec![Reaction::Exit(Fault::new(Crash, no_file))]);
    let unasked =
        "it wrote a line when it was not asked to (the first answer is ready, or id name NAME and then ready)";
    loses(Startup, unasked, Some("move 4"), || |_: &str| says(b"move 4\n"));
    let unknown =
        "it wrote a line that the protocol does not know (its first word is none of: id ready info move pong option)";
    loses(Startup, unknown, Some("Hello!"), || |_: &str| says(b"Hello!\n"));
    let flood = "it wrote a line of more than 4096 bytes";
    loses(Output, flood, Some(&"x".repeat(4096)), || |_: &str| says(&[b'x'; 9000]));
}

#[test]
fn a_slow_start_is_fine_up_to_the_limit_and_costs_no_time() {
    let slow = || {
        let mut bot = proper();
        move |line: &str| match line {
            "hello 1" => vec![Reaction::line("id name Slow"), Reaction::compute(10_000 * MS), Reaction::line("ready")],
            _ => bot(line),
        }
    };
    for side in Side::BOTH {
        let (played, end) = play_odd(rules(), side, slow());
        assert_eq!(played.verdict.reason.word(), "finished");
        assert_eq!(played.names[side.index()].as_deref(), Some("Slow"));
        assert_eq!(played.charged, [Duration::ZERO; 2], "the start of a program is not its first move");
        assert_eq!(end, 10_000 * MS);
    }
}

#[test]
fn both_have_the_same_time_to_start() {
    let clock = VirtualClock::new();
    let slow = |line: &str| match line {
        "hello 1" => vec![Reaction::sleep(9999 * MS), Reaction::line("id name A"), Reaction::line("ready")],
        _ => vec![],
    };
    let seats = [bot(&clock, slow), bot(&clock, slow)];
    let played = play(Rules { startup: 10_000 * MS, ..rules() }, &clock, seats);
    assert_eq!(fault(&played).kind, Timeout, "both were ready");
    assert_eq!(played.names.map(|name| name.is_some()), [true, true]);
}

#[test]
fn what_it_wrote_on_stderr_is_kept() {
    let complain = || {
        let text = format!("{}Traceback: ñ\n", "x".repeat(100_000));
        proper_until(1, move |_| vec![Reaction::Complain(text.clone()), Reaction::line("4")])
    };
    let (played, _) = play_odd(rules(), Side::Two, complain());
    assert!(played.stderr[1].ends_with("xTraceback: ñ\n") && played.stderr[1].len() <= 1 << 16);
    assert_eq!(played.stderr[0], "");
}
