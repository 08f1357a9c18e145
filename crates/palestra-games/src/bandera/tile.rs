//! The twelve kinds of ground.

use crate::{Phrase, phrase};

/// What a cell is made of, or what lies on it. The numbers are the course's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Tile {
    /// Costs 1 to enter.
    Grass = 1,
    /// Costs 3 with a boat, 6 without.
    Water = 2,
    /// Costs 2.
    Mud = 3,
    /// Cannot be entered.
    Wall = 4,
    /// Costs 4.
    Pit = 5,
    /// Costs 6.
    Trench = 6,
    /// Captured by the team that enters.
    Flag = 7,
    /// 20 boat units.
    Boat = 8,
    /// 20 axe units.
    Axe = 9,
    /// 20 energy.
    Juice = 10,
    /// 10 shovel units.
    Shovel = 11,
    /// Costs 4 with an axe, which fells it, 8 without.
    Forest = 12,
}

impl Tile {
    /// All tiles, by number.
    pub const ALL: [Self; 12] = [
        Self::Grass,
        Self::Water,
        Self::Mud,
        Self::Wall,
        Self::Pit,
        Self::Trench,
        Self::Flag,
        Self::Boat,
        Self::Axe,
        Self::Juice,
        Self::Shovel,
        Self::Forest,
    ];

    /// The tile with this number, 1 to 12.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Its number, 1 to 12.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The character that stands for it in maps, positions and text boards.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Self::Grass => '.',
            Self::Water => '~',
            Self::Mud => '%',
            Self::Wall => '#',
            Self::Pit => 'o',
            Self::Trench => 'O',
            Self::Flag => 'F',
            Self::Boat => 'B',
            Self::Axe => 'A',
            Self::Juice => 'J',
            Self::Shovel => 'S',
            Self::Forest => '^',
        }
    }

    /// The tile for which this character stands.
    #[must_use]
    pub fn from_symbol(symbol: char) -> Option<Self> {
        Self::ALL.into_iter().find(|tile| tile.symbol() == symbol)
    }

    /// Its name, a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grass => "grass",
            Self::Water => "water",
            Self::Mud => "mud",
            Self::Wall => "wall",
            Self::Pit => "pit",
            Self::Trench => "trench",
            Self::Flag => "flag",
            Self::Boat => "boat",
            Self::Axe => "axe",
            Self::Juice => "juice",
            Self::Shovel => "shovel",
            Self::Forest => "forest",
        }
    }

    /// Its name, to be translated.
    #[must_use]
    pub fn phrase(self) -> Phrase {
        match self {
            Self::Grass => phrase!("tile.grass", "grass"),
            Self::Water => phrase!("tile.water", "water"),
            Self::Mud => phrase!("tile.mud", "mud"),
            Self::Wall => phrase!("tile.wall", "wall"),
            Self::Pit => phrase!("tile.pit", "pit"),
            Self::Trench => phrase!("tile.trench", "trench"),
            Self::Flag => phrase!("tile.flag", "flag"),
            Self::Boat => phrase!("tile.boat", "boat"),
            Self::Axe => phrase!("tile.axe", "axe"),
            Self::Juice => phrase!("tile.juice", "juice"),
            Self::Shovel => phrase!("tile.shovel", "shovel"),
            Self::Forest => phrase!("tile.forest", "forest"),
        }
    }
}
