//! The tree of a teaching search: who moves where, with which window, what it is worth, and why the rest was not looked at.
//!
//! [`any_tree`] runs a search of [`teach`](crate::teach) and writes down what its observer hears, in the order in which
//! it happens. A tree that is too large is written down only as far as a whole ply fits; what is below one of its nodes is
//! then asked for as a tree of its own, with the moves that lead there and the window that the node was entered with.
//!
//! ```
//! use palestra_games::GameKind;
//! use palestra_search::engine::Never;
//! use palestra_search::tree::{Algorithm, MoveOrder, TreeRequest, any_tree};
//!
//! let start = (GameKind::find("mancala").unwrap().start)("-")?;
//! let request = TreeRequest::new(Algorithm::AlphaBeta, MoveOrder::Listed, "stores", 3);
//! let tree = any_tree(&*start, &request, &mut Never).unwrap();
//! println!("{} nodes, {} cut-offs", tree.recording.visited, tree.recording.cutoffs);
//! # Ok::<(), palestra_games::ParseError>(())
//! ```

mod compare;
mod cuts;
mod ink;
mod layout;
mod nodes;
mod record;
mod request;
pub mod svg;
mod values;

use palestra_games::{AnyGame, Game, Side, with_game};

use crate::engine::Stop;
use crate::order::{AsTaught, Sorted};
use crate::worth::DECIDED_SCORE;
use crate::{Evaluation, Guide, Playable, Score, Visitor};
pub use compare::{Row, any_comparison};
pub use cuts::{Cut, Met};
pub use nodes::{Nodes, OUTSIDE, Recording, UNBOUNDED, Why};
pub use record::{Search, record};
pub use request::{Algorithm, MAX_TREE_DEPTH, MAX_TREE_NODES, MoveOrder, TreeError, TreeRequest};
pub use values::{MoveValue, any_move_values};

/// The tree of a search, and what was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Tree {
    /// The id of the game.
    pub game: &'static str,
    /// The position at the root.
    pub position: String,
    /// The algorithm that searched.
    pub algorithm: Algorithm,
    /// The order in which it tried moves.
    pub order: MoveOrder,
    /// The name of the evaluation at the leaves.
    pub evaluation: &'static str,
    /// What one of the things that the evaluation counts is worth.
    pub unit: Score,
    /// A score at least this far from zero says that the game is decided; the number means nothing else.
    pub decided: Score,
    /// How many plies were searched.
    pub depth: u32,
    /// MAX: the side to move at the root of the whole tree, of which this one may be a part.
    #[cfg_attr(feature = "serde", serde(serialize_with = "index"))]
    pub max: Side,
    /// What happened.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub recording: Recording,
}

impl Tree {
    /// A score of this tree as text, in the unit of its evaluation. Where the score says that the game is decided, `won` or `lost`
    /// stands for it.
    #[must_use]
    pub fn written(&self, score: Score, won: &str, lost: &str) -> String {
        match score {
            _ if score >= self.decided => won.to_owned(),
            _ if score <= -self.decided => lost.to_owned(),
            _ if self.unit <= 1 => score.to_string(),
            _ => format!("{:.2}", f64::from(score) / f64::from(self.unit)),
        }
    }

    /// The deepest ply down to which the tree has at most this number of nodes; 1 if even that has more.
    #[must_use]
    pub fn plies_within(&self, nodes: usize) -> u32 {
        let mut counts = vec![0; self.recording.shown_plies as usize + 1];
        for ply in self.recording.nodes.plies() {
            if let Some(count) = counts.get_mut(ply as usize) {
                *count += 1;
            }
        }
        let sums = counts.iter().scan(0, |sum: &mut usize, count| {
            *sum += count;
            Some(*sum)
        });
        let plies = sums.take_while(|&sum| sum <= nodes).count().saturating_sub(1);
        u32::try_from(plies).unwrap_or(u32::MAX).max(1)
    }
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn index<S: serde::Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&side.index(), serializer)
}

/// Searches a position of any game as the request says, and writes the tree down.
pub fn any_tree(position: &dyn AnyGame, request: &TreeRequest<'_>, stop: &mut dyn Stop) -> Result<Tree, TreeError> {
    let id = position.kind().id();
    with_game!(id, G => match position.as_any().downcast_ref::<G>() {
        Some(position) => tree_of(position, request, stop),
        None => Err(TreeError::NotPlayed { game: id }),
    })
    .unwrap_or(Err(TreeError::NotPlayed { game: id }))
}

fn tree_of<G: Playable>(position: &G, request: &TreeRequest<'_>, stop: &mut dyn Stop) -> Result<Tree, TreeError> {
    request.check()?;
    let evaluation = evaluation_of::<G>(request.evaluation)?;
    let root = request.root(position)?;
    let max = Game::turn(position);
    let recorded = Recorded { request, root: &root, max, stop };
    let recording = G::with_guide(evaluation.name, position, recorded).expect("the evaluation was looked up");
    Ok(Tree {
        game: G::ABOUT.id,
        position: root.to_string(),
        algorithm: request.algorithm,
        order: request.order,
        evaluation: evaluation.name,
        unit: evaluation.unit,
        decided: DECIDED_SCORE,
        depth: request.depth,
        max,
        recording: recording?,
    })
}

fn evaluation_of<G: Playable>(name: &str) -> Result<&'static Evaluation, TreeError> {
    let unknown = || TreeError::UnknownEvaluation {
        evaluation: name.to_owned(),
        game: G::ABOUT.id,
        known: G::EVALUATIONS.iter().map(|evaluation| evaluation.name).collect(),
    };
    G::EVALUATIONS.iter().find(|evaluation| evaluation.name == name).ok_or_else(unknown)
}

/// Records the search with the guide that the evaluation's name stands for.
struct Recorded<'a, 'r, G> {
    request: &'a TreeRequest<'r>,
    root: &'a G,
    max: Side,
    stop: &'a mut dyn Stop,
}

impl<G: Playable> Visitor<G> for Recorded<'_, '_, G> {
    type Output = Result<Recording, TreeError>;

    fn visit<E: Guide<G> + 'static>(self, guide: E) -> Self::Output {
        let Self { request, root, max, stop } = self;
        let &TreeRequest { algorithm, order, depth, window, limit, .. } = request;
        let search = Search { algorithm, max, depth, window };
        match order {
            MoveOrder::Listed => record(root, &guide, AsTaught, &search, limit, stop),
            MoveOrder::Best => record(root, &guide, Sorted::best_first(&guide, AsTaught), &search, limit, stop),
            MoveOrder::Worst => record(root, &guide, Sorted::worst_first(&guide, AsTaught), &search, limit, stop),
        }
    }
}
