//! Moves: an order to one player of the team.

use super::map::MAX_TEAM;

/// What a player can do. The numbers are the course's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Action {
    /// Go up.
    North = 1,
    /// Go up and right.
    NorthEast = 2,
    /// Go down and right.
    SouthEast = 3,
    /// Go down.
    South = 4,
    /// Go down and left.
    SouthWest = 5,
    /// Go up and left.
    NorthWest = 6,
    /// Dig where the player stands.
    Dig = 7,
}

impl Action {
    /// All actions, by number.
    pub const ALL: [Self; 7] =
        [Self::North, Self::NorthEast, Self::SouthEast, Self::South, Self::SouthWest, Self::NorthWest, Self::Dig];

    /// The action with this number, 1 to 7.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Its number, 1 to 7.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Its index among a cell's neighbours; digging has none.
    #[inline]
    pub(super) const fn direction(self) -> Option<usize> {
        match self {
            Self::Dig => None,
            going => Some(going as usize - 1),
        }
    }

    /// Its bit in a set of actions.
    #[inline]
    pub(super) const fn bit(self) -> u8 {
        1 << (self as u8 - 1)
    }
}

/// A move: which player does what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order {
    /// From 0.
    index: u8,
    action: Action,
}

impl Order {
    /// The order to the player with this number, 1 to 16: team 1's players come first.
    #[must_use]
    pub const fn new(player: usize, action: Action) -> Option<Self> {
        if player >= 1 && player <= 2 * MAX_TEAM { Some(Self::to_index(player - 1, action)) } else { None }
    }

    #[inline]
    pub(super) const fn to_index(index: usize, action: Action) -> Self {
        Self { index: index as u8, action }
    }

    /// The player's number, from 1.
    #[must_use]
    pub const fn player(self) -> usize {
        self.index as usize + 1
    }

    /// The player's index, from 0.
    #[inline]
    pub(super) const fn index(self) -> usize {
        self.index as usize
    }

    /// What it does.
    #[must_use]
    #[inline]
    pub const fn action(self) -> Action {
        self.action
    }
}
