//! The difference of the stores: the course's measure, and a good one.

use palestra_games::mancala::{Mancala, Pit};
use palestra_games::{Outcome, Side};

use crate::{Guide, Score};

/// Own seeds in store minus the other's, now and at the end. All of it is banked, none of it guessed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stores;

impl Guide<Mancala> for Stores {
    const ANTISYMMETRIC: bool = true;
    const EXPERIENCE: bool = false;

    #[inline]
    fn score(&self, _: &Mancala, _: Side) -> Score {
        0
    }

    #[inline]
    fn banked(&self, position: &Mancala, side: Side) -> Score {
        position.lead(side)
    }

    #[inline]
    fn finished(&self, _: &Mancala, _: Outcome, _: Side) -> Score {
        0
    }

    /// No side can win more seeds than are in play.
    #[inline]
    fn bounds(&self, position: &Mancala) -> Option<(Score, Score)> {
        let seeds = position.seeds_in_play();
        Some((-seeds, seeds))
    }

    /// A move that keeps the turn first, then captures by their size, then the pits next to the store.
    #[inline]
    fn hint(&self, position: &Mancala, mv: Pit) -> i32 {
        position.promise(mv)
    }
}
