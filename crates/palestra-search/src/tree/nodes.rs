//! What is written down of a search: its nodes, in the order in which they were entered.

use crate::Score;

/// In [`Nodes::alpha_from`] and [`Nodes::beta_from`]: no node of this tree has set the bound. It is open, or was given with the
/// request for this part of a tree.
pub const UNBOUNDED: i32 = -1;

/// In [`Nodes::cut_by`]: the bound was given from outside, with the request for this part of a tree.
pub const OUTSIDE: i32 = -2;

/// What happened in a search, from its root on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Recording {
    /// How many nodes the search visited, as [`Teacher::nodes`](crate::teach::Teacher::nodes) counts them, those included that are
    /// not written down.
    pub visited: u64,
    /// How many of the nodes visited were cut off.
    pub cutoffs: u64,
    /// The value of the root for MAX.
    pub score: Score,
    /// Whether all nodes are written down. If not, those deeper than [`shown_plies`](Self::shown_plies) are missing.
    pub is_whole: bool,
    /// How many plies below the root are written down.
    pub shown_plies: u32,
    /// The moves that occur, as text.
    pub texts: Vec<String>,
    /// The nodes, in the order in which they were entered; the first is the root.
    pub nodes: Nodes,
    /// The nodes of the principal variation, from the root as deep as nodes are written down. The root alone where its value lies
    /// outside of the window.
    pub line: Vec<u32>,
}

/// The nodes of a tree: arrays with an entry a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Nodes {
    /// The node above; -1 for the root.
    pub parent: Vec<i32>,
    /// The move that led here, by its place in [`Recording::texts`]; -1 for the root.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: Vec<i32>,
    /// The index of the side to move; none where the game is over.
    pub turn: Vec<Option<u8>>,
    /// Alpha when the node was entered; none while it is open.
    pub alpha: Vec<Option<Score>>,
    /// Beta when the node was entered; none while it is open.
    pub beta: Vec<Option<Score>>,
    /// The ancestor whose alpha that is, or [`UNBOUNDED`].
    pub alpha_from: Vec<i32>,
    /// The ancestor whose beta that is, or [`UNBOUNDED`].
    pub beta_from: Vec<i32>,
    /// The value that the node returned, for MAX.
    pub score: Vec<Score>,
    /// How it got its value.
    pub why: Vec<Why>,
    /// Where the node was cut off: the ancestor whose bound its value met, or [`OUTSIDE`]. Otherwise -1.
    pub cut_by: Vec<i32>,
    /// The moves that were not tried because of the cut-off, by their place in [`Recording::texts`].
    pub skipped: Vec<Vec<u32>>,
    /// How many nodes were visited below this one, those included that are not written down.
    pub below: Vec<u64>,
    /// The keys of the positions; see [`Game::key`](palestra_games::Game::key).
    #[cfg_attr(feature = "serde", serde(skip))]
    pub keys: Vec<u64>,
}

impl Nodes {
    /// How many nodes are written down.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// How many plies below the root each node is.
    #[must_use]
    pub fn plies(&self) -> Vec<u32> {
        let mut plies: Vec<u32> = Vec::with_capacity(self.len());
        for &parent in &self.parent {
            plies.push(usize::try_from(parent).map_or(0, |parent| plies[parent] + 1));
        }
        plies
    }

    /// The nodes below each, in order.
    #[must_use]
    pub fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.len()];
        for (id, &parent) in self.parent.iter().enumerate() {
            if let Ok(parent) = usize::try_from(parent) {
                children[parent].push(id as u32);
            }
        }
        children
    }
}

/// How a node got its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The game is over.
    Finished,
    /// The horizon: the evaluation guessed.
    Horizon,
    /// All moves were searched.
    Searched,
    /// The window was closed: the moves left were skipped.
    Cut,
    /// It was searched, and perhaps cut off, but what is below it is not written down.
    Folded,
}

/// As a number, in the order of the list.
#[cfg(feature = "serde")]
impl serde::Serialize for Why {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

impl Recording {
    /// The moves that lead from the root to a node, as text.
    #[must_use]
    pub fn moves_to(&self, node: u32) -> Vec<&str> {
        let mut moves = Vec::new();
        let mut id = node as usize;
        while let Ok(parent) = usize::try_from(self.nodes.parent[id]) {
            moves.push(self.texts[self.nodes.mv[id] as usize].as_str());
            id = parent;
        }
        moves.reverse();
        moves
    }
}
