//! Cut-offs explained: which value met which bound, and whose.

use palestra_games::Side;

use super::{Nodes, OUTSIDE, Recording, Tree};
use crate::Score;

/// Why a node was left before all its moves were tried. Everything that an explanation says is here, so that all
/// explanations say the same: the mover has a move that leads to `value`, which is enough, because the other side is already
/// sure of `bound` at the ancestor and will not let the game come here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut<'a> {
    /// The node that was cut off.
    pub node: u32,
    /// Whether MAX moves there: then its alpha met a beta. If MIN moves, its beta met an alpha.
    pub is_max: bool,
    /// What the mover has found: its own bound when it was left.
    pub value: Score,
    /// What the other side is sure of: the bound that the value met.
    pub bound: Score,
    /// Whose bound that is.
    pub met: Met,
    /// The moves that were not tried, by their place in [`Recording::texts`].
    pub skipped: &'a [u32],
}

/// Whose bound a value met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// An ancestor's, where the other side moves.
    Ancestor(u32),
    /// That of an ancestor in the whole tree, of which this tree is a part.
    Outside,
}

impl Tree {
    /// Whether MAX is to move at a node; not where the game is over.
    #[must_use]
    pub fn is_max(&self, node: u32) -> bool {
        self.recording.nodes.turn[node as usize] == Some(self.max.index() as u8)
    }

    /// Why the node was cut off, if it was.
    #[must_use]
    pub fn cut(&self, node: u32) -> Option<Cut<'_>> {
        self.recording.nodes.cut(node, self.max)
    }

    /// The nodes that were cut off, in the order in which it happened.
    #[must_use]
    pub fn cuts(&self) -> Vec<u32> {
        self.recording.cuts()
    }
}

impl Nodes {
    fn cut(&self, node: u32, max: Side) -> Option<Cut<'_>> {
        let id = node as usize;
        let met = match self.cut_by[id] {
            OUTSIDE => Met::Outside,
            by => Met::Ancestor(u32::try_from(by).ok()?),
        };
        let is_max = self.turn[id] == Some(max.index() as u8);
        let bound = if is_max { self.beta[id] } else { self.alpha[id] }?;
        Some(Cut { node, is_max, value: self.score[id], bound, met, skipped: &self.skipped[id] })
    }
}

impl Recording {
    /// The nodes that were cut off, in the order in which it happened: when they were left, after all that is below them.
    #[must_use]
    pub fn cuts(&self) -> Vec<u32> {
        let nodes = &self.nodes;
        // The last node below each.
        let mut last: Vec<usize> = (0..nodes.len()).collect();
        for id in (1..nodes.len()).rev() {
            let parent = nodes.parent[id] as usize;
            last[parent] = last[parent].max(last[id]);
        }
        let mut cuts: Vec<u32> = (0..nodes.len() as u32).filter(|&id| nodes.cut_by[id as usize] != -1).collect();
        cuts.sort_by_key(|&id| (last[id as usize], std::cmp::Reverse(id)));
        cuts
    }
}
