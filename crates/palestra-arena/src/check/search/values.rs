//! What the moves of a position are worth, as a tree that is open where it matters.

use palestra_games::{AnyGame, Side};
use palestra_search::Score;
use palestra_search::engine::Never;
use palestra_search::tree::{MoveValue, any_move_values};

/// A move, its value for the side to move at the root, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The move.
    pub mv: String,
    /// Its value.
    pub value: Score,
    /// Whether it is the best move for the side that makes it, the first of several.
    pub is_best: bool,
    /// Whether the side to move at the root moves again next; none where the game is over.
    pub is_max: Option<bool>,
    /// The replies, below the best move and the one that the program chose.
    pub below: Vec<Branch>,
    /// The moves that best play goes on with, below the best reply.
    pub line: Vec<String>,
}

/// The moves of a position with these values, as a search to this depth finds them. Below the best one and the chosen one are
/// all replies, and below the best reply the moves down to the horizon.
pub(super) fn branches(
    position: &dyn AnyGame,
    evaluation: &str,
    depth: u32,
    values: &[MoveValue],
    chosen: &str,
) -> Vec<Branch> {
    let search = Search { position, evaluation };
    let mut branches = search.level(&[], values);
    for branch in &mut branches {
        if depth > 1 && branch.is_max.is_some() && (branch.is_best || branch.mv == chosen) {
            let mut path = vec![branch.mv.clone()];
            let mut replies = search.level(&path, &search.values(&path, depth - 1));
            if let Some(reply) = replies.iter_mut().find(|reply| reply.is_best) {
                path.push(reply.mv.clone());
                reply.line = search.line(path, depth - 2);
            }
            branch.below = replies;
        }
    }
    branches
}

/// Searches for the side to move at a position.
struct Search<'a> {
    position: &'a dyn AnyGame,
    evaluation: &'a str,
}

impl Search<'_> {
    /// The position after these moves.
    fn after(&self, path: &[String]) -> Box<dyn AnyGame> {
        let mut position = self.position.boxed_clone();
        for mv in path {
            position.play(mv).expect("the moves are legal");
        }
        position
    }

    fn max(&self) -> Side {
        self.position.turn()
    }

    /// The values of the moves after these, which do not end the game.
    fn values(&self, path: &[String], depth: u32) -> Vec<MoveValue> {
        let values = any_move_values(self.position, path, self.evaluation, depth, &mut Never);
        values.expect("an unfinished position, searched without a limit")
    }

    /// The moves after these, with their values.
    fn level(&self, path: &[String], values: &[MoveValue]) -> Vec<Branch> {
        let best = self.best(&*self.after(path), values);
        let branch = |known: &MoveValue| {
            let next = self.after(&[path, std::slice::from_ref(&known.mv)].concat());
            let is_max = next.outcome().is_none().then(|| next.turn() == self.max());
            let MoveValue { mv, value } = known.clone();
            Branch { is_best: mv == best.mv, mv, value, is_max, below: vec![], line: vec![] }
        };
        values.iter().map(branch).collect()
    }

    /// The best of these moves for the side that makes it, the first of several.
    fn best<'v>(&self, position: &dyn AnyGame, values: &'v [MoveValue]) -> &'v MoveValue {
        let sign = if position.turn() == self.max() { -1 } else { 1 };
        values.iter().min_by_key(|known| sign * known.value).expect("a position to move in")
    }

    /// The best moves after these, down to the horizon or the end of the game.
    fn line(&self, mut path: Vec<String>, depth: u32) -> Vec<String> {
        let mut line = vec![];
        for left in (1..=depth).rev() {
            let position = self.after(&path);
            if position.outcome().is_some() {
                break;
            }
            let mv = self.best(&*position, &self.values(&path, left)).mv.clone();
            path.push(mv.clone());
            line.push(mv);
        }
        line
    }
}
