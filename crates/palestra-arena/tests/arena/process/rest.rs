//! Whoever is not to move rests.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use palestra_arena::{Bot, Reason, Seat};
use palestra_protocol::{Dialect, Fault, GameEnd, Greeting, PlayerEvent, Turn};
use palestra_sandbox::Process;

use super::bots::{SH, ample, assert_nothing_left, cpp, play, record, sh, state_in};

/// Takes its time until the other program has been stopped, or it is clear that it will not be, and a while longer.
struct Patient {
    other: u32,
    legal: String,
    said_ready: bool,
    /// How often all threads of the other were seen to be stopped in this turn, and its CPU time at the first of these.
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
        // One thread may stop long after another where they wait for a CPU to be told.
        if !thread_states(self.other).all(|state| state == 'T') {
            assert!(self.stopped.is_none(), "a thread goes on though all were stopped");
            return self.begun.elapsed() > self.patience;
        }
        let now = cpu(self.other);
        let (glances, before) = self.stopped.get_or_insert((0, now));
        *glances += 1;
        assert_eq!(now, *before, "CPU time of a program that is stopped");
        *glances > 4
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

/// A file of each thread of a process.
fn of_threads(id: u32, file: &str) -> impl Iterator<Item = String> {
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).unwrap().flatten();
    threads.map(move |thread| std::fs::read_to_string(thread.path().join(file)).unwrap())
}

/// The CPU time of all threads of a process.
fn cpu(id: u32) -> Duration {
    let nanos = of_threads(id, "schedstat").map(|times| {
        let first = times.split_whitespace().next().unwrap();
        first.parse::<u64>().unwrap()
    });
    Duration::from_nanos(nanos.sum())
}

/// The state of each thread of a process, as one letter.
fn thread_states(id: u32) -> impl Iterator<Item = char> {
    of_threads(id, "stat").map(|stat| state_in(&stat))
}

#[test]
fn a_program_that_thinks_while_the_other_does_is_stopped_until_its_turn() {
    let process = Process::start(&cpp("ponder")).unwrap();
    let id = process.id();
    let mut patient = Patient::new(id, Duration::from_secs(60));
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
