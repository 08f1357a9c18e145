//! The settings of a table: game, options, time control, visibility.

use std::time::Duration;

use palestra_arena::{Beginning, Rules, TimeControl, begin};
use palestra_games::{GameKind, Record};
use serde::{Deserialize, Serialize};

use super::message::{ClockKind, ClockView};
use crate::http::error::Refused;

/// The settings of a table, which do not change while it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// The id of the game.
    pub(crate) game: String,
    /// The name of the options: a word of the game's, or the name of a map.
    pub(crate) options: String,
    /// The starting position.
    pub(crate) start: String,
    /// Whether the position follows from the options alone: then records say the options.
    pub(crate) is_usual: bool,
    pub(crate) time: TimeControl,
    pub(crate) is_public: bool,
    pub(crate) is_rated: bool,
    /// Games in a match, sides changed: 1 or 2.
    pub(crate) games: u32,
    /// Whether a program may try again after an illegal move.
    pub(crate) retry: bool,
    /// The seed of random numbers, saved with the games.
    pub(crate) seed: u64,
    /// The hash of the token of the visitor who opened the table.
    pub(crate) creator: String,
}

/// Time after which an absent player forfeits a game with clocks.
const ABSENCE_TIMEOUT: Duration = Duration::from_secs(120);

/// Time after which an absent player forfeits a game without clocks.
const UNTIMED_ABSENCE_TIMEOUT: Duration = Duration::from_secs(24 * 3600);

/// Opening moves of a table's games: none, as they start from the position of the options.
const NO_MOVES: [&str; 0] = [];

impl Setup {
    /// The kind of the game.
    pub(crate) fn kind(&self) -> &'static GameKind {
        GameKind::find(&self.game).expect("a table's game exists")
    }

    /// A game about to begin.
    pub(crate) fn record(&self) -> Result<Record, Refused> {
        let beginning =
            if self.is_usual { Beginning::Options(&self.options) } else { Beginning::Notation(&self.start) };
        begin(self.kind(), beginning, NO_MOVES).map_err(|error| Refused::bad_with("tables.options", error.phrase()))
    }

    /// The rules for the referee: time control, move limit, penalties.
    pub(crate) fn rules(&self) -> Rules {
        let absence = if self.time == TimeControl::Unlimited { UNTIMED_ABSENCE_TIMEOUT } else { ABSENCE_TIMEOUT };
        Rules { time: self.time, retry: self.retry, cap: self.kind().about.move_cap, absence, ..Rules::default() }
    }

    pub(crate) fn clock(&self) -> ClockView {
        let (kind, time, increment) = match self.time {
            TimeControl::Unlimited => (ClockKind::None, Duration::ZERO, Duration::ZERO),
            TimeControl::Cpu { wall, .. } | TimeControl::Wall(wall) => (ClockKind::Turn, wall, Duration::ZERO),
            TimeControl::Game { total, increment } => (ClockKind::Game, total, increment),
        };
        ClockView { kind, ms: milliseconds(time), increment_ms: milliseconds(increment) }
    }
}

/// Whole milliseconds.
pub(crate) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
