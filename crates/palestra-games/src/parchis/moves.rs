//! Dice, moves, and which of them are legal.

use std::ops::ControlFlow;

use super::board::{Colour, PIECES, Place, RING};
use super::path::{LEAPS, SEVEN, first_scanned};
use super::{BONUSES, Parchis};

/// A die: 1 to 6 from a colour's pool, or a bonus of 10 or 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Die(u8);

impl Die {
    /// All dice, ascending.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    pub(super) const SIX: Self = Self(5);

    /// The die with this value: 1 to 6, 10 or 20.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        match value {
            1..=6 => Some(Self(value - 1)),
            10 => Some(Self(6)),
            20 => Some(Self(7)),
            _ => None,
        }
    }

    /// Its value; a 6 that counts as 7 is still a 6.
    #[must_use]
    pub const fn value(self) -> u8 {
        [1, 2, 3, 4, 5, 6, 10, 20][self.index()]
    }

    /// Whether it is a 10 or a 20.
    #[must_use]
    #[inline]
    pub const fn is_bonus(self) -> bool {
        self.0 > Self::SIX.0
    }

    /// 0 to 7, in ascending order of values.
    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize % 8
    }

    /// Its bit in a set of dice.
    #[inline]
    pub(super) const fn bit(self) -> u8 {
        1 << self.index()
    }

    /// The smallest of a set that is not empty.
    #[inline]
    pub(super) const fn lowest(dice: u8) -> Self {
        Self(dice.trailing_zeros() as u8)
    }

    /// The largest of a set that is not empty.
    #[inline]
    const fn highest(dice: u8) -> Self {
        Self(7 - dice.leading_zeros() as u8)
    }
}

/// A move: a colour moves one of its pieces with a die, or skips with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    colour: Colour,
    die: Die,
    /// 0 to 3, or [`SKIP`].
    piece: u8,
}

const SKIP: u8 = PIECES as u8;

impl Move {
    /// The move of piece 0 to 3, or `None` where there is no such piece.
    #[must_use]
    pub const fn new(colour: Colour, piece: u8, die: Die) -> Option<Self> {
        if piece < SKIP { Some(Self { colour, die, piece }) } else { None }
    }

    /// Skipping with a die.
    #[must_use]
    pub const fn skip(colour: Colour, die: Die) -> Self {
        Self { colour, die, piece: SKIP }
    }

    /// Whose move it is.
    #[must_use]
    pub const fn colour(self) -> Colour {
        self.colour
    }

    /// The piece that moves, 0 to 3; `None` for a skip.
    #[must_use]
    #[inline]
    pub const fn piece(self) -> Option<u8> {
        if self.piece < SKIP { Some(self.piece) } else { None }
    }

    /// The die that is used up.
    #[must_use]
    #[inline]
    pub const fn die(self) -> Die {
        self.die
    }
}

/// What the colour on turn can do with its dice.
pub(super) struct Reach {
    colour: Colour,
    places: [Place; PIECES],
    /// Where no piece can land, in two words: squares that hold two pieces, and [`Place::NOWHERE`].
    full: [u64; 2],
    /// How many squares each piece scans before it meets a wall of another colour.
    free: [u8; PIECES],
    /// The row of the 6: its own, or that of a 7 while nobody is at home.
    six: usize,
    /// The pieces that may use the 6.
    six_pieces: u8,
}

impl Reach {
    #[inline]
    pub(super) fn of(position: &Parchis) -> Self {
        let colour = position.colour;
        let places = position.places(colour);
        let own = Crowd::of(places);
        let (mut some, mut full, mut walls) = (own.some, own.walls | bit(Place::NOWHERE), 0);
        for turns in 1..4 {
            let other = Crowd::of(position.places(Colour::ALL[(colour.index() + turns) % 4]));
            // Of the others only the ring matters: their queues have the same codes but are other squares.
            full |= (some & other.some | other.walls) & RING_SQUARES;
            walls |= other.walls & RING_SQUARES;
            some |= other.some;
        }
        let own_wall = pieces_on(places, own.walls);
        Self {
            colour,
            places,
            full: [full as u64, (full >> 64) as u64],
            free: if walls == 0 { [u8::MAX; PIECES] } else { places.map(|place| squares_before(walls, place)) },
            six: position.row(Die::SIX),
            six_pieces: if own_wall == 0 { 0b1111 } else { own_wall },
        }
    }

    /// The pieces that can use a die, as bits.
    #[inline]
    pub(super) fn usable(&self, die: Die) -> u8 {
        let (row, allowed) = if die == Die::SIX { (self.six, self.six_pieces) } else { (die.index(), 0b1111) };
        let leaps = &LEAPS[self.colour.index()][row];
        let mut usable = 0;
        for (piece, (&place, &free)) in self.places.iter().zip(&self.free).enumerate() {
            let leap = leaps[usize::from(place.code()) % 128];
            let to = leap.to.code();
            let full = self.full[usize::from(to) / 64 % 2] >> (to % 64) & 1 == 1;
            let can = (!full | (leap.to == place)) & (leap.scanned <= free);
            usable |= u8::from(can) << piece;
        }
        usable & allowed
    }

    /// The moves with one die: every piece that can use it, or else the skip.
    #[inline]
    fn each_with<B>(&self, die: Die, f: &mut impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut usable = self.usable(die);
        if usable == 0 {
            return f(Move::skip(self.colour, die));
        }
        while usable != 0 {
            f(Move { colour: self.colour, die, piece: usable.trailing_zeros() as u8 })?;
            usable &= usable - 1;
        }
        ControlFlow::Continue(())
    }
}

impl Parchis {
    /// Calls `f` with each legal move in the order of the course's searches: dice descending, pieces ascending.
    #[inline]
    pub fn each_move_descending<B>(&self, f: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.each_move_in(Die::highest, f)
    }

    /// Calls `f` with each legal move, the dice in the order in which `pick` takes them from a set.
    #[inline]
    pub(super) fn each_move_in<B>(
        &self,
        pick: impl Fn(u8) -> Die,
        mut f: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut dice = self.available();
        let reach = Reach::of(self);
        while dice != 0 {
            let die = pick(dice);
            reach.each_with(die, &mut f)?;
            dice ^= die.bit();
        }
        ControlFlow::Continue(())
    }

    /// The dice that can be used now, as bits: the bonus alone if there is one, none after the end.
    #[inline]
    pub(super) fn available(&self) -> u8 {
        let pool = self.pools[self.colour.index()];
        match (self.winner, pool & BONUSES) {
            (Some(_), _) => 0,
            (None, 0) => pool,
            (None, bonus) => bonus,
        }
    }

    /// The row of [`LEAPS`] for a die of the colour on turn: a 6 counts as 7 while the colour has nobody at home.
    #[inline]
    pub(super) fn row(&self, die: Die) -> usize {
        let seven = die == Die::SIX && !self.places(self.colour).contains(&Place::HOME);
        if seven { SEVEN } else { die.index() }
    }
}

/// The places of a colour, as sets with a bit for each code.
pub(super) struct Crowd {
    /// Those that hold a piece.
    some: u128,
    /// The squares of ring and queue that hold two.
    pub(super) walls: u128,
}

impl Crowd {
    #[inline]
    pub(super) fn of(places: [Place; PIECES]) -> Self {
        let [a, b, c, d] = places.map(bit);
        let two = a & b | (a | b) & c | (a | b | c) & d;
        Self { some: a | b | c | d, walls: two & !(bit(Place::HOME) | bit(Place::GOAL)) }
    }
}

const RING_SQUARES: u128 = (1 << (RING + 1)) - 2;

#[inline]
const fn bit(place: Place) -> u128 {
    1 << (place.code() % 128)
}

/// The pieces that stand on one of these places, as bits.
#[inline]
pub(super) fn pieces_on(places: [Place; PIECES], set: u128) -> u8 {
    let [a, b, c, d] = places.map(|place| u8::from(set & bit(place) != 0));
    a | b << 1 | c << 2 | d << 3
}

/// How many squares a scan from this place passes before it meets one of these walls.
#[inline]
fn squares_before(walls: u128, place: Place) -> u8 {
    let Some(square) = place.ring() else { return u8::MAX };
    let first = first_scanned(square);
    // The ring unrolled from `first` on: bit 0 is that square.
    let unrolled = walls >> first | walls >> 1 << (RING + 1 - first);
    unrolled.trailing_zeros() as u8
}
