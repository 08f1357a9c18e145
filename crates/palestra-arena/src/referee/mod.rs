//! The referee as a sans-IO state machine: time control, faults, retries, the move cap and adjudication.
//!
//! It does nothing by itself. A driver hands in what happens and when, as an [`Event`], and carries out the [`Action`]s that
//! follow; the driver moves the lines and reads the clock. Times are counted from any fixed moment.

mod running;
mod saved;

use std::fmt::Write;
use std::time::Duration;

use palestra_games::{AnyGame, PlayError, Record, Side};
use palestra_protocol::{Budget, Fault, ForfeitKind, Thought, Turn};

use running::Running;
pub use saved::{Saved, SavedError};

use crate::rules::{MAX_WALL_FACTOR, Rules, TimeControl};
use crate::{Reason, Spent, Verdict};

/// A game under way, or over.
#[derive(Debug)]
pub struct Referee {
    rules: Rules,
    record: Record,
    /// How long the turn has taken; it has not begun if the player has not been asked.
    turn_time: Option<Running>,
    /// How long the side to move has waited for a CPU in this turn, as far as that is known.
    waited: Duration,
    /// What was charged to each side so far.
    charged: [Duration; 2],
    /// What is left of the time for the whole game, where there is one.
    left: [Duration; 2],
    offered: [bool; 2],
    /// How long each side has been away, if it is.
    away: [Option<Running>; 2],
    verdict: Option<Verdict>,
}

/// An input of the state machine: something that happens.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A side was asked for its move: its clock runs.
    Asked,
    /// The question was withdrawn: the clock stops, and what it showed does not count.
    Withdrawn,
    /// A side made a move.
    Move {
        /// Which side.
        side: Side,
        /// The move.
        text: String,
        /// The CPU time it took, where it can be measured.
        cpu: Option<Duration>,
        /// How long it waited for a CPU meanwhile; zero where that was not asked.
        waited: Duration,
        /// What it thought.
        thought: Option<Thought>,
    },
    /// A side gives up.
    Resign(Side),
    /// A side would be content with a draw, until the other moves.
    OfferDraw(Side),
    /// A side does not want the draw that it was offered.
    DeclineDraw(Side),
    /// A side lost the connection.
    Dropped(Side),
    /// A side's connection came back.
    Back(Side),
    /// A side did something wrong.
    Fault(Side, Fault),
    /// Time passed without an answer.
    Tick {
        /// The CPU time of the turn, where it can be measured.
        cpu: Option<Duration>,
        /// How long it waited for a CPU in this turn; zero where that was not asked.
        waited: Duration,
    },
}

/// An output of the state machine: something for the driver to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Ask this side for its move.
    Ask(Side),
    /// Tell this side that its move was taken, and what it cost.
    Used {
        /// Which side.
        side: Side,
        /// CPU time, where it can be measured.
        cpu: Option<Duration>,
        /// Time on the wall.
        wall: Duration,
    },
    /// Tell this side that its move was refused, and ask again.
    Refused(Side, PlayError),
    /// Tell this side that the other would be content with a draw.
    DrawOffered(Side),
    /// Tell this side that the other does not want a draw.
    DrawDeclined(Side),
    /// The game is over.
    Ended,
}

impl Referee {
    /// A referee for a game that goes on where the record ends.
    #[must_use]
    pub fn new(record: Record, rules: Rules) -> Self {
        let total = match rules.time {
            TimeControl::Game { total, .. } => total,
            _ => Duration::ZERO,
        };
        let mut referee = Self {
            rules,
            record,
            turn_time: None,
            waited: Duration::ZERO,
            charged: [Duration::ZERO; 2],
            left: [total; 2],
            offered: [false; 2],
            away: [None; 2],
            verdict: None,
        };
        referee.settle();
        referee
    }

    /// The game so far.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// The record of the game, to set its headers.
    pub const fn record_mut(&mut self) -> &mut Record {
        &mut self.record
    }

    /// The game, at its end.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.record
    }

    /// The rules of this game: time control, move cap, penalties.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> &dyn AnyGame {
        self.record.position()
    }

    /// Who is to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.position().turn()
    }

    /// How the game ended, if it has.
    #[must_use]
    pub const fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// What was charged to each side so far: CPU time where it counts and can be measured, else wall-clock time.
    #[must_use]
    pub const fn charged(&self) -> [Duration; 2] {
        self.charged
    }

    /// What the next move may cost.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.rules.budget(self.left[self.turn().index()])
    }

    /// The question for the side to move.
    #[must_use]
    pub fn question(&self) -> Turn<'_> {
        Turn { position: self.position(), history: self.record.moves(), budget: self.budget() }
    }

    /// What a side has left of its time by then: for the game, or for the move. `None` where time does not count.
    #[must_use]
    pub fn left(&self, side: Side, now: Duration) -> Option<Duration> {
        let is_running = self.verdict.is_none() && side == self.turn();
        let waited = if is_running { self.waited } else { Duration::ZERO };
        let wall = self.rules.wall_limit(self.left[side.index()], waited)?;
        let passed = self.turn_time.filter(|_| is_running).map_or(Duration::ZERO, |time| time.passed(now));
        Some(wall.saturating_sub(passed))
    }

    /// Whether the clock of the side to move runs.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.turn_time.is_some()
    }

    /// Takes back everything from a side's last move on; it is that side's turn again. What was spent is spent, also in
    /// the turn under way, and what a move earned is given back with it: no side gains time. Whether there was such a move.
    pub fn take_back(&mut self, side: Side, now: Duration) -> bool {
        let last = self.record.moves().iter().rposition(|mv| mv.played.side == side);
        let Some(last) = last.filter(|_| self.verdict.is_none()) else { return false };
        if let TimeControl::Game { increment, .. } = self.rules.time {
            let mover = self.turn().index();
            let passed = self.turn_time.map_or(Duration::ZERO, |time| time.passed(now));
            self.charged[mover] = self.charged[mover].saturating_add(passed);
            self.left[mover] = self.left[mover].saturating_sub(passed);
            for mv in &self.record.moves()[last..] {
                let left = &mut self.left[mv.played.side.index()];
                *left = left.saturating_sub(increment);
            }
        }
        self.record.truncate(last);
        (self.turn_time, self.offered) = (None, [false; 2]);
        true
    }

    /// When the game ends by itself: an answer is late, or a side has been away for too long.
    #[must_use]
    pub fn deadline(&self) -> Option<Duration> {
        let turn = self.turn_time.zip(self.wall_limit(self.waited)).map(|(time, wall)| time.reaches(wall));
        let absences = self.away.iter().flatten().map(|time| time.reaches(self.rules.absence));
        if self.verdict.is_some() { None } else { absences.chain(turn).min() }
    }

    /// Whether the side to move is late by the clock, if it has waited so long for a CPU.
    #[must_use]
    pub fn is_late(&self, waited: Duration, now: Duration) -> bool {
        let limit = self.turn_time.zip(self.wall_limit(self.waited.max(waited)));
        limit.is_some_and(|(time, limit)| time.passed(now) > limit)
    }

    /// The time by the clock that this turn may take.
    fn wall_limit(&self, waited: Duration) -> Option<Duration> {
        self.rules.wall_limit(self.left[self.turn().index()], waited)
    }

    /// Takes what happened at that time, and says what follows. After the end nothing does.
    pub fn on(&mut self, event: Event, now: Duration) -> Vec<Action> {
        if self.verdict.is_some() {
            return vec![];
        }
        self.look_at_clocks(&event, now);
        if self.verdict.is_some() {
            return vec![Action::Ended];
        }
        match event {
            Event::Asked => {
                if self.turn_time.is_none() {
                    (self.turn_time, self.waited) = (Some(Running::since(now)), Duration::ZERO);
                }
                vec![]
            }
            Event::Withdrawn => {
                self.turn_time = None;
                vec![]
            }
            Event::Move { side, text, cpu, thought, .. } => self.on_move(side, &text, cpu, thought.as_ref(), now),
            Event::Resign(side) => self.lose(side, Reason::Resigned),
            Event::OfferDraw(side) => self.on_offer(side),
            Event::DeclineDraw(side) => {
                let was_offered = std::mem::take(&mut self.offered[side.other().index()]);
                if was_offered { vec![Action::DrawDeclined(side.other())] } else { vec![] }
            }
            Event::Dropped(side) => {
                self.away[side.index()].get_or_insert(Running::since(now));
                vec![]
            }
            Event::Back(side) => {
                self.away[side.index()] = None;
                vec![]
            }
            Event::Fault(side, fault) => {
                if let Some(turn) = self.turn_time.filter(|_| side == self.turn()) {
                    self.charge(side, None, turn.passed(now));
                }
                self.lose(side, Reason::Forfeit(fault))
            }
            Event::Tick { .. } => vec![],
        }
    }

    fn on_move(
        &mut self,
        side: Side,
        text: &str,
        cpu: Option<Duration>,
        thought: Option<&Thought>,
        now: Duration,
    ) -> Vec<Action> {
        if side != self.turn() {
            let fault = Fault {
                kind: ForfeitKind::Protocol,
                detail: "it moved when it was not its turn".to_owned(),
                line: Some(text.to_owned()),
            };
            return if self.rules.retry { vec![] } else { self.lose(side, Reason::Forfeit(fault)) };
        }
        let wall = self.turn_time.map_or(Duration::ZERO, |time| time.passed(now));
        if let Err(error) = self.record.play(text) {
            if self.rules.retry {
                return vec![Action::Refused(side, error)];
            }
            let fault = Fault { kind: ForfeitKind::Illegal, detail: wrong_move(&error), line: Some(text.to_owned()) };
            self.charge(side, cpu, wall);
            return self.lose(side, Reason::Forfeit(fault));
        }
        self.note(cpu, wall, thought);
        self.charge(side, cpu, wall);
        (self.turn_time, self.offered[side.other().index()]) = (None, false);
        let used = Action::Used { side, cpu, wall };
        self.settle();
        vec![used, if self.verdict.is_some() { Action::Ended } else { Action::Ask(self.turn()) }]
    }

    fn on_offer(&mut self, side: Side) -> Vec<Action> {
        if self.offered[side.other().index()] {
            self.end(Verdict::draw(self.position(), Reason::Agreed));
            return vec![Action::Ended];
        }
        let is_new = !std::mem::replace(&mut self.offered[side.index()], true);
        if is_new { vec![Action::DrawOffered(side.other())] } else { vec![] }
    }

    /// Ends the game if a side is late, or has been away for too long.
    fn look_at_clocks(&mut self, event: &Event, now: Duration) {
        let mover = self.turn();
        let wall = self.turn_time.map_or(Duration::ZERO, |time| time.passed(now));
        let (cpu, waited) = match *event {
            Event::Move { side, cpu, waited, .. } if side == mover => (cpu, waited),
            Event::Tick { cpu, waited } => (cpu, waited),
            _ => (None, Duration::ZERO),
        };
        // Time spent computing is not spent waiting.
        let waited = waited.min(wall.saturating_sub(cpu.unwrap_or_default()));
        self.waited = self.waited.max(waited);
        // The driver that reports a side as late knows more about it.
        let is_reported = matches!(event, Event::Fault(side, fault) if *side == mover && fault.kind.is_time_out());
        if let Some(fault) = self.late(Spent { wall, cpu, waited: self.waited }).filter(|_| !is_reported) {
            self.charge(mover, cpu, wall);
            self.lose(mover, Reason::Forfeit(fault));
            return;
        }
        let is_lost = |away: Option<Running>| away.is_some_and(|time| time.passed(now) >= self.rules.absence);
        if let Some(side) = Side::BOTH.into_iter().find(|side| is_lost(self.away[side.index()])) {
            let seconds = self.rules.absence.as_secs();
            let detail = format!("the connection was lost and did not come back within {seconds} s");
            self.lose(side, Reason::Forfeit(Fault::new(ForfeitKind::Disconnect, detail)));
        }
    }

    /// Whether the turn has cost too much, and what.
    fn late(&self, spent: Spent) -> Option<Fault> {
        let budget = self.budget();
        if let Some((used, limit)) = spent.cpu.zip(budget.cpu).filter(|(used, limit)| used > limit) {
            // Rounded up, so that the number shown is never within the limit.
            let [used, limit] = [used, limit].map(|time| (time.as_secs_f64() * 1e4).ceil() / 10.0);
            let detail = format!("it used {used} ms of CPU time for a move, and has {limit} ms");
            return Some(Fault::new(ForfeitKind::Budget, detail));
        }
        let limit = self.wall_limit(spent.waited).filter(|&limit| spent.wall > limit)?;
        let usual = budget.wall?;
        let is_ceiling = budget.cpu.is_some() && limit == usual.saturating_mul(MAX_WALL_FACTOR);
        let mut detail = format!("it gave no move within {} ms", usual.as_millis());
        if is_ceiling {
            let _ = write!(detail, ", nor within {MAX_WALL_FACTOR} times that on a busy machine");
        }
        if spent.cpu.is_some() {
            let _ = write!(detail, ": {spent}");
        }
        Some(Fault::new(ForfeitKind::Timeout, detail))
    }

    fn charge(&mut self, side: Side, cpu: Option<Duration>, wall: Duration) {
        let index = side.index();
        let charged = match self.rules.time {
            TimeControl::Wall(_) | TimeControl::Game { .. } => wall,
            TimeControl::Unlimited | TimeControl::Cpu { .. } => cpu.unwrap_or(wall),
        };
        self.charged[index] = self.charged[index].saturating_add(charged);
        if let TimeControl::Game { increment, .. } = self.rules.time {
            self.left[index] = self.left[index].saturating_sub(wall).saturating_add(increment);
        }
    }

    /// Writes beside the move what it cost and what its player thought.
    fn note(&mut self, cpu: Option<Duration>, wall: Duration, thought: Option<&Thought>) {
        let mut note = String::with_capacity(64);
        if let Some(cpu) = cpu {
            let _ = write!(note, "cpu {} ", milliseconds(cpu));
        }
        let _ = write!(note, "wall {}", milliseconds(wall));
        if let Some(thought) = thought {
            let _ = write!(note, "{thought}");
        }
        // What cannot stand in a record was escaped; if something is refused all the same, the game is worth more.
        let _ = self.record.note(&note);
    }

    fn lose(&mut self, side: Side, reason: Reason) -> Vec<Action> {
        self.end(Verdict::lost(self.position(), side, reason));
        vec![Action::Ended]
    }

    /// Ends the game if it is over or too long.
    fn settle(&mut self) {
        let position = self.position();
        if let Some(outcome) = position.outcome() {
            self.end(Verdict::finished(position, outcome));
        } else if self.rules.cap.is_some_and(|cap| self.record.moves().len() >= cap as usize) {
            self.end(Verdict::draw(position, Reason::Capped));
        }
    }

    fn end(&mut self, verdict: Verdict) {
        self.turn_time = None;
        let set = self.record.set_result(verdict.points, verdict.reason.word());
        debug_assert!(set.is_ok(), "{set:?}");
        self.verdict = Some(verdict);
    }
}

fn wrong_move(error: &PlayError) -> String {
    match error {
        PlayError::NotAMove { error, .. } => format!("it answered with something that is no move: {error}"),
        PlayError::Illegal { mv, .. } => format!("it played {mv}, which is not legal there"),
        PlayError::GameOver { .. } => error.to_string(),
    }
}

/// Milliseconds with as many decimals as are worth reading.
fn milliseconds(time: Duration) -> String {
    let micros = time.as_micros();
    if micros >= 10_000 { (micros / 1000).to_string() } else { format!("{}.{:03}", micros / 1000, micros % 1000) }
}
