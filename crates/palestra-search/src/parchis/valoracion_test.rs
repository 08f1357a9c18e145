//! The course's own evaluation, `ValoracionTest`.

use palestra_games::Side;
use palestra_games::parchis::{Colour, Parchis, Place};

use super::lookup::by_place;
use crate::{Guide, Score};

/// A point for each piece on a safe square of the ring, five for each in the goal; own minus the other's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Test;

impl Guide<Parchis> for Test {
    const ANTISYMMETRIC: bool = true;

    #[inline]
    fn score(&self, position: &Parchis, side: Side) -> Score {
        let points = Colour::ALL.map(|colour| points(position, colour));
        let [yellow, blue, red, green] = points;
        let ahead = yellow + red - blue - green;
        if side == Side::One { ahead } else { -ahead }
    }
}

#[inline]
fn points(position: &Parchis, colour: Colour) -> Score {
    position.places(colour).into_iter().map(|place| Score::from(POINTS[usize::from(place.code()) % 128])).sum()
}

static POINTS: [i8; 128] = by_place!(place => if place.is_safe() {
    1
} else if place.code() == Place::GOAL.code() {
    5
} else {
    0
});
