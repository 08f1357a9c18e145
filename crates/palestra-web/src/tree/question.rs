//! Which tree is asked for, by programs in JSON and by people in the address of a page.

use palestra_games::{AnyGame, GameKind, Record, with_game};
use palestra_search::engine::Stop;
use palestra_search::tree::{
    Algorithm, MAX_TREE_DEPTH, MoveOrder, Row, Tree, TreeError, TreeRequest, any_comparison, any_tree,
};
use palestra_search::{Evaluation, Playable};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::error::Refused;
use crate::line::{Asked, MAX_MOVES, cut};

/// A request for a tree, or for a part of one.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = TreeRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    pub(super) game: String,
    pub(super) position: Option<String>,
    pub(super) options: Option<String>,
    #[serde(default)]
    pub(super) moves: Vec<String>,
    /// `alphabeta` or `minimax`.
    pub(super) algorithm: Option<String>,
    /// `listed`, `best` or `worst`.
    pub(super) order: Option<String>,
    /// The name of an evaluation of the game.
    pub(super) evaluation: Option<String>,
    /// 1 to 16.
    pub(super) depth: Option<u32>,
    /// For a part of a tree: the moves from the root of the whole tree to that of the part.
    #[serde(default)]
    pub(super) at: Vec<String>,
    /// For a part of a tree: alpha and beta there.
    #[serde(default)]
    #[schema(value_type = [Option<i32>; 2])]
    pub(super) window: (Option<i32>, Option<i32>),
}

/// A tree that can be searched.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) position: Box<dyn AnyGame>,
    pub(super) algorithm: Algorithm,
    pub(super) order: MoveOrder,
    pub(super) evaluation: &'static str,
    pub(super) depth: u32,
    at: Vec<String>,
    window: (Option<i32>, Option<i32>),
}

/// The depth of a tree whose root has few moves, and of one whose root has more.
const USUAL_DEPTH: u32 = 3;
const WIDE_DEPTH: u32 = 2;
const WIDE: usize = 24;

/// The most nodes of one search of a comparison.
const MAX_COMPARED_NODES: u64 = 3_000_000;

impl Wanted {
    pub(super) fn asked(&self) -> Asked<'_> {
        let Self { game, position, options, moves, .. } = self;
        Asked { game, position: position.as_deref(), options: options.as_deref(), moves }
    }

    /// The question about the position to which the moves lead, if it makes sense.
    pub(super) fn question(self, record: &Record) -> Result<Question, Refused> {
        let Self { algorithm, order, evaluation, depth, at, window, .. } = self;
        let position = record.position();
        if position.outcome().is_some() {
            return Err(Refused::bad("analyse.over"));
        }
        if at.len() > MAX_MOVES {
            return Err(Refused::bad("analyse.long"));
        }
        let depth = depth.unwrap_or_else(|| usual_depth(position));
        if !(1..=MAX_TREE_DEPTH).contains(&depth) {
            return Err(Refused::bad_with("tree.wrong_depth", MAX_TREE_DEPTH.to_string()));
        }
        Ok(Question {
            algorithm: word(algorithm, Algorithm::AlphaBeta, "tree.wrong_algorithm")?,
            order: word(order, MoveOrder::Listed, "tree.wrong_order")?,
            evaluation: find_evaluation(record.kind(), evaluation.as_deref())?,
            position: position.boxed_clone(),
            depth,
            at,
            window,
        })
    }
}

fn usual_depth(position: &dyn AnyGame) -> u32 {
    if position.moves().len() > WIDE { WIDE_DEPTH } else { USUAL_DEPTH }
}

/// What a word means; without one what is usual.
fn word<T: std::str::FromStr>(word: Option<String>, usual: T, key: &'static str) -> Result<T, Refused> {
    word.map_or(Ok(usual), |word| word.parse().map_err(|_| Refused::bad_with(key, cut(&word))))
}

/// The evaluations of a game, the course's own first.
pub(super) fn evaluations(kind: &GameKind) -> &'static [Evaluation] {
    with_game!(kind.id(), G => G::EVALUATIONS).unwrap_or_default()
}

fn find_evaluation(kind: &GameKind, name: Option<&str>) -> Result<&'static str, Refused> {
    let all = evaluations(kind);
    let found = name.map_or(all.first(), |name| all.iter().find(|evaluation| evaluation.name == name));
    found.map(|evaluation| evaluation.name).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|evaluation| evaluation.name).collect();
        Refused::bad_with("tree.wrong_evaluation", names.join(", "))
    })
}

impl Question {
    /// Searches.
    pub(super) fn tree(&self, stop: &mut dyn Stop) -> Result<Tree, Refused> {
        let Self { position, algorithm, order, evaluation, depth, at, window } = self;
        let request =
            TreeRequest { moves: at, window: *window, ..TreeRequest::new(*algorithm, *order, evaluation, *depth) };
        any_tree(&**position, &request, stop).map_err(refused)
    }

    /// What each search needs for the value of the root.
    pub(super) fn compare(&self, stop: &mut dyn Stop) -> Result<Vec<Row>, Refused> {
        let Self { position, evaluation, depth, .. } = self;
        any_comparison(&**position, evaluation, *depth, MAX_COMPARED_NODES, stop).map_err(refused)
    }
}

fn refused(error: TreeError) -> Refused {
    match error {
        TreeError::NotPlayed { game } => Refused::bad_with("analyse.game", game.to_owned()),
        TreeError::UnknownEvaluation { known, .. } => Refused::bad_with("tree.wrong_evaluation", known.join(", ")),
        TreeError::Depth { .. } => Refused::bad_with("tree.wrong_depth", MAX_TREE_DEPTH.to_string()),
        TreeError::Window => Refused::bad("tree.wrong_window"),
        TreeError::Move { error, .. } => Refused::bad_with("analyse.move", error.phrase()),
        TreeError::GameOver => Refused::bad("analyse.over"),
        TreeError::Memory(error) => {
            tracing::error!(%error, "a comparison cannot be made");
            Refused::Fault
        }
        TreeError::Stopped { nodes } => Refused::bad_with("tree.stopped", nodes.to_string()),
    }
}
