//! Attacks on time: too much of it, or when it is not one's own.

use std::time::Duration;

use palestra_arena::sandbox::Allowance;
use palestra_arena::{ForfeitKind, Process, Received, Rules, TimeControl, Transport};
use rustix::process::Signal;
use rustix::thread::sched_getaffinity;

use crate::hand::{go, goes_on, lead_through, off_turn};
use crate::probe::{Watched, count, family, signal};
use crate::support::{Attacker, PlayedAttack, ends, play, sandbox};

const TIME: Attacker = Attacker { name: "time", source: include_str!("attacks/time.cpp") };

/// More than this off turn is a violation.
const OFF_TURN: Duration = Duration::from_millis(2);

/// So much that it cannot be anything but an attack.
const MUCH: Duration = Duration::from_millis(100);

fn rules(cpu: u64, wall: u64) -> Rules {
    let [cpu, wall] = [cpu, wall].map(Duration::from_millis);
    Rules { time: TimeControl::Cpu { cpu, wall }, ..Rules::default() }
}

/// Plays in a box; whoever was in the box is gone when the game is over.
fn play_and_vanish(words: &[&str], rules: Rules) -> PlayedAttack {
    let attacker = TIME.start(words);
    let all = Watched::new(&family(&attacker));
    let played = play(attacker, rules);
    all.are_gone();
    played
}

/// The referee's clocks are the same without a box, so that the verdict is too.
#[test]
fn attack_busy_past_the_deadline() {
    let rules = rules(100, 10_000);
    let bare = play(TIME.start_bare(&["busy"]), rules);
    assert_eq!(ends(&bare), Some(ForfeitKind::Budget));

    let boxed = play_and_vanish(&["busy"], rules);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Budget));
}

/// As above.
#[test]
fn attack_sleeping_past_the_deadline() {
    let rules = rules(1_000, 300);
    let bare = play(TIME.start_bare(&["sleep"]), rules);
    assert_eq!(ends(&bare), Some(ForfeitKind::Timeout));

    let boxed = play_and_vanish(&["sleep"], rules);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Timeout));
}

#[test]
fn attack_sigcont_timer() {
    let mut bare = TIME.start_bare(&["timer"]);
    assert!(goes_on_though_stopped(&mut bare), "a timer lets it go on: {}", bare.stderr());

    let mut boxed = TIME.start(&["timer"]);
    rests(&mut boxed);
    assert!(boxed.stderr().contains("failed timer:"), "{}", boxed.stderr());
    assert_eq!(ends(&TIME.play(&["timer"])), None, "a call that fails is no fault");
}

#[test]
fn attack_setsid_waker() {
    let mut bare = TIME.start_bare(&["waker"]);
    assert!(goes_on_though_stopped(&mut bare), "a second process lets it go on: {}", bare.stderr());

    let mut boxed = TIME.start(&["waker"]);
    rests(&mut boxed);
    assert!(boxed.stderr().contains("failed setsid:"), "{}", boxed.stderr());
    assert!(boxed.stderr().contains("failed waker:"), "{}", boxed.stderr());
    assert_eq!(ends(&TIME.play(&["waker"])), None);
}

#[test]
fn attack_pondering_off_turn() {
    let mut bare = TIME.start_bare(&["ponder"]);
    lead_through(&mut bare);
    bare.pause();
    assert!(goes_on(&mut bare, MUCH), "without a box nobody is stopped before it was seen to go on");

    let mut boxed = TIME.start(&["ponder"]);
    rests(&mut boxed);
    assert!(goes_on(&mut boxed, MUCH), "on turn its thread may work: {}", boxed.stderr());
    assert_eq!(ends(&TIME.play(&["ponder"])), None);
}

/// Stops a program without a box; whether it goes on all the same.
fn goes_on_though_stopped(bare: &mut Process) -> bool {
    lead_through(bare);
    signal(bare.id().cast_signed(), Signal::STOP);
    goes_on(bare, MUCH)
}

/// Off turn nothing of it works, nobody says that it broke a rule, and at its turn it goes on.
fn rests(boxed: &mut Process) {
    lead_through(boxed);
    assert!(boxed.stderr().contains("did ponder"), "{}", boxed.stderr());
    let used = off_turn(boxed);
    assert!(used < OFF_TURN, "{used:?} off turn");
    boxed.rest();
    assert_eq!(boxed.receive(Duration::ZERO, &mut String::new()), Received::Quiet);
    boxed.wake();
    assert_eq!(go(boxed, Duration::from_secs(10)).0, Received::Line);
}

/// The time of all threads is charged, by the referee for the move and by the kernel in all. Without a box they have all
/// CPUs of the machine.
#[test]
fn attack_many_threads() {
    let rules = rules(200, 10_000);
    let bare = play(TIME.start_bare(&["threads", "8"]), rules);
    assert_eq!(ends(&bare), Some(ForfeitKind::Budget));
    let all = sched_getaffinity(None).expect("our own CPUs").count();
    assert!(count(&bare.stderr, "CPUs") >= all.into(), "{}", bare.stderr);

    let boxed = play_and_vanish(&["threads", "8"], rules);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Budget));
    assert_eq!(count(&boxed.stderr, "CPUs"), 1);
    assert!(boxed.stderr.contains("failed sched_setaffinity:"), "{}", boxed.stderr);

    // CPU time does not count in this game: only the kernel's limit does, which is two seconds more than is allowed, and
    // another one for whoever ignores its signal.
    let rules = Rules { time: TimeControl::Wall(Duration::from_secs(60)), ..rules };
    let program = std::fs::read(TIME.program()).expect("the program");
    for words in [&["/bot/attacker", "threads", "8"][..], &["/bot/attacker", "threads", "8", "deaf"]] {
        let packed = sandbox().pack(&[("attacker", &program)], words).expect("packed");
        let allowance = Allowance { cpu: Duration::ZERO, ..Allowance::default() };
        let limited = play(sandbox().start(&packed, allowance).expect("a box"), rules);
        assert_eq!(ends(&limited), Some(ForfeitKind::Budget), "{:?}", limited.game.verdict);
    }
}

/// What runs before `main` has the time until it is ready, and no more. It is the same without a box.
#[test]
fn attack_burning_before_main() {
    let rules = Rules { startup: Duration::from_millis(300), ..rules(100, 10_000) };
    let bare = play(TIME.start_bare(&["early"]), rules);
    assert_eq!(ends(&bare), Some(ForfeitKind::Startup));

    let boxed = play_and_vanish(&["early"], rules);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Startup));
    assert!(boxed.stderr.contains("did begin early"), "{}", boxed.stderr);
}
