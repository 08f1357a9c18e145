//! A student's evaluation of Desconecta-4 Boom, known from its description.

use palestra_games::Side;
use palestra_games::boom::Desconecta4Boom;
use palestra_games::boom::bits::BOARD;

use super::size;
use crate::{Guide, Score};

/// The value of an own piece with the other's piece beside or above it: the two are in each other's way.
const BLOCKED: Score = 2;
/// The other's bomb right above an own piece may go and open the way again.
const BOMB_ABOVE: Score = -1;
/// Two own pieces together.
const PAIR: Score = -1;
/// Three own pieces together, or two, a gap and a third: one more completes four.
const TRIPLE: Score = -6;

/// The student's evaluation: own pieces should touch the other's, and not each other. The weights are ours.
///
/// Each own piece counts for every piece of the other right, left or above it that is no bomb, and a little against for
/// a bomb above. Every two and every three own pieces in a row count against, in each direction, and so do two, a gap
/// that is empty and a third, either way round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Avoid4;

impl Guide<Desconecta4Boom> for Avoid4 {
    const ANTISYMMETRIC: bool = false;

    #[inline]
    fn score(&self, position: &Desconecta4Boom, side: Side) -> Score {
        let own = position.pieces(side);
        let other = position.pieces(side.other());
        let other_bomb = position.bomb(side.other());
        let plain = other & !other_bomb;
        let empty = BOARD & !(own | other);
        // Whole sets move a column left, right, and a row down, onto the own pieces they touch.
        let touching = [plain >> 8, plain << 8, plain >> 1].map(|moved| size(own & moved));
        let together = DIRECTIONS.map(|step| crowding(own, empty, step));
        BLOCKED * touching.iter().sum::<Score>()
            + BOMB_ABOVE * size(own & (other_bomb >> 1))
            + together.iter().sum::<Score>()
    }
}

/// Steps from a cell up, right, and along both diagonals.
const DIRECTIONS: [u32; 4] = [1, 8, 9, 7];

/// What own pieces in a row count in one direction.
#[inline]
fn crowding(own: u64, empty: u64, step: u32) -> Score {
    let pairs = own & (own >> step);
    let triples = pairs & (own >> (2 * step));
    let pair_gap_third = pairs & (empty >> (2 * step)) & (own >> (3 * step));
    let third_gap_pair = own & (empty >> step) & (pairs >> (2 * step));
    PAIR * size(pairs) + TRIPLE * (size(triples) + size(pair_gap_third) + size(third_gap_pair))
}

#[cfg(test)]
mod tests {
    use palestra_games::Game;
    use palestra_games::boom::Desconecta;

    use super::*;
    use crate::boom::random::positions;

    #[test]
    fn scores_are_those_of_the_description_read_cell_by_cell() {
        for position in positions::<Desconecta>(200).iter().filter(|position| position.outcome().is_none()) {
            for side in Side::BOTH {
                assert_eq!(Avoid4.score(position, side), cell_by_cell(position, side), "{position} for {side}");
            }
        }
    }

    fn cell_by_cell(position: &Desconecta4Boom, side: Side) -> Score {
        // The kind of a cell: own, other's, other's bomb, empty, outside.
        let kind = |column: i32, row: i32| match (usize::try_from(column), usize::try_from(row)) {
            (Ok(column @ 0..7), Ok(row @ 0..7)) => match position.cell(column, row) {
                None => 'e',
                Some(stone) if stone.owner == side => 'o',
                Some(stone) if stone.bomb => 'b',
                Some(_) => 'x',
            },
            _ => '-',
        };
        let mut score = 0;
        for (column, row) in (0..7).flat_map(|column| (0..7).map(move |row| (column, row))) {
            if kind(column, row) == 'o' {
                for (right, up) in [(1, 0), (-1, 0), (0, 1)] {
                    score += if kind(column + right, row + up) == 'x' { BLOCKED } else { 0 };
                }
                score += if kind(column, row + 1) == 'b' { BOMB_ABOVE } else { 0 };
            }
            for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let text: String = (0..4).map(|n| kind(column + n * right, row + n * up)).collect();
                score += if text.starts_with("oo") { PAIR } else { 0 };
                score += if text.starts_with("ooo") || text == "ooeo" || text == "oeoo" { TRIPLE } else { 0 };
            }
        }
        score
    }
}
