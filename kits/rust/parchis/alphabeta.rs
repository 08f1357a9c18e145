//! Plays Parchís with alpha-beta: one ply deeper each time, until the time is nearly over.
//!
//! Things to try: a better evaluation, a better order of moves, a table of positions already searched.

#[path = "../palestra.rs"]
mod palestra;

use palestra::{Game, Outcome, Parchis, ParchisMove, Turn};

/// More than any evaluation. A win is worth this and the plies that are left: the sooner the better.
const WIN: i32 = 1_000_000;

fn main() {
    palestra::play::<Parchis>("AlphaBeta", choose);
}

/// How good an unfinished position is for the player to move.
fn evaluate(position: &Parchis) -> i32 {
    let [yellow, blue, red, green] = [0, 1, 2, 3].map(|colour| progress(position, colour));
    // One colour is enough to win: the better one of a player counts most.
    let one = 3 * yellow.max(red) + yellow.min(red);
    let two = 3 * blue.max(green) + blue.min(green);
    if position.turn() == 1 { one - two } else { two - one }
}

/// How far a colour has come.
fn progress(position: &Parchis, colour: usize) -> i32 {
    let of_piece = |place: u8| {
        let steps = 74 - i32::from(Parchis::distance(colour, place));
        match place {
            Parchis::HOME => -10,
            // It cannot be eaten any more, and brought a bonus.
            Parchis::GOAL => steps + 10,
            _ if Parchis::is_safe(place) => steps + 3,
            _ => steps,
        }
    };
    position.pieces(colour).map(of_piece).iter().sum()
}

fn choose(position: &Parchis, turn: &Turn) -> ParchisMove {
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
    fn best_move(&mut self, position: &Parchis, moves: &[ParchisMove], depth: u32) -> Option<(usize, i32)> {
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
    fn value_of(&mut self, position: &Parchis, mv: ParchisMove, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let child = position.after(mv);
        if child.turn() == position.turn() {
            // The same player goes on: what is good for the child is good here.
            self.alphabeta(&child, depth - 1, alpha, beta)
        } else {
            Some(-self.alphabeta(&child, depth - 1, -beta, -alpha)?)
        }
    }

    /// The value of a position for the player to move, exact if it lies between alpha and beta.
    fn alphabeta(&mut self, position: &Parchis, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
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
