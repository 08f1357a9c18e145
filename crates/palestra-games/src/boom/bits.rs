//! Bitboards, sets of cells as 64-bit words: column c is byte c and row r its bit r, both from 0. Bit 7 of every byte stays clear, so
//! that a line leaving the board by its top or bottom never goes on in the next column.

use super::{COLUMNS, ROWS};

/// The cells of the bottom row.
pub const BOTTOM: u64 = 0x0001_0101_0101_0101;

/// All cells of the board.
pub const BOARD: u64 = BOTTOM * COLUMN;

/// The leftmost column.
const COLUMN: u64 = (1 << ROWS) - 1;

/// The set of one cell.
#[inline]
pub(super) const fn bit(column: usize, row: usize) -> u64 {
    1 << (8 * column + row)
}

/// The column and row of each cell of a set, column by column, upwards.
pub(super) fn cells(set: u64) -> impl Iterator<Item = (usize, usize)> {
    let all = (0..COLUMNS).flat_map(|column| (0..ROWS).map(move |row| (column, row)));
    all.filter(move |&(column, row)| set & bit(column, row) != 0)
}

/// The cells where a line of four begins: its left end, or the lower end if it is vertical.
#[must_use]
#[inline]
pub const fn lines(pieces: u64) -> u64 {
    fours(pieces, 1) | fours(pieces, 8) | fours(pieces, 7) | fours(pieces, 9)
}

#[inline]
const fn fours(pieces: u64, step: u32) -> u64 {
    let pairs = pieces & (pieces >> step);
    pairs & (pairs >> (2 * step))
}

/// The pieces that lie in a line of four.
#[must_use]
pub(super) fn in_lines(pieces: u64) -> u64 {
    let line = |step| {
        let begins = fours(pieces, step);
        begins | begins << step | begins << (2 * step) | begins << (3 * step)
    };
    [1, 7, 8, 9].map(line).into_iter().fold(0, |all, line| all | line)
}

/// The cells, on the board or beyond, filled or not, where a piece dropped makes a line of four with these pieces.
#[must_use]
#[inline]
pub const fn completing(pieces: u64) -> u64 {
    // Pieces land on top: the last one of a vertical line is its highest.
    let vertical = (pieces << 1) & (pieces << 2) & (pieces << 3);
    vertical | gaps(pieces, 8) | gaps(pieces, 7) | gaps(pieces, 9)
}

/// The gaps in lines of four in one direction, wherever in the line they are.
#[inline]
const fn gaps(pieces: u64, step: u32) -> u64 {
    let (before, after) = (pieces << step, pieces >> step);
    let (two_before, two_after) = (before & (before << step), after & (after >> step));
    (two_before & ((pieces << (3 * step)) | after)) | (two_after & ((pieces >> (3 * step)) | before))
}

/// What an explosion does to any set of pieces.
#[derive(Clone, Copy)]
pub(super) struct Blast {
    /// The cells whose pieces it takes, all in one row.
    pub(super) gone: u64,
    /// The cells above those: what lies there drops by one.
    pub(super) falling: u64,
}

impl Blast {
    /// The explosion of a bomb that takes, of a set of pieces, those in its row. Not inlined: the compiler would work
    /// it out ahead for every position, with a bomb or without.
    #[inline(never)]
    pub(super) const fn new(bomb: u64, taken: u64) -> Self {
        let row = bomb.trailing_zeros() % 8;
        let gone = taken & (BOTTOM << row);
        let feet = gone >> row;
        let below = gone - feet;
        Self { gone, falling: (feet * COLUMN) & !(below | gone) }
    }

    #[inline]
    pub(super) const fn apply(self, pieces: u64) -> u64 {
        (pieces & !(self.gone | self.falling)) | ((pieces & self.falling) >> 1)
    }
}
