//! The difference of the flags: the simplest measure.

use palestra_games::bandera::Bandera;
use palestra_games::{Game, Side};

use crate::{Guide, Score};

/// Own flags captured minus the other team's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags;

impl Guide<Bandera> for Flags {
    const ANTISYMMETRIC: bool = true;

    #[inline]
    fn score(&self, position: &Bandera, side: Side) -> Score {
        let points = position.points();
        points[side.index()] - points[side.other().index()]
    }
}
