//! Lines of four that a player may still complete, counted for a whole bitboard at once.
//!
//! Sets of cells are words as in [`palestra_games::boom::bits`]. Shifting the pieces by one, two and three steps of a
//! direction lays the four cells of every line on the cell where the line begins; from there on each bit of a word is a
//! line, and the operations work on all of them together.

use crate::Score;

/// The cells where lines begin, and the step to their next cell: upwards, to the right, rising, falling.
const DIRECTIONS: [(u64, u32); 4] = [(0x000f_0f0f_0f0f_0f0f, 1), (0x7f7f_7f7f, 8), (0x0f0f_0f0f, 9), (0x7878_7878, 7)];

/// A set of lines of all directions, in two words for quick counting: as no direction begins in every cell, two of
/// them fit into one.
type Lines = [u64; 2];

/// The lines that are open to a player, without a piece of the other, by the number of the player's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenLines {
    /// Open lines with one piece.
    pub(super) ones: Score,
    /// Open lines with two pieces.
    pub(super) twos: Score,
    /// Open lines with three pieces.
    pub(super) threes: Score,
    /// Those with two pieces whose other two cells can be filled by two drops one after the other.
    pub(super) near: Score,
}

impl OpenLines {
    /// Counts the lines of `own`, who has no line of four, on a board where drops come to rest at `landings`.
    #[inline]
    pub(super) fn new(own: u64, other: u64, landings: u64) -> Self {
        let counted = DIRECTIONS.map(|(begins, step)| {
            let open = begins & !any(spread(other, step));
            // A second drop lands above the first one only in a line that goes upwards.
            let reach = if step == 1 { landings | landings << 1 } else { landings };
            let [one, two, three] = count(spread(own, step)).map(|lines| lines & open);
            [one, two, three, two & all(spread(own | reach, step))]
        });
        let [ones, twos, threes, near] = [0, 1, 2, 3].map(|kind| size(pack(counted.map(|lines| lines[kind]))));
        Self { ones, twos, threes, near }
    }
}

/// For every cell, the four cells of the line that begins there.
#[inline]
fn spread(set: u64, step: u32) -> [u64; 4] {
    [set, set >> step, set >> (2 * step), set >> (3 * step)]
}

#[inline]
fn any([a, b, c, d]: [u64; 4]) -> u64 {
    a | b | c | d
}

#[inline]
fn all([a, b, c, d]: [u64; 4]) -> u64 {
    a & b & c & d
}

/// The bits that are set in exactly one, two and three of four words: an adder for each bit.
#[inline]
fn count([a, b, c, d]: [u64; 4]) -> [u64; 3] {
    let (sum1, carry1) = (a ^ b, a & b);
    let (sum2, carry2) = (c ^ d, c & d);
    let odd = sum1 ^ sum2;
    let two_or_three = carry1 ^ carry2 ^ (sum1 & sum2);
    [odd & !two_or_three, two_or_three & !odd, odd & two_or_three]
}

/// Puts the four directions side by side: those upwards begin in the lower half of each column, the falling ones one
/// step up in the upper half, the others in the left half of the board.
#[inline]
fn pack([upwards, right, rising, falling]: [u64; 4]) -> Lines {
    [upwards | falling << 1, right | rising << 32]
}

#[inline]
fn size([a, b]: Lines) -> Score {
    (a.count_ones() + b.count_ones()) as Score
}

#[cfg(test)]
mod tests {
    use palestra_games::boom::{Boom, Conecta, Desconecta, Rules};
    use palestra_games::{Game, Side};

    use super::OpenLines;
    use crate::boom::random::positions;

    #[test]
    fn lines_are_counted_as_cell_by_cell() {
        check::<Conecta>();
        check::<Desconecta>();
    }

    fn check<R: Rules>() {
        for position in positions::<R>(300) {
            if position.outcome().is_some() {
                continue;
            }
            for side in Side::BOTH {
                let quick = OpenLines::new(position.pieces(side), position.pieces(side.other()), position.landings());
                assert_eq!(quick, one_by_one(&position, side), "{position} for {side}");
            }
        }
    }

    fn one_by_one<R: Rules>(position: &Boom<R>, side: Side) -> OpenLines {
        let mut lines = OpenLines { ones: 0, twos: 0, threes: 0, near: 0 };
        let height = |column: i32| (0..7).filter(|&row| position.cell(column as usize, row).is_some()).count() as i32;
        for (column, row) in (0..7).flat_map(|column| (0..7).map(move |row| (column, row))) {
            for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cells = [0, 1, 2, 3].map(|n| (column + n * right, row + n * up));
                if cells.iter().any(|&(column, row)| !(0..7).contains(&column) || !(0..7).contains(&row)) {
                    continue;
                }
                let stones = cells.map(|(column, row)| position.cell(column as usize, row as usize));
                if stones.iter().flatten().any(|stone| stone.owner != side) {
                    continue;
                }
                let gaps = cells.iter().zip(stones).filter(|(_, stone)| stone.is_none()).map(|(&cell, _)| cell);
                let gaps: Vec<(i32, i32)> = gaps.collect();
                match gaps.len() {
                    1 => lines.threes += 1,
                    2 => lines.twos += 1,
                    3 => lines.ones += 1,
                    _ => {}
                }
                let filled_below =
                    |&(column, row): &(i32, i32)| (height(column)..row).all(|below| gaps.contains(&(column, below)));
                if gaps.len() == 2 && gaps.iter().all(filled_below) {
                    lines.near += 1;
                }
            }
        }
        lines
    }
}
