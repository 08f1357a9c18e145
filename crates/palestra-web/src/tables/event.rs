//! What happens at a table. Events are kept in the store as they are, and rendered for browsers when they are sent.

use palestra_store::Id;
use serde::{Deserialize, Serialize};

/// An event at a table. It says what happened; how the table is after it, [`State`](super::message::State) says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Event {
    /// A seat was taken, became free, or has another player.
    Seat {
        seat: usize,
    },
    /// A game begins.
    Began,
    Moved {
        /// The seat that moved.
        seat: usize,
        text: String,
        /// The number of moves made, this one included.
        ply: usize,
    },
    /// A player's last move, and all moves after it, were taken back.
    TakenBack {
        seat: usize,
        /// The number of moves that are left.
        ply: usize,
    },
    TakeBackAsked {
        seat: usize,
    },
    TakeBackDeclined {
        seat: usize,
    },
    DrawOffered {
        seat: usize,
    },
    DrawDeclined {
        seat: usize,
    },
    Chat(ChatLine),
    /// A player disconnected, and forfeits unless back within this time.
    Dropped {
        seat: usize,
        within_ms: u64,
    },
    Back {
        seat: usize,
    },
    Ended,
    RematchAsked {
        seat: usize,
    },
    /// The seats changed sides in the middle of a game.
    SidesChanged,
    /// A stand-in begins or stops to move in place of a person.
    StandIn,
}

impl Event {
    /// Whether the board looks different after it.
    pub(crate) const fn changes_board(&self) -> bool {
        matches!(self, Self::Began | Self::Moved { .. } | Self::TakenBack { .. })
    }
}

/// A line of the chat as the table keeps it: with the account that spoke, which nobody is shown. An account may have had
/// another nickname when it spoke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spoken {
    /// `None` for guests, and in tables saved by earlier versions.
    #[serde(default)]
    pub(crate) account: Option<Id>,
    #[serde(flatten)]
    pub(crate) line: ChatLine,
}

/// A line of the chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ChatLine {
    pub(crate) name: String,
    /// The speaker's seat, if they have one.
    pub(crate) seat: Option<usize>,
    pub(crate) text: String,
    pub(crate) at_ms: i64,
}
