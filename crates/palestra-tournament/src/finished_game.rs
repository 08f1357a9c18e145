//! What remains of a game for pairing, ranking and statistics.

use palestra_games::Side;
use palestra_protocol::ForfeitKind;
use serde::{Deserialize, Serialize};

use crate::Wdl;

/// A finished game of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// Which game of the plan it was; each counts once.
    pub number: u32,
    /// Who played, as indices into the list of players: side 1, side 2.
    pub players: [usize; 2],
    /// The points of both, as the game counts them.
    pub points: [i32; 2],
    /// The index (0 or 1) of the side that won; none after a draw.
    pub winner: Option<usize>,
    /// The time charged to each, in microseconds.
    pub charged_us: [u64; 2],
    /// How the loser lost by its own fault, if it did.
    pub forfeit: Option<ForfeitKind>,
    /// How many moves were made.
    pub plies: u32,
}

impl Finished {
    /// What it was for the player of a side.
    #[must_use]
    pub fn score(&self, side: Side) -> Wdl {
        Wdl::of(self.winner.map(Side::from_index), side)
    }
}
