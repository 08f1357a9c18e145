//! Lookup tables of all paths, computed at compile time: where a piece gets with a die, and how far it looks for walls.

use super::board::{Colour, Place, RING};

/// What a piece does with a die.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    /// The place where it lands, or [`Place::NOWHERE`].
    pub(super) to: Place,
    /// How many squares must be free of walls of other colours, from the one that the scan begins with: see
    /// [`first_scanned`].
    pub(super) scanned: u8,
    /// Whether it reaches the goal with steps left and turns back.
    pub(super) bounces: bool,
    /// Whether a piece of another colour would be eaten there.
    pub(super) eats: bool,
}

/// The row of a 6 that counts as 7; the rows of the dice are their indices.
pub(super) const SEVEN: usize = 8;

/// The steps of each row.
pub(super) const STEPS: [u8; 9] = [1, 2, 3, 4, 5, 6, 10, 20, 7];

/// The row of the die that brings a piece out.
const FIVE: usize = 4;

/// By colour, row and code of the place; codes are padded to a power of two, so that a look-up needs no check.
pub(super) static LEAPS: [[[Leap; 128]; STEPS.len()]; 4] = leaps();

/// The square that a scan from this square of the ring begins with. The course's scan looks first at square 69, which
/// is none, when it should wrap round to 1, and goes on with 2. So from 68 it never looks at square 1, unless that is
/// where the piece lands: then it goes all the way round to find it.
pub(super) const fn first_scanned(square: u8) -> u8 {
    if square == RING { 2 } else { square + 1 }
}

const fn leaps() -> [[[Leap; 128]; STEPS.len()]; 4] {
    let stay = Leap { to: Place::NOWHERE, scanned: 0, bounces: false, eats: false };
    let mut table = [[[stay; 128]; STEPS.len()]; 4];
    let mut colour = 0;
    while colour < 4 {
        let mut row = 0;
        while row < STEPS.len() {
            let mut code = 1;
            while code < Place::GOAL.code() {
                if let Some(place) = Place::from_code(code) {
                    table[colour][row][code as usize] = leap(Colour::ALL[colour], place, STEPS[row]);
                }
                code += 1;
            }
            row += 1;
        }
        table[colour][FIVE][0].to = Colour::ALL[colour].start();
        colour += 1;
    }
    table
}

/// The leap of a piece on the ring or in its queue.
const fn leap(colour: Colour, from: Place, steps: u8) -> Leap {
    let distance = from.distance_to_goal(colour);
    let to = Place::before_goal(colour, distance.abs_diff(steps));
    Leap {
        to,
        scanned: scanned(colour, from, to),
        bounces: steps > distance,
        eats: to.ring().is_some() && !to.is_safe(),
    }
}

/// Only ways that begin on the ring are scanned, up to where they end or leave it. A way that ends where it began is
/// not; one that bounces back behind its origin is scanned nearly all the way round.
const fn scanned(colour: Colour, from: Place, to: Place) -> u8 {
    let Some(origin) = from.ring() else { return 0 };
    let end = match to.ring() {
        Some(square) => square,
        None => colour.last().code(),
    };
    if end == origin { 0 } else { (end + RING - first_scanned(origin)) % RING + 1 }
}
