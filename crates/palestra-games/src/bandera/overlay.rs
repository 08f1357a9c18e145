//! The tiles that have changed since the start of a game.

use super::tile::Tile;
use super::torus::CellIndex;

/// Cells whose changes are kept in the position itself: all of a board of 16x20.
const INLINE_CELLS: usize = 320;

/// Cells a word.
const CELLS: usize = 32;

/// Two bits a cell: 0 for a tile as it was, and one number for each tile that something can turn into. What changes a
/// tile never makes it what it was at the start, so that boards with the same start and the same tiles now have the
/// same bits.
///
/// Nothing is allocated for a board that fits, and copying one overlay over another of the same board never allocates.
#[derive(Debug)]
pub(super) struct Overlay {
    inline: [u64; INLINE_CELLS / CELLS],
    rest: Box<[u64]>,
}

impl Overlay {
    /// No changes, on a board with this number of cells.
    pub(super) fn new(cells: usize) -> Self {
        let rest = cells.saturating_sub(INLINE_CELLS).div_ceil(CELLS);
        Self { inline: [0; INLINE_CELLS / CELLS], rest: vec![0; rest].into() }
    }

    /// What the cell's tile has become, if it has changed.
    #[inline]
    pub(super) fn get(&self, cell: CellIndex) -> Option<Tile> {
        let (word, shift) = place(cell);
        let bits = if word < self.inline.len() { self.inline[word] } else { self.rest[word - self.inline.len()] };
        match bits >> shift & 3 {
            0 => None,
            1 => Some(Tile::Grass),
            2 => Some(Tile::Pit),
            _ => Some(Tile::Trench),
        }
    }

    /// The cell's tile becomes grass, a pit or a trench.
    #[inline]
    pub(super) fn set(&mut self, cell: CellIndex, tile: Tile) {
        let (word, shift) = place(cell);
        let inline = self.inline.len();
        let bits = if word < inline { &mut self.inline[word] } else { &mut self.rest[word - inline] };
        let code = match tile {
            Tile::Grass => 1,
            Tile::Pit => 2,
            _ => 3,
        };
        *bits = *bits & !(3 << shift) | code << shift;
    }
}

impl Clone for Overlay {
    fn clone(&self) -> Self {
        Self { inline: self.inline, rest: self.rest.clone() }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.inline = other.inline;
        if !(self.rest.is_empty() && other.rest.is_empty()) {
            self.rest.clone_from(&other.rest);
        }
    }
}

#[inline]
const fn place(cell: CellIndex) -> (usize, u32) {
    (cell as usize / CELLS, cell as u32 % CELLS as u32 * 2)
}
