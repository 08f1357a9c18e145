//! Edmonds' blossom algorithm: a perfect matching in a graph that need not be bipartite.
//!
//! It grows a tree of alternating paths from an unmatched node, contracts each odd cycle (blossom) met on the way into one
//! node, and augments along the path that reaches another unmatched node. It takes polynomial time for any graph, where
//! trying pairings one after the other may take forever.

use std::collections::VecDeque;

/// A perfect matching that can be forced, pair by pair, towards what is wanted.
pub(crate) struct Matching<F> {
    may_meet: F,
    mates: Vec<Option<usize>>,
    /// Which nodes have been given a partner for good.
    settled: Vec<bool>,
}

impl<F: Fn(usize, usize) -> bool> Matching<F> {
    /// A matching of all of `0..count`, if there is one. `may_meet` must be symmetric.
    pub(crate) fn perfect(count: usize, may_meet: F) -> Option<Self> {
        let mut matching = Self { may_meet, mates: vec![None; count], settled: vec![false; count] };
        (0..count).all(|node| matching.mates[node].is_some() || matching.augment(node)).then_some(matching)
    }

    /// Whether this one has its partner for good.
    pub(crate) fn is_settled(&self, node: usize) -> bool {
        self.settled[node]
    }

    /// Pairs these two for good if all others who are not settled can still be paired among themselves.
    pub(crate) fn settle(&mut self, a: usize, b: usize) -> bool {
        if a == b || self.settled[a] || self.settled[b] || !(self.may_meet)(a, b) {
            return false;
        }
        let before = self.mates.clone();
        let left = [a, b].map(|node| self.mates[node].filter(|&mate| mate != a && mate != b));
        for node in left.into_iter().flatten() {
            self.mates[node] = None;
        }
        (self.mates[a], self.mates[b]) = (Some(b), Some(a));
        (self.settled[a], self.settled[b]) = (true, true);
        if left[0].is_none_or(|node| self.augment(node)) {
            return true;
        }
        self.mates = before;
        (self.settled[a], self.settled[b]) = (false, false);
        false
    }

    /// Finds a partner for `root`, who has none, by giving new partners to others; says whether that was possible.
    fn augment(&mut self, root: usize) -> bool {
        let end = Tree::new(root, self).grow();
        let Some((parents, end)) = end else { return false };
        let mut node = Some(end);
        while let Some(outer) = node {
            let inner = parents[outer].expect("a path leads back to the root");
            node = self.mates[inner];
            self.mates[outer] = Some(inner);
            self.mates[inner] = Some(outer);
        }
        true
    }
}

/// The alternating paths from a root.
struct Tree<'a, F> {
    matching: &'a Matching<F>,
    root: usize,
    /// By which free edge a node was reached.
    parents: Vec<Option<usize>>,
    /// The node that stands for the odd cycle in which a node has been merged; itself if in none.
    bases: Vec<usize>,
    /// Whether a node can be left by a free edge: an even number of steps leads to it.
    even: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a, F: Fn(usize, usize) -> bool> Tree<'a, F> {
    fn new(root: usize, matching: &'a Matching<F>) -> Self {
        let count = matching.mates.len();
        let mut even = vec![false; count];
        even[root] = true;
        let (parents, bases) = (vec![None; count], (0..count).collect());
        Self { matching, root, parents, bases, even, queue: VecDeque::from([root]) }
    }

    /// The end of an augmenting path to an unmatched node, with the way back.
    fn grow(mut self) -> Option<(Vec<Option<usize>>, usize)> {
        while let Some(node) = self.queue.pop_front() {
            for next in 0..self.bases.len() {
                if self.is_edge(node, next) && self.visit(node, next) {
                    return Some((self.parents, next));
                }
            }
        }
        None
    }

    fn is_edge(&self, a: usize, b: usize) -> bool {
        a != b && !self.matching.settled[b] && (self.matching.may_meet)(a, b)
    }

    /// Follows an edge outside of the matching; whether it leads to an unmatched node.
    fn visit(&mut self, node: usize, next: usize) -> bool {
        if self.bases[node] == self.bases[next] || self.matching.mates[node] == Some(next) {
            return false;
        }
        let mate = self.matching.mates[next];
        if next == self.root || mate.is_some_and(|mate| self.parents[mate].is_some()) {
            self.shrink(node, next);
        } else if self.parents[next].is_none() {
            self.parents[next] = Some(node);
            let Some(mate) = mate else { return true };
            self.even[mate] = true;
            self.queue.push_back(mate);
        }
        false
    }

    /// Merges the odd cycle that an edge between two even nodes closes.
    fn shrink(&mut self, a: usize, b: usize) {
        let base = self.common_base(a, b);
        let mut merged = vec![false; self.bases.len()];
        self.mark(a, base, b, &mut merged);
        self.mark(b, base, a, &mut merged);
        for node in 0..self.bases.len() {
            if merged[self.bases[node]] {
                self.bases[node] = base;
                if !self.even[node] {
                    self.even[node] = true;
                    self.queue.push_back(node);
                }
            }
        }
    }

    /// Where the paths of two even nodes to the root meet first.
    fn common_base(&self, a: usize, b: usize) -> usize {
        let mut passed = vec![false; self.bases.len()];
        let mut node = self.bases[a];
        passed[node] = true;
        while let Some(above) = self.above(node) {
            node = above;
            passed[node] = true;
        }
        let mut node = self.bases[b];
        while !passed[node] {
            node = self.above(node).expect("both paths end at the root");
        }
        node
    }

    /// The base two steps nearer to the root.
    fn above(&self, base: usize) -> Option<usize> {
        let mate = self.matching.mates[base]?;
        self.parents[mate].map(|parent| self.bases[parent])
    }

    /// Marks one arm of a cycle from `node` to its base, and makes it passable in the other direction too.
    fn mark(&mut self, mut node: usize, base: usize, mut child: usize, merged: &mut [bool]) {
        while self.bases[node] != base {
            let mate = self.matching.mates[node].expect("all nodes of a cycle but its base have a partner in it");
            merged[self.bases[node]] = true;
            merged[self.bases[mate]] = true;
            self.parents[node] = Some(child);
            child = mate;
            node = self.parents[mate].expect("an odd node was reached by an edge");
        }
    }
}

#[cfg(test)]
mod tests {
    use palestra_games::rng::Rng;

    use super::*;

    /// Whether the nodes of a set can be paired, by trying everything.
    fn can_pair(rest: u32, edges: &[u32]) -> bool {
        if rest == 0 {
            return true;
        }
        let first = rest.trailing_zeros();
        let rest = rest & !(1 << first);
        (0..32).filter(|b| rest & edges[first as usize] & (1 << b) != 0).any(|b| can_pair(rest & !(1 << b), edges))
    }

    fn random_graph(count: usize, density: usize, rng: &mut Rng) -> Vec<u32> {
        let mut edges = vec![0; count];
        for a in 0..count {
            for b in (0..a).filter(|_| rng.below(10) < density).collect::<Vec<_>>() {
                edges[a] |= 1 << b;
                edges[b] |= 1 << a;
            }
        }
        edges
    }

    #[test]
    fn a_matching_is_found_exactly_when_there_is_one() {
        let mut rng = Rng::new(1);
        let mut found = [0; 2];
        for _ in 0..3_000 {
            let count = 2 * (1 + rng.below(6));
            let density = 1 + rng.below(6);
            let edges = random_graph(count, density, &mut rng);
            let matching = Matching::perfect(count, |a, b| edges[a] & (1 << b) != 0);
            assert_eq!(matching.is_some(), can_pair((1 << count) - 1, &edges), "{edges:?}");
            found[usize::from(matching.is_some())] += 1;
            let Some(matching) = matching else { continue };
            for (node, mate) in matching.mates.iter().enumerate() {
                let mate = mate.expect("perfect");
                assert!(matching.mates[mate] == Some(node) && edges[node] & (1 << mate) != 0);
            }
        }
        assert!(found[0] > 500 && found[1] > 500, "{found:?}");
    }

    #[test]
    fn a_pair_is_settled_exactly_when_the_others_can_still_be_paired() {
        let mut rng = Rng::new(2);
        for _ in 0..500 {
            let edges = random_graph(10, 3 + rng.below(4), &mut rng);
            let Some(mut matching) = Matching::perfect(10, |a, b| edges[a] & (1 << b) != 0) else { continue };
            let mut rest: u32 = (1 << 10) - 1;
            for _ in 0..40 {
                let (a, b) = (rng.below(10), rng.below(10));
                let open = a != b && rest & (1 << a) != 0 && rest & (1 << b) != 0 && edges[a] & (1 << b) != 0;
                let possible = open && can_pair(rest & !(1 << a) & !(1 << b), &edges);
                assert_eq!(matching.settle(a, b), possible, "{a} {b} {rest:b} {edges:?}");
                if possible {
                    rest &= !(1 << a) & !(1 << b);
                }
            }
        }
    }
}
