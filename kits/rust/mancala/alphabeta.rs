//! Plays Mancala by alpha-beta search: a ply deeper each time, up to MAX_DEPTH, while there is time.
//!
//! It loses to ninja1. What it knows of the game stands in `evaluate`: make that better first, then raise MAX_DEPTH.
//! Then look at the most promising moves before the others, and remember positions that were searched already.

#[path = "../palestra.rs"]
mod palestra;

use palestra::Mancala;
use palestra::{Game, Outcome, Turn, other};

type Move = <Mancala as Game>::Move;

/// How many plies it looks ahead if the arena sets no depth; 1 is its own move alone. Raise it when your evaluation is
/// good: the search deepens step by step, and stops when the time is nearly over.
const MAX_DEPTH: u32 = 1;

/// More than any evaluation.
const WIN: i32 = 1_000_000;

fn main() {
    // With "eval test", `palestra check --search` tests the search. Take it out if yours is to find something else than
    // plain alpha-beta does.
    palestra::play_following::<Mancala>("AlphaBeta", &["eval test"], choose);
}

/// How good the position is for the side to move, when nobody looks further: the seeds in its store, less those in the
/// other store.
///
/// An idea for the first evening: count what this side can win with its next move as well. A pit that ends in the store
/// is worth a seed and another move, one that ends in an empty pit captures what lies opposite.
fn evaluate(position: &Mancala) -> i32 {
    let [own, opponent] = [position.turn(), other(position.turn())].map(|player| position.seeds(player).map(i32::from));
    own[0] - opponent[0]
}

fn choose(position: &Mancala, turn: &Turn) -> Move {
    let mut moves = position.moves();
    if moves.len() == 1 {
        return moves[0];
    }
    let is_tested = turn.settings.get("eval").is_some_and(|eval| eval == "test");
    let mut search = Search { turn, is_tested, states: 0 };
    for depth in 1..=turn.depth.unwrap_or(MAX_DEPTH) {
        // A search that is broken off changes nothing: the best move of the last complete one stands.
        let Some((best, value)) = search.best(position, &moves, depth) else { break };
        // The next search looks at the best move first.
        moves[..=best].rotate_right(1);
        turn.info(depth, value, search.states, &moves[..1]);
        if value.abs() >= WIN {
            break; // it is decided
        }
    }
    moves[0]
}

/// The search for one move. Its functions give `None` when the time is over.
struct Search<'a> {
    turn: &'a Turn,
    /// Whether `palestra check --search` compares this search with Palestra's own.
    is_tested: bool,
    /// The positions visited so far.
    states: u64,
}

impl Search<'_> {
    /// The best of these moves, as an index, and its value, looking so many plies ahead.
    fn best(&mut self, position: &Mancala, moves: &[Move], depth: u32) -> Option<(usize, i32)> {
        let (mut best, mut alpha) = (0, -2 * WIN);
        for (index, &mv) in moves.iter().enumerate() {
            let value = self.value_after(position, mv, depth, alpha, 2 * WIN)?;
            if value > alpha {
                (best, alpha) = (index, value);
            }
        }
        Some((best, alpha))
    }

    /// The value for the side to move. Only whether it lies between alpha and beta matters: below, the side has
    /// something better elsewhere; above, the opponent has, and will not let it come to this.
    fn value(&mut self, position: &Mancala, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.count_state()?;
        if self.is_tested && (depth == 0 || position.outcome().is_some()) {
            let value = position.test_value(self.turn.seat);
            return Some(if position.turn() == self.turn.seat { value } else { -value });
        }
        match position.outcome() {
            Some(Outcome::Draw) => return Some(0),
            // The sooner a win comes the better, and the later a defeat.
            Some(Outcome::Win(winner)) if winner == position.turn() => return Some(WIN + depth as i32),
            Some(Outcome::Win(_)) => return Some(-WIN - depth as i32),
            None if depth == 0 => return Some(evaluate(position)),
            None => {}
        }
        for mv in position.moves() {
            alpha = alpha.max(self.value_after(position, mv, depth, alpha, beta)?);
            if alpha >= beta {
                break;
            }
        }
        Some(alpha)
    }

    /// The value of a move for the side that makes it.
    fn value_after(&mut self, position: &Mancala, mv: Move, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let after = position.after(mv);
        if after.turn() == position.turn() {
            // The same side moves again: what is good for it then is good for it now.
            self.value(&after, depth - 1, alpha, beta)
        } else {
            Some(-self.value(&after, depth - 1, -beta, -alpha)?)
        }
    }

    fn count_state(&mut self) -> Option<()> {
        let enough = self.turn.states.is_some_and(|limit| self.states >= limit);
        // To look at the clock takes time, too.
        let late = self.states % 64 == 0 && self.turn.is_over();
        self.states += 1;
        if enough || late { None } else { Some(()) }
    }
}
