//! Our evaluation of Desconecta-4 Boom: who runs out of safe moves first.

use palestra_games::boom::bits::{BOARD, BOTTOM, completing, lines};
use palestra_games::boom::{Action, Desconecta, Desconecta4Boom, Rules};
use palestra_games::{Game, Side};

use super::{hint_by_outcome, row_of, size};
use crate::{Guide, Score, Tunable, Weight};

/// No player is forced to complete a line before everything else is used up, so the game is a fight for tempo, and it is
/// fought with bombs: a bomb is a move more, and takes own pieces away. Who keeps fewer pieces on the board has fewer
/// cells that are *poisoned*, where a drop would complete an own line, and lives longer.
///
/// Two players who know this clear the board again and again and go on for ever. So the side that searches also likes a full
/// board, of pieces of either side: there is the play in which the one who sees further wins.
#[derive(Clone, Copy, Debug)]
pub struct Tempo {
    weights: [Score; COUNT],
}

const COUNT: usize = 16;

/// All but `full` are what `palestra tune` found at depth 3; `full`, which decides how many games are drawn, was chosen
/// by matches against other players. Each counts for a side what it has, and against it what the other side has, except
/// for the last three.
const WEIGHTS: [Weight; COUNT] = [
    // Own pieces on the board, and pairs of neighbours among them in any direction.
    Weight { name: "pieces", tuned: -15, plain: -10, step: 5 },
    Weight { name: "pairs", tuned: -3, plain: 0, step: 1 },
    // Empty cells that are poisoned.
    Weight { name: "poisoned", tuned: 0, plain: 0, step: 3 },
    // The same as they will be after the explosion of the own bomb, if there is one.
    Weight { name: "poisoned_then", tuned: -10, plain: -10, step: 5 },
    // Cells below the first poisoned one of their column.
    Weight { name: "room", tuned: 0, plain: 0, step: 1 },
    // A bomb on the board, each row it is above the lowest, and each own piece that goes with it.
    Weight { name: "bomb", tuned: 94, plain: 0, step: 15 },
    Weight { name: "bomb_row", tuned: -18, plain: 0, step: 4 },
    Weight { name: "swept", tuned: 17, plain: 0, step: 4 },
    // Columns where a drop is safe after the explosion, and an explosion that completes an own line.
    Weight { name: "safe_then", tuned: 10, plain: 0, step: 3 },
    Weight { name: "dud", tuned: 42, plain: 0, step: 60 },
    // Without a bomb: own turns until the next piece that is one.
    Weight { name: "wait", tuned: 0, plain: 0, step: 8 },
    // On a board that is more than half full: a bomb, and columns where a drop is safe now.
    Weight { name: "late_bomb", tuned: -88, plain: 0, step: 20 },
    Weight { name: "late_safe", tuned: 7, plain: 0, step: 10 },
    // The mover can only complete a line.
    Weight { name: "mover_stuck", tuned: 484, plain: 0, step: 200 },
    // So would the other side, if it had to move.
    Weight { name: "other_stuck", tuned: 72, plain: 0, step: 20 },
    // Each piece of either side, for the one who looks ahead.
    Weight { name: "full", tuned: 14, plain: 0, step: 3 },
];

/// With fewer empty cells than these the board counts as more than half full.
const LATE: Score = 22;

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
    // A full board counts for the side that searches, be it the mover or not.
    const ANTISYMMETRIC: bool = false;

    #[inline]
    fn score(&self, position: &Desconecta4Boom, side: Side) -> Score {
        let [.., full] = self.weights;
        let balance = self.balance(position);
        full * size(BOARD & !empty(position)) + if side == position.turn() { balance } else { -balance }
    }

    #[inline]
    fn hint(&self, position: &Desconecta4Boom, mv: Action) -> i32 {
        hint_by_outcome(position, mv)
    }
}

impl Tempo {
    /// What the mover has more than the other side.
    #[inline]
    fn balance(&self, position: &Desconecta4Boom) -> Score {
        let [.., mover_stuck, other_stuck, _] = self.weights;
        let mover = position.turn();
        let late = size(empty(position)) < LATE;
        let [own, other] = [mover, mover.other()].map(|side| Camp::new(position, side));
        self.standing(&own, late) - self.standing(&other, late)
            + (if own.is_stuck() { mover_stuck } else { 0 })
            + (if other.is_stuck() { other_stuck } else { 0 })
    }

    /// What a side has, apart from whose turn it is.
    #[inline]
    fn standing(&self, camp: &Camp, late: bool) -> Score {
        let [pieces, pairs, poisoned, poisoned_then, room, ..] = self.weights;
        let [_, _, _, _, _, bomb, bomb_row, swept, safe_then, dud, wait, late_bomb, late_safe, ..] = self.weights;
        let board = (pieces * camp.pieces + pairs * camp.pairs) + (poisoned * camp.poisoned + room * camp.room);
        let bombs = match &camp.bomb {
            None => wait * camp.wait + poisoned_then * camp.poisoned,
            Some(Bomb { dud: true, row, swept: gone, .. }) => bomb + bomb_row * row + swept * gone + dud,
            Some(Bomb { row, swept: gone, safe, poisoned, .. }) => {
                bomb + bomb_row * row + swept * gone + safe_then * safe + poisoned_then * poisoned
            }
        };
        let end = if late { late_bomb * Score::from(camp.bomb.is_some()) + late_safe * camp.safe } else { 0 };
        board + bombs + end
    }
}

#[inline]
fn empty(position: &Desconecta4Boom) -> u64 {
    BOARD & !(position.pieces(Side::One) | position.pieces(Side::Two))
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
    pieces: Score,
    pairs: Score,
    poisoned: Score,
    room: Score,
    safe: Score,
    wait: Score,
    bomb: Option<Bomb>,
}

impl Camp {
    #[inline]
    fn new(position: &Desconecta4Boom, side: Side) -> Self {
        let own = position.pieces(side);
        let poisoned = completing(own) & empty(position);
        Self {
            pieces: size(own),
            pairs: [1, 7, 8, 9].map(|step| size(own & (own >> step))).iter().sum(),
            poisoned: size(poisoned),
            room: size(empty(position) & below_first(poisoned)),
            safe: size(position.landings() & !poisoned),
            wait: turns_to_bomb(position, side),
            bomb: Bomb::new(position, side),
        }
    }

    /// Whether every move would complete an own line. An explosion seldom does.
    #[inline]
    const fn is_stuck(&self) -> bool {
        self.safe == 0 && self.bomb.is_none()
    }
}

/// How many turns a side has before the one in which it may drop a bomb.
#[inline]
fn turns_to_bomb(position: &Desconecta4Boom, side: Side) -> Score {
    // After player 2's move the next turn of player 1 has a higher number.
    let later = side == Side::One && position.turn() == Side::Two;
    let turn = position.turn_number() + u32::from(later);
    ((Desconecta::BOMB_EVERY - turn % Desconecta::BOMB_EVERY) % Desconecta::BOMB_EVERY) as Score
}

/// A side's bomb, and what its explosion would leave.
struct Bomb {
    row: Score,
    /// Own pieces that go, the bomb included.
    swept: Score,
    /// Whether it completes an own line and none of the other side.
    dud: bool,
    /// Columns where a drop is safe afterwards.
    safe: Score,
    poisoned: Score,
}

impl Bomb {
    #[inline]
    fn new(position: &Desconecta4Boom, side: Side) -> Option<Self> {
        let after = position.after_boom(side)?;
        let [own, other] = [side, side.other()].map(|side| after[side.index()]);
        let filled = own | other;
        let poisoned = completing(own) & BOARD & !filled;
        let landings = (filled + BOTTOM) & BOARD;
        let bomb = position.bomb(side);
        Some(Self {
            row: (bomb.trailing_zeros() % 8) as Score,
            swept: size(position.pieces(side) & row_of(bomb)),
            dud: lines(own) != 0 && lines(other) == 0,
            safe: size(landings & !poisoned),
            poisoned: size(poisoned),
        })
    }
}

#[cfg(test)]
mod tests {
    use palestra_games::Outcome;

    use super::*;
    use crate::boom::random::{after, positions};

    fn unfinished() -> impl Iterator<Item = Desconecta4Boom> {
        positions::<Desconecta>(300).into_iter().filter(|position| position.outcome().is_none())
    }

    #[test]
    fn what_one_side_gains_the_other_loses_but_both_like_a_full_board() {
        let guide = Tempo::default();
        let [.., full] = guide.weights;
        assert!(full > 0);
        for position in unfinished() {
            let [one, two] = Side::BOTH.map(|side| guide.value(&position, side));
            let filled = 49 - position.free_cells() as Score;
            assert_eq!(one + two, 2 * full * filled, "{position}");
        }
    }

    #[test]
    fn a_safe_move_is_one_after_which_there_is_no_line() {
        let mut stuck = 0;
        for position in unfinished() {
            let mover = position.turn();
            let camp = Camp::new(&position, mover);
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
    fn a_bomb_is_judged_by_what_its_explosion_leaves() {
        let mut seen = 0;
        for position in unfinished() {
            let mover = position.turn();
            let Some(bomb) = Camp::new(&position, mover).bomb else { continue };
            let left = after(&position, Action::BOOM);
            assert_eq!(bomb.swept, size(position.pieces(mover)) - size(left.pieces(mover)), "{position}");
            let own_line = lines(left.pieces(mover)) != 0 && lines(left.pieces(mover.other())) == 0;
            assert_eq!(bomb.dud, own_line, "{position}");
            if left.outcome().is_none() {
                let then = Camp::new(&left, mover);
                assert_eq!((bomb.safe, bomb.poisoned), (then.safe, then.poisoned), "{position}");
            }
            seen += 1;
        }
        assert!(seen > 100, "too few bombs to tell: {seen}");
    }

    #[test]
    fn the_wait_ends_when_a_drop_is_a_bomb() {
        for position in unfinished().filter(|position| position.bomb(position.turn()) == 0) {
            let wait = turns_to_bomb(&position, position.turn());
            assert_eq!(wait == 0, position.next_drop_is_bomb(), "{position}");
            let other = position.turn().other();
            for mv in position.moves() {
                let next = after(&position, mv);
                assert_eq!(turns_to_bomb(&position, other), turns_to_bomb(&next, other), "{position}");
            }
        }
    }

    #[test]
    fn room_ends_below_the_first_poisoned_cell() {
        for position in unfinished() {
            for side in Side::BOTH {
                let poisoned = completing(position.pieces(side)) & empty(&position);
                assert_eq!(Camp::new(&position, side).room, size(room(&position, poisoned)), "{position}");
            }
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
