//! Losing a game by one's own fault.

use serde::{Deserialize, Serialize};

/// What a player did wrong to lose without being beaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
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
    /// All variants.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word for it, as in records and tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Whether the time was at fault; ranking orders count such losses.
    #[must_use]
    pub const fn is_time_out(self) -> bool {
        matches!(self, Self::Timeout | Self::Budget)
    }
}
