//! The hexagonal torus: flat-topped hexes in columns, every second column half a hex lower, both axes closed.

use std::collections::VecDeque;
use std::fmt;

use crate::{Phrase, phrase};

/// The fewest rows of a board.
pub const MIN_ROWS: usize = 3;
/// The fewest columns of a board.
pub const MIN_COLS: usize = 4;
/// The most rows or columns.
pub const MAX_SIZE: usize = 128;

/// Cells are numbered row by row, from 0 here and from 1 in every text.
pub type CellIndex = u16;

/// The cells of a board and their neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torus {
    rows: usize,
    cols: usize,
    neighbours: Box<[[CellIndex; 6]]>,
}

/// A size that makes no torus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidSize {
    /// Hexes close around a torus only with an even number of columns.
    OddColumns(usize),
    /// Too small or too large.
    Range(usize, usize),
}

impl InvalidSize {
    /// What is wrong with it.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match *self {
            Self::OddColumns(columns) => {
                phrase!("map.odd_columns", "{columns} columns: a hex torus needs an even number of columns", columns,)
            }
            Self::Range(rows, columns) => phrase!(
                "map.size",
                "{rows} rows and {columns} columns: there must be {min_rows} to {max} rows and {min_columns} to {max} columns",
                rows,
                columns,
                min_rows = MIN_ROWS,
                min_columns = MIN_COLS,
                max = MAX_SIZE,
            ),
        }
    }
}

impl fmt::Display for InvalidSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for InvalidSize {}

impl Torus {
    /// The torus of this size.
    pub fn new(rows: usize, cols: usize) -> Result<Self, InvalidSize> {
        if !(MIN_ROWS..=MAX_SIZE).contains(&rows) || !(MIN_COLS..=MAX_SIZE).contains(&cols) {
            return Err(InvalidSize::Range(rows, cols));
        }
        if cols % 2 == 1 {
            return Err(InvalidSize::OddColumns(cols));
        }
        let neighbours = (0..rows * cols).map(|cell| neighbours(rows, cols, cell)).collect();
        Ok(Self { rows, cols, neighbours })
    }

    /// Rows of the board.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Columns of the board.
    #[must_use]
    pub const fn cols(&self) -> usize {
        self.cols
    }

    /// Cells of the board.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// The six neighbours of a cell: N, NE, SE, S, SW, NW.
    #[must_use]
    #[inline]
    pub fn neighbours(&self, cell: CellIndex) -> &[CellIndex; 6] {
        &self.neighbours[usize::from(cell)]
    }

    /// The cell that a half-turn of the board puts in this one's place.
    #[must_use]
    pub const fn mirror(&self, cell: CellIndex) -> CellIndex {
        (self.cells() - 1) as CellIndex - cell
    }

    /// Hops from the nearest of `sources` to every cell, breadth first, over cells that are `open`; `None` where there is
    /// no way. The sources themselves count as open.
    #[must_use]
    pub fn hops(
        &self,
        sources: impl IntoIterator<Item = CellIndex>,
        open: impl Fn(CellIndex) -> bool,
    ) -> Vec<Option<u16>> {
        let mut hops = vec![None; self.cells()];
        let mut queue: VecDeque<(CellIndex, u16)> = sources.into_iter().map(|source| (source, 0)).collect();
        for &(source, _) in &queue {
            hops[usize::from(source)] = Some(0);
        }
        while let Some((cell, distance)) = queue.pop_front() {
            for &next in self.neighbours(cell) {
                if hops[usize::from(next)].is_none() && open(next) {
                    hops[usize::from(next)] = Some(distance + 1);
                    queue.push_back((next, distance + 1));
                }
            }
        }
        hops
    }
}

fn neighbours(rows: usize, cols: usize, cell: usize) -> [CellIndex; 6] {
    let (row, col) = (cell / cols, cell % cols);
    let at = |row: usize, col: usize| (row % rows * cols + col % cols) as CellIndex;
    let (up, down) = (row + rows - 1, row + 1);
    let (left, right) = (col + cols - 1, col + 1);
    // In raised columns the neighbours to the sides are this row and the one above; in the others this and below.
    let (upper, lower) = if col % 2 == 0 { (up, row) } else { (row, down) };
    [at(up, col), at(upper, right), at(lower, right), at(down, col), at(lower, left), at(upper, left)]
}
