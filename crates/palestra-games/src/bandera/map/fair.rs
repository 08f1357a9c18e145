//! Fair maps: a half-turn of the board, which takes every cell to another one and keeps neighbours neighbours, swaps
//! the teams and changes nothing else.

use std::fmt;

use super::Map;
use crate::bandera::tile::Tile;
use crate::bandera::torus::{CellIndex, Torus};
use crate::{Phrase, phrase};

/// A cell as people name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The row, from 1 at the top.
    pub row: usize,
    /// The column, from 1 at the left.
    pub column: usize,
}

impl Place {
    /// Where a cell is.
    #[must_use]
    pub fn of(torus: &Torus, cell: CellIndex) -> Self {
        let cell = usize::from(cell);
        Self { row: cell / torus.cols() + 1, column: cell % torus.cols() + 1 }
    }
}

impl Place {
    /// The place, to be translated.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        phrase!("map.place", "row {row} column {column}", row = self.row, column = self.column)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

/// The first thing that makes a map unfair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfair {
    /// Two opposite cells have different tiles.
    Tile {
        /// The first such cell.
        place: Place,
        /// Its tile.
        tile: Tile,
        /// The cell a half-turn puts there.
        mirror: Place,
        /// The tile of that cell.
        opposite: Tile,
    },
    /// A player of team 2 does not start opposite the same player of team 1.
    Start {
        /// The player of team 2, from 1.
        player: usize,
        /// Where that player starts.
        place: Place,
        /// Where that player should start.
        mirror: Place,
        /// The player of team 1.
        rival: usize,
    },
    /// Two opposite players have different energies.
    Energy {
        /// The player of team 2, from 1.
        player: usize,
        /// The energy of the player.
        energy: u16,
        /// The player of team 1.
        rival: usize,
        /// The energy of the latter.
        opposite: u16,
    },
}

impl Unfair {
    /// What makes it unfair.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match *self {
            Self::Tile { place, tile, mirror, opposite } => phrase!(
                "fair.tile",
                "{place} is {tile}, but {mirror} opposite is {opposite}",
                place = place.phrase(),
                tile = tile.phrase(),
                mirror = mirror.phrase(),
                opposite = opposite.phrase(),
            ),
            Self::Start { player, place, mirror, rival } => phrase!(
                "fair.start",
                "player {player} starts at {place}, but {mirror} is opposite player {rival}",
                player,
                place = place.phrase(),
                mirror = mirror.phrase(),
                rival,
            ),
            Self::Energy { player, energy, rival, opposite } => phrase!(
                "fair.energy",
                "player {player} has energy {energy}, but player {rival} opposite has {opposite}",
                player,
                energy,
                rival,
                opposite,
            ),
        }
    }
}

impl fmt::Display for Unfair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for Unfair {}

impl Map {
    /// Whether the map favours neither team: tiles are equal at opposite cells, team 2's k-th player starts opposite
    /// team 1's, and their energies are equal. If not, the first difference.
    pub fn fairness(&self) -> Result<(), Unfair> {
        let torus = self.torus();
        let place = |cell| Place::of(torus, cell);
        for (cell, &tile) in (0..).zip(self.tiles()) {
            let mirror = torus.mirror(cell);
            let opposite = self.tiles()[usize::from(mirror)];
            if tile != opposite {
                return Err(Unfair::Tile { place: place(cell), tile, mirror: place(mirror), opposite });
            }
        }
        let (ones, twos) = self.starts().split_at(self.team_size());
        for (index, (one, two)) in ones.iter().zip(twos).enumerate() {
            let (rival, player) = (index + 1, index + 1 + self.team_size());
            let mirror = torus.mirror(one.cell);
            if two.cell != mirror {
                return Err(Unfair::Start { player, place: place(two.cell), mirror: place(mirror), rival });
            }
            if two.energy != one.energy {
                return Err(Unfair::Energy { player, energy: two.energy, rival, opposite: one.energy });
            }
        }
        Ok(())
    }

    /// Whether the map favours neither team.
    #[must_use]
    pub fn is_fair(&self) -> bool {
        self.fairness().is_ok()
    }
}
