//! An attacker led by hand, turn by turn, for what a game is too quick to show.

use std::time::{Duration, Instant};

use palestra_protocol::{Received, Transport};
use palestra_sandbox::Process;

use crate::probe::is_well;

/// Far more than an attacker needs that answers at all.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Greets an attacker and leads it to its second turn, at which it makes its attack. What it answers then, or why it
/// does not, within that time.
pub(crate) fn lead(attacker: &mut Process, wait: Duration) -> (Received, String) {
    let mut line = String::new();
    attacker.send("hello\n");
    assert_eq!(attacker.receive(ANSWER_TIMEOUT, &mut line), Received::Line);
    assert_eq!(line, "ready");
    assert_eq!(go(attacker, ANSWER_TIMEOUT), (Received::Line, "move a".to_owned()));
    go(attacker, wait)
}

/// Leads an attacker that is to answer after its attack.
pub(crate) fn lead_through(attacker: &mut Process) {
    assert_eq!(lead(attacker, ANSWER_TIMEOUT), (Received::Line, "move a".to_owned()));
}

/// It is its turn.
pub(crate) fn go(attacker: &mut Process, wait: Duration) -> (Received, String) {
    let mut line = String::new();
    attacker.send("legal a\ngo\n");
    let received = attacker.receive(wait, &mut line);
    (received, line)
}

/// Attends to an attacker until it has written this on stderr.
pub(crate) fn await_word(attacker: &mut Process, word: &str) {
    assert!(attend_until(attacker, |attacker| attacker.stderr().contains(word)), "no {word}: {}", attacker.stderr());
}

/// Attends to an attacker until its process is stopped.
pub(crate) fn await_stop(attacker: &mut Process, program: i32) {
    assert!(attend_until(attacker, |_| !is_well(program)), "not stopped: {}", attacker.stderr());
}

/// The CPU time that an attacker takes while the other thinks for 100 ms.
pub(crate) fn off_turn(attacker: &mut Process) -> Duration {
    attacker.pause();
    let before = attacker.cpu().expect("a clock");
    assert_eq!(attacker.receive(Duration::from_millis(100), &mut String::new()), Received::Quiet);
    attacker.cpu().expect("a clock") - before
}

/// Whether an attacker gets that much CPU time, if only it is given time.
pub(crate) fn goes_on(attacker: &mut Process, much: Duration) -> bool {
    let before = attacker.cpu().expect("a clock");
    attend_until(attacker, |attacker| attacker.cpu().expect("a clock") - before >= much)
}

/// Attends to an attacker, whatever it says; whether this came true in time.
fn attend_until(attacker: &mut Process, mut is_true: impl FnMut(&mut Process) -> bool) -> bool {
    let begun = Instant::now();
    while !is_true(attacker) {
        let received = attacker.receive(Duration::from_millis(5), &mut String::new());
        assert!(!matches!(received, Received::Gone(_)), "{received:?}");
        if begun.elapsed() > ANSWER_TIMEOUT {
            return false;
        }
    }
    true
}
