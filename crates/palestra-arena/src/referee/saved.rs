//! Snapshots of a running game, so that a restarted server goes on where it was.

use std::time::Duration;

use palestra_games::{ParseError, Record};
use serde::{Deserialize, Serialize};

use super::Referee;
use super::running::Running;
use crate::rules::Rules;

/// A game under way: its record and its clocks. A game that is over is kept as a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    rules: Rules,
    record: String,
    /// How much of the turn had passed.
    turn: Option<Duration>,
    /// How long the side to move had waited for a CPU.
    #[serde(default)]
    waited: Duration,
    charged: [Duration; 2],
    left: [Duration; 2],
    offered: [bool; 2],
    /// For how long each side had been away.
    gone: [Option<Duration>; 2],
}

/// Why a game cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SavedError {
    /// The record cannot be read.
    #[error("the record of an interrupted game: {0}")]
    Record(#[from] ParseError),
    /// There is no record.
    #[error("an interrupted game has no record")]
    Empty,
    /// The game is over.
    #[error("the interrupted game is over")]
    Over,
}

impl Referee {
    /// The game as it stands at that time. The time until it is restored is charged to no side.
    #[must_use]
    pub fn save(&self, now: Duration) -> Saved {
        let passed = |time: Option<Running>| time.map(|time| time.passed(now));
        Saved {
            rules: self.rules,
            record: self.record.to_string(),
            turn: passed(self.turn_time),
            waited: self.waited,
            charged: self.charged,
            left: self.left,
            offered: self.offered,
            gone: self.away.map(passed),
        }
    }

    /// Goes on with a game, whatever the time is now: the clocks go on from what they had counted.
    pub fn restore(saved: &Saved, now: Duration) -> Result<Self, SavedError> {
        let record = Record::read_all(saved.record.as_bytes())?.pop().ok_or(SavedError::Empty)?;
        let running = |passed: Option<Duration>| passed.map(|passed| Running::after(passed, now));
        let is_over = record.result().is_some();
        let mut referee = Self::new(record, saved.rules);
        if is_over || referee.verdict.is_some() {
            return Err(SavedError::Over);
        }
        referee.turn_time = running(saved.turn);
        referee.waited = saved.waited;
        referee.charged = saved.charged;
        referee.left = saved.left;
        referee.offered = saved.offered;
        referee.away = saved.gone.map(running);
        Ok(referee)
    }
}
