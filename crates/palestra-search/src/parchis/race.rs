//! Our strong evaluation of Parchís: a race with accidents.
//!
//! Everything is measured in steps. Each colour has a way to go, longer than its distances say where pieces wait at home
//! or behind walls, shorter where good dice are left. The first colour to arrive wins for its player, so of a player's
//! two colours the one ahead counts in full and the other less. Then come the accidents: whoever can be eaten loses
//! the way behind it, and the eater is given twenty steps; how likely that is depends on when the eater's turn comes.

use palestra_games::parchis::{Colour, Die, Parchis, Place};
use palestra_games::{Game, Side};

use super::ring::Ring;
use super::table::by_place;
use crate::{Guide, Score, Tunable, Weight};

/// The race: how far each colour has come, and what may befall its pieces. A step is worth 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    trailer: Score,
    home: Score,
    safe: Score,
    wall: Score,
    blocked: Score,
    pips: Score,
    five: Score,
    six: Score,
    arrival: Score,
    bonus: Score,
    turn: Score,
    /// How likely a colour eats whom it can, by the number of turns until its own.
    strikes: [Score; 4],
}

/// What one step of the leading colour is worth; weights are in this unit.
const STEP: Score = 64;

/// The bonus for eating, in steps.
const PRIZE: Score = 20;

impl Default for Race {
    fn default() -> Self {
        Self::from_weights(Self::WEIGHTS.iter().map(|weight| weight.tuned))
    }
}

impl Race {
    /// Weights in the order of [`Tunable::WEIGHTS`]; any that are missing are 0.
    fn from_weights(weights: impl IntoIterator<Item = Score>) -> Self {
        let mut weights = weights.into_iter();
        let mut next = || weights.next().unwrap_or(0);
        Self {
            trailer: next(),
            home: next(),
            safe: next(),
            wall: next(),
            blocked: next(),
            pips: next(),
            five: next(),
            six: next(),
            arrival: next(),
            bonus: next(),
            turn: next(),
            strikes: {
                let [now, soon, late] = [next(), next(), next()];
                [now, soon, late, late]
            },
        }
    }

    /// How far player 1 is ahead.
    #[inline]
    fn ahead(&self, position: &Parchis) -> Score {
        let ring = Ring::of(position);
        let progress = Colour::ALL.map(|colour| self.progress(position, &ring, colour));
        let rates = self.rates(progress);
        let mut ahead = 0;
        for colour in Colour::ALL {
            let index = colour.index();
            let prospects = rates[index] * progress[index] + self.prospects(position, &ring, rates, colour);
            ahead += signed(colour, prospects);
        }
        ahead / STEP + signed(position.colour(), self.turn)
    }

    /// How far a colour has come: the negative of the way it has to go.
    #[inline]
    fn progress(&self, position: &Parchis, ring: &Ring, colour: Colour) -> Score {
        let places = position.places(colour);
        let steps = ring.steps(position, colour);
        let before = ring.ahead(colour);
        let distances = &DISTANCES[colour.index()];
        let (mut distance, mut safe, mut arrivals, mut blocked) = (0, 0, 0, 0);
        for (piece, place) in places.into_iter().enumerate() {
            let code = usize::from(place.code()) % 128;
            distance += Score::from(distances[code]);
            safe += Score::from(SAFE[code]);
            arrivals += Score::from(ARRIVALS[code] & steps.of(piece) != 0);
            blocked += Score::from(before.walls(place) != 0);
        }
        let home = places.into_iter().filter(|&place| place == Place::HOME).count() as Score;
        let pool = position.pool(colour);
        let pips = Score::from(PIPS[usize::from(pool % 64)]);
        let five = Score::from(pool >> 4 & 1) * Score::from(home > 0);
        let six = Score::from(pool >> 5 & 1);
        let bonus = BONUSES[usize::from(pool >> 6)];
        self.safe * safe
            + self.arrival * arrivals
            + self.wall * ring.walls(colour) as Score
            + self.pips * pips
            + self.five * five
            + self.six * six
            + self.bonus * bonus
            - STEP * distance
            - self.home * home
            - self.blocked * blocked
    }

    /// How much a step of each colour counts.
    #[inline]
    fn rates(&self, [yellow, blue, red, green]: [Score; 4]) -> [Score; 4] {
        let pair = |one: Score, two: Score| if one >= two { [STEP, self.trailer] } else { [self.trailer, STEP] };
        let ([yellow, red], [blue, green]) = (pair(yellow, red), pair(blue, green));
        [yellow, blue, red, green]
    }

    /// What a colour may win by eating. To eat the partner's piece can be worth it too: then for the difference.
    #[inline]
    fn prospects(&self, position: &Parchis, ring: &Ring, rates: [Score; 4], colour: Colour) -> Score {
        let before = ring.ahead(colour);
        let steps = ring.steps(position, colour);
        let mut sum = 0;
        for (piece, place) in position.places(colour).into_iter().enumerate() {
            let mut prey = before.prey(place, before.walls(place)) & steps.of(piece);
            while prey != 0 {
                let square = (place.code() + prey.trailing_zeros() as u8) % 68 + 1;
                sum += prize(rates, colour, ring.owner(square), square);
                prey &= prey - 1;
            }
        }
        let turns = (4 + colour.index() - position.colour().index()) % 4;
        sum * self.strikes[turns]
    }
}

impl Guide<Parchis> for Race {
    const ANTISYMMETRIC: bool = true;

    #[inline]
    fn score(&self, position: &Parchis, side: Side) -> Score {
        let ahead = self.ahead(position);
        if side == Side::One { ahead } else { -ahead }
    }

    /// Wins first; then eating, arriving, going on with a 6, coming out, and getting to safety; among such the longer way.
    #[inline]
    fn hint(&self, position: &Parchis, mv: <Parchis as Game>::Move, child: &Parchis) -> i32 {
        let six = if mv.die().value() == 6 { 30 } else { 0 };
        let Some(piece) = mv.piece() else { return six };
        let colour = mv.colour();
        let place = |position: &Parchis| position.places(colour)[usize::from(piece) % 4];
        let (from, to) = (place(position), place(child));
        let way = |place: Place| i32::from(DISTANCES[colour.index()][usize::from(place.code()) % 128]);
        let shelter = |place: Place| if place.is_safe() || place.ring().is_none() { 12 } else { 0 };
        let mut hint = six + way(from) - way(to) + shelter(to) - shelter(from);
        if child.ate() {
            let partner = child.eaten().is_some_and(|(eaten, _)| eaten.side() == colour.side());
            hint += if partner { 10 } else { 100 };
        }
        if child.reached_goal() {
            hint += 60;
        }
        if from == Place::HOME {
            hint += 30;
        }
        if child.outcome().is_some() {
            hint += 1000;
        }
        hint
    }
}

impl Tunable<Parchis> for Race {
    const WEIGHTS: &'static [Weight] = &[
        // A step of the player's colour that is behind, against 64 for one of the colour ahead.
        Weight { name: "trailer", tuned: 32, plain: 64, step: 8 },
        // A piece at home, which only a 5 brings out.
        Weight { name: "home", tuned: 256, plain: 0, step: 64 },
        // A piece on a safe square.
        Weight { name: "safe", tuned: 64, plain: 0, step: 32 },
        // A wall on the ring.
        Weight { name: "wall", tuned: 32, plain: 0, step: 32 },
        // A piece with a wall of another colour close before it.
        Weight { name: "blocked", tuned: 96, plain: 0, step: 32 },
        // A pip on the dice left in a pool.
        Weight { name: "pips", tuned: 16, plain: 0, step: 8 },
        // A 5 in the pool while a piece is at home.
        Weight { name: "five", tuned: 64, plain: 0, step: 32 },
        // A 6 in the pool: another turn.
        Weight { name: "six", tuned: 96, plain: 0, step: 32 },
        // A piece that a die in the pool brings to the goal.
        Weight { name: "arrival", tuned: 96, plain: 0, step: 32 },
        // A step of a bonus not yet used.
        Weight { name: "bonus", tuned: 56, plain: 0, step: 8 },
        // Being on turn.
        Weight { name: "turn", tuned: 128, plain: 0, step: 64 },
        // How likely the colour on turn eats whom it can, in 64ths.
        Weight { name: "strike_now", tuned: 32, plain: 0, step: 8 },
        // The same for the colour that comes next.
        Weight { name: "strike_next", tuned: 12, plain: 0, step: 4 },
        // The same for the others.
        Weight { name: "strike_later", tuned: 4, plain: 0, step: 2 },
    ];

    fn with_weights(_: &Parchis, weights: &[Score]) -> Self {
        Self::from_weights(weights.iter().copied())
    }
}

/// What it is worth to a colour's player that it eats this piece, in steps times rates.
#[inline]
fn prize(rates: [Score; 4], eater: Colour, victim: Colour, square: u8) -> Score {
    let distances = &DISTANCES[victim.index()];
    let lost = Score::from(distances[0]) - Score::from(distances[usize::from(square) % 128]);
    let (won, lost) = (PRIZE * rates[eater.index()], lost * rates[victim.index()]);
    if victim.side() == eater.side() { (won - lost).max(0) } else { won + lost }
}

/// A colour's points as player 1 sees them.
#[inline]
fn signed(colour: Colour, points: Score) -> Score {
    match colour.side() {
        Side::One => points,
        Side::Two => -points,
    }
}

/// The steps to the goal.
static DISTANCES: [[u8; 128]; 4] = [
    by_place!(place => place.distance_to_goal(Colour::Yellow)),
    by_place!(place => place.distance_to_goal(Colour::Blue)),
    by_place!(place => place.distance_to_goal(Colour::Red)),
    by_place!(place => place.distance_to_goal(Colour::Green)),
];

/// 1 where nobody is eaten, of the ring.
static SAFE: [u8; 128] = by_place!(place => place.is_safe() as u8);

/// The steps that end in the goal exactly, bit 0 for one step.
static ARRIVALS: [u8; 128] = by_place!(place => match place.queue() {
    Some(square) => 1 << (palestra_games::parchis::QUEUE - square),
    None => 0,
});

/// The sum of the dice in a pool.
static PIPS: [u8; 64] = pips();

/// The steps of the bonus in a pool, by its two upper bits.
const BONUSES: [Score; 4] = [0, 10, 20, 20];

const fn pips() -> [u8; 64] {
    let mut table = [0; 64];
    let mut pool = 0;
    while pool < 64 {
        let mut die = 0;
        while die < 6 {
            if pool >> die & 1 == 1 {
                table[pool] += Die::ALL[die].value();
            }
            die += 1;
        }
        pool += 1;
    }
    table
}
