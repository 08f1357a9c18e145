//! Whoever is not to move rests.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use palestra_arena::{Bot, Reason, Seat};
use palestra_protocol::{Dialect, Fault, GameEnd, Greeting, PlayerEvent, Turn};
use palestra_sandbox::Process;

use super::bots::{SH, ample, assert_nothing_left, cpp, play, record, sh, state};

/// Takes its time until the other program has been stopped, or it is clear that it will not be, and a while longer.
struct Patient {
    other: u32,
    legal: String,
    said_ready: bool,
    /// Glances until now in this turn, and the CPU time of the other at the second of those when it was stopped.
    stopped: Option<(u32, Duration)>,
    begun: Instant,
    /// How often the other was stopped, and how often it was not in all that time.
    stops: u32,
    patience: Duration,
}

impl Patient {
    fn new(other: u32, patience: Duration) -> Self {
        let begun = Instant::now();
        Self { other, legal: String::new(), said_ready: false, stopped: None, begun, stops: 0, patience }
    }

    /// Whether enough was seen.
    fn is_content(&mut self) -> bool {
        if state(self.other) != 'T' {
            return self.begun.elapsed() > self.patience;
        }
        let (glances, before) = self.stopped.get_or_insert_default();
        *glances += 1;
        // One thread may stop a moment after another: the first glance is too early.
        match *glances {
            1 => {}
            2 => *before = cpu(self.other),
            _ => assert_eq!(cpu(self.other), *before, "whoever is stopped uses no time"),
        }
        *glances > 5
    }
}

impl Seat for Patient {
    fn start(&mut self, _: &Greeting<'_>, _: Duration, _: Duration) {}

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        self.legal.clone_from(&turn.position.moves()[0]);
        self.begun = Instant::now();
        Ok(())
    }

    fn hear(&mut self, wait: Duration, _: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        if !self.said_ready {
            self.said_ready = true;
            return Ok(Some(PlayerEvent::Ready));
        }
        if self.is_content() {
            self.stops += u32::from(self.stopped.take().is_some());
            return Ok(Some(PlayerEvent::Move { text: self.legal.clone(), thought: None }));
        }
        // As long as a program would be waited for.
        std::thread::sleep(wait);
        Ok(None)
    }

    fn cpu(&mut self) -> Option<Duration> {
        None
    }

    fn used(&mut self, _: Option<Duration>, _: Duration) {}

    fn end(&mut self, _: &GameEnd<'_>) {}
}

/// The CPU time of all threads of a process.
fn cpu(id: u32) -> Duration {
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).unwrap().flatten();
    let nanos = tasks.map(|task| {
        let times = std::fs::read_to_string(task.path().join("schedstat")).unwrap();
        times.split_whitespace().next().unwrap().parse::<u64>().unwrap()
    });
    Duration::from_nanos(nanos.sum())
}

#[test]
fn a_program_that_thinks_while_the_other_does_is_stopped_until_its_turn() {
    let process = Process::start(&cpp("ponder")).unwrap();
    let id = process.id();
    let mut patient = Patient::new(id, Duration::from_secs(30));
    let played = play(record("mancala"), ample(), [&mut Bot::new(process, Dialect::One), &mut patient]);
    assert_eq!(played.verdict.reason, Reason::Finished, "{:?}", played.verdict);
    assert!(patient.stops > 3, "{}", patient.stops);
    assert_nothing_left(id);
}

#[test]
fn a_program_that_waits_for_its_turn_is_left_alone() {
    let process = Process::start(&sh(SH)).unwrap();
    let mut patient = Patient::new(process.id(), Duration::from_millis(25));
    let played = play(record("mancala"), ample(), [&mut Bot::new(process, Dialect::One), &mut patient]);
    assert_eq!((played.verdict.reason, patient.stops), (Reason::Finished, 0));
}
