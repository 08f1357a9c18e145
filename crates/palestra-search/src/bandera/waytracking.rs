//! The evaluation of a student's program of 2009, as documented.

use palestra_games::bandera::{Bandera, CellIndex, Tile};
use palestra_games::{Game, Outcome, Side};

use super::ground::{Ground, NO_WAY, cells_with};
use crate::{Guide, Score};

/// The most distances kept: 32 flags on the largest map. More would take longer to make than a move should.
const MAX_DISTANCES: usize = 1 << 19;

/// Flags captured, then how near each team is to a flag, in hops over cells that are no wall. MAX gives up flags to
/// which MIN is nearer, MIN gives up none: the score for one side is not the negative of the other's.
///
/// The original computed the distances from each flag once a game; so does this. On a map with too many flags to keep
/// them all, each score measures its own distances from the players: slower, and exactly the same.
#[derive(Clone, Debug)]
pub struct Waytracking {
    ground: Ground,
    /// The flags there were when the guide was made.
    flags: Box<[CellIndex]>,
    /// Hops by cell, then by flag; empty if there are too many.
    hops: Box<[u16]>,
}

impl Waytracking {
    /// The evaluation for a game that stands at `position`.
    #[must_use]
    pub fn new(position: &Bandera) -> Self {
        let ground = Ground::new(position);
        let flags = cells_with(position, |tile| tile == Tile::Flag);
        let keep = ground.cells() * flags.len() <= MAX_DISTANCES;
        let hops = if keep { hops_by_cell(&ground, &flags) } else { Vec::new() };
        Self { ground, flags: flags.into(), hops: hops.into() }
    }

    /// The distance of MAX, which is `side`, to the nearest flag that it does not give up, and that of MIN to the nearest
    /// flag. Where there is none, the number of cells.
    #[must_use]
    pub fn distances(&self, position: &Bandera, side: Side) -> (Score, Score) {
        let Nearest { hopeful, own, other } = self.nearest(position, side);
        (self.or_far(if hopeful == NO_WAY { own } else { hopeful }), self.or_far(other))
    }

    /// How many cells the board has.
    pub(super) fn cells(&self) -> Score {
        self.ground.cells() as Score
    }

    /// The distance as a score: where there is no way, the number of cells.
    pub(super) fn or_far(&self, hops: u16) -> Score {
        if hops == NO_WAY { self.cells() } else { Score::from(hops) }
    }

    /// The least distances to flags left.
    pub(super) fn nearest(&self, position: &Bandera, side: Side) -> Nearest {
        let [own, other] = [side, side.other()].map(|side| position.team(side).filter(|&it| position.can_walk(it)));
        if self.hops.is_empty() {
            let [own, other] = [own.collect::<Vec<_>>(), other.collect()]
                .map(|team| self.ground.hops(team.iter().map(|&index| position.players()[index].cell)));
            let teams = self.flags_left(position).map(|(_, flag)| (own[usize::from(flag)], other[usize::from(flag)]));
            return Nearest::of(teams);
        }
        let to_flag =
            |team: &[usize], flag: usize| team.iter().map(|&offset| self.hops[offset + flag]).min().unwrap_or(NO_WAY);
        let offset = |index: usize| usize::from(position.players()[index].cell) * self.flags.len();
        let [own, other] = [own.map(offset).collect::<Team>(), other.map(offset).collect()];
        Nearest::of(self.flags_left(position).map(|(flag, _)| (to_flag(&own, flag), to_flag(&other, flag))))
    }

    /// The flags still on the board: their numbers and cells.
    fn flags_left(&self, position: &Bandera) -> impl Iterator<Item = (usize, CellIndex)> {
        let flags = self.flags.iter().copied().enumerate();
        flags.filter(|&(_, cell)| position.tile(cell) == Tile::Flag)
    }
}

/// The least distances to flags left; [`NO_WAY`] where there is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// That of the own team to a flag to which the other team is not nearer.
    hopeful: u16,
    /// That of the own team to any flag.
    pub(super) own: u16,
    /// That of the other team to any flag.
    pub(super) other: u16,
}

impl Nearest {
    /// Given the distances of the own team and of the other to each flag.
    fn of(flags: impl Iterator<Item = (u16, u16)>) -> Self {
        let mut nearest = Self { hopeful: NO_WAY, own: NO_WAY, other: NO_WAY };
        for (to_own, to_other) in flags {
            nearest.other = nearest.other.min(to_other);
            nearest.own = nearest.own.min(to_own);
            if to_own <= to_other {
                nearest.hopeful = nearest.hopeful.min(to_own);
            }
        }
        nearest
    }
}

/// Where in the table the distances of each counting player of a team begin.
type Team = arrayvec::ArrayVec<usize, { palestra_games::bandera::MAX_TEAM }>;

fn hops_by_cell(ground: &Ground, flags: &[CellIndex]) -> Vec<u16> {
    let mut table = vec![NO_WAY; ground.cells() * flags.len()];
    for (number, &flag) in flags.iter().enumerate() {
        let places = table[number..].iter_mut().step_by(flags.len());
        for (place, hops) in places.zip(ground.hops([flag])) {
            *place = hops;
        }
    }
    table
}

impl Guide<Bandera> for Waytracking {
    const ANTISYMMETRIC: bool = false;

    fn score(&self, position: &Bandera, side: Side) -> Score {
        let (own, other) = self.distances(position, side);
        let points = position.points();
        self.cells() * (points[side.index()] - points[side.other().index()]) + other - own
    }

    /// The formula holds for finished positions too.
    fn finished(&self, position: &Bandera, _: Outcome, side: Side) -> Score {
        self.score(position, side)
    }
}
