//! The track: colours, the places where a piece can be, and the boards a game starts from.

use std::fmt;
use std::str::FromStr;

use crate::{ParseError, Side, phrase};

/// Pieces of a colour.
pub const PIECES: usize = 4;

/// Squares of the ring that all colours share.
pub const RING: u8 = 68;

/// Squares of a colour's own queue, between the ring and the goal.
pub const QUEUE: u8 = 7;

/// A colour. Yellow and red belong to player 1, blue and green to player 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Player 1's first colour, which begins.
    Yellow,
    /// Player 2's first colour.
    Blue,
    /// Player 1's second colour.
    Red,
    /// Player 2's second colour.
    Green,
}

impl Colour {
    /// All colours, in the order of their turns.
    pub const ALL: [Self; 4] = [Self::Yellow, Self::Blue, Self::Red, Self::Green];

    /// 0 for yellow to 3 for green.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The colour that moves after this one.
    #[must_use]
    #[inline]
    pub const fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % 4]
    }

    /// The player it belongs to.
    #[must_use]
    #[inline]
    pub const fn side(self) -> Side {
        Side::from_index(self as usize % 2)
    }

    /// The square where its pieces come out of home.
    #[must_use]
    pub const fn start(self) -> Place {
        Place(4 + 17 * self as u8)
    }

    /// The last square of the ring before its queue.
    #[must_use]
    pub const fn last(self) -> Place {
        Place([68, 17, 34, 51][self as usize])
    }

    /// Its letter in notation: `Y`, `B`, `R` or `G`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['Y', 'B', 'R', 'G'][self as usize]
    }

    /// The colour with this letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|colour| colour.letter() == letter)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// Where a piece is: home, a square of the ring, a square of its colour's queue, or the goal. It is the two-digit code
/// of the notation: 00 home, 01 to 68 the ring, 71 to 77 the queue, 90 the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u8);

impl Place {
    /// Not on the track yet, or no longer.
    pub const HOME: Self = Self(0);

    /// The goal, where pieces arrive.
    pub const GOAL: Self = Self(90);

    /// Where a piece gets that cannot use a die: no place of a position.
    pub(super) const NOWHERE: Self = Self(127);

    /// The code before that of the first square of a queue.
    const BEFORE_QUEUE: u8 = 70;

    /// The place with this code.
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0..=RING | 71..=77 | 90 => Some(Self(code)),
            _ => None,
        }
    }

    /// The code of the place in position texts.
    #[must_use]
    #[inline]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The number of the square on the ring, 1 to 68.
    #[must_use]
    #[inline]
    pub const fn ring(self) -> Option<u8> {
        if self.0 >= 1 && self.0 <= RING { Some(self.0) } else { None }
    }

    /// The number of the square in the queue, 1 (next to the ring) to 7.
    #[must_use]
    #[inline]
    pub const fn queue(self) -> Option<u8> {
        if self.0 > Self::BEFORE_QUEUE && self.0 < Self::GOAL.0 { Some(self.0 - Self::BEFORE_QUEUE) } else { None }
    }

    /// Whether it is a square of the ring where nobody is eaten.
    #[must_use]
    #[inline]
    pub const fn is_safe(self) -> bool {
        // Of each arm's 17 squares the colour's start, the one nine further on, and its last.
        self.0 >= 1 && self.0 <= RING && matches!(self.0 % 17, 0 | 4 | 13)
    }

    /// The steps to the goal for a piece of this colour; 74 from home.
    #[must_use]
    #[inline]
    pub const fn distance_to_goal(self, colour: Colour) -> u8 {
        match self.0 {
            0 => 74,
            square @ 1..=RING => (colour.last().0 + RING - square) % RING + QUEUE + 1,
            queue @ 71..=77 => QUEUE + 1 - (queue - Self::BEFORE_QUEUE),
            _ => 0,
        }
    }

    /// The place on the track this many steps before the goal of a colour, at most a lap before the queue.
    pub(super) const fn before_goal(colour: Colour, distance: u8) -> Self {
        match distance {
            0 => Self::GOAL,
            1..=QUEUE => Self(Self::BEFORE_QUEUE + QUEUE + 1 - distance),
            // Squares count from 1: 68 comes before 1.
            _ => Self((colour.last().0 + 2 * RING - 1 - (distance - QUEUE - 1)) % RING + 1),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}", self.0)
    }
}

/// A board to start from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Board {
    /// One piece of each colour at home, the others on the safe squares from its start on.
    #[default]
    Grouped,
    /// One piece of each colour at home, the others on safe squares all round the ring.
    Alterned,
    /// Every piece at home.
    AllAtHome,
    /// Every colour shortly before its goal.
    AlmostGoal,
    /// As `AlmostGoal`, but with the first pieces of yellow and green on squares 55 and 56.
    Debug,
}

impl Board {
    /// All boards, the default first.
    pub const ALL: [Self; 5] = [Self::Grouped, Self::Alterned, Self::AllAtHome, Self::AlmostGoal, Self::Debug];

    /// The word that chooses it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grouped => "GROUPED",
            Self::Alterned => "ALTERNED",
            Self::AllAtHome => "ALL_AT_HOME",
            Self::AlmostGoal => "ALMOST_GOAL",
            Self::Debug => "DEBUG",
        }
    }

    /// The places of the pieces, four of each colour.
    pub(super) fn places(self) -> [Place; 4 * PIECES] {
        match self {
            Self::Grouped => [0, 4, 13, 17, 0, 21, 30, 34, 0, 38, 47, 51, 0, 55, 64, 68],
            Self::Alterned => [0, 4, 30, 51, 0, 21, 47, 68, 0, 38, 64, 17, 0, 55, 13, 34],
            Self::AllAtHome => [0; 4 * PIECES],
            Self::AlmostGoal => [68, 71, 72, 73, 17, 71, 72, 73, 34, 71, 72, 73, 51, 71, 72, 73],
            Self::Debug => [55, 71, 72, 73, 17, 71, 72, 73, 34, 71, 72, 73, 56, 71, 72, 73],
        }
        .map(Place)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Board {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::ALL.into_iter().find(|board| board.name().eq_ignore_ascii_case(text)).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            ParseError::new("options", 0, phrase!("parchis.board", "no such board; there are {names}", names))
        })
    }
}
