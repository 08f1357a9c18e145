//! Distances over a map: in hops by breadth-first search, and in energy by Dijkstra's algorithm.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::bandera::player::Player;
use crate::bandera::tile::Tile;
use crate::bandera::torus::{CellIndex, Torus};

/// Hops from the nearest of `sources` to every cell, over cells that are no wall; `None` where there is no way.
pub(super) fn hops(torus: &Torus, tiles: &[Tile], sources: impl IntoIterator<Item = CellIndex>) -> Vec<Option<u16>> {
    torus.hops(sources, |cell| tiles[usize::from(cell)] != Tile::Wall)
}

/// The energy a player without tools needs from the nearest of `sources` to every cell; `u32::MAX` where there is no
/// way.
pub(super) fn costs(torus: &Torus, tiles: &[Tile], sources: impl IntoIterator<Item = CellIndex>) -> Vec<u32> {
    let mut search = Search::new(torus);
    search.run(tiles, sources, |_, _| false);
    search.costs
}

/// The energy a player without tools needs from one cell to another, or `limit` if that is less.
pub(super) fn cost_between(torus: &Torus, tiles: &[Tile], from: CellIndex, to: CellIndex, limit: u32) -> u32 {
    let end = Search::new(torus).run(tiles, [from], |cell, cost| cell == to || cost >= limit);
    end.map_or(limit, |(_, cost)| cost.min(limit))
}

/// The energy of a tour from `start` to all these `flags`, always to the nearest one left, for a player without tools.
/// `None` if one is out of reach.
pub(super) fn tour(torus: &Torus, tiles: &[Tile], start: CellIndex, flags: &[CellIndex]) -> Option<u32> {
    let mut left = vec![false; torus.cells()];
    for &flag in flags {
        left[usize::from(flag)] = true;
    }
    let mut search = Search::new(torus);
    let mut cell = start;
    let mut total = 0;
    for _ in flags {
        let (flag, cost) = search.run(tiles, [cell], |cell, _| left[usize::from(cell)])?;
        left[usize::from(flag)] = false;
        total += cost;
        cell = flag;
    }
    Some(total)
}

/// Dijkstra's algorithm. It cleans up only what it has touched: the legs of a tour are short, the map may be large.
struct Search<'a> {
    torus: &'a Torus,
    costs: Vec<u32>,
    touched: Vec<CellIndex>,
}

impl<'a> Search<'a> {
    fn new(torus: &'a Torus) -> Self {
        Self { torus, costs: vec![u32::MAX; torus.cells()], touched: Vec::new() }
    }

    /// Searches until a cell at some cost is the `goal`, and gives the two.
    fn run(
        &mut self,
        tiles: &[Tile],
        sources: impl IntoIterator<Item = CellIndex>,
        goal: impl Fn(CellIndex, u32) -> bool,
    ) -> Option<(CellIndex, u32)> {
        for cell in self.touched.drain(..) {
            self.costs[usize::from(cell)] = u32::MAX;
        }
        let mut heap = BinaryHeap::new();
        for source in sources {
            self.costs[usize::from(source)] = 0;
            self.touched.push(source);
            heap.push(Reverse((0, source)));
        }
        while let Some(Reverse((cost, cell))) = heap.pop() {
            if goal(cell, cost) {
                return Some((cell, cost));
            }
            for &next in self.torus.neighbours(cell) {
                let Some(step) = bare_cost(tiles[usize::from(next)]) else { continue };
                let best = &mut self.costs[usize::from(next)];
                if cost + step < *best {
                    *best = cost + step;
                    self.touched.push(next);
                    heap.push(Reverse((cost + step, next)));
                }
            }
        }
        None
    }
}

/// What entering costs a player who holds nothing; `None` for a wall.
fn bare_cost(tile: Tile) -> Option<u32> {
    (tile != Tile::Wall).then(|| Player::default().cost(tile).into())
}
