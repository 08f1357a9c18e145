//! A group of programs that are alike as a graph: a node for each program, an edge for each pair.

use std::f64::consts::TAU;

use palestra_arena::copies::{Pair, clusters};

use super::people::Who;

/// Distance of neighbours on the ring, and the least radius of the ring.
const STEP: f64 = 48.0;
const MIN_RADIUS: f64 = 56.0;

/// Room for a node beside the ring.
const MARGIN: i64 = 24;

/// Shares from which an edge is drawn thicker.
const THICKER: [f64; 2] = [0.5, 0.75];

/// A group, drawn as a ring.
pub(super) struct Graph {
    pub(super) width: i64,
    pub(super) height: i64,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
}

/// A program, which has its number from 1.
pub(super) struct Node {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) who: Who,
}

/// A pair: where its line goes, and how thick it is, from 1 to 3.
pub(super) struct Edge {
    pub(super) from: (i64, i64),
    pub(super) to: (i64, i64),
    pub(super) weight: usize,
}

impl Graph {
    /// The groups that these pairs connect, the largest first; `who` names a program.
    pub(super) fn all(programs: usize, pairs: &[Pair], who: impl Fn(usize) -> Who) -> Vec<Self> {
        clusters(programs, pairs).iter().map(|group| Self::new(group, pairs, &who)).collect()
    }

    fn new(group: &[usize], pairs: &[Pair], who: impl Fn(usize) -> Who) -> Self {
        let turn = TAU / group.len() as f64;
        let radius = (STEP / 2.0 / (turn / 2.0).sin()).max(MIN_RADIUS);
        // Two stand beside each other; of more the first one is on top.
        let is_flat = group.len() == 2;
        let across = radius.ceil() as i64 + MARGIN;
        let down = if is_flat { MARGIN } else { across };
        let place = |at: usize| {
            let angle = turn * at as f64 - if is_flat { TAU / 2.0 } else { TAU / 4.0 };
            (across + (radius * angle.cos()).round() as i64, down + (radius * angle.sin()).round() as i64)
        };
        let nodes = group.iter().enumerate().map(|(at, &program)| {
            let (x, y) = place(at);
            Node { x, y, who: who(program) }
        });
        let edge = |pair: &Pair| {
            let [from, to] = pair.programs.map(|program| group.binary_search(&program).ok().map(place));
            let weight = 1 + THICKER.iter().filter(|&&share| pair.share() >= share).count();
            Some(Edge { from: from?, to: to?, weight })
        };
        let edges = pairs.iter().filter_map(edge).collect();
        Self { width: 2 * across, height: 2 * down, nodes: nodes.collect(), edges }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(programs: [usize; 2], share: f64) -> Pair {
        Pair { programs, shared: 9, shares: [share, 0.1] }
    }

    fn graphs(pairs: &[Pair]) -> Vec<Graph> {
        Graph::all(40, pairs, |program| Who { name: program.to_string(), ..Who::default() })
    }

    #[test]
    fn each_group_has_its_programs_and_its_pairs() {
        let all = graphs(&[pair([0, 2], 0.9), pair([4, 5], 0.6), pair([2, 9], 0.3)]);
        let names = |graph: &Graph| graph.nodes.iter().map(|node| node.who.name.clone()).collect::<Vec<_>>();
        assert_eq!(all.iter().map(names).collect::<Vec<_>>(), [vec!["0", "2", "9"], vec!["4", "5"]]);
        let weights = |graph: &Graph| graph.edges.iter().map(|edge| edge.weight).collect::<Vec<_>>();
        assert_eq!(all.iter().map(weights).collect::<Vec<_>>(), [vec![3, 1], vec![2]]);
        let [one, two] = &all[1].nodes[..] else { panic!() };
        assert_eq!((one.y, all[1].edges[0].from, all[1].edges[0].to), (two.y, (one.x, one.y), (two.x, two.y)));
    }

    #[test]
    fn nodes_of_any_group_lie_apart_and_within_the_picture() {
        for count in 2..40 {
            let chain: Vec<Pair> = (1..count).map(|program| pair([program - 1, program], 0.5)).collect();
            let graph = &graphs(&chain)[0];
            assert_eq!((graph.nodes.len(), graph.edges.len()), (count, count - 1));
            for (at, node) in graph.nodes.iter().enumerate() {
                let fits = |place, size| (MARGIN - 2..=size - MARGIN + 2).contains(&place);
                assert!(fits(node.x, graph.width) && fits(node.y, graph.height), "{count}: {} {}", node.x, node.y);
                for other in &graph.nodes[..at] {
                    let distance = ((node.x - other.x) as f64).hypot((node.y - other.y) as f64);
                    assert!(distance > STEP - 3.0, "{count}: {distance}");
                }
            }
        }
    }
}
