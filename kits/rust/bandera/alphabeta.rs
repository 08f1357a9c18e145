//! Plays El Juego de la Bandera with alpha-beta: one ply deeper each time, until the time is nearly over.
//!
//! Things to try: a better evaluation, a better order of moves, a table of positions already searched.

#[path = "../palestra.rs"]
mod palestra;

use std::collections::VecDeque;

use palestra::{Bandera, BanderaMove, Game, Outcome, Player, Turn, other};

/// More than any evaluation. A win is worth this and the plies that are left: the sooner the better.
const WIN: i32 = 1_000_000;

fn main() {
    palestra::play::<Bandera>("AlphaBeta", choose);
}

/// How good an unfinished position is for the team to move.
fn evaluate(position: &Bandera) -> i32 {
    let ways = ways_to_flags(position);
    let value = |team: u8| {
        let flags = position.points()[usize::from(team) - 1];
        // Each player heads for a flag that it can pay for, and keeps its energy if it can.
        let able = position.team(team).iter().filter(|player| ways[player.cell] <= player.energy);
        let hopes = able.map(|player| 200 - 3 * ways[player.cell].min(50) as i32 + player.energy as i32);
        1000 * flags + hopes.sum::<i32>()
    };
    value(position.turn()) - value(other(position.turn()))
}

/// The energy that it takes a player without tools to get from each cell to the nearest flag.
fn ways_to_flags(position: &Bandera) -> Vec<u32> {
    let tiles = position.tiles();
    let mut ways = vec![u32::MAX; tiles.len()];
    let mut queue: VecDeque<usize> = (0..tiles.len()).filter(|&cell| tiles[cell] == b'F').collect();
    queue.iter().for_each(|&flag| ways[flag] = 0);
    // From the flags backwards; a cell comes again when a cheaper way to it is found.
    while let Some(cell) = queue.pop_front() {
        let Some(cost) = Player::default().cost(tiles[cell]) else { continue };
        for neighbour in position.neighbours(cell) {
            if ways[cell] + cost < ways[neighbour] {
                ways[neighbour] = ways[cell] + cost;
                queue.push_back(neighbour);
            }
        }
    }
    ways
}

fn choose(position: &Bandera, turn: &Turn) -> BanderaMove {
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
    fn best_move(&mut self, position: &Bandera, moves: &[BanderaMove], depth: u32) -> Option<(usize, i32)> {
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
    fn value_of(&mut self, position: &Bandera, mv: BanderaMove, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let child = position.after(mv);
        if child.turn() == position.turn() {
            // The same player goes on: what is good for the child is good here.
            self.alphabeta(&child, depth - 1, alpha, beta)
        } else {
            Some(-self.alphabeta(&child, depth - 1, -beta, -alpha)?)
        }
    }

    /// The value of a position for the player to move, exact if it lies between alpha and beta.
    fn alphabeta(&mut self, position: &Bandera, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
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
