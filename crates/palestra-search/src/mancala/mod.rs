//! Mancala: evaluations and players.

mod stores;
mod strong;

use palestra_games::Game;
use palestra_games::mancala::{Mancala, Pit};

use crate::engine::MAX_DEPTH;
use crate::{Evaluation, Grade, Playable, Score, Visitor};

pub use stores::Stores;
pub use strong::Strong;

impl Playable for Mancala {
    type Strong = Strong;

    const EVALUATIONS: &'static [Evaluation] = &[
        Evaluation { name: "stores", summary: "own seeds in store minus the other's", depth: None, unit: 1 },
        Evaluation {
            name: "strong",
            summary: "the stores, and what the pits promise: seeds, moves, extra turns, captures",
            depth: None,
            unit: strong::UNIT,
        },
    ];

    const LEAD: Score = 228;

    const GRADES: [Grade; 4] = [
        Grade { evaluation: "stores", depth: 3, states: u64::MAX },
        Grade { evaluation: "strong", depth: 5, states: u64::MAX },
        Grade { evaluation: "strong", depth: 9, states: u64::MAX },
        Grade { evaluation: "strong", depth: MAX_DEPTH, states: 500_000 },
    ];

    /// The course's server counted 140,000 states in the two seconds of a move.
    const HOUSE: Option<Grade> = Some(Grade { evaluation: "stores", depth: MAX_DEPTH, states: 140_000 });

    const OPENINGS: &'static str = include_str!("../../openings/mancala.txt");
    const RUNGS: &'static [(&'static str, &'static str)] = &[("house", "greedy")];

    fn with_guide<V: Visitor<Self>>(name: &str, _: &Self, visitor: V) -> Option<V::Output> {
        match name {
            "stores" => Some(visitor.visit(Stores)),
            "strong" => Some(visitor.visit(Strong::default())),
            _ => None,
        }
    }

    /// The course's GreedyBot: the most seeds in store after the move; the first of several, but the last of those
    /// that keep the turn.
    fn greedy(&self) -> Pit {
        let mover = self.turn();
        let mut best: Option<(Pit, i32)> = None;
        for mv in self.moves() {
            let mut child = *self;
            child.play(mv);
            let stored = child.points()[mover.index()];
            let better = |(_, most)| stored > most || (stored == most && child.turn() == mover);
            if best.is_none_or(better) {
                best = Some((mv, stored));
            }
        }
        best.expect("a position to move in").0
    }
}
