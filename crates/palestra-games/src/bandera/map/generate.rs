//! Fair maps from a seed.
//!
//! A map is painted in pairs of opposite cells, so that it is fair by construction: first bands of wall and water and
//! groves of forest, by random walks; then mud on the banks, holes, the starts, and last flags and items where the
//! guidelines want them. What no construction gives for certain (nothing enclosed, tours that suit the energy) is tried
//! again until the [report](MapReport) is content.
//!
//! Only integers are drawn, from a generator of our own: a seed gives the same map on every machine, for ever.

use super::mapfile::check_playable;
use super::report::{MapReport, size_misses};
use super::sketch::{Random, Sketch};
use super::{MAX_TEAM, Map};
use crate::bandera::torus::{InvalidSize, Torus};
use crate::hash::mix;
use crate::rng::Rng;

/// The number of cells painted, over all attempts, before the generator gives up: a standard map takes a few attempts of some hundred cells.
const MAX_PAINTED_CELLS: usize = 200_000;

/// What a generated map should be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapPlan {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub cols: usize,
    /// Players a team.
    pub team_size: usize,
}

/// A plan of which no map can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// The board has no such size.
    #[error(transparent)]
    Size(#[from] InvalidSize),
    /// A team without players, or with too many.
    #[error("{0} players a team: there must be 1 to {MAX_TEAM}")]
    TeamSize(usize),
    /// The board is too small for what should lie on it, or luck was against it.
    #[error("no playable map found in {0} attempts: try another seed, or a larger board if it is small")]
    NoRoom(usize),
}

impl MapPlan {
    /// The plans that the guidelines name.
    pub const STANDARD: [Self; 4] = [
        Self { rows: 8, cols: 8, team_size: 1 },
        Self { rows: 10, cols: 12, team_size: 2 },
        Self { rows: 12, cols: 16, team_size: 3 },
        Self { rows: 16, cols: 20, team_size: 4 },
    ];
}

/// The map of this plan that the seed stands for: always fair and playable, and for the standard plans within all
/// guidelines. For others it is the best map found; its [`MapReport`] says which guidelines it misses.
pub fn generate(seed: u64, plan: MapPlan) -> Result<Map, GenerateError> {
    let torus = Torus::new(plan.rows, plan.cols)?;
    if !(1..=MAX_TEAM).contains(&plan.team_size) {
        return Err(GenerateError::TeamSize(plan.team_size));
    }
    let attempts = (MAX_PAINTED_CELLS / torus.cells()).max(8);
    let unavoidable = size_misses(torus.cells(), plan.team_size);
    let mut best: Option<(usize, Map)> = None;
    for attempt in 0..attempts {
        let random = Random(Rng::new(mix(seed ^ mix(attempt as u64))));
        let Some(map) = playable(Sketch::new(&torus, random), plan) else { continue };
        let misses = MapReport::of(&map).rows().iter().filter(|row| !row.ok).count();
        if best.as_ref().is_none_or(|(least, _)| misses < *least) {
            best = Some((misses, map));
        }
        if misses == unavoidable {
            break;
        }
    }
    best.map(|(_, map)| map).ok_or(GenerateError::NoRoom(attempts))
}

fn playable(sketch: Sketch<'_>, plan: MapPlan) -> Option<Map> {
    let (tiles, starts) = sketch.finish(plan.team_size)?;
    let map = Map::new(plan.rows, plan.cols, tiles, starts).ok()?;
    check_playable(&map).ok()?;
    Some(map)
}
