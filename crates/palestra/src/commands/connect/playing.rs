//! A game that the local program plays: towards it this is the referee.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use palestra_arena::{Entrant, EntrantKind, Seat};
use palestra_games::{AnyGame, GameKind, Record, Side};
use palestra_protocol::{Budget, Dialect, Fault, ForfeitKind, GameEnd, Greeting, PlayerEvent, Turn};

use crate::contest_setup::with_hint;

/// Memory limit of a program.
const MEMORY_BYTES: u64 = 1 << 30;

/// Time for a program to become ready.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(10);

/// Time to wait for the program before polling the server.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A game, and the program that plays it.
pub(super) struct Playing {
    kind: &'static GameKind,
    side: Side,
    options: String,
    seat: Box<dyn Seat>,
    /// The course's programs are told their time once, at the start: they are greeted when it is known.
    is_greeted: bool,
    is_course: bool,
    /// The moves of the game as far as the server has told them, with the program's own.
    moves: Vec<String>,
    /// The position it thinks about.
    thinking: Option<Box<dyn AnyGame>>,
    /// The last answer of the program, and its position.
    answered: Option<(String, String)>,
}

/// A turn, in the server's words.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnText {
    pub(super) position: String,
    pub(super) history: Vec<String>,
}

impl Playing {
    /// Starts the program.
    pub(super) fn start(entrant: &Entrant, kind: &'static GameKind, side: Side, options: &str) -> Result<Self> {
        let seed = crate::start::short_seed();
        let seat = entrant.seat(kind.id(), seed, Some(MEMORY_BYTES), Duration::MAX).or_else(with_hint)?;
        let is_course = matches!(&entrant.kind, EntrantKind::Program(program) if program.dialect == Dialect::Course);
        Ok(Self {
            kind,
            side,
            options: options.to_owned(),
            seat,
            is_greeted: false,
            is_course,
            moves: vec![],
            thinking: None,
            answered: None,
        })
    }

    /// Whether it is this game, as far as its beginning tells.
    pub(super) fn is(&self, game: &str, side: Side, options: &str) -> bool {
        (self.kind.id(), self.side, self.options.as_str()) == (game, side, options)
    }

    /// How the game began.
    pub(super) fn beginning(&self) -> (&'static str, Side, String) {
        (self.kind.id(), self.side, self.options.clone())
    }

    /// Greets the program before its first turn, where that can be done already, and waits until it is ready.
    pub(super) fn get_ready(&mut self, quit: &AtomicBool) -> Result<(), Fault> {
        if self.is_course { Ok(()) } else { self.greet(Budget::INFINITE, quit) }
    }

    fn greet(&mut self, budget: Budget, quit: &AtomicBool) -> Result<(), Fault> {
        self.is_greeted = true;
        let greeting = Greeting { game: self.kind.id(), side: self.side, options: &self.options, budget };
        let begun = Instant::now();
        self.seat.start(&greeting, Duration::ZERO, STARTUP_TIMEOUT);
        while !quit.load(Ordering::Relaxed) {
            if self.seat.hear(POLL_INTERVAL, quit)? == Some(PlayerEvent::Ready) {
                return Ok(());
            }
            if let Some(fault) = self.seat.overdue(begun.elapsed()) {
                return Err(fault);
            }
        }
        Err(Fault::new(ForfeitKind::Startup, "it was interrupted"))
    }

    /// Whether it thinks about this very position.
    pub(super) fn thinks_about(&self, position: &str) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.notation() == position)
    }

    /// The last answer of the program, if it was in this position.
    pub(super) fn answer_to(&self, position: &str) -> Option<&str> {
        let (asked, mv) = self.answered.as_ref()?;
        (asked == position && self.thinking.is_none()).then_some(mv)
    }

    /// Whether it is its turn.
    pub(super) const fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    /// Passes a turn on.
    pub(super) fn go(&mut self, turn: &TurnText, budget: Budget, quit: &AtomicBool) -> Result<(), Fault> {
        let Ok(position) = (self.kind.parse)(&turn.position) else {
            return Err(Fault::new(ForfeitKind::Protocol, "the server sent a position that cannot be read"));
        };
        if !self.is_greeted {
            self.greet(budget, quit)?;
        }
        let record = self.record(&*position, &turn.history);
        self.moves = record.moves().iter().map(|mv| mv.text.clone()).collect();
        self.seat.go(&Turn { position: record.position(), history: record.moves(), budget })?;
        self.thinking = Some(position);
        Ok(())
    }

    /// The game up to this position. The moves go on from where the program last was, or from the beginning if the
    /// server has told the game anew. A server that tells neither is believed the position alone.
    fn record(&self, position: &dyn AnyGame, history: &[String]) -> Record {
        let after = |known: &[String]| {
            let mut record = Record::from_position(&*self.kind.begin(&self.options).ok()?);
            known.iter().chain(history).try_for_each(|mv| record.play(mv).map(drop)).ok()?;
            (record.position().notation() == position.notation()).then_some(record)
        };
        after(&self.moves).or_else(|| after(&[])).unwrap_or_else(|| Record::from_position(position))
    }

    /// Polls the program for a message, for a short time.
    pub(super) fn hear(&mut self, quit: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        let event = self.seat.hear(POLL_INTERVAL, quit)?;
        if let Some(PlayerEvent::Move { text: mv, .. }) = &event
            && let Some(position) = self.thinking.take()
        {
            self.answered = Some((position.notation(), mv.clone()));
            self.moves.push(mv.clone());
            self.seat.pause();
        }
        Ok(event)
    }

    /// The opponent is to move.
    pub(super) fn rest(&mut self) {
        // Until it is greeted it starts, which takes time of its own.
        if self.is_greeted {
            self.seat.rest();
        }
    }

    pub(super) fn used(&mut self, cpu: Option<Duration>, wall: Duration) {
        self.seat.used(cpu, wall);
    }

    pub(super) fn end(&mut self, end: &GameEnd<'_>) {
        self.seat.end(end);
    }

    pub(super) fn stderr(&mut self) -> String {
        self.seat.stderr()
    }
}
