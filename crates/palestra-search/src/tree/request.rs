//! What can be asked for, and why there is no answer.

use std::fmt;
use std::str::FromStr;

use palestra_games::{AnyGame, Game, PlayError};

use crate::engine::TableError;
use crate::score::INFINITE;
use crate::{Playable, Score, WIN};

/// The deepest that a tree can be asked for.
pub const MAX_TREE_DEPTH: u32 = 16;

/// The most nodes of a tree that are written down, unless the request says otherwise.
pub const MAX_TREE_NODES: usize = 100_000;

/// An algorithm of the textbook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Algorithm {
    /// Plain minimax: every position within the depth is visited.
    Minimax,
    /// Alpha-beta: the same value from fewer positions.
    AlphaBeta,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Minimax, Self::AlphaBeta];

    /// Its name in commands and addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alphabeta",
        }
    }
}

/// The order in which the moves of each position are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum MoveOrder {
    /// As the course's own programs try them.
    Listed,
    /// What the evaluation takes for the best move of the side that moves is tried first.
    Best,
    /// What the evaluation takes for its worst move is tried first.
    Worst,
}

impl MoveOrder {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Listed, Self::Best, Self::Worst];

    /// Its name in commands and addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Best => "best",
            Self::Worst => "worst",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for MoveOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no algorithm or no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of: {known}")]
pub struct UnknownWord {
    known: &'static str,
}

impl FromStr for Algorithm {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let known = "minimax, alphabeta";
        Self::ALL.into_iter().find(|it| it.name() == text).ok_or(UnknownWord { known })
    }
}

impl FromStr for MoveOrder {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let known = "listed, best, worst";
        Self::ALL.into_iter().find(|it| it.name() == text).ok_or(UnknownWord { known })
    }
}

/// Which tree to write down. The side to move in the position that it is asked about is MAX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRequest<'a> {
    /// The algorithm that searches.
    pub algorithm: Algorithm,
    /// The order in which it tries moves.
    pub order: MoveOrder,
    /// The name of one of the game's evaluations.
    pub evaluation: &'a str,
    /// How many plies to search, from the root of this tree: 1 to [`MAX_TREE_DEPTH`].
    pub depth: u32,
    /// For a part of a tree: the moves that lead from the position to the root of this tree. MAX and the evaluation are
    /// still those of the position, as they are in the whole tree.
    pub moves: &'a [String],
    /// For a part of a tree: the window that the root is entered with; `None` for a bound that is open.
    pub window: (Option<Score>, Option<Score>),
    /// The most nodes to write down.
    pub limit: usize,
}

impl<'a> TreeRequest<'a> {
    /// The whole tree of the position.
    #[must_use]
    pub const fn new(algorithm: Algorithm, order: MoveOrder, evaluation: &'a str, depth: u32) -> Self {
        Self { algorithm, order, evaluation, depth, moves: &[], window: (None, None), limit: MAX_TREE_NODES }
    }

    /// Refuses what is out of range.
    pub(super) fn check(&self) -> Result<(), TreeError> {
        check_depth(self.depth)?;
        let (alpha, beta) = (self.window.0.unwrap_or(-INFINITE), self.window.1.unwrap_or(INFINITE));
        let is_score = |bound: Option<Score>| bound.is_none_or(|bound| (-WIN..=WIN).contains(&bound));
        if alpha < beta && is_score(self.window.0) && is_score(self.window.1) { Ok(()) } else { Err(TreeError::Window) }
    }

    /// The root of the tree, given the position it is asked about.
    pub(super) fn root<G: Playable>(&self, position: &G) -> Result<G, TreeError> {
        root_after(position, self.moves)
    }
}

/// The unfinished position to which these moves lead.
pub(super) fn root_after<G: Playable>(position: &G, moves: &[String]) -> Result<G, TreeError> {
    let mut root = position.clone();
    for (index, mv) in moves.iter().enumerate() {
        AnyGame::play(&mut root, mv).map_err(|error| TreeError::Move { index, error })?;
    }
    if Game::outcome(&root).is_some() { Err(TreeError::GameOver) } else { Ok(root) }
}

/// Refuses a depth that is out of range.
pub(super) fn check_depth(depth: u32) -> Result<(), TreeError> {
    if (1..=MAX_TREE_DEPTH).contains(&depth) { Ok(()) } else { Err(TreeError::Depth { depth }) }
}

/// Why there is no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// No built-in player plays this game.
    #[error("no built-in player plays '{game}'")]
    NotPlayed {
        /// The id of the game.
        game: &'static str,
    },
    /// The game has no evaluation of this name.
    #[error("{game} has no evaluation '{evaluation}'; it has {}", known.join(", "))]
    UnknownEvaluation {
        /// The name as it was given.
        evaluation: String,
        /// The id of the game.
        game: &'static str,
        /// Those it has.
        known: Vec<&'static str>,
    },
    /// The depth is out of range.
    #[error("the depth of a tree is a number from 1 to {MAX_TREE_DEPTH}, not {depth}")]
    Depth {
        /// The depth as it was given.
        depth: u32,
    },
    /// The window is empty, or one of its bounds is no score.
    #[error("alpha must be less than beta, and both must be scores")]
    Window,
    /// One of the moves to the root of the tree cannot be played.
    #[error("move {}: {error}", index + 1)]
    Move {
        /// Its place among the moves, from 0.
        index: usize,
        /// What is wrong with it.
        error: PlayError,
    },
    /// At the root there is nothing to search.
    #[error("the game is over")]
    GameOver,
    /// The search was stopped before it had a value.
    #[error("the search was stopped after {nodes} positions")]
    Stopped {
        /// How many positions it had visited.
        nodes: u64,
    },
    /// There was no room for a transposition table to compare with.
    #[error(transparent)]
    Memory(#[from] TableError),
}
