//! Our evaluation of Desconecta-4 Boom: who runs out of safe moves first.

use palestra_games::boom::bits::{BOARD, BOTTOM, completing};
use palestra_games::boom::{Action, Desconecta4Boom};
use palestra_games::{Game, Side};

use super::lines::OpenLines;
use super::{hint_by_outcome, row_of, size};
use crate::{Guide, Score, Tunable, Weight};

/// Nobody is made to complete a line before everything else is used up, so the game is a fight for tempo. A cell is
/// *poisoned* for a side that would complete a line there. Cells that are good for both are filled in turn; who moves
/// when an even number is left must leave them first. Then each side lives on the cells that are poisoned for the other
/// alone, and on its bomb, which is a move more and takes own pieces away.
#[derive(Clone, Copy, Debug)]
pub struct Tempo {
    weights: [Score; COUNT],
}

const COUNT: usize = 12;

/// Each weight counts for a side what it has, and against it what the other side has. The last three count once, for
/// the mover.
const WEIGHTS: [Weight; COUNT] = [
    // Open lines with one, two and three own pieces: lines one may have to complete.
    Weight { name: "ones", tuned: -1, plain: 0, step: 1 },
    Weight { name: "twos", tuned: -3, plain: -1, step: 1 },
    Weight { name: "threes", tuned: -6, plain: -3, step: 2 },
    // Cells that are poisoned, of those that can still be reached.
    Weight { name: "poisoned", tuned: -2, plain: 0, step: 1 },
    // Reachable cells that are poisoned for the other side alone.
    Weight { name: "private", tuned: 2, plain: 0, step: 1 },
    // Columns where a drop is safe now.
    Weight { name: "safe", tuned: 3, plain: 0, step: 1 },
    // Cells below the first poisoned one of their column.
    Weight { name: "room", tuned: 1, plain: 0, step: 1 },
    // A bomb on the board, and each own piece that goes with it.
    Weight { name: "bomb", tuned: 10, plain: 0, step: 3 },
    Weight { name: "swept", tuned: 1, plain: 0, step: 1 },
    // An odd number of cells is left that are good for both: the other side must leave them first.
    Weight { name: "mover_odd", tuned: 2, plain: 0, step: 1 },
    // The mover can only complete a line.
    Weight { name: "mover_stuck", tuned: -2_000, plain: 0, step: 500 },
    // So would the other side, if it had to move.
    Weight { name: "other_stuck", tuned: 20, plain: 0, step: 10 },
];

impl Default for Tempo {
    fn default() -> Self {
        Self { weights: WEIGHTS.map(|weight| weight.tuned) }
    }
}

impl Tunable<Desconecta4Boom> for Tempo {
    const WEIGHTS: &'static [Weight] = &WEIGHTS;

    /// Weights that are missing are the tuned ones.
    fn with_weights(_: &Desconecta4Boom, weights: &[Score]) -> Self {
        let mut made = Self::default();
        made.weights.iter_mut().zip(weights).for_each(|(mine, &given)| *mine = given);
        made
    }
}

impl Guide<Desconecta4Boom> for Tempo {
    const ANTISYMMETRIC: bool = true;

    #[inline]
    fn score(&self, position: &Desconecta4Boom, side: Side) -> Score {
        let mover = position.turn();
        let cells = Cells::new(position, mover);
        let [own, other] = [Camp::new(position, mover, &cells, 0), Camp::new(position, mover.other(), &cells, 1)];
        let score = self.standing(&own) - self.standing(&other) + self.zugzwang(&cells, &own, &other);
        if side == mover { score } else { -score }
    }

    #[inline]
    fn hint(&self, position: &Desconecta4Boom, mv: Action) -> i32 {
        hint_by_outcome(position, mv)
    }
}

impl Tempo {
    /// What a side has, whoever moves.
    #[inline]
    fn standing(&self, camp: &Camp) -> Score {
        let [ones, twos, threes, poisoned, private, safe, room, bomb, swept, ..] = self.weights;
        let Camp { lines, .. } = camp;
        (ones * lines.ones + twos * lines.twos + threes * lines.threes)
            + (poisoned * camp.poisoned + private * camp.private)
            + (safe * camp.safe + room * camp.room)
            + (bomb * Score::from(camp.bomb) + swept * camp.swept)
    }

    /// What it means to have the move.
    #[inline]
    fn zugzwang(&self, cells: &Cells, own: &Camp, other: &Camp) -> Score {
        let [.., mover_odd, mover_stuck, other_stuck] = self.weights;
        let odd = size(cells.rooms[0] & cells.rooms[1]) % 2 == 1;
        (if odd { mover_odd } else { -mover_odd })
            + (if own.is_stuck() { mover_stuck } else { 0 })
            + (if other.is_stuck() { other_stuck } else { 0 })
    }
}

/// The empty cells by what they mean to each side, the mover first.
struct Cells {
    landings: u64,
    /// Where a drop completes an own line.
    poisoned: [u64; 2],
    /// Below the first poisoned cell of the column.
    rooms: [u64; 2],
    /// Below the first cell that is poisoned for both: nobody gladly goes further up.
    reachable: u64,
}

impl Cells {
    #[inline]
    fn new(position: &Desconecta4Boom, mover: Side) -> Self {
        let pieces = [mover, mover.other()].map(|side| position.pieces(side));
        let empty = BOARD & !(pieces[0] | pieces[1]);
        let poisoned = pieces.map(|pieces| completing(pieces) & empty);
        Self {
            landings: position.landings(),
            poisoned,
            rooms: poisoned.map(|cells| empty & below_first(cells)),
            reachable: empty & below_first(poisoned[0] & poisoned[1]),
        }
    }
}

/// In each column the cells below the lowest one of the set, all of them where there is none.
#[inline]
const fn below_first(set: u64) -> u64 {
    // Taking one from a column turns exactly the bits below its lowest on; the bit above the board lends to the empty.
    let lent = set | (BOTTOM << 7);
    (lent - BOTTOM) & !lent & BOARD
}

/// What one side has on the board.
struct Camp {
    lines: OpenLines,
    poisoned: Score,
    private: Score,
    safe: Score,
    room: Score,
    bomb: bool,
    swept: Score,
}

impl Camp {
    /// `me` is the side's place in `cells`.
    #[inline]
    fn new(position: &Desconecta4Boom, side: Side, cells: &Cells, me: usize) -> Self {
        let [own, other] = [side, side.other()].map(|side| position.pieces(side));
        let [mine, theirs] = [cells.poisoned[me], cells.poisoned[1 - me]];
        let bomb = position.bomb(side);
        Self {
            lines: OpenLines::new(own, other, cells.landings),
            poisoned: size(mine & cells.reachable),
            private: size(theirs & !mine & cells.reachable),
            safe: size(cells.landings & !mine),
            room: size(cells.rooms[me]),
            bomb: bomb != 0,
            swept: size(own & row_of(bomb)),
        }
    }

    /// Whether every move would complete an own line. An explosion seldom does.
    #[inline]
    const fn is_stuck(&self) -> bool {
        self.safe == 0 && !self.bomb
    }
}

#[cfg(test)]
mod tests {
    use palestra_games::Outcome;
    use palestra_games::boom::Desconecta;
    use palestra_games::boom::bits::lines;

    use super::*;
    use crate::boom::random::{after, positions};

    fn unfinished() -> impl Iterator<Item = Desconecta4Boom> {
        positions::<Desconecta>(300).into_iter().filter(|position| position.outcome().is_none())
    }

    #[test]
    fn what_one_side_gains_the_other_loses() {
        let guide = Tempo::default();
        for position in positions::<Desconecta>(300) {
            let [one, two] = Side::BOTH.map(|side| guide.value(&position, side));
            assert_eq!(one, -two, "{position}");
        }
    }

    #[test]
    fn a_safe_move_is_one_after_which_there_is_no_line() {
        let mut stuck = 0;
        for position in unfinished() {
            let mover = position.turn();
            let camp = Camp::new(&position, mover, &Cells::new(&position, mover), 0);
            let drops = position.moves().into_iter().filter(|&mv| mv != Action::BOOM);
            let safe = drops.filter(|&mv| lines(after(&position, mv).pieces(mover)) == 0).count();
            assert_eq!(camp.safe, safe as Score, "{position}");
            stuck += u32::from(camp.is_stuck());
            if camp.is_stuck() {
                let lost = |mv| after(&position, mv).outcome() == Some(Outcome::Win(mover.other()));
                assert!(position.moves().into_iter().all(lost), "{position}");
            }
        }
        assert!(stuck > 10, "too few positions without a safe move to tell: {stuck}");
    }

    #[test]
    fn room_ends_below_the_first_poisoned_cell() {
        for position in unfinished() {
            let cells = Cells::new(&position, position.turn());
            for me in [0, 1] {
                assert_eq!(cells.rooms[me], room(&position, cells.poisoned[me]), "{position}");
            }
            assert_eq!(cells.reachable, room(&position, cells.poisoned[0] & cells.poisoned[1]), "{position}");
        }
    }

    /// The empty cells up to the first poisoned one of their column.
    fn room(position: &Desconecta4Boom, poisoned: u64) -> u64 {
        let column = |column: usize| {
            let empty = (0..7).filter(move |&row| position.cell(column, row).is_none());
            empty.map(move |row| 1 << (8 * column + row)).take_while(|cell| poisoned & cell == 0).sum::<u64>()
        };
        (0..7).map(column).sum()
    }
}
