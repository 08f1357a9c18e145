//! Losing a game by one's own fault.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a player did wrong to lose without being beaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ForfeitKind {
    /// A move that the rules do not allow.
    Illegal,
    /// No move within the time by the clock on the wall.
    Timeout,
    /// More CPU time or states than the move may cost.
    Budget,
    /// The program ended in the middle of the game.
    Crash,
    /// More memory than allowed.
    Memory,
    /// More output than allowed.
    Output,
    /// A line that the protocol does not know, or not at that point.
    Protocol,
    /// The program could not be started, or did not say that it is ready.
    Startup,
    /// The connection was lost and did not come back in time.
    Disconnect,
    /// An attempt to do what the box forbids.
    Security,
}

impl ForfeitKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Illegal,
        Self::Timeout,
        Self::Budget,
        Self::Crash,
        Self::Memory,
        Self::Output,
        Self::Protocol,
        Self::Startup,
        Self::Disconnect,
        Self::Security,
    ];

    /// The word for it, in records and tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Illegal => "illegal",
            Self::Timeout => "timeout",
            Self::Budget => "budget",
            Self::Crash => "crash",
            Self::Memory => "memory",
            Self::Output => "output",
            Self::Protocol => "protocol",
            Self::Startup => "startup",
            Self::Disconnect => "disconnect",
            Self::Security => "security",
        }
    }

    /// Whether the time was at fault; ranking orders count such losses.
    #[must_use]
    pub const fn is_time_out(self) -> bool {
        matches!(self, Self::Timeout | Self::Budget)
    }
}

impl fmt::Display for ForfeitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for ForfeitKind {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|kind| kind.word() == word).ok_or(())
    }
}
