//! The courses' test evaluation: own pieces near the middle.

use palestra_games::Side;
use palestra_games::boom::{Boom, Rules};

use crate::{Guide, Score};

/// ValoracionTest of both courses: each own piece that is no bomb counts 0 to 3 by its distance from the side walls, the
/// other's pieces do not count.
///
/// A full board that is not the end, Conecta's where the mover still has a bomb, is worth nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Test;

impl<R: Rules> Guide<Boom<R>> for Test {
    const ANTISYMMETRIC: bool = false;

    #[inline]
    fn score(&self, position: &Boom<R>, side: Side) -> Score {
        if position.is_full() {
            return 0;
        }
        weigh_columns(position.pieces(side) & !position.bomb(side))
    }
}

/// The sum of 0 1 2 3 2 1 0 by columns over a set of cells. A column is a byte, so the bytes' bits are counted, and one
/// multiplication gathers all seven sums in the highest byte; 7 * 9 cannot overflow it.
#[inline]
pub(super) fn weigh_columns(pieces: u64) -> Score {
    // Byte 7 - c multiplies what is counted in byte c.
    const WEIGHTS: u64 = 0x0001_0203_0201_0000;
    let twos = pieces - ((pieces >> 1) & 0x5555_5555_5555_5555);
    let fours = (twos & 0x3333_3333_3333_3333) + ((twos >> 2) & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    (bytes.wrapping_mul(WEIGHTS) >> 56) as Score
}

#[cfg(test)]
mod tests {
    use super::weigh_columns;

    #[test]
    fn every_cell_counts_its_distance_from_the_walls() {
        for column in 0..7 {
            for row in 0..7 {
                assert_eq!(weigh_columns(1 << (8 * column + row)), column.min(6 - column), "column {column} row {row}");
            }
        }
        assert_eq!(weigh_columns(0x007f_7f7f_7f7f_7f7f), 63);
    }
}
