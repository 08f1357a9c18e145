//! The blocking driver of a game: it moves events between the [`Referee`] state machine, two seats and the clock.

use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use palestra_games::{Record, Side};
use palestra_protocol::{Fault, ForfeitKind, GameEnd, Greeting, PlayerEvent, Thought};

use crate::Verdict;
use crate::referee::{Action, Event, Referee};
use crate::seat::Seat;

/// How long to wait for the side to move before its CPU time, memory and stderr and the resting opponent are looked after.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A game that was played.
#[derive(Debug)]
pub struct PlayedGame {
    /// All of it.
    pub record: Record,
    /// How it ended.
    pub verdict: Verdict,
    /// The time charged to each side.
    pub charged: [Duration; 2],
    /// What each called itself.
    pub names: [Option<String>; 2],
    /// The last of what each wrote on stderr.
    pub stderr: [String; 2],
}

/// Something that a spectator of a game sees.
#[derive(Debug)]
pub enum GameEvent<'a> {
    /// A side was asked for its move: its clock runs.
    Asked,
    /// A move was made; the referee's record has it already.
    Moved(Side),
    /// Moves were taken back; the referee's record ends before them.
    TakenBack,
    /// A player reported what it thinks.
    Thought(Side, &'a Thought),
}

/// Where time comes from: real, or made up by a test.
pub trait Clock {
    /// The time since some fixed moment.
    fn now(&self) -> Duration;
}

/// Real time.
#[derive(Clone, Copy, Debug)]
pub struct RealTime(std::time::Instant);

impl RealTime {
    /// Counted from here.
    #[must_use]
    pub fn start() -> Self {
        Self(std::time::Instant::now())
    }
}

impl Clock for RealTime {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A game about to be played.
pub struct GameToPlay<'a> {
    /// Where it begins, and by which rules.
    pub referee: Referee,
    /// Side 1 and side 2.
    pub seats: [&'a mut dyn Seat; 2],
    /// Where time comes from.
    pub clock: &'a dyn Clock,
    /// Set when the game is to be abandoned.
    pub quit: &'a AtomicBool,
}

impl GameToPlay<'_> {
    /// Plays the game to its end. `None` if it was abandoned.
    pub fn play(mut self, on_event: &mut dyn FnMut(&mut Self, GameEvent<'_>)) -> Option<PlayedGame> {
        let mut names = [None, None];
        self.greet(&mut names)?;
        while self.referee.verdict().is_none() {
            self.turn(on_event)?;
        }
        Some(self.finish(names))
    }

    /// What a side has written on stderr since this was last asked.
    pub fn fresh_stderr(&mut self, side: Side) -> String {
        self.seats[side.index()].fresh_stderr()
    }

    /// Both programs start at the same time. One that is ready rests until both are.
    fn greet(&mut self, names: &mut [Option<String>; 2]) -> Option<()> {
        let budget = self.referee.rules().budget(Duration::ZERO);
        let record = self.referee.record();
        let (game, options) = (record.kind().id(), record.beginning());
        let (now, limit) = (self.clock.now(), self.referee.rules().startup);
        for side in Side::BOTH {
            self.seats[side.index()].start(&Greeting { game, side, options: &options, budget }, now, limit);
        }
        let deadline = now.saturating_add(limit);
        let mut is_ready = [false; 2];
        while let Some(side) = Side::BOTH.into_iter().find(|side| !is_ready[side.index()]) {
            if self.quit.load(Relaxed) {
                return None;
            }
            if self.referee.verdict().is_some() {
                break;
            }
            let (own, other) = (side.index(), side.other().index());
            let wait = deadline.saturating_sub(self.clock.now()).min(POLL_INTERVAL);
            is_ready[own] = self.await_ready(side, wait, &mut names[own]);
            if !is_ready[other] {
                is_ready[other] = self.await_ready(side.other(), Duration::ZERO, &mut names[other]);
            } else if !is_ready[own] {
                self.seats[other].rest();
            }
        }
        Some(())
    }

    /// Waits for one thing that a program says before it is ready. Whether it now is, and rests.
    fn await_ready(&mut self, side: Side, wait: Duration, name: &mut Option<String>) -> bool {
        let now = self.clock.now();
        let seat = &mut self.seats[side.index()];
        let fault = match seat.hear(wait, self.quit) {
            Ok(Some(PlayerEvent::Ready)) => {
                seat.pause();
                return true;
            }
            Ok(Some(PlayerEvent::Name(said))) => {
                *name = Some(said);
                None
            }
            Ok(_) => seat.overdue(now),
            Err(fault) => Some(at_startup(fault)),
        };
        if let Some(fault) = fault {
            self.referee.on(Event::Fault(side, fault), self.clock.now());
        }
        false
    }

    /// Asks the side to move, until there is a move, a verdict or a position taken back to.
    fn turn(&mut self, on_event: &mut dyn FnMut(&mut Self, GameEvent<'_>)) -> Option<()> {
        let side = self.referee.turn();
        if let Err(fault) = self.ask(side) {
            self.referee.on(Event::Fault(side, fault), self.clock.now());
            return Some(());
        }
        self.referee.on(Event::Asked, self.clock.now());
        on_event(self, GameEvent::Asked);
        let (mut last_thought, mut polled, mut is_first) = (None, self.clock.now(), true);
        let moves = self.referee.record().moves().len();
        while self.referee.verdict().is_none() && self.referee.record().moves().len() == moves {
            if self.quit.load(Relaxed) {
                return None;
            }
            let wait = self.wait();
            match self.seats[side.index()].hear(wait, self.quit) {
                Ok(Some(PlayerEvent::Move { text, thought })) => self.take(side, text, thought.or(last_thought.take())),
                Ok(Some(PlayerEvent::Thought(thought))) => {
                    on_event(self, GameEvent::Thought(side, &thought));
                    last_thought = Some(thought);
                    // A talkative player is polled like a silent one.
                    if self.clock.now().saturating_sub(polled) >= POLL_INTERVAL {
                        polled = self.clock.now();
                        self.poll(side, std::mem::take(&mut is_first));
                    }
                }
                Ok(Some(PlayerEvent::Resign)) => {
                    self.referee.on(Event::Resign(side), self.clock.now());
                }
                Ok(Some(PlayerEvent::TakeBack(from))) => {
                    self.referee.take_back(from, self.clock.now());
                }
                Ok(None | Some(PlayerEvent::Ready | PlayerEvent::Name(_))) => {
                    self.poll(side, std::mem::take(&mut is_first));
                }
                Err(fault) => {
                    self.referee.on(Event::Fault(side, fault), self.clock.now());
                }
            }
        }
        match self.referee.record().moves().len().cmp(&moves) {
            Ordering::Greater => on_event(self, GameEvent::Moved(side)),
            Ordering::Less => on_event(self, GameEvent::TakenBack),
            Ordering::Equal => {}
        }
        Some(())
    }

    fn ask(&mut self, side: Side) -> Result<(), Fault> {
        self.seats[side.index()].go(&self.referee.question())?;
        self.seats[side.other().index()].pause();
        Ok(())
    }

    fn take(&mut self, side: Side, text: String, thought: Option<Thought>) {
        let now = self.clock.now();
        let (cpu, waited) = (self.seats[side.index()].cpu(), self.waited(side, now));
        for action in self.referee.on(Event::Move { side, text, cpu, waited, thought }, now) {
            match action {
                Action::Used { side, cpu, wall } => self.seats[side.index()].used(cpu, wall),
                Action::Refused(side, _) => {
                    if let Err(fault) = self.ask(side) {
                        self.referee.on(Event::Fault(side, fault), now);
                    }
                }
                _ => {}
            }
        }
    }

    /// Time passed without an answer.
    fn poll(&mut self, side: Side, is_first: bool) {
        let seat = &mut self.seats[side.index()];
        let (cpu, unfinished) = (seat.cpu(), seat.unfinished());
        if is_first {
            // From here on its waiting is counted: a turn that is over before costs no look at its tasks.
            seat.waited();
        }
        self.seats[side.other().index()].rest();
        let now = self.clock.now();
        let waited = self.waited(side, now);
        if !unfinished.is_empty() && self.referee.is_late(waited, now) {
            let detail = "it gave no move in time: what it wrote does not end with a newline";
            let fault = Fault { line: Some(unfinished), ..Fault::new(ForfeitKind::Timeout, detail) };
            self.referee.on(Event::Fault(side, fault), now);
        }
        self.referee.on(Event::Tick { cpu, waited }, now);
    }

    /// How long a side has waited for a CPU in its turn. It takes a while to find out, and is asked only when the side would
    /// be late without it: that moves the deadline, and next time it is asked at the new one.
    fn waited(&mut self, side: Side, now: Duration) -> Duration {
        let is_late = self.referee.is_late(Duration::ZERO, now);
        if is_late { self.seats[side.index()].waited() } else { Duration::ZERO }
    }

    /// How long to wait for the side to move: until its deadline, but no longer than a poll interval.
    fn wait(&self) -> Duration {
        let due = self.referee.deadline().map_or(Duration::MAX, |due| due.saturating_sub(self.clock.now()));
        // Late is who needs more than the limit, so the limit itself must have passed.
        due.saturating_add(Duration::from_micros(1)).min(POLL_INTERVAL)
    }

    fn finish(self, names: [Option<String>; 2]) -> PlayedGame {
        let verdict = self.referee.verdict().expect("the game is over").clone();
        let (score, reason) = (verdict.points, verdict.reason.word());
        let [one, two] = self.seats;
        one.end(&GameEnd { ending: verdict.ending(Side::One), score, reason });
        two.end(&GameEnd { ending: verdict.ending(Side::Two), score, reason });
        let stderr = [one.stderr(), two.stderr()];
        let charged = self.referee.charged();
        PlayedGame { record: self.referee.into_record(), verdict, charged, names, stderr }
    }
}

/// What goes wrong before a bot is ready is a fault of its start, whatever it is, unless it says so itself.
fn at_startup(fault: Fault) -> Fault {
    let kind = match fault.kind {
        ForfeitKind::Crash | ForfeitKind::Protocol | ForfeitKind::Timeout => ForfeitKind::Startup,
        other => other,
    };
    Fault { kind, ..fault }
}
