//! Shortest and cheapest paths from every cell to every flag: hops, and energy.

use palestra_games::bandera::{Bandera, CellIndex, Player, Tile};

use super::ground::{Ground, NO_WAY};

/// The most pairs of a cell and a flag for which tools are told apart: 8 flags on the largest map. Beyond it all ways are
/// reckoned as those of a player without tools.
const MAX_WITH_TOOLS: usize = 1 << 17;

/// The dearest step, and so the buckets that hold all costs waiting at one time.
const BUCKETS: usize = 9;

/// A way to a flag: how many moves it takes, and what they cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Moves; [`NO_WAY`] if there is no way, or none for which anybody has the energy.
    pub hops: u16,
    /// The energy that the way takes.
    pub energy: u16,
}

impl Way {
    const NONE: Self = Self { hops: NO_WAY, energy: NO_WAY };
}

/// The two ways to a flag that are worth knowing. Often they are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// Of those with the fewest moves the cheapest.
    pub fast: Way,
    /// Of the cheapest the one with the fewest moves.
    pub cheap: Way,
}

/// The ways from all cells to some flags, with the tiles as they are when it is made. A tool is taken to last for the
/// whole way, and what lies on the way is ignored.
#[derive(Clone, Debug)]
pub struct WayTable {
    flags: usize,
    /// By tools, then by cell, then by flag: all that a player can reach lies together.
    ways: Box<[Ways]>,
    /// Where the ways begin of a player with these [`tools`].
    starts: [usize; 4],
}

impl WayTable {
    /// The ways to these flags.
    #[must_use]
    pub fn new(position: &Bandera, ground: &Ground, flags: &[CellIndex]) -> Self {
        let size = ground.cells() * flags.len();
        let useful = if size <= MAX_WITH_TOOLS { useful_tools(position) } else { 0 };
        let mut table = Self { flags: flags.len(), ways: Box::default(), starts: [0; 4] };
        let mut ways = Vec::new();
        for tools in 0..4 {
            if tools & !useful != 0 {
                // Whatever is not useful is left aside: the table of the other tool serves.
                table.starts[tools] = table.starts[tools & useful];
                continue;
            }
            table.starts[tools] = ways.len();
            ways.resize(ways.len() + size, Ways { fast: Way::NONE, cheap: Way::NONE });
            fill(&mut ways[table.starts[tools]..], ground, &tolls(position, tools), flags);
        }
        table.ways = ways.into();
        table
    }

    /// Where the ways of a player on this cell with the tools that it has now begin, for [`WayTable::ways`].
    #[must_use]
    #[inline]
    pub fn start(&self, player: &Player, cell: CellIndex) -> usize {
        self.starts[tools(player)] + usize::from(cell) * self.flags
    }

    /// The ways to all flags, from a place that [`WayTable::start`] gave.
    #[must_use]
    #[inline]
    pub fn ways(&self, start: usize) -> &[Ways] {
        &self.ways[start..start + self.flags]
    }
}

/// The tools that a player holds: 1 a boat, 2 an axe.
#[inline]
fn tools(player: &Player) -> usize {
    usize::from(player.boat > 0) | usize::from(player.axe > 0) << 1
}

/// The tools that a player has or may get, and that make a difference.
fn useful_tools(position: &Bandera) -> usize {
    let on_board = |wanted| position.tiles().any(|tile| tile == wanted);
    let held = position.players().iter().fold(0, |held, player| held | tools(player));
    let boat = (held & 1 != 0 || on_board(Tile::Boat)) && on_board(Tile::Water);
    let axe = (held & 2 != 0 || on_board(Tile::Axe)) && on_board(Tile::Forest);
    usize::from(boat) | usize::from(axe) << 1
}

/// What entering each cell costs with these tools.
fn tolls(position: &Bandera, tools: usize) -> Vec<u16> {
    let player = Player { boat: tools as u16 & 1, axe: tools as u16 >> 1, ..Player::default() };
    position.tiles().map(|tile| player.cost(tile)).collect()
}

fn fill(ways: &mut [Ways], ground: &Ground, tolls: &[u16], flags: &[CellIndex]) {
    let mut search = Search { ground, tolls, found: Vec::new() };
    for (number, &flag) in flags.iter().enumerate() {
        search.fast(flag);
        search.leave_and_return(flag);
        for (ways, &found) in ways[number..].iter_mut().step_by(flags.len()).zip(&search.found) {
            ways.fast = found.way();
        }
        search.cheap(flag);
        search.leave_and_return(flag);
        for (ways, &found) in ways[number..].iter_mut().step_by(flags.len()).zip(&search.found) {
            ways.cheap = found.way();
        }
    }
}

/// A way found so far; its energy may be more than anybody has.
#[derive(Clone, Copy)]
struct Found {
    hops: u32,
    energy: u32,
}

impl Found {
    const NONE: Self = Self { hops: u32::MAX, energy: u32::MAX };
    const HERE: Self = Self { hops: 0, energy: 0 };

    fn way(self) -> Way {
        match u16::try_from(self.energy) {
            Ok(energy) if energy != NO_WAY => Way { hops: self.hops as u16, energy },
            _ => Way::NONE,
        }
    }
}

/// Searches backwards from a flag: a player pays the toll of each cell that it enters, wherever it comes from.
struct Search<'a> {
    ground: &'a Ground,
    tolls: &'a [u16],
    /// By cell.
    found: Vec<Found>,
}

impl Search<'_> {
    /// Breadth first. A cell's energy is final before the cell is served, for all cells one hop nearer come before it.
    fn fast(&mut self, flag: CellIndex) {
        self.clear(flag);
        let mut queue = Vec::with_capacity(self.ground.cells());
        queue.push(flag);
        let mut served = 0;
        while let Some(&cell) = queue.get(served) {
            served += 1;
            let way = self.before(cell);
            for &next in self.ground.neighbours(cell) {
                let known = &mut self.found[usize::from(next)];
                if known.hops == u32::MAX {
                    *known = way;
                    queue.push(next);
                } else if known.hops == way.hops {
                    known.energy = known.energy.min(way.energy);
                }
            }
        }
    }

    /// Dijkstra's algorithm with a ring of buckets, one for each cost: costs are small, and no heap is needed.
    fn cheap(&mut self, flag: CellIndex) {
        self.clear(flag);
        let mut buckets: [Vec<CellIndex>; BUCKETS] = Default::default();
        buckets[0].push(flag);
        let mut waiting = 1;
        let mut energy = 0;
        while waiting > 0 {
            let mut bucket = std::mem::take(&mut buckets[energy as usize % BUCKETS]);
            waiting -= bucket.len();
            for &cell in &bucket {
                if self.found[usize::from(cell)].energy != energy {
                    continue; // A cheaper way was found since.
                }
                let way = self.before(cell);
                for &next in self.ground.neighbours(cell) {
                    let known = &mut self.found[usize::from(next)];
                    if way.energy < known.energy {
                        *known = way;
                        buckets[way.energy as usize % BUCKETS].push(next);
                        waiting += 1;
                    } else if way.energy == known.energy {
                        known.hops = known.hops.min(way.hops);
                    }
                }
            }
            // Nothing was put into this bucket meanwhile: no step is free, none costs the whole ring.
            bucket.clear();
            buckets[energy as usize % BUCKETS] = bucket;
            energy += 1;
        }
    }

    /// A player on the cell of a flag does not have it: a flag is captured by entering.
    fn leave_and_return(&mut self, flag: CellIndex) {
        let beside = self.ground.neighbours(flag).iter().filter(|&&cell| cell != flag);
        let least = beside.map(|&cell| self.tolls[usize::from(cell)] + self.tolls[usize::from(flag)]).min();
        self.found[usize::from(flag)] = least.map_or(Found::NONE, |energy| Found { hops: 2, energy: energy.into() });
    }

    fn clear(&mut self, flag: CellIndex) {
        self.found.clear();
        self.found.resize(self.ground.cells(), Found::NONE);
        self.found[usize::from(flag)] = Found::HERE;
    }

    /// The way from a cell beside this one, through this one.
    #[inline]
    fn before(&self, cell: CellIndex) -> Found {
        let Found { hops, energy } = self.found[usize::from(cell)];
        Found { hops: hops + 1, energy: energy + u32::from(self.tolls[usize::from(cell)]) }
    }
}
