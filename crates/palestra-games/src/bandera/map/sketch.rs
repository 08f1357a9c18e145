//! A map being painted, in pairs of opposite cells.

use std::ops::RangeInclusive;

use super::report::{self, CONTESTED, DETOUR, GRASS, HOLES, MIN_HOPS, MUD, OBSTACLE, SMALL, is_percent};
use super::ways::{cost_between, costs, hops, tour};
use super::{MAX_ENERGY, Start};
use crate::bandera::tile::Tile;
use crate::bandera::torus::{CellIndex, Torus};
use crate::rng::Rng;

/// The random choices of a map.
pub(super) struct Random(pub(super) Rng);

impl Random {
    /// A number below `bound`, which is not 0. Other than [`Rng::below`] it rejects nothing, so its bias is `bound` in
    /// 2^64: a seed must give the same map for ever.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next()) * bound as u128) >> 64) as usize
    }

    fn within(&mut self, range: RangeInclusive<usize>) -> usize {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    /// True `percent` times in 100.
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())]) }
    }
}

/// Pairs of cells that each kind of ground gets.
struct Quota {
    wall: usize,
    water: usize,
    forest: usize,
    mud: usize,
    holes: usize,
    flags: usize,
    juice: usize,
}

/// A map being painted.
pub(super) struct Sketch<'a> {
    torus: &'a Torus,
    tiles: Vec<Tile>,
    random: Random,
}

impl<'a> Sketch<'a> {
    pub(super) fn new(torus: &'a Torus, random: Random) -> Self {
        Self { torus, tiles: vec![Tile::Grass; torus.cells()], random }
    }

    /// The tiles and starts of a whole map. `None` if there was no room for something.
    pub(super) fn finish(mut self, team_size: usize) -> Option<(Vec<Tile>, Vec<Start>)> {
        let quota = self.quota();
        self.bands(Tile::Wall, quota.wall, 25);
        self.bands(Tile::Water, quota.water, 50);
        self.groves(quota.forest);
        self.mud(quota.mud);
        self.holes(quota.holes);
        let starts = self.starts(team_size)?;
        self.flags(&starts, quota.flags)?;
        self.items(&starts, quota.juice)?;
        let energy = self.energy(&starts, 2 * quota.flags);
        let mirrors = starts.iter().map(|&cell| self.torus.mirror(cell));
        let starts = starts.iter().copied().chain(mirrors).map(|cell| Start { cell, energy }).collect();
        Some((self.tiles, starts))
    }

    /// Draws until the rest is as much grass as it should be.
    fn quota(&mut self) -> Quota {
        let cells = self.torus.cells();
        let flags = report::flag_range(cells);
        let mut draw = |percent: RangeInclusive<usize>| {
            let (min, max) = ((percent.start() * cells).div_ceil(200), percent.end() * cells / 200);
            self.random.within(min.min(max)..=max)
        };
        let mut tries = 0;
        loop {
            let quota = Quota {
                wall: draw(OBSTACLE),
                water: draw(OBSTACLE),
                forest: draw(OBSTACLE),
                mud: draw(MUD),
                holes: draw(HOLES),
                flags: (flags.start() + flags.end()) / 4,
                juice: report::juice(cells).end() / 2,
            };
            let tokens = 2 * (quota.flags + 3 + quota.juice);
            let ground = 2 * (quota.wall + quota.water + quota.forest + quota.mud + quota.holes);
            let whole = if cells < SMALL { cells.saturating_sub(tokens) } else { cells };
            tries += 1;
            if tries == 64 || is_percent(cells.saturating_sub(ground + tokens), whole, &GRASS) {
                return quota;
            }
        }
    }

    fn at(&self, cell: CellIndex) -> Tile {
        self.tiles[usize::from(cell)]
    }

    fn is_grass(&self, cell: CellIndex) -> bool {
        self.at(cell) == Tile::Grass
    }

    /// Paints a cell and the one opposite.
    fn paint(&mut self, cell: CellIndex, tile: Tile) {
        self.tiles[usize::from(cell)] = tile;
        self.tiles[usize::from(self.torus.mirror(cell))] = tile;
    }

    fn cells(&self) -> impl Iterator<Item = CellIndex> + use<> {
        0..self.torus.cells() as CellIndex
    }

    /// A grass cell, if any is left.
    fn grass(&mut self) -> Option<CellIndex> {
        let free = self.cells_with(|tile| tile == Tile::Grass);
        self.random.pick(&free)
    }

    /// Walks that keep their direction, but for a slight turn `bend` times in 100.
    fn bands(&mut self, tile: Tile, mut pairs: usize, bend: usize) {
        while pairs > 0 {
            let Some(mut cell) = self.grass() else { return };
            let mut direction = self.random.below(6);
            // Never a band that leaves a single cell over.
            let mut length = if pairs < 5 { pairs } else { self.random.within(3..=pairs.min(8)) };
            length += usize::from(pairs - length == 1);
            while length > 0 && self.is_grass(cell) {
                self.paint(cell, tile);
                (pairs, length) = (pairs - 1, length - 1);
                if self.random.chance(bend) {
                    direction = (direction + self.random.pick(&[1, 5]).unwrap_or(0)) % 6;
                }
                cell = self.torus.neighbours(cell)[direction];
            }
        }
    }

    /// Woods that grow from a cell to all sides.
    fn groves(&mut self, mut pairs: usize) {
        while pairs > 0 {
            let Some(seed) = self.grass() else { return };
            let mut grove = Vec::new();
            let mut edge = vec![seed];
            let size = if pairs < 6 { pairs } else { self.random.within(3..=4) };
            while grove.len() < size
                && let Some(cell) = self.random.pick(&edge)
            {
                self.paint(cell, Tile::Forest);
                grove.push(cell);
                edge = grove.iter().flat_map(|&cell| self.torus.neighbours(cell).iter().copied()).collect();
                edge.retain(|&cell| self.is_grass(cell));
            }
            pairs -= grove.len();
        }
    }

    /// Mud lies along the water.
    fn mud(&mut self, pairs: usize) {
        for _ in 0..pairs {
            let is_wet = |&cell: &CellIndex| {
                self.is_grass(cell) && self.torus.neighbours(cell).iter().any(|&next| self.at(next) == Tile::Water)
            };
            let banks: Vec<_> = self.cells().filter(is_wet).collect();
            if let Some(cell) = self.random.pick(&banks).or_else(|| self.grass()) {
                self.paint(cell, Tile::Mud);
            }
        }
    }

    fn holes(&mut self, pairs: usize) {
        for _ in 0..pairs {
            if let Some(cell) = self.grass() {
                let tile = if self.random.chance(60) { Tile::Pit } else { Tile::Trench };
                self.paint(cell, tile);
            }
        }
    }

    /// Team 1's starts: the first far from where the other team's first will be, the others around it.
    fn starts(&mut self, team_size: usize) -> Option<Vec<CellIndex>> {
        let mut tries = Vec::new();
        for _ in 0..8 {
            tries.push(self.grass()?);
        }
        let mirror = |cell| self.torus.mirror(cell);
        let first = tries.into_iter().max_by_key(|&cell| self.hops([cell])[usize::from(mirror(cell))])?;
        let mut starts = vec![first];
        let hops = self.hops([first]);
        let mut camp = self.cells_with(|tile| tile == Tile::Grass);
        camp.retain(|&cell| hops[usize::from(cell)] >= Some(2) && cell != mirror(first));
        camp.sort_by_key(|&cell| hops[usize::from(cell)]);
        camp.truncate(4 * team_size);
        while starts.len() < team_size {
            let cell = self.random.pick(&camp)?;
            camp.retain(|&other| other != cell && other != mirror(cell));
            starts.push(cell);
        }
        Some(starts)
    }

    /// Half of the pairs contested, the others nearer to one team, all far from the starts and from each other.
    fn flags(&mut self, starts: &[CellIndex], pairs: usize) -> Option<()> {
        let own = self.hops(starts.iter().copied());
        let gap = |cell: CellIndex| Some((own[usize::from(cell)]?, own[usize::from(self.torus.mirror(cell))]?));
        let far = |cell| gap(cell).filter(|&(one, two)| one.min(two) >= MIN_HOPS);
        let (contested, sure): (Vec<_>, Vec<_>) = self
            .cells()
            .filter(|&cell| self.is_grass(cell) && far(cell).is_some())
            .partition(|&cell| gap(cell).is_some_and(|(one, two)| one.abs_diff(two) <= CONTESTED));
        let extra = pairs % 2 * self.random.below(2);
        for pair in 0..pairs {
            let pool = if pair < pairs / 2 + extra { &contested } else { &sure };
            let mut taken = self.cells_with(|tile| tile == Tile::Flag);
            taken.extend(starts.iter().flat_map(|&start| [start, self.torus.mirror(start)]));
            let cell = self.spread(pool, 12, taken)?;
            self.paint(cell, Tile::Flag);
        }
        Some(())
    }

    /// A little off the way to the flags, and apart from each other.
    fn items(&mut self, starts: &[CellIndex], juices: usize) -> Option<()> {
        let to_flag = self.hops(self.cells_with(|tile| tile == Tile::Flag));
        let from_start: Vec<_> = starts.iter().map(|&start| (start, self.hops([start]))).collect();
        let mirror = |cell| self.torus.mirror(cell);
        let detour = |cell: CellIndex| {
            let detours = from_start.iter().filter_map(|(start, hops)| {
                let way = hops[usize::from(cell)]? + to_flag[usize::from(cell)]?;
                Some(way - to_flag[usize::from(*start)]?)
            });
            detours.min()
        };
        // The other team's detour to a cell is this team's detour to the one opposite.
        let least = |cell| detour(cell).into_iter().chain(detour(mirror(cell))).min();
        let is_start = |cell| starts.contains(&cell) || starts.contains(&mirror(cell));
        let suits = |&cell: &CellIndex| {
            self.is_grass(cell) && !is_start(cell) && least(cell).is_some_and(|detour| DETOUR.contains(&detour))
        };
        let pool: Vec<_> = self.cells().filter(suits).collect();
        let juices = std::iter::repeat_n(Tile::Juice, juices);
        for item in [Tile::Boat, Tile::Axe, Tile::Shovel].into_iter().chain(juices) {
            let cell = self.spread(&pool, 4, self.cells_with(report::is_token))?;
            self.paint(cell, item);
        }
        Some(())
    }

    /// Of some cells of the pool the one farthest, in energy, from all `taken` cells and from the one opposite.
    fn spread(&mut self, pool: &[CellIndex], tries: usize, taken: Vec<CellIndex>) -> Option<CellIndex> {
        let free: Vec<_> = pool.iter().copied().filter(|&cell| self.is_grass(cell)).collect();
        let costs = costs(self.torus, &self.tiles, taken);
        let tries: Vec<_> = (0..tries).filter_map(|_| self.random.pick(&free)).collect();
        tries.into_iter().max_by_key(|&cell| {
            cost_between(self.torus, &self.tiles, cell, self.torus.mirror(cell), costs[usize::from(cell)])
        })
    }

    fn cells_with(&self, wanted: impl Fn(Tile) -> bool) -> Vec<CellIndex> {
        self.cells().filter(|&cell| wanted(self.at(cell))).collect()
    }

    /// The energy nearest to 10 a flag that is 1.5 to 2.5 times every player's tour, a multiple of 5 if there is one.
    fn energy(&self, starts: &[CellIndex], flags: usize) -> u16 {
        let own = self.hops(starts.iter().copied());
        let mut share = self.cells_with(|tile| tile == Tile::Flag);
        share.retain(|&flag| {
            own[usize::from(flag)] <= own[usize::from(self.torus.mirror(flag))].map(|hops| hops + CONTESTED)
        });
        let tours: Vec<_> = starts.iter().filter_map(|&cell| tour(self.torus, &self.tiles, cell, &share)).collect();
        let longest = tours.iter().max().map_or(0, |&tour| (3 * tour).div_ceil(2) as usize);
        let shortest = tours.iter().min().map_or(0, |&tour| 5 * tour as usize / 2);
        let wanted = (longest..=shortest).min_by_key(|&energy| (energy % 5 > 0, energy.abs_diff(10 * flags)));
        wanted.unwrap_or(10 * flags).min(usize::from(MAX_ENERGY)) as u16
    }

    fn hops(&self, sources: impl IntoIterator<Item = CellIndex>) -> Vec<Option<u16>> {
        hops(self.torus, &self.tiles, sources)
    }
}
