//! Mancala: Kalah with six pits a side and four seeds a pit, as the course plays it.
//!
//! A side is one word: byte 0 is the store, bytes 1 to 6 are the pits, pit 1 next to the store. Sowing any pit with any
//! number of seeds is then one addition to each word, looked up in a table.
//!
//! ```
//! use palestra_games::mancala::{Mancala, Pit};
//! use palestra_games::{Game, NoOptions, Side, perft};
//!
//! let mut game = Mancala::new(&NoOptions);
//! game.play(Pit::new(4).unwrap()); // the fourth seed falls into the own store:
//! assert_eq!(game.turn(), Side::One); // player 1 goes on
//! assert_eq!(game.to_string(), "1:1,5,5,5,0,4,4/0,4,4,4,4,4,4");
//! assert_eq!(perft(&Mancala::new(&NoOptions), 6).leaves, 23_233);
//! ```

mod draw;
mod look;
mod notation;
mod sow;

use std::fmt;
use std::ops::ControlFlow;

use crate::hash::fold;
use crate::{Game, IllegalMove, NoOptions, Outcome, Phrase, Side, phrase};
use sow::SOW;

/// All the seeds of a game.
pub const SEEDS: u32 = 48;

/// Pits a side.
pub const PITS: usize = 6;

/// The bytes of a side's pits.
const PIT_BYTES: u64 = 0x00ff_ffff_ffff_ff00;

/// Set in the mover's word when the mover is player 2.
const TURN: u64 = 1 << 63;

/// A position of Mancala.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mancala {
    /// The mover's store and pits, and whose they are.
    own: u64,
    /// The other side's store and pits.
    opp: u64,
}

/// A move: which of the own pits to sow, 1 (next to the store) to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(u8);

impl Pit {
    /// The pit with this number, 1 to 6.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number as usize <= PITS { Some(Self(number)) } else { None }
    }

    /// Its number, 1 to 6.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// Seeds that make no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidSeeds {
    /// Not all seeds, or too many.
    Total(u32),
    /// A side has no seeds in its pits and the other still has: the game would have ended there.
    OneSideEmpty(Side),
}

impl InvalidSeeds {
    /// What is wrong with them.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match *self {
            Self::Total(found) => {
                phrase!("mancala.total", "{found} seeds, there must be {wanted}", found, wanted = SEEDS)
            }
            Self::OneSideEmpty(side) => phrase!(
                "mancala.one_side_empty",
                "player {side} has no seeds in the pits but the other has: the game would have ended and banked them",
                side,
            ),
        }
    }
}

impl fmt::Display for InvalidSeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for InvalidSeeds {}

impl Mancala {
    /// The position with these seeds, for each side the store and then pits 1 to 6.
    pub fn from_seeds(turn: Side, seeds: [[u8; PITS + 1]; 2]) -> Result<Self, InvalidSeeds> {
        let total = seeds.iter().flatten().map(|&n| u32::from(n)).sum();
        if total != SEEDS {
            return Err(InvalidSeeds::Total(total));
        }
        let empty = seeds.map(|side| side[1..].iter().all(|&n| n == 0));
        if empty[0] != empty[1] {
            return Err(InvalidSeeds::OneSideEmpty(Side::from_index(usize::from(empty[1]))));
        }
        let word = |side: Side| {
            let [store, a, b, c, d, e, f] = seeds[side.index()];
            u64::from_le_bytes([store, a, b, c, d, e, f, 0])
        };
        Ok(Self { own: word(turn) | turn_bit(turn), opp: word(turn.other()) })
    }

    /// The store and then pits 1 to 6 of a side.
    #[must_use]
    pub fn seeds(&self, side: Side) -> [u8; PITS + 1] {
        let word = if side == self.turn() { self.own } else { self.opp };
        let [store, a, b, c, d, e, f, _] = word.to_le_bytes();
        [store, a, b, c, d, e, f]
    }

    /// How many more seeds a side has in store than the other.
    #[must_use]
    #[inline]
    pub fn lead(&self, side: Side) -> i32 {
        let lead = byte(self.own, 0) as i32 - byte(self.opp, 0) as i32;
        if side == self.turn() { lead } else { -lead }
    }

    /// How many seeds are still in the pits.
    #[must_use]
    #[inline]
    pub fn seeds_in_play(&self) -> i32 {
        SEEDS as i32 - byte(self.own, 0) as i32 - byte(self.opp, 0) as i32
    }

    /// What a legal move promises at a glance: 100 if it keeps the turn, else about how many seeds it captures. (A
    /// sowing that goes all the way round is not looked at closely.)
    #[must_use]
    #[inline]
    pub fn promise(&self, mv: Pit) -> i32 {
        let last = SOW.last(mv.0, byte(self.own, mv.0));
        if last == 0 {
            return 100;
        }
        let faced = byte(self.opp, 7 - last) as i32;
        if faced > 0 && byte(self.own & !TURN, last) == 0 && last < 7 { faced + 1 } else { 0 }
    }

    /// The mover chose an empty pit: all seeds go to the other side.
    fn immolate(&mut self) {
        *self = Self { own: u64::from(SEEDS) | turn_bit(self.turn().other()), opp: 0 };
    }
}

impl Game for Mancala {
    type Move = Pit;
    type Options = NoOptions;

    fn new(_: &NoOptions) -> Self {
        const FOUR_EACH: u64 = 0x0004_0404_0404_0400;
        Self { own: FOUR_EACH, opp: FOUR_EACH }
    }

    #[inline]
    fn turn(&self) -> Side {
        Side::from_index((self.own >> 63) as usize)
    }

    #[inline]
    fn each_move<B>(&self, mut f: impl FnMut(Pit) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut filled = filled(self.own);
        while filled != 0 {
            f(Pit((filled.trailing_zeros() / 8) as u8))?;
            filled &= filled - 1;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play(&mut self, mv: Pit) {
        let turn = self.own & TURN;
        let held = self.own ^ turn;
        let sow = SOW.get(mv.0, byte(held, mv.0));
        let mut own = held.wrapping_add(sow.own);
        let mut opp = self.opp.wrapping_add(sow.opp);

        // `last` is 0 for the own store, 1 to 6 for an own pit, 7 for the other side: byte 7 is always 0.
        let facing = 7 - sow.last;
        if byte(own, sow.last) == 1 && byte(opp, facing) > 0 && sow.last > 0 {
            own = own + 1 + byte(opp, facing) - (1 << (8 * sow.last));
            opp -= byte(opp, facing) << (8 * facing);
        }
        if own & PIT_BYTES == 0 || opp & PIT_BYTES == 0 {
            own = bank(own);
            opp = bank(opp);
        }
        *self = if sow.last == 0 { Self { own: own | turn, opp } } else { Self { own: opp | (turn ^ TURN), opp: own } };
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        // Both sides are empty at once: what is left is banked when the first one is.
        (self.own & PIT_BYTES == 0).then(|| Outcome::by_points(self.points()))
    }

    #[inline]
    fn points(&self) -> [i32; 2] {
        let (own, opp) = (byte(self.own, 0) as i32, byte(self.opp, 0) as i32);
        match self.turn() {
            Side::One => [own, opp],
            Side::Two => [opp, own],
        }
    }

    fn most_points(&self) -> i32 {
        SEEDS as i32
    }

    #[inline]
    fn key(&self) -> u64 {
        fold(self.own & (PIT_BYTES | TURN), self.opp & PIT_BYTES)
    }

    #[inline]
    fn count_moves(&self) -> usize {
        filled(self.own).count_ones() as usize
    }

    #[inline]
    fn is_legal(&self, mv: Pit) -> bool {
        byte(self.own, mv.0) > 0
    }

    fn try_play(&mut self, mv: Pit) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove);
        }
        if self.is_legal(mv) {
            self.play(mv);
        } else {
            self.immolate();
        }
        Ok(())
    }
}

const fn turn_bit(side: Side) -> u64 {
    match side {
        Side::One => 0,
        Side::Two => TURN,
    }
}

#[inline]
const fn byte(word: u64, index: u8) -> u64 {
    (word >> (8 * index)) & 0xff
}

/// The high bit of each pit that is not empty: no pit holds more than 48 seeds, so adding 127 sets it.
#[inline]
const fn filled(word: u64) -> u64 {
    ((word & PIT_BYTES) + 0x007f_7f7f_7f7f_7f00) & 0x0080_8080_8080_8000
}

/// A side with all its seeds in the store.
#[cold]
fn bank(word: u64) -> u64 {
    (0..7).map(|index| byte(word, index)).sum()
}
