//! The board of a game as it was at the start.

use super::tile::Tile;
use super::torus::{CellIndex, Torus};

/// The torus and its tiles. Positions of one game share it, and keep what has changed since in an overlay.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Board {
    torus: Torus,
    tiles: Box<[Tile]>,
    /// For every cell the directions without a wall, a bit each. Walls never change.
    open: Box<[u8]>,
}

impl Board {
    /// The board with these tiles, row by row, as many as the torus has cells.
    pub(super) fn new(torus: Torus, tiles: Vec<Tile>) -> Self {
        assert_eq!(tiles.len(), torus.cells(), "every cell has a tile");
        let is_open = |cell: CellIndex| u8::from(tiles[usize::from(cell)] != Tile::Wall);
        let open = (0..torus.cells())
            .map(|cell| {
                let neighbours = torus.neighbours(cell as CellIndex);
                neighbours.iter().rev().fold(0, |mask, &neighbour| mask << 1 | is_open(neighbour))
            })
            .collect();
        Self { torus, tiles: tiles.into(), open }
    }

    pub(super) const fn torus(&self) -> &Torus {
        &self.torus
    }

    pub(super) const fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    #[inline]
    pub(super) fn tile(&self, cell: CellIndex) -> Tile {
        self.tiles[usize::from(cell)]
    }

    /// The directions from a cell that lead to no wall: bit 0 is north.
    #[inline]
    pub(super) fn open(&self, cell: CellIndex) -> u8 {
        self.open[usize::from(cell)]
    }
}
