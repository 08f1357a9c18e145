//! Searches compared: the nodes that minimax, alpha-beta in three orders of moves and iterative deepening need for the same value.
//!
//! Minimax and alpha-beta are those of [`teach`](crate::teach). Iterative deepening is the [`engine`](crate::engine)'s: principal
//! variation search that orders moves by what shallower searches found, so it may need fewer nodes than a single alpha-beta search.

use std::ops::ControlFlow;

use palestra_games::{AnyGame, Game, with_game};

use super::request::check_depth;
use super::{Algorithm, TreeError, evaluation_of};
use crate::engine::{self, Engine, Limits, Settings, States, Stop};
use crate::order::{AsTaught, Sorted, Watch};
use crate::score::INFINITE;
use crate::teach::{Leave, Observer, Order, Teacher};
use crate::{Guide, Playable, Score, Visitor, WIN, is_decided};

/// The size of the transposition table of the last row.
const TABLE_MEMORY: usize = 8 << 20;

/// What one search needed.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Row {
    /// Which search: `minimax`, `alphabeta-worst`, `alphabeta-listed`, `alphabeta-best`, the engine's `deepening`, or
    /// `deepening-table` with a transposition table.
    pub name: &'static str,
    /// How many plies it searched.
    pub depth: u32,
    /// How many nodes it visited. Iterative deepening counts those of all its iterations.
    pub nodes: u64,
    /// How many of them were cut off.
    pub cutoffs: u64,
    /// The effective branching factor: the number of children of each node in an even tree with as many nodes.
    pub branching: f64,
    /// The value for the side to move; the same for all searches. None if it was stopped.
    pub score: Option<Score>,
    /// Whether it was stopped: it would have needed more.
    pub is_stopped: bool,
}

/// Searches a position of any game with the evaluation of this name, by each algorithm and order. A search that needs more than
/// `states` nodes is stopped; `stop` ends them all.
pub fn any_comparison(
    position: &dyn AnyGame,
    evaluation: &str,
    depth: u32,
    states: u64,
    stop: &mut dyn Stop,
) -> Result<Vec<Row>, TreeError> {
    let id = position.kind().id();
    with_game!(id, G => match position.as_any().downcast_ref::<G>() {
        Some(position) => comparison(position, evaluation, depth, states, stop),
        None => Err(TreeError::NotPlayed { game: id }),
    })
    .unwrap_or(Err(TreeError::NotPlayed { game: id }))
}

fn comparison<G: Playable>(
    position: &G,
    evaluation: &str,
    depth: u32,
    states: u64,
    stop: &mut dyn Stop,
) -> Result<Vec<Row>, TreeError> {
    check_depth(depth)?;
    let evaluation = evaluation_of::<G>(evaluation)?;
    if Game::outcome(position).is_some() {
        return Err(TreeError::GameOver);
    }
    let comparison = Comparison { position, depth, states, stop, spent: 0 };
    G::with_guide(evaluation.name, position, comparison).expect("the evaluation was looked up")
}

/// The searches with the guide that the evaluation's name stands for.
struct Comparison<'a, G> {
    position: &'a G,
    depth: u32,
    states: u64,
    stop: &'a mut dyn Stop,
    /// The nodes of the searches before.
    spent: u64,
}

impl<G: Playable> Visitor<G> for Comparison<'_, G> {
    type Output = Result<Vec<Row>, TreeError>;

    fn visit<E: Guide<G> + 'static>(mut self, guide: E) -> Self::Output {
        let (best, worst) = (Sorted::best_first(&guide, AsTaught), Sorted::worst_first(&guide, AsTaught));
        let rows = [
            self.taught("minimax", Algorithm::Minimax, &guide, AsTaught),
            self.taught("alphabeta-worst", Algorithm::AlphaBeta, &guide, worst),
            self.taught("alphabeta-listed", Algorithm::AlphaBeta, &guide, AsTaught),
            self.taught("alphabeta-best", Algorithm::AlphaBeta, &guide, best),
            self.deepened("deepening", &guide, 0)?,
            self.deepened("deepening-table", &guide, TABLE_MEMORY)?,
        ];
        Ok(rows.into())
    }
}

impl<G: Playable> Comparison<'_, G> {
    fn taught(&mut self, name: &'static str, algorithm: Algorithm, guide: &impl Guide<G>, order: impl Order<G>) -> Row {
        let mut stop = Share { states: States(self.states), spent: self.spent, all: &mut *self.stop };
        let watch = Watch::new(order, &mut stop);
        let max = Game::turn(self.position);
        let mut teacher = Teacher::new(max, guide, &watch).observed_by(Cutoffs(0));
        let score = match algorithm {
            Algorithm::Minimax => teacher.minimax(self.position, self.depth),
            Algorithm::AlphaBeta => teacher.alpha_beta(self.position, self.depth, -INFINITE, INFINITE),
        };
        let score = (!watch.is_stopped()).then_some(score);
        let (nodes, Cutoffs(cutoffs)) = (teacher.nodes(), teacher.into_observer());
        self.row(name, nodes, cutoffs, score)
    }

    fn deepened(&mut self, name: &'static str, guide: &impl Guide<G>, memory: usize) -> Result<Row, TreeError> {
        let mut stop = Share { states: States(self.states), spent: self.spent, all: &mut *self.stop };
        // With the shortcut the table would serve at no depth up to 3, and not show what it is worth.
        let mut engine = Engine::new(Settings { memory, threads: 1, shortcut: false })?;
        let (limits, mut cutoffs) = (Limits { depth: self.depth, lines: 1 }, Cutoffs(0));
        let report = engine.search_with(self.position, guide, limits, &mut stop, &mut cutoffs, &mut |_| {});
        let report = report.expect("the game is not over");
        let is_done = report.finished && (report.proven || report.depth == self.depth);
        // The textbook does not count how far a win is.
        let flat = |score: Score| if is_decided(score) { WIN * score.signum() } else { score };
        Ok(self.row(name, report.nodes, cutoffs.0, is_done.then(|| flat(report.lines[0].score))))
    }

    fn row(&mut self, name: &'static str, nodes: u64, cutoffs: u64, score: Option<Score>) -> Row {
        self.spent += nodes;
        let (depth, branching) = (self.depth, branching(nodes, self.depth));
        Row { name, depth, nodes, cutoffs, branching, score, is_stopped: score.is_none() }
    }
}

/// Counts cut-offs, of either kind of search.
struct Cutoffs(u64);

impl<G: Game> Observer<G> for Cutoffs {
    fn leave(&mut self, _: Score, why: Leave) {
        self.0 += u64::from(why == Leave::Cut);
    }
}

impl<G: Game> engine::Observer<G> for Cutoffs {
    fn leave(&mut self, _: Score, why: engine::Leave) {
        self.0 += u64::from(matches!(why, engine::Leave::Cut(_)));
    }
}

/// The limits of one search of several: its own, and that of all together.
struct Share<'a> {
    states: States,
    /// What the searches before have visited.
    spent: u64,
    all: &'a mut dyn Stop,
}

impl Stop for Share<'_> {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        let own = match self.states.ask(nodes) {
            ControlFlow::Continue(own) => own,
            stopped @ ControlFlow::Break(()) => return stopped,
        };
        match self.all.ask(self.spent + nodes) {
            ControlFlow::Continue(more) => ControlFlow::Continue(own.min(more)),
            stopped @ ControlFlow::Break(()) => stopped,
        }
    }
}

/// The `b` for which 1 + b + b² + ... up to the depth is the number of nodes.
fn branching(nodes: u64, depth: u32) -> f64 {
    let count = |b: f64| (0..depth).fold(1.0, |below, _| 1.0 + b * below);
    let (mut low, mut high) = (0.0, nodes as f64);
    for _ in 0..128 {
        let middle = f64::midpoint(low, high);
        if count(middle) < nodes as f64 { low = middle } else { high = middle }
    }
    // Finer digits are noise of the halving.
    (high * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_branching_factor_of_even_trees_is_known() {
        assert_eq!([branching(15, 3), branching(40, 3), branching(7, 1)], [2.0, 3.0, 6.0]);
        assert_eq!([branching(4, 3), branching(1, 5), branching(0, 5)], [1.0, 0.0, 0.0]);
        let (least, most) = (branching(u64::MAX, 16), branching(u64::MAX, 1));
        assert!(least > 15.0 && least < 16.0 && most > 1e19, "{least} {most}");
    }
}
