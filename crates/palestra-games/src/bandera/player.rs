//! What a player has, and what entering and digging do to it.

use super::tile::Tile;
use super::torus::CellIndex;
use crate::hash::{fold, mix};

/// Units of a boat or an axe, and the energy of a juice.
pub(super) const UNITS: u16 = 20;

/// Units of a shovel.
pub(super) const SHOVEL_UNITS: u16 = 10;

/// Shovel units that digging takes.
pub(super) const DIG_UNITS: u16 = 2;

/// The dearest tile that can be entered: with this much energy only walls stop a player.
pub(super) const MAX_COST: u16 = 8;

/// What a wall costs: more than anybody can have.
const NEVER: u16 = u16::MAX;

/// A player: where it stands and what it has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The cell where the player stands.
    pub cell: CellIndex,
    /// Energy; without any, the player is out.
    pub energy: u16,
    /// Units of the axe that are left.
    pub axe: u16,
    /// Units of the boat that are left.
    pub boat: u16,
    /// Units of the shovel that are left.
    pub shovel: u16,
}

impl Player {
    /// Whether the player can pay for entering such a tile, with the tools it holds.
    #[must_use]
    #[inline]
    pub fn can_enter(&self, tile: Tile) -> bool {
        self.cost(tile) <= self.energy
    }

    /// Whether the player can dig where this is underfoot.
    #[must_use]
    #[inline]
    pub fn can_dig(&self, tile: Tile) -> bool {
        self.energy > 0 && self.shovel >= DIG_UNITS && matches!(tile, Tile::Grass | Tile::Pit | Tile::Trench)
    }

    /// What entering such a tile costs, with the tools that the player holds; for a wall more than anybody has.
    #[must_use]
    #[inline]
    pub fn cost(&self, tile: Tile) -> u16 {
        COSTS[usize::from(self.axe > 0)][usize::from(self.boat > 0)][usize::from(tile.number()) % 16]
    }

    /// Pays for the tile and takes what lies there. Gives what the tile becomes.
    #[inline]
    pub(super) fn enter(&mut self, tile: Tile) -> Tile {
        self.energy = self.energy.saturating_sub(self.cost(tile));
        match tile {
            Tile::Grass | Tile::Mud | Tile::Wall | Tile::Pit | Tile::Trench => return tile,
            Tile::Water => {
                self.boat = self.boat.saturating_sub(1);
                return tile;
            }
            Tile::Forest if self.axe == 0 => return tile,
            Tile::Forest => self.axe -= 1,
            Tile::Flag => {}
            Tile::Boat => self.boat += UNITS,
            Tile::Axe => self.axe += UNITS,
            Tile::Juice => self.energy += UNITS,
            Tile::Shovel => self.shovel += SHOVEL_UNITS,
        }
        Tile::Grass
    }

    /// Digs. Gives what the tile becomes.
    #[inline]
    pub(super) fn dig(&mut self, tile: Tile) -> Tile {
        self.shovel = self.shovel.saturating_sub(DIG_UNITS);
        if tile == Tile::Grass { Tile::Pit } else { Tile::Trench }
    }

    /// The part of a position's key that belongs to the player with this index.
    #[inline]
    pub(super) fn key(&self, index: usize) -> u64 {
        let [cell, energy, axe, boat] = [self.cell, self.energy, self.axe, self.boat].map(u64::from);
        fold(cell | energy << 16 | axe << 32 | boat << 48, mix(u64::from(self.shovel) << 4 | index as u64))
    }
}

/// The cost of entering by axe held, boat held, and the tile's number.
static COSTS: [[[u16; 16]; 2]; 2] = [[costs(8, 6), costs(8, 3)], [costs(4, 6), costs(4, 3)]];

const fn costs(forest: u16, water: u16) -> [u16; 16] {
    let mut costs = [NEVER; 16];
    let mut index = 0;
    while index < Tile::ALL.len() {
        let tile = Tile::ALL[index];
        costs[tile.number() as usize] = match tile {
            Tile::Grass | Tile::Flag | Tile::Boat | Tile::Axe | Tile::Juice | Tile::Shovel => 1,
            Tile::Mud => 2,
            Tile::Pit => 4,
            Tile::Trench => 6,
            Tile::Water => water,
            Tile::Forest => forest,
            Tile::Wall => NEVER,
        };
        index += 1;
    }
    costs
}
