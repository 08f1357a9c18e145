//! Plays Mancala with alpha-beta: one ply deeper each time, until the time is nearly over.
//!
//! Things to try: a better evaluation, a better order of moves, a table of positions already searched.

#[path = "../palestra.rs"]
mod palestra;

use palestra::{Game, Mancala, Outcome, Turn, other};

/// More than any evaluation. A win is worth this and the plies that are left: the sooner the better.
const WIN: i32 = 1_000_000;

fn main() {
    palestra::play::<Mancala>("AlphaBeta", choose);
}

/// How good an unfinished position is for the player to move.
fn evaluate(position: &Mancala) -> i32 {
    let [own, theirs] = [position.turn(), other(position.turn())].map(|player| position.seeds(player));
    let in_pits = |seeds: [u8; 7]| seeds[1..].iter().map(|&n| i32::from(n)).sum::<i32>();
    // Seeds in the store count most; those in the pits may yet be taken away.
    4 * (i32::from(own[0]) - i32::from(theirs[0])) + in_pits(own) - in_pits(theirs)
}

fn choose(position: &Mancala, turn: &Turn) -> u8 {
    let mut moves = position.moves();
    let mut search = Search { turn, states: 0 };
    for depth in 1..=turn.depth.unwrap_or(40) {
        // A search that was interrupted says nothing: the best move of the last complete one stands.
        let Some((best, score)) = search.best_move(position, &moves, depth) else { break };
        // The next search begins with this move, so that it can cut off more.
        moves[..=best].rotate_right(1);
        turn.info(depth, score, search.states, &moves[..1]);
        if moves.len() == 1 || score.abs() >= WIN {
            break;
        }
    }
    moves[0]
}

struct Search<'a> {
    turn: &'a Turn,
    /// The positions visited so far.
    states: u64,
}

impl Search<'_> {
    /// The best of these moves, as an index, and its value. `None` when there was no time to find it.
    fn best_move(&mut self, position: &Mancala, moves: &[u8], depth: u32) -> Option<(usize, i32)> {
        let (mut best, mut alpha) = (0, -2 * WIN);
        for (index, &mv) in moves.iter().enumerate() {
            let value = self.value_of(position, mv, depth, alpha, 2 * WIN)?;
            if value > alpha {
                (best, alpha) = (index, value);
            }
        }
        Some((best, alpha))
    }

    /// The value of a move for the player who makes it.
    fn value_of(&mut self, position: &Mancala, mv: u8, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let child = position.after(mv);
        if child.turn() == position.turn() {
            // The same player goes on: what is good for the child is good here.
            self.alphabeta(&child, depth - 1, alpha, beta)
        } else {
            Some(-self.alphabeta(&child, depth - 1, -beta, -alpha)?)
        }
    }

    /// The value of a position for the player to move, exact if it lies between alpha and beta.
    fn alphabeta(&mut self, position: &Mancala, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.visit()?;
        match position.outcome() {
            Some(Outcome::Draw) => return Some(0),
            Some(Outcome::Win(winner)) => {
                let value = WIN + depth as i32;
                return Some(if winner == position.turn() { value } else { -value });
            }
            None if depth == 0 => return Some(evaluate(position)),
            None => {}
        }
        for mv in position.moves() {
            alpha = alpha.max(self.value_of(position, mv, depth, alpha, beta)?);
            if alpha >= beta {
                break;
            }
        }
        Some(alpha)
    }

    /// Counts a position. `None` when it is time to answer.
    fn visit(&mut self) -> Option<()> {
        let enough = self.turn.states.is_some_and(|limit| self.states >= limit);
        // To look at the clock takes time, too.
        let late = self.states % 64 == 0 && self.turn.is_over();
        self.states += 1;
        if enough || late { None } else { Some(()) }
    }
}
