//! The strong evaluation: the rest of the game imagined as a race for each flag.

use arrayvec::ArrayVec;
use palestra_games::bandera::{Action, Bandera, CellIndex, MAX_TEAM, Order, Player, Tile};
use palestra_games::{Game, Side};

use super::ground::{Ground, NO_WAY, cells_with, keep_nearest};
use super::items::Items;
use super::ways::{Way, WayTable};
use crate::{Guide, Score, Tunable, Weight};

/// The most flags raced for. On a map with more, those nearest to a player when the guide is made; the others count
/// once they are captured, or once a later guide finds them near.
pub const MAX_FLAGS: usize = 32;

/// How far rivals are looked for, in hops: a flag further from them can wait as long as any.
const RIVALRY: Score = 16;

/// What a move is worth when ways are compared; energy and urgency are weighed against it.
const MOVE: Score = 16;

/// What a flag is worth.
pub(super) const FLAG: Score = 1000;

/// A side has more than half of all flags: nothing but the margin is open.
const DECIDED: Score = 1 << 24;

/// Plays the rest of the game out in thought, a flag at a time. Each team makes one move a turn, so its captures come
/// one after the other: it sends the player with the best way to a flag that it can pay for, then the next. The team
/// that is first at its flag has it, from there its player goes on, and the other team is taken never to have tried.
/// What is captured so counts for less than what is captured already, the less the later.
///
/// Beyond that: who is going to win, energy, tools, and items near to a player. The ways are computed when the guide is
/// made, from the tiles as they are then: a guide is good for some moves, not for a whole game.
#[derive(Clone, Debug)]
pub struct Races {
    weights: Weights,
    flags: ArrayVec<CellIndex, MAX_FLAGS>,
    ways: WayTable,
    items: Items,
}

/// The weights by name; [`Races::WEIGHTS`] says what they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub(super) flag: Score,
    pub(super) near: Score,
    pub(super) promise: Score,
    pub(super) patience: Score,
    pub(super) lead: Score,
    pub(super) energy: Score,
    pub(super) boat: Score,
    pub(super) axe: Score,
    pub(super) attraction: Score,
    pub(super) toll: Score,
    pub(super) urgency: Score,
}

const fn weight(name: &'static str, tuned: Score, plain: Score, step: Score) -> Weight {
    Weight { name, tuned, plain, step }
}

impl Tunable<Bandera> for Races {
    const WEIGHTS: &'static [Weight] = &[
        // A flag captured.
        weight("flag", FLAG, FLAG, 100),
        // A hop nearer to the team's best next flag.
        weight("near", 8, 10, 2),
        // A flag that will be captured.
        weight("promise", 900, 0, 50),
        // The number of moves after which a promise is worth half: always less, never nothing.
        weight("patience", 50, 50, 10),
        // More flags at the end than the other team.
        weight("lead", 500, 0, 100),
        // A unit of energy.
        weight("energy", 2, 0, 1),
        // A boat in a player's hands, of however many units.
        weight("boat", 10, 0, 5),
        // An axe.
        weight("axe", 10, 0, 5),
        // How much of an item's worth a player beside it has already, in percent.
        weight("attraction", 50, 0, 10),
        // What a unit of energy is worth when ways are compared; a move is worth 16.
        weight("toll", 1, 0, 1),
        // What a rival's distance to a flag is worth likewise, a hop: flags near to rivals come first.
        weight("urgency", 4, 0, 2),
    ];

    fn with_weights(position: &Bandera, weights: &[Score]) -> Self {
        let ground = Ground::new(position);
        let from_players = ground.hops(position.players().iter().map(|player| player.cell));
        let mut flags = cells_with(position, |tile| tile == Tile::Flag);
        keep_nearest(&mut flags, &from_players, MAX_FLAGS);
        Self {
            weights: Weights::new(weights),
            ways: WayTable::new(position, &ground, &flags),
            flags: flags.into_iter().collect(),
            items: Items::new(position, &ground, &from_players),
        }
    }
}

impl Weights {
    /// Weights in the order of [`Races::WEIGHTS`]; missing ones have their tuned values.
    fn new(given: &[Score]) -> Self {
        let weight = |index: usize| given.get(index).copied().unwrap_or(Races::WEIGHTS[index].tuned);
        Self {
            flag: weight(0),
            near: weight(1),
            promise: weight(2),
            patience: weight(3).max(1),
            lead: weight(4),
            energy: weight(5),
            boat: weight(6),
            axe: weight(7),
            attraction: weight(8),
            toll: weight(9),
            urgency: weight(10),
        }
    }
}

impl Races {
    /// The evaluation for a game that stands at `position`, as tuned.
    #[must_use]
    pub fn new(position: &Bandera) -> Self {
        Self::with_weights(position, &[])
    }

    /// How much better off team 1 is.
    fn balance(&self, position: &Bandera) -> Score {
        let [one, two] = position.points();
        let all = one + two + Score::from(position.flags_left());
        let decided = Score::from(2 * one > all) - Score::from(2 * two > all);
        let [first, second] = Side::BOTH.map(|side| self.belongings(position, side));
        decided * DECIDED + (one - two) * self.weights.flag + first - second
            + self.items.balance(position, &self.weights)
            + Race::new(self, position).run(one - two)
    }

    /// What the players of a side have.
    fn belongings(&self, position: &Bandera, side: Side) -> Score {
        let Weights { energy, boat, axe, .. } = self.weights;
        let worth = |player: &Player| {
            let tools = boat * Score::from(player.boat > 0) + axe * Score::from(player.axe > 0);
            // Tools are of no use to the dead.
            energy * Score::from(player.energy) + if player.energy > 0 { tools } else { 0 }
        };
        position.players()[position.team(side)].iter().map(worth).sum()
    }

    /// The flags on the board, a bit each.
    #[inline]
    fn flags_left(&self, position: &Bandera) -> u32 {
        let is_left = |&cell: &CellIndex| u32::from(position.tile(cell) == Tile::Flag);
        self.flags.iter().rev().fold(0, |left, cell| left << 1 | is_left(cell))
    }

    /// Hops from a cell to the nearest flag left.
    #[inline]
    fn nearest(&self, position: &Bandera, player: &Player, cell: CellIndex) -> i32 {
        let mut nearest = NO_WAY;
        for (&flag, ways) in self.flags.iter().zip(self.ways.ways(self.ways.start(player, cell))) {
            // Most are too far to ask whether they are still there.
            if ways.fast.hops < nearest && position.tile(flag) == Tile::Flag {
                nearest = ways.fast.hops;
            }
        }
        i32::from(nearest)
    }
}

impl Guide<Bandera> for Races {
    const ANTISYMMETRIC: bool = true;

    #[inline]
    fn score(&self, position: &Bandera, side: Side) -> Score {
        let balance = self.balance(position);
        if side == Side::One { balance } else { -balance }
    }

    /// Captures, then items, then steps by how near they lead to a flag, and digging last.
    fn hint(&self, position: &Bandera, mv: Order) -> i32 {
        if mv.action() == Action::Dig {
            return -1000;
        }
        let player = &position.players()[mv.player() - 1];
        let target = position.torus().neighbours(player.cell)[usize::from(mv.action().number()) - 1];
        match position.tile(target) {
            Tile::Flag => 1000,
            Tile::Boat | Tile::Axe | Tile::Juice => 100,
            _ => {
                let [from, to] = [player.cell, target].map(|cell| self.nearest(position, player, cell));
                // Of two steps that lead nearer, the one of the player with less far to go.
                (from - to) * 20 - to.min(19)
            }
        }
    }
}

/// The rest of the game as it is imagined.
struct Race<'a> {
    guide: &'a Races,
    /// Flags not yet captured, a bit each.
    left: u32,
    teams: [Team; 2],
    /// Who wins a race that takes both as many moves.
    mover: Side,
}

/// A team in a race.
struct Team {
    runners: ArrayVec<Runner, MAX_TEAM>,
    /// Moves that the team has made in the race.
    clock: Score,
    /// How far the other team's nearest player is from each flag at first, up to [`RIVALRY`].
    rivals: [u8; MAX_FLAGS],
}

/// A player in a race.
struct Runner {
    player: Player,
    /// Where its ways begin.
    start: usize,
    goal: Goal,
}

/// The flag to which a player would go next.
#[derive(Clone, Copy)]
struct Goal {
    flag: usize,
    way: Way,
    /// The lower the better.
    rank: Score,
}

impl Goal {
    const NONE: Self = Self { flag: MAX_FLAGS, way: Way { hops: NO_WAY, energy: 0 }, rank: Score::MAX };
}

impl<'a> Race<'a> {
    fn new(guide: &'a Races, position: &Bandera) -> Self {
        let runner = |player: &Player| {
            let player = *player;
            Runner { player, start: guide.ways.start(&player, player.cell), goal: Goal::NONE }
        };
        let alive = |player: &&Player| player.energy > 0;
        let teams = Side::BOTH.map(|side| Team {
            runners: position.players()[position.team(side)].iter().filter(alive).map(runner).collect(),
            clock: 0,
            rivals: [RIVALRY as u8; MAX_FLAGS],
        });
        let mut race = Self { guide, left: guide.flags_left(position), teams, mover: position.turn() };
        race.meet_rivals();
        race.set_goals(|_| true);
        race
    }

    fn meet_rivals(&mut self) {
        for side in Side::BOTH {
            let [own, other] = self.teams.get_disjoint_mut([side.index(), side.other().index()]).expect("two teams");
            for runner in &other.runners {
                for (rival, ways) in own.rivals.iter_mut().zip(self.guide.ways.ways(runner.start)) {
                    *rival = ways.fast.hops.min(u16::from(*rival)) as u8;
                }
            }
        }
    }

    /// Gives the runners whose goal is such a new one.
    fn set_goals(&mut self, such: impl Fn(&Goal) -> bool) {
        for team in &mut self.teams {
            for runner in &mut team.runners {
                if such(&runner.goal) {
                    runner.goal = self.guide.goal(runner, &team.rivals, self.left);
                }
            }
        }
    }

    /// Runs to the end: what the race is worth to team 1, which is `ahead` by this number of flags now.
    fn run(mut self, ahead: Score) -> Score {
        let Weights { near, promise, patience, lead, .. } = self.guide.weights;
        let [one, two] =
            Side::BOTH.map(|side| self.next(side).map_or(2 * RIVALRY, |(moves, _)| moves.min(2 * RIVALRY)));
        let mut balance = near * (two - one);
        let mut final_lead = ahead;
        while let Some((side, moves, runner)) = self.first() {
            let sign = if side == Side::One { 1 } else { -1 };
            balance += sign * promise * patience / (patience + moves);
            final_lead += sign;
            self.capture(side, runner);
        }
        balance + lead * final_lead.signum()
    }

    /// When a team captures its next flag, and which runner does.
    #[inline]
    fn next(&self, side: Side) -> Option<(Score, usize)> {
        let team = &self.teams[side.index()];
        let (index, runner) = team.runners.iter().enumerate().min_by_key(|(_, runner)| runner.goal.rank)?;
        (runner.goal.rank < Score::MAX).then(|| (team.clock + Score::from(runner.goal.way.hops), index))
    }

    /// The next capture: the team, the moves it has made by then, the runner.
    #[inline]
    fn first(&self) -> Option<(Side, Score, usize)> {
        let [mover, other] =
            [self.mover, self.mover.other()].map(|side| self.next(side).map(|(moves, runner)| (side, moves, runner)));
        match (mover, other) {
            (Some(mover), Some(other)) => Some(if mover.1 <= other.1 { mover } else { other }),
            (mover, other) => mover.or(other),
        }
    }

    fn capture(&mut self, side: Side, runner: usize) {
        let team = &mut self.teams[side.index()];
        let runner = &mut team.runners[runner];
        let Goal { flag, way, .. } = runner.goal;
        team.clock += Score::from(way.hops);
        runner.player.energy -= way.energy;
        runner.start = self.guide.ways.start(&runner.player, self.guide.flags[flag]);
        self.left &= !(1 << flag);
        self.set_goals(|goal| goal.flag == flag);
    }
}

impl Races {
    /// The best of the flags left for a runner: the fewest moves, energy and urgency considered.
    fn goal(&self, runner: &Runner, rivals: &[u8; MAX_FLAGS], left: u32) -> Goal {
        let Weights { toll, urgency, .. } = self.weights;
        let ways = self.ways.ways(runner.start);
        let mut best = Goal::NONE;
        for flag in bits(left) {
            let wait = urgency * Score::from(rivals[flag]);
            for way in [ways[flag].fast, ways[flag].cheap] {
                let rank = MOVE * Score::from(way.hops) + toll * Score::from(way.energy) + wait;
                if rank < best.rank && way.energy <= runner.player.energy {
                    best = Goal { flag, way, rank };
                }
            }
        }
        best
    }
}

/// The numbers of the bits that are set, from the lowest.
#[inline]
fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}
