//! A student's evaluation, `myHeuristic1`, as documented: an opponent from the course.

use palestra_games::Side;
use palestra_games::parchis::{Colour, Parchis, Place};

use super::lookup::by_place;
use crate::{Guide, Score};

/// Safe squares, goal, queue and home, and what the last move won; own minus the other's.
///
/// A piece in a wall of its own counts half a point, but the original adds up in an integer that loses fractions: a half
/// changes nothing on top of a sum that is not negative, and raises a negative one by a whole point. The order of adding
/// therefore matters: a side's colours in the order of their turns, of each the pieces in order, then the last move.
#[derive(Clone, Copy, Debug, Default)]
pub struct MyHeuristic1;

impl Guide<Parchis> for MyHeuristic1 {
    // Each side's sum does not depend on the side that searches.
    const ANTISYMMETRIC: bool = true;

    #[inline]
    fn score(&self, position: &Parchis, side: Side) -> Score {
        let ahead = sum(position, [Colour::Yellow, Colour::Red]) - sum(position, [Colour::Blue, Colour::Green]);
        if side == Side::One { ahead } else { -ahead }
    }
}

#[inline]
fn sum(position: &Parchis, colours: [Colour; 2]) -> Score {
    let mut sum = 0;
    for colour in colours {
        let walls = position.walls(colour);
        for (piece, place) in position.places(colour).into_iter().enumerate() {
            let half = walls >> piece & 1 == 1;
            sum += if half { Score::from(sum < 0) } else { Score::from(POINTS[usize::from(place.code()) % 128]) };
        }
        if colour == position.colour() {
            sum += won(position);
        }
    }
    sum
}

/// What the last move won for the colour on turn, which goes on because of it.
#[inline]
fn won(position: &Parchis) -> Score {
    if position.ate() {
        // Where the position does not say who was eaten, it was most likely an opponent.
        let partner = position.eaten().is_some_and(|(colour, _)| colour.side() == position.colour().side());
        if partner { 0 } else { 10 }
    } else if position.reached_goal() {
        2
    } else {
        0
    }
}

static POINTS: [i8; 128] = by_place!(place => if place.is_safe() {
    1
} else if place.code() == Place::GOAL.code() {
    5
} else if place.queue().is_some() {
    2
} else if place.code() == Place::HOME.code() {
    -10
} else {
    0
});
