//! Parchís without luck, as the course plays it: each player has two colours and chooses the die from a pool.
//!
//! The position is the places of the sixteen pieces, a byte each, and the pools of dice, a byte each. Where a piece
//! gets with a die is looked up in a table; which squares are full or walled is worked out once for all dice.
//!
//! ```
//! use palestra_games::parchis::{Board, Parchis};
//! use palestra_games::{Game, Side, perft};
//!
//! let mut game = Parchis::new(&Board::Grouped);
//! game.play("Y3:6".parse().unwrap()); // yellow's piece 3 goes six squares from 17:
//! assert_eq!(game.turn(), Side::One); // after a 6 the same colour goes on
//! let position = "00041323.00213034.00384751.00556468|12345.123456.123456.123456|Y0|s|0.0.0.0|6|2";
//! assert_eq!(game.to_string(), position);
//! assert_eq!(perft(&Parchis::new(&Board::Grouped), 3).leaves, 6_488);
//! ```

mod board;
mod draw;
mod layout;
mod look;
mod moves;
mod notation;
mod path;

use std::ops::ControlFlow;

use crate::hash::fold;
use crate::{Game, Outcome, Side};

pub use board::{Board, Colour, PIECES, Place, QUEUE, RING};
pub use moves::{Die, Move};

use moves::{Crowd, Reach, pieces_on};
use path::LEAPS;

/// A colour that has bounced so often has lost.
pub const MAX_BOUNCES: u8 = 31;

/// A full pool: the dice 1 to 6.
const FULL_POOL: u8 = 0b0011_1111;

/// The bonuses of 10 and 20, which lie on top of a pool.
const BONUSES: u8 = 0b1100_0000;

/// The last move reached the goal. The bit is that of the bonus it brings, 10.
const GOAL: u8 = 1 << 6;

/// The last move ate a piece. The bit is that of the bonus it brings, 20.
const ATE: u8 = 1 << 7;

/// The last move by a piece bounced off the goal.
const BOUNCED: u8 = 1 << 1;

/// A 6 was used, and since then only bonuses: the colour goes on.
const SIX: u8 = 1 << 0;

/// In place of the eaten piece: none was eaten, or it is not known which.
const NOT_EATEN: u8 = 16;

/// A position of Parchís.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parchis {
    /// Where the pieces are, four of each colour.
    places: [Place; 4 * PIECES],
    /// The dice of each colour, as bits.
    pools: [u8; 4],
    bounces: [u8; 4],
    /// The colour on turn.
    colour: Colour,
    /// What the last move was like.
    flags: u8,
    /// The piece that the last move ate, as an index into the places, or [`NOT_EATEN`].
    eaten: u8,
    last_die: Option<Die>,
    /// Who has won: kept, because looking for it takes time.
    winner: Option<Side>,
    /// The number of the next move, from 1.
    number: u32,
}

impl Parchis {
    /// The colour on turn.
    #[must_use]
    #[inline]
    pub fn colour(&self) -> Colour {
        self.colour
    }

    /// Where the pieces of a colour are.
    #[must_use]
    #[inline]
    pub fn places(&self, colour: Colour) -> [Place; PIECES] {
        let first = PIECES * colour.index();
        [self.places[first], self.places[first + 1], self.places[first + 2], self.places[first + 3]]
    }

    /// The pieces of a colour that stand in walls, as bits. A wall is two pieces of one colour on one square of the
    /// ring or the queue.
    #[must_use]
    #[inline]
    pub fn walls(&self, colour: Colour) -> u8 {
        let places = self.places(colour);
        pieces_on(places, Crowd::of(places).walls)
    }

    /// Whether a colour holds a die or a bonus. With a bonus it can use nothing else.
    #[must_use]
    #[inline]
    pub fn holds(&self, colour: Colour, die: Die) -> bool {
        self.pools[colour.index()] & die.bit() != 0
    }

    /// All that a colour holds, as bits: the dice 1 to 6 from bit 0 on, then the bonuses of 10 and 20.
    #[must_use]
    #[inline]
    pub fn pool(&self, colour: Colour) -> u8 {
        self.pools[colour.index()]
    }

    /// How often a colour has bounced off its goal.
    #[must_use]
    #[inline]
    pub fn bounces(&self, colour: Colour) -> u8 {
        self.bounces[colour.index()]
    }

    /// Whether the last move ate a piece.
    #[must_use]
    #[inline]
    pub fn ate(&self) -> bool {
        self.flags & ATE != 0
    }

    /// Whether the last move reached the goal, other than with the fourth piece.
    #[must_use]
    #[inline]
    pub fn reached_goal(&self) -> bool {
        self.flags & GOAL != 0
    }

    /// The piece that the last move ate, if it ate one and the position says which.
    #[must_use]
    #[inline]
    pub fn eaten(&self) -> Option<(Colour, u8)> {
        let colour = *Colour::ALL.get(usize::from(self.eaten) / PIECES)?;
        Some((colour, self.eaten % PIECES as u8))
    }

    /// Moves a piece of the colour on turn, and whom it eats home. Returns the flags that this sets.
    #[inline]
    fn advance(&mut self, piece: u8, die: Die) -> u8 {
        let colour = self.colour.index();
        let index = (PIECES * colour + usize::from(piece)) % self.places.len();
        let leap = LEAPS[colour][self.row(die)][usize::from(self.places[index].code()) % 128];
        let mut flags = 0;
        if leap.eats
            && let Some(eaten) = self.foreigner_on(leap.to)
        {
            self.places[usize::from(eaten)] = Place::HOME;
            self.eaten = eaten;
            flags = ATE;
        }
        self.places[index] = leap.to;
        if leap.bounces {
            self.bounces[colour] = self.bounces[colour].saturating_add(1);
            flags |= BOUNCED;
            if self.bounces[colour] >= MAX_BOUNCES {
                self.winner = Some(self.turn().other());
            }
        }
        if leap.to == Place::GOAL {
            if self.places(self.colour) == [Place::GOAL; PIECES] {
                self.winner = Some(self.turn());
            } else {
                flags = GOAL;
            }
        }
        flags
    }

    /// The piece of a colour not on turn that stands on this square of the ring, as an index; there is at most one
    /// where it matters.
    #[inline]
    fn foreigner_on(&self, square: Place) -> Option<u8> {
        const BYTES: u128 = u128::from_le_bytes([1; 16]);
        let own = 0x8080_8080 << (32 * self.colour.index());
        let differing = u128::from_le_bytes(self.places.map(Place::code)) ^ (BYTES * u128::from(square.code()));
        // Codes are below 128, so adding 127 sets the high bit of every byte that is not 0.
        let found = !(differing + 0x7f * BYTES) & (0x80 * BYTES) & !own;
        (found != 0).then(|| (found.trailing_zeros() / 8) as u8)
    }
}

impl Game for Parchis {
    type Move = Move;
    type Options = Board;

    fn new(board: &Board) -> Self {
        Self {
            places: board.places(),
            pools: [FULL_POOL; 4],
            bounces: [0; 4],
            colour: Colour::Yellow,
            flags: 0,
            eaten: NOT_EATEN,
            last_die: None,
            winner: None,
            number: 1,
        }
    }

    #[inline]
    fn turn(&self) -> Side {
        self.colour.side()
    }

    #[inline]
    fn each_move<B>(&self, f: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.each_move_in(Die::lowest, f)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let (die, before) = (mv.die(), self.flags);
        self.eaten = NOT_EATEN;
        self.flags = match mv.piece() {
            Some(piece) => self.advance(piece, die),
            None => before & BOUNCED,
        };
        if die == Die::SIX || die.is_bonus() && before & SIX != 0 {
            self.flags |= SIX;
        }
        let pool = &mut self.pools[self.colour.index()];
        *pool &= !die.bit();
        if *pool == 0 {
            *pool = FULL_POOL;
        }
        *pool |= self.flags & BONUSES;
        if self.flags & (BONUSES | SIX) == 0 {
            self.colour = self.colour.next();
        }
        self.last_die = Some(die);
        self.number = self.number.saturating_add(1);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Win)
    }

    fn points(&self) -> [i32; 2] {
        let mut points = [0; 2];
        for colour in Colour::ALL {
            let home = self.places(colour).into_iter().filter(|&place| place == Place::GOAL);
            points[colour.side().index()] += home.count() as i32;
        }
        points
    }

    fn most_points(&self) -> i32 {
        (Colour::ALL.len() / 2 * PIECES) as i32
    }

    #[inline]
    fn key(&self) -> u64 {
        let [places, more_places] = halves(u128::from_le_bytes(self.places.map(Place::code)));
        let [pools, bounces] = [self.pools, self.bounces].map(u32::from_le_bytes);
        // Of the eaten piece the colour matters, to evaluations; bounced, last die and turn number do not.
        let last = [self.colour as u8, self.flags & !BOUNCED, self.eaten / PIECES as u8, 0];
        let pieces = fold(places, more_places) ^ u64::from(u32::from_le_bytes(last));
        fold(pieces, u64::from(pools) << 32 | u64::from(bounces))
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        if mv.colour() != self.colour || self.available() & mv.die().bit() == 0 {
            return false;
        }
        let usable = Reach::of(self).usable(mv.die());
        match mv.piece() {
            Some(piece) => usable >> piece & 1 == 1,
            None => usable == 0,
        }
    }
}

/// The low and the high half of a word.
#[inline]
const fn halves(word: u128) -> [u64; 2] {
    [word as u64, (word >> 64) as u64]
}
