//! How a table is set up.

use std::time::Duration;

use palestra_arena::{Beginning, Rules, TimeControl, begin};
use palestra_games::{GameKind, Record};
use serde::{Deserialize, Serialize};

use super::message::ClockView;
use crate::http::error::Refused;

/// How a table is set up: what does not change while it is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// The game's id.
    pub(crate) game: String,
    /// What the options are called: a word of the game's, or the name of an uploaded map.
    pub(crate) options: String,
    /// The position it starts from.
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
    /// What chance goes by; kept with the games.
    pub(crate) seed: u64,
    /// The hash of the token of the visitor who opened the table.
    pub(crate) creator: String,
}

/// Time to come back to a game with clocks.
const ABSENCE: Duration = Duration::from_secs(120);

/// Time to come back to a game without clocks.
const LONG_ABSENCE: Duration = Duration::from_secs(24 * 3600);

/// Tables begin where their options or their position say.
const NO_MOVES: [&str; 0] = [];

impl Setup {
    /// The game.
    pub(crate) fn kind(&self) -> &'static GameKind {
        GameKind::find(&self.game).expect("tables are made of games that there are")
    }

    /// A game about to begin.
    pub(crate) fn record(&self) -> Result<Record, Refused> {
        let beginning =
            if self.is_usual { Beginning::Options(&self.options) } else { Beginning::Notation(&self.start) };
        begin(self.kind(), beginning, NO_MOVES).map_err(|error| Refused::Bad("tables.options", error.to_string()))
    }

    /// What the referee goes by.
    pub(crate) fn rules(&self) -> Rules {
        let absence = if self.time == TimeControl::Unlimited { LONG_ABSENCE } else { ABSENCE };
        Rules { time: self.time, retry: self.retry, cap: self.kind().about.move_cap, absence, ..Rules::default() }
    }

    pub(crate) fn clock(&self) -> ClockView {
        let (kind, time, increment) = match self.time {
            TimeControl::Unlimited => ("none", Duration::ZERO, Duration::ZERO),
            TimeControl::Cpu { wall, .. } | TimeControl::Wall(wall) => ("turn", wall, Duration::ZERO),
            TimeControl::Game { total, increment } => ("game", total, increment),
        };
        ClockView { kind, ms: milliseconds(time), increment_ms: milliseconds(increment) }
    }
}

/// Whole milliseconds.
pub(crate) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
