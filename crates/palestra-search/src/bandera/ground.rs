//! The ground of a map: which cells can be entered from which.

use palestra_games::bandera::{Bandera, CellIndex, Tile};

/// Where there is no way.
pub const NO_WAY: u16 = u16::MAX;

/// The cells of a map and the ways between them. Walls never change, so it holds for a whole game.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The neighbours of every cell. In the place of a wall stands the cell itself: a search for cells not yet
    /// reached skips it without a test.
    neighbours: Box<[[CellIndex; 6]]>,
}

impl Ground {
    /// The ground on which a game is played.
    #[must_use]
    pub fn new(position: &Bandera) -> Self {
        let torus = position.torus();
        let open: Vec<bool> = position.tiles().map(|tile| tile != Tile::Wall).collect();
        let neighbours = (0..torus.cells() as CellIndex)
            .map(|cell| torus.neighbours(cell).map(|next| if open[usize::from(next)] { next } else { cell }))
            .collect();
        Self { neighbours }
    }

    /// How many cells there are, walls included.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.neighbours.len()
    }

    /// The cells around one that can be entered; in the place of a wall the cell itself.
    #[must_use]
    #[inline]
    pub fn neighbours(&self, cell: CellIndex) -> &[CellIndex; 6] {
        &self.neighbours[usize::from(cell)]
    }

    /// Hops between every cell and the nearest of `sources`, whatever entering costs; [`NO_WAY`] where there is none.
    #[must_use]
    pub fn hops(&self, sources: impl IntoIterator<Item = CellIndex>) -> Vec<u16> {
        let mut hops = vec![NO_WAY; self.cells()];
        let mut queue = Vec::with_capacity(self.cells());
        for source in sources {
            // A source named twice counts once: the queue holds each cell once at most.
            if hops[usize::from(source)] == NO_WAY {
                hops[usize::from(source)] = 0;
                queue.push(source);
            }
        }
        let mut served = 0;
        while let Some(&cell) = queue.get(served) {
            served += 1;
            let distance = hops[usize::from(cell)] + 1;
            for &next in self.neighbours(cell) {
                let known = &mut hops[usize::from(next)];
                if *known == NO_WAY {
                    *known = distance;
                    queue.push(next);
                }
            }
        }
        hops
    }
}

/// The cells that hold such a tile, in order.
pub(super) fn cells_with(position: &Bandera, wanted: impl Fn(Tile) -> bool) -> Vec<CellIndex> {
    (0..).zip(position.tiles()).filter(|&(_, tile)| wanted(tile)).map(|(cell, _)| cell).collect()
}

/// Keeps the cells with the least of these distances, in the order of the board.
pub(super) fn keep_nearest(cells: &mut Vec<CellIndex>, distances: &[u16], most: usize) {
    cells.sort_by_key(|&cell| distances[usize::from(cell)]);
    cells.truncate(most);
    cells.sort_unstable();
}
