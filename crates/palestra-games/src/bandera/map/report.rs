//! What makes a map good to play on, measured: every guideline as a value, the range it should lie in, and whether it
//! does.
//!
//! How the less obvious ones are measured:
//! - Players and flags. 8x8 cells call for 1 player a side and 4 flags, 10x12 for 2 and 6, 12x16 for 3 and 8, 16x20 for
//!   4 and 10. A board in between may have what either neighbour has, a smaller one 1 player and 2 to 4 flags, a larger
//!   one 4 players or more and up to a flag per 32 cells.
//! - Contested flags. Flags are raced for in hops: a flag is contested when the nearest players of the two teams are
//!   equally far from it, or one hop apart. Half of the flags should be; on a fair map they come in pairs, half of six
//!   can then only be two or four, and so one flag more or less than half will do.
//! - Shares of the ground are of all cells. Only the grass of a board smaller than 10x12 is measured among the cells
//!   without flags and items: on 8x8 these alone take a fifth, and all else at its least leaves no 55 % for grass.
//! - Bands and groves. The share of wall, water and forest cells that touch another of their kind.
//! - Detour. How many hops longer the way to a first flag gets when a player fetches the item before, for the player
//!   who loses the least by it: start to item to the flag nearest to it, less start to nearest flag.
//! - Energy. A player's share are the flags that the team may hope for: those nearer to it, and the contested ones. The
//!   tour is that of a player without tools who walks to them all, always to the nearest by energy. The energy should be
//!   1.5 to 2.5 times that, and within a fifth of 10 for each flag on the map: about 40 on 8x8, about 100 on 16x20.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;

use super::fair::Unfair;
use super::generate::MapPlan;
use super::ways::{hops, tour};
use super::{MAX_TEAM, Map, Start};
use crate::Side;
use crate::bandera::tile::Tile;
use crate::bandera::torus::CellIndex;

/// A size that the guidelines name, and what suits it.
#[derive(Clone, Copy)]
struct Standard {
    cells: usize,
    team_size: usize,
    flags: usize,
}

const STANDARD: [Standard; 4] = {
    let [small, middle, large, huge] = MapPlan::STANDARD;
    [Standard::of(small, 4), Standard::of(middle, 6), Standard::of(large, 8), Standard::of(huge, 10)]
};

impl Standard {
    const fn of(plan: MapPlan, flags: usize) -> Self {
        Self { cells: plan.rows * plan.cols, team_size: plan.team_size, flags }
    }
}

/// Boards with fewer cells measure their grass without flags and items.
pub(super) const SMALL: usize = 120;

/// Cells of a board.
const CELLS: RangeInclusive<usize> = STANDARD[0].cells..=STANDARD[3].cells;
/// Percentages of all cells.
pub(super) const GRASS: RangeInclusive<usize> = 55..=65;
pub(super) const OBSTACLE: RangeInclusive<usize> = 8..=10;
pub(super) const MUD: RangeInclusive<usize> = 5..=8;
pub(super) const HOLES: RangeInclusive<usize> = 0..=3;

/// Hops of detour to an item.
pub(super) const DETOUR: RangeInclusive<u16> = 2..=4;

/// The fewest hops from a start to a flag.
pub(super) const MIN_HOPS: u16 = 3;

/// How many hops apart the teams may be from a contested flag.
pub(super) const CONTESTED: u16 = 1;

/// The least percentage of wall, water and forest that touches its kind.
const TOGETHER: usize = 80;

/// The report on a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapReport {
    fairness: Result<(), Unfair>,
    rows: Vec<ReportRow>,
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    /// What is measured.
    pub name: &'static str,
    /// How it is on this map.
    pub value: Measure,
    /// How it should be.
    pub range: Measure,
    /// Whether the value lies in the range.
    pub ok: bool,
}

/// A measured value, or the range in which it should lie. `Display` writes it in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The map has the property.
    Yes,
    /// The map lacks the property.
    No,
    /// Numbers, which read the same in every language: `7`, `2-4`, `57.3 %`, or `-` if there are none.
    Numbers(String),
    /// At least this number.
    AtLeast(String),
}

impl Measure {
    fn numbers(text: impl Display) -> Self {
        Self::Numbers(text.to_string())
    }
}

impl Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Yes => f.pad("yes"),
            Self::No => f.pad("no"),
            Self::Numbers(numbers) => f.pad(numbers),
            Self::AtLeast(number) => f.pad(&format!("at least {number}")),
        }
    }
}

impl MapReport {
    /// The report on this map.
    #[must_use]
    pub fn of(map: &Map) -> Self {
        let survey = Survey::of(map);
        let mut rows = vec![survey.fair()];
        rows.extend(survey.size());
        rows.extend(survey.flags());
        rows.extend(survey.ground());
        rows.extend(survey.items());
        rows.extend(survey.energy());
        Self { fairness: map.fairness(), rows }
    }

    /// Whether the map is fair and, if not, why.
    pub const fn fairness(&self) -> Result<(), Unfair> {
        self.fairness
    }

    /// The lines of the report, fairness first.
    #[must_use]
    pub fn rows(&self) -> &[ReportRow] {
        &self.rows
    }

    /// Whether the map is fair and keeps every guideline.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.rows.iter().all(|row| row.ok)
    }
}

/// The number of players a side that suits a board with this number of cells.
fn team_range(cells: usize) -> RangeInclusive<usize> {
    let (below, above) = around(cells);
    below.map_or(1, |board| board.team_size)..=above.map_or(MAX_TEAM, |board| board.team_size)
}

/// The number of flags that suits a board with this number of cells.
pub(super) fn flag_range(cells: usize) -> RangeInclusive<usize> {
    let (below, above) = around(cells);
    below.map_or(2, |board| board.flags)..=above.map_or(cells / 32, |board| board.flags)
}

/// The largest standard board that is no larger than this one, and the smallest that is no smaller.
fn around(cells: usize) -> (Option<Standard>, Option<Standard>) {
    let below = STANDARD.into_iter().rfind(|board| board.cells <= cells);
    let above = STANDARD.into_iter().find(|board| board.cells >= cells);
    (below, above)
}

/// How many guidelines are missed by the choice of size and players alone.
pub(super) fn size_misses(cells: usize, team_size: usize) -> usize {
    usize::from(!CELLS.contains(&cells)) + usize::from(!team_range(cells).contains(&team_size))
}

/// The number of juices that suits a board with this number of cells: a pair per about 120.
pub(super) fn juice(cells: usize) -> RangeInclusive<usize> {
    2 * (cells / 120)..=2 * cells.div_ceil(120)
}

/// How many of the flags should be contested: half, give or take one.
fn contested_range(flags: usize) -> RangeInclusive<usize> {
    flags.saturating_sub(2).div_ceil(2)..=(flags + 2) / 2
}

/// The energy that suits a map with this number of flags: about 10 for each.
pub(super) const fn energy(flags: usize) -> RangeInclusive<usize> {
    8 * flags..=12 * flags
}

/// What several rows are made of.
struct Survey<'a> {
    map: &'a Map,
    cells: usize,
    /// Hops from each start.
    from_start: Vec<Vec<Option<u16>>>,
    /// Hops from the nearest flag.
    from_flag: Vec<Option<u16>>,
}

impl<'a> Survey<'a> {
    fn of(map: &'a Map) -> Self {
        let (torus, tiles) = (map.torus(), map.tiles());
        let flags = (0..).zip(tiles).filter(|&(_, &tile)| tile == Tile::Flag).map(|(cell, _)| cell);
        Self {
            map,
            cells: torus.cells(),
            from_start: map.starts().iter().map(|start| hops(torus, tiles, [start.cell])).collect(),
            from_flag: hops(torus, tiles, flags),
        }
    }

    fn fair(&self) -> ReportRow {
        let fairness = self.map.fairness();
        let value = if fairness.is_ok() { Measure::Yes } else { Measure::No };
        ReportRow { name: "fair", value, range: Measure::Yes, ok: fairness.is_ok() }
    }

    fn size(&self) -> [ReportRow; 3] {
        [
            count("cells", self.cells, CELLS),
            count("players a side", self.map.team_size(), team_range(self.cells)),
            count("flags", self.count(Tile::Flag), flag_range(self.cells)),
        ]
    }

    fn flags(&self) -> [ReportRow; 4] {
        let flags: Vec<usize> = self.cells_with(|tile| tile == Tile::Flag).collect();
        let lost = flags.iter().filter(|&&flag| self.from_start.iter().all(|hops| hops[flag].is_none())).count();
        let enclosed = self.cells_with(|tile| tile != Tile::Wall).filter(|&cell| self.from_start[0][cell].is_none());
        let nearest = self.map.starts().iter().filter_map(|start| self.from_flag[usize::from(start.cell)]).min();
        let contested = flags.iter().filter(|&&flag| self.is_contested(flag)).count();
        [
            count("flags out of reach", lost, 0..=0),
            count("enclosed cells", enclosed.count(), 0..=0),
            ReportRow {
                name: "hops to the nearest flag",
                value: span(nearest.as_ref(), nearest.as_ref()),
                range: Measure::AtLeast(MIN_HOPS.to_string()),
                ok: nearest.is_some_and(|hops| hops >= MIN_HOPS),
            },
            count("contested flags", contested, contested_range(flags.len())),
        ]
    }

    fn ground(&self) -> [ReportRow; 7] {
        let percent = |name, tiles: &[Tile], range| {
            let part = self.cells_with(|tile| tiles.contains(&tile)).count();
            percent(name, part, self.cells, range)
        };
        let (grass, bare) = if self.cells < SMALL {
            ("grass of the bare ground", self.cells_with(|tile| !is_token(tile)).count())
        } else {
            ("grass", self.cells)
        };
        [
            self::percent(grass, self.count(Tile::Grass), bare, GRASS),
            percent("wall", &[Tile::Wall], OBSTACLE),
            percent("water", &[Tile::Water], OBSTACLE),
            percent("forest", &[Tile::Forest], OBSTACLE),
            percent("mud", &[Tile::Mud], MUD),
            percent("pits and trenches", &[Tile::Pit, Tile::Trench], HOLES),
            self.together(),
        ]
    }

    fn together(&self) -> ReportRow {
        let obstacles = |tile| matches!(tile, Tile::Wall | Tile::Water | Tile::Forest);
        let tiles = self.map.tiles();
        let touches_its_kind = |&cell: &usize| {
            let neighbours = self.map.torus().neighbours(cell as u16);
            neighbours.iter().any(|&next| tiles[usize::from(next)] == tiles[cell])
        };
        let together = self.cells_with(obstacles).filter(touches_its_kind).count();
        percent("in bands and groves", together, self.cells_with(obstacles).count(), TOGETHER..=100)
    }

    fn items(&self) -> [ReportRow; 5] {
        let is_item = |tile| is_token(tile) && tile != Tile::Flag;
        let detours: Vec<_> = self.cells_with(is_item).map(|cell| self.detour(cell)).collect();
        let ok = detours.iter().all(|detour| detour.is_some_and(|detour| DETOUR.contains(&detour)));
        let (min, max) = (detours.iter().flatten().min(), detours.iter().flatten().max());
        [
            count("boats", self.count(Tile::Boat), 2..=2),
            count("axes", self.count(Tile::Axe), 2..=2),
            count("shovels", self.count(Tile::Shovel), 2..=2),
            count("juices", self.count(Tile::Juice), juice(self.cells)),
            ReportRow { name: "hops of detour to items", value: span(min, max), range: range_text(&DETOUR), ok },
        ]
    }

    fn energy(&self) -> [ReportRow; 2] {
        let (torus, tiles, starts) = (self.map.torus(), self.map.tiles(), self.map.starts());
        let shares = Side::BOTH.map(|side| self.share(side));
        let tour = |(player, start): (usize, &Start)| {
            tour(torus, tiles, start.cell, &shares[self.map.side_of(player).index()])
        };
        let tours: Vec<_> = starts.iter().enumerate().map(tour).collect();
        // In tenths, so that no rounding decides: energy times 10 lies within 15 and 25 times the tour.
        let suits = |(energy, tour): (u32, u32)| (15 * tour..=25 * tour).contains(&(10 * energy));
        let pairs = starts.iter().zip(&tours).map(|(start, tour)| Some((u32::from(start.energy), (*tour)?)));
        let factors = pairs.clone().flatten().map(|(energy, tour)| energy * 10 / tour.max(1));
        let factor = |tenths: u32| format!("{}.{}", tenths / 10, tenths % 10);
        let (least, most) = (factors.clone().min().map(factor), factors.max().map(factor));
        let energies = || starts.iter().map(|start| usize::from(start.energy));
        let range = energy(self.count(Tile::Flag));
        [
            ReportRow {
                name: "energy in tours of a share",
                value: span(least.as_ref(), most.as_ref()),
                range: Measure::numbers("1.5-2.5"),
                ok: pairs.clone().all(|pair| pair.is_some_and(suits)),
            },
            ReportRow {
                name: "energy",
                value: span(energies().min().as_ref(), energies().max().as_ref()),
                range: range_text(&range),
                ok: energies().all(|energy| range.contains(&energy)),
            },
        ]
    }

    fn cells_with(&self, wanted: impl Fn(Tile) -> bool) -> impl Iterator<Item = usize> {
        self.map.tiles().iter().enumerate().filter(move |&(_, &tile)| wanted(tile)).map(|(cell, _)| cell)
    }

    fn count(&self, tile: Tile) -> usize {
        self.cells_with(|other| other == tile).count()
    }

    /// Hops to a cell from the nearest player of a side.
    fn team_hops(&self, side: Side, cell: usize) -> Option<u16> {
        let (ones, twos) = self.from_start.split_at(self.map.team_size());
        [ones, twos][side.index()].iter().filter_map(|hops| hops[cell]).min()
    }

    /// Whether a side is no farther from a cell than the other, or so little that it is contested.
    fn has_claim(&self, side: Side, cell: usize) -> bool {
        let (own, other) = (self.team_hops(side, cell), self.team_hops(side.other(), cell));
        own.is_some_and(|own| other.is_none_or(|other| own <= other + CONTESTED))
    }

    fn is_contested(&self, cell: usize) -> bool {
        Side::BOTH.iter().all(|&side| self.has_claim(side, cell))
    }

    /// The flags to which a side has a claim.
    fn share(&self, side: Side) -> Vec<CellIndex> {
        let flags = self.cells_with(|tile| tile == Tile::Flag);
        flags.filter(|&flag| self.has_claim(side, flag)).map(|flag| flag as CellIndex).collect()
    }

    fn detour(&self, item: usize) -> Option<u16> {
        let onwards = self.from_flag[item]?;
        let detours = self.map.starts().iter().zip(&self.from_start).filter_map(|(start, hops)| {
            let direct = self.from_flag[usize::from(start.cell)]?;
            Some(hops[item]? + onwards - direct)
        });
        detours.min()
    }
}

/// Whether this is a thing that lies on grass.
pub(super) const fn is_token(tile: Tile) -> bool {
    matches!(tile, Tile::Flag | Tile::Boat | Tile::Axe | Tile::Juice | Tile::Shovel)
}

/// Whether `part` of `whole` is a percentage in this range.
pub(super) fn is_percent(part: usize, whole: usize, range: &RangeInclusive<usize>) -> bool {
    (range.start() * whole..=range.end() * whole).contains(&(100 * part))
}

fn count(name: &'static str, value: usize, range: RangeInclusive<usize>) -> ReportRow {
    ReportRow { name, value: Measure::numbers(value), range: range_text(&range), ok: range.contains(&value) }
}

fn percent(name: &'static str, part: usize, whole: usize, range: RangeInclusive<usize>) -> ReportRow {
    let tenths = (1000 * part + whole / 2).checked_div(whole).unwrap_or(0);
    let value = Measure::Numbers(format!("{}.{} %", tenths / 10, tenths % 10));
    let percents = Measure::Numbers(format!("{} %", range_text(&range)));
    ReportRow { name, value, range: percents, ok: is_percent(part, whole, &range) }
}

fn range_text<T: Display + PartialEq>(range: &RangeInclusive<T>) -> Measure {
    span(Some(range.start()), Some(range.end()))
}

fn span<T: Display + PartialEq>(min: Option<&T>, max: Option<&T>) -> Measure {
    match (min, max) {
        (Some(min), Some(max)) if min == max => Measure::numbers(min),
        (Some(min), Some(max)) => Measure::Numbers(format!("{min}-{max}")),
        _ => Measure::numbers("-"),
    }
}
