//! The search of the `minimax` crate on our games.
//!
//! It takes for granted that sides alternate. A side that would be skipped has to pass, as in the crate's own example of
//! Mancala. Its search is told to look a ply deeper where there is one move only, so that passes cost no depth: depth
//! then means what it means here, but for positions with a single real move, where it looks further. It has no way to
//! say by how much a game was won; and what a position is worth includes the seeds in store, so these are in its key.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use minimax::{IterativeOptions, IterativeSearch, Strategy, Winner};
use palestra_games::{Game, Outcome, Side};
use palestra_search::{Guide, Score};

use crate::contest::{Cost, measure};

/// Searches to a depth with a table of so many bytes, everything else as the crate has it. Counts positions; the value is
/// the mover's.
pub(crate) fn search<G: Game, E: Guide<G>>(position: &G, guide: E, depth: u8, memory: usize) -> (Cost, Score) {
    let options = IterativeOptions::new().with_table_byte_size(memory).with_singular_extension();
    let mut search = IterativeSearch::new(Evaluator { guide, max: position.turn(), game: PhantomData }, options);
    search.set_max_depth(depth);
    let mut state = State { position: position.clone(), passes: false };
    let mut cost = measure(|| {
        assert!(search.choose_move(&state).is_some(), "the game has begun");
        0
    });
    cost.count = nodes(&search.stats(&mut state));
    (cost, Score::from(search.root_value()))
}

/// The crate tells how many positions it visited in a text only.
fn nodes(stats: &str) -> u64 {
    let count = stats.split("Explored ").nth(1).and_then(|rest| rest.split(' ').next());
    count.and_then(|count| count.parse().ok()).expect("the crate's own words")
}

struct Alternating<G>(PhantomData<G>);

#[derive(Clone)]
struct State<G> {
    position: G,
    /// The other side moves again; this one has to pass.
    passes: bool,
}

impl<G: Game> State<G> {
    fn mover(&self) -> Side {
        if self.passes { self.position.turn().other() } else { self.position.turn() }
    }
}

impl<G: Game> minimax::Game for Alternating<G> {
    type S = State<G>;
    /// None passes.
    type M = Option<G::Move>;

    fn generate_moves(state: &State<G>, moves: &mut Vec<Self::M>) -> Option<Winner> {
        if let Some(winner) = Self::get_winner(state) {
            return Some(winner);
        }
        if state.passes {
            moves.push(None);
        } else {
            let _ = state.position.each_move(|mv| {
                moves.push(Some(mv));
                ControlFlow::<()>::Continue(())
            });
        }
        None
    }

    fn apply(state: &mut State<G>, mv: Self::M) -> Option<State<G>> {
        let mut next = state.clone();
        next.passes = false;
        if let Some(mv) = mv {
            next.position.play(mv);
            next.passes = next.position.turn() == state.position.turn();
        }
        Some(next)
    }

    fn get_winner(state: &State<G>) -> Option<Winner> {
        Some(match state.position.outcome()? {
            Outcome::Draw => Winner::Draw,
            Outcome::Win(side) if side == state.mover() => Winner::PlayerToMove,
            Outcome::Win(_) => Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(state: &State<G>) -> u64 {
        let points = state.position.points();
        let rest = 2 * i64::from(points[0] - points[1]) + i64::from(state.passes);
        state.position.key() ^ (rest as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

struct Evaluator<G, E> {
    guide: E,
    max: Side,
    game: PhantomData<G>,
}

impl<G: Game, E: Guide<G>> minimax::Evaluator for Evaluator<G, E> {
    type G = Alternating<G>;

    fn evaluate(&self, state: &State<G>) -> minimax::Evaluation {
        let worth = self.guide.banked(&state.position, self.max) + self.guide.score(&state.position, self.max);
        let worth = if state.mover() == self.max { worth } else { -worth };
        worth as minimax::Evaluation
    }
}
