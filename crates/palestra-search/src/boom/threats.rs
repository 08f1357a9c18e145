//! Our evaluation of Conecta-4 Boom: lines under way, and how near they are with two moves a turn.

use palestra_games::boom::bits::{BOARD, completing, lines};
use palestra_games::boom::{Action, Conecta4Boom};
use palestra_games::{Game, Side};

use super::lines::OpenLines;
use super::valoracion_test::weigh_columns;
use super::{hint_by_outcome, row_of, size};
use crate::{Guide, Score, Tunable, Weight};

/// Counts open lines, and above all the *ways* to win that a side has within one turn: a cell that completes a line and
/// can be filled at once, or after the one below it; a line that lacks two cells which can both be filled; a boom after
/// which pieces fall into a line. A mover with such a way wins. One without must close all ways of the other side in
/// the moves that are left.
#[derive(Clone, Copy, Debug)]
pub struct Threats {
    weights: [Score; COUNT],
}

const COUNT: usize = 11;

/// Each weight counts for a side what it has, and against it what the other side has. Those named after the mover or
/// the other side count once, for whom they name.
const WEIGHTS: [Weight; COUNT] = [
    // Pieces, 0 to 3 each by their distance from the side walls.
    Weight { name: "centre", tuned: 5, plain: 1, step: 1 },
    // Open lines with one, two and three pieces.
    Weight { name: "ones", tuned: 1, plain: 1, step: 1 },
    Weight { name: "twos", tuned: 0, plain: 2, step: 1 },
    Weight { name: "threes", tuned: 6, plain: 3, step: 2 },
    // Empty cells, near or far, that complete a line.
    Weight { name: "gaps", tuned: 4, plain: 0, step: 4 },
    // The mover's ways to win in the next turn, where there is none in this one.
    Weight { name: "mover_ways", tuned: 19, plain: 0, step: 4 },
    // The other side's ways, all of which the mover must close: with two moves left, and with one.
    Weight { name: "other_ways", tuned: 15, plain: 0, step: 5 },
    Weight { name: "other_ways_last", tuned: 86, plain: 0, step: 15 },
    // The mover wins within this turn.
    Weight { name: "mover_wins", tuned: 2_245, plain: 0, step: 500 },
    // A bomb on the board, and each piece it would take from the other side.
    Weight { name: "bomb", tuned: 4, plain: 0, step: 5 },
    Weight { name: "targets", tuned: 11, plain: 0, step: 2 },
];

impl Default for Threats {
    fn default() -> Self {
        Self { weights: WEIGHTS.map(|weight| weight.tuned) }
    }
}

impl Tunable<Conecta4Boom> for Threats {
    const WEIGHTS: &'static [Weight] = &WEIGHTS;

    /// Weights that are missing are the tuned ones.
    fn with_weights(_: &Conecta4Boom, weights: &[Score]) -> Self {
        let mut made = Self::default();
        made.weights.iter_mut().zip(weights).for_each(|(mine, &given)| *mine = given);
        made
    }
}

impl Guide<Conecta4Boom> for Threats {
    const ANTISYMMETRIC: bool = true;

    #[inline]
    fn score(&self, position: &Conecta4Boom, side: Side) -> Score {
        let mover = position.turn();
        let [own, other] = [mover, mover.other()].map(|side| Camp::new(position, side));
        let score = self.standing(&own) - self.standing(&other) + self.race(position, &own, &other);
        if side == mover { score } else { -score }
    }

    #[inline]
    fn hint(&self, position: &Conecta4Boom, mv: Action) -> i32 {
        hint_by_outcome(position, mv)
    }
}

impl Threats {
    /// What a side has, apart from whose turn it is.
    #[inline]
    fn standing(&self, camp: &Camp) -> Score {
        let [centre, ones, twos, threes, gaps, .., bomb, targets] = self.weights;
        let Camp { lines, .. } = camp;
        centre * camp.centre
            + (ones * lines.ones + twos * lines.twos + threes * lines.threes)
            + gaps * camp.gaps
            + (bomb * Score::from(camp.bomb) + targets * camp.targets)
    }

    /// Who comes first, seen by the mover.
    #[inline]
    fn race(&self, position: &Conecta4Boom, own: &Camp, other: &Camp) -> Score {
        let [.., mover_ways, other_ways, other_ways_last, mover_wins, _, _] = self.weights;
        let last = position.moves_left() == 1;
        let ways_now = if last { own.ways_in_one } else { own.ways() };
        if ways_now > 0 {
            return mover_wins;
        }
        mover_ways * own.ways() - other.ways() * if last { other_ways_last } else { other_ways }
    }
}

/// What one side has on the board.
struct Camp {
    lines: OpenLines,
    centre: Score,
    /// Empty cells that complete a line.
    gaps: Score,
    /// Ways to win by one move.
    ways_in_one: Score,
    /// Ways to win by two drops, none of which wins alone.
    ways_in_two: Score,
    bomb: bool,
    targets: Score,
}

impl Camp {
    #[inline]
    fn new(position: &Conecta4Boom, side: Side) -> Self {
        let [own, other] = [side, side.other()].map(|side| position.pieces(side));
        let landings = position.landings();
        let gaps = completing(own) & BOARD & !(own | other);
        let open = OpenLines::new(own, other, landings);
        let mut camp = Self {
            centre: weigh_columns(own),
            gaps: size(gaps),
            ways_in_one: size(gaps & landings),
            ways_in_two: size(gaps & (landings << 1)) + open.near,
            lines: open,
            bomb: false,
            targets: 0,
        };
        if let Some(left) = position.after_boom(side) {
            camp.bomb = true;
            camp.ways_in_one += Score::from(lines(left[side.index()]) != 0);
            camp.targets = size(other & row_of(position.bomb(side)));
        }
        camp
    }

    /// Ways to win within a turn of two moves.
    #[inline]
    const fn ways(&self) -> Score {
        self.ways_in_one + self.ways_in_two
    }
}

#[cfg(test)]
mod tests {
    use palestra_games::boom::Conecta;

    use super::*;
    use crate::boom::random::{after, positions};

    #[test]
    fn what_one_side_gains_the_other_loses() {
        let guide = Threats::default();
        for position in positions::<Conecta>(200) {
            let [one, two] = Side::BOTH.map(|side| guide.value(&position, side));
            assert_eq!(one, -two, "{position}");
        }
    }

    #[test]
    fn a_way_to_win_is_one_that_can_be_played() {
        let mut found = [0; 2];
        for position in positions::<Conecta>(400).iter().filter(|position| position.outcome().is_none()) {
            let camp = Camp::new(position, position.turn());
            let in_one = makes_line(position, position.moves().into_iter());
            assert_eq!(camp.ways_in_one > 0, in_one, "{position}: in one move");
            found[0] += usize::from(in_one);
            if position.moves_left() == 2 && !in_one {
                let mut children = drops(position).map(|mv| after(position, mv));
                let in_two = children.any(|child| makes_line(&child, drops(&child)));
                assert_eq!(camp.ways_in_two > 0, in_two, "{position}: in two drops");
                found[1] += usize::from(in_two);
            }
        }
        assert!(found[0] > 100 && found[1] > 100, "too few wins to tell: {found:?}");
    }

    /// Whether the mover can make a line by one of these moves.
    fn makes_line(position: &Conecta4Boom, mut moves: impl Iterator<Item = Action>) -> bool {
        moves.any(|mv| lines(after(position, mv).pieces(position.turn())) != 0)
    }

    fn drops(position: &Conecta4Boom) -> impl Iterator<Item = Action> {
        position.moves().into_iter().filter(|&mv| mv != Action::BOOM)
    }

    #[test]
    fn the_explosion_counts_what_it_takes() {
        let position: Conecta4Boom = "20:7/7/7/7/7/2o4/o1Xoxo1".parse().expect("a position");
        let camp = Camp::new(&position, Side::One);
        assert_eq!((camp.bomb, camp.targets), (true, 3));
        assert!(!Camp::new(&position, Side::Two).bomb);
    }
}
