//! Our strong evaluation of Parchís: a race with accidents.
//!
//! Everything is measured in steps. Each colour has a way to go, longer than its distances say where pieces wait at home
//! or behind walls, shorter where good dice are left. The first colour to arrive wins for its player, so of a player's
//! two colours the one ahead counts in full and the other less. Then come the accidents: a piece that can be eaten loses
//! the way behind it, and the eater is given twenty steps; how likely that is depends on when the eater's turn comes.

use std::cmp::Ordering;

use palestra_games::parchis::{Colour, Move, PIECES, Parchis, Place};
use palestra_games::{Game, Outcome, Side};

use super::ring::{Ring, after, arrives};
use crate::{Guide, Score, Tunable, Weight};

/// The race: how far each colour has come, and what may befall its pieces. A step is worth 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    trailer: Score,
    wall: Score,
    blocked: Score,
    exit: Score,
    arrival: Score,
    bonus: Score,
    turn: Score,
    /// How likely a colour eats whom it can, by the number of turns until its own.
    strikes: [Score; 4],
    /// What the dice left in a pool are worth, by their bits.
    pools: [Score; 64],
    /// By colour and place: what a piece is worth, apart from all other pieces.
    places: [[Score; 128]; 4],
}

/// How a colour stands.
struct Outlook {
    /// How far it has come: the negative of the way it has to go.
    progress: Score,
    /// The steps with which each piece can eat, bit 0 for one step.
    prey: [u8; PIECES],
}

/// What one step of the leading colour is worth; weights are in this unit.
pub(super) const STEP: Score = 64;

/// The hint for a move that ends the game: beyond all others.
const DECISIVE: i32 = 1 << 24;

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
        let [trailer, home, safe, wall, blocked, exit, arrival, bonus, turn] = std::array::from_fn(|_| next());
        let [now, soon, late] = std::array::from_fn(|_| next());
        Self {
            trailer,
            wall,
            blocked,
            exit,
            arrival,
            bonus,
            turn,
            strikes: [now, soon, late, late],
            pools: pools(std::array::from_fn(|_| next())),
            places: Colour::ALL.map(|colour| places(colour, home, safe)),
        }
    }

    /// How far player 1 is ahead.
    #[inline]
    fn ahead(&self, position: &Parchis) -> Score {
        let ring = Ring::of(position);
        let outlooks = Colour::ALL.map(|colour| self.outlook(position, &ring, colour));
        let rates = self.rates(outlooks.each_ref().map(|outlook| outlook.progress));
        let mut ahead = 0;
        for (colour, outlook) in Colour::ALL.into_iter().zip(&outlooks) {
            let race = rates[colour.index()] * outlook.progress;
            ahead += signed(colour, race + self.prospects(position, &ring, rates, colour, outlook.prey));
        }
        ahead / STEP + signed(position.colour(), self.turn)
    }

    #[inline]
    fn outlook(&self, position: &Parchis, ring: &Ring, colour: Colour) -> Outlook {
        let steps = ring.steps(position, colour);
        let before = ring.ahead(colour);
        let (mut progress, mut home) = (0, false);
        let mut prey = [0; PIECES];
        for (piece, place) in position.places(colour).into_iter().enumerate() {
            let (walls, steps) = (before.walls(place), steps.of(piece));
            prey[piece] = before.prey(place, walls) & steps;
            progress += self.standing(colour, place) + self.arrival * Score::from(arrives(place, steps))
                - self.blocked * Score::from(walls != 0);
            home |= place == Place::HOME;
        }
        let pool = position.pool(colour);
        let exit = Score::from(home && pool >> 4 & 1 == 1);
        progress += self.stock(pool) + self.exit * exit + self.wall * ring.walls(colour) as Score;
        Outlook { progress, prey }
    }

    /// What a pool is worth, its bonus included.
    #[inline]
    fn stock(&self, pool: u8) -> Score {
        self.pools[usize::from(pool % 64)] + self.bonus * BONUSES[usize::from(pool >> 6)]
    }

    /// What a piece is worth where it stands, apart from all other pieces.
    #[inline]
    fn standing(&self, colour: Colour, place: Place) -> Score {
        self.places[colour.index()][usize::from(place.code()) % 128]
    }

    /// What a piece loses when it is eaten here.
    #[inline]
    fn fall(&self, colour: Colour, place: Place) -> Score {
        self.standing(colour, place) - self.standing(colour, Place::HOME)
    }

    /// How much a step of each colour counts.
    #[inline]
    fn rates(&self, [yellow, blue, red, green]: [Score; 4]) -> [Score; 4] {
        let pair = |one: Score, two: Score| match one.cmp(&two) {
            Ordering::Greater => [STEP, self.trailer],
            Ordering::Less => [self.trailer, STEP],
            Ordering::Equal => [(STEP + self.trailer) / 2; 2],
        };
        let ([yellow, red], [blue, green]) = (pair(yellow, red), pair(blue, green));
        [yellow, blue, red, green]
    }

    /// What a colour may win by eating. To eat the partner's piece can be worth it too: then for the difference.
    #[inline]
    fn prospects(
        &self,
        position: &Parchis,
        ring: &Ring,
        rates: [Score; 4],
        colour: Colour,
        prey: [u8; PIECES],
    ) -> Score {
        if prey == [0; PIECES] {
            return 0;
        }
        let mut sum = 0;
        for (place, mut prey) in position.places(colour).into_iter().zip(prey) {
            while prey != 0 {
                let square = after(place, prey.trailing_zeros() as u8 + 1);
                sum += self.prize(rates, colour, ring.owner(square), square);
                prey &= prey - 1;
            }
        }
        let turns = (4 + colour.index() - position.colour().index()) % 4;
        sum * self.strikes[turns]
    }

    /// What it is worth to a colour's player that it eats this piece, in steps.
    #[inline]
    fn prize(&self, rates: [Score; 4], eater: Colour, victim: Colour, place: Place) -> Score {
        let won = PRIZE * rates[eater.index()];
        let lost = self.fall(victim, place) * rates[victim.index()] / STEP;
        if victim.side() == eater.side() { (won - lost).max(0) } else { won + lost }
    }
}

impl Guide<Parchis> for Race {
    const ANTISYMMETRIC: bool = true;

    #[inline]
    fn score(&self, position: &Parchis, side: Side) -> Score {
        let ahead = self.ahead(position);
        if side == Side::One { ahead } else { -ahead }
    }

    /// What the move itself changes: the way gone, the die given up, the bonus won, the piece eaten.
    #[inline]
    fn hint(&self, position: &Parchis, mv: Move) -> i32 {
        let mut child = *position;
        child.play(mv);
        let colour = mv.colour();
        if let Some(Outcome::Win(winner)) = child.outcome() {
            return if winner == colour.side() { DECISIVE } else { -DECISIVE };
        }
        let place = |position: &Parchis, colour, piece| position.places(colour)[usize::from(piece) % PIECES];
        let mut hint = self.stock(child.pool(colour)) - self.stock(position.pool(colour));
        if let Some(piece) = mv.piece() {
            hint += self.standing(colour, place(&child, colour, piece));
            hint -= self.standing(colour, place(position, colour, piece));
        }
        if let Some((eaten, piece)) = child.eaten() {
            let fall = self.fall(eaten, place(position, eaten, piece));
            hint += if eaten.side() == colour.side() { -fall } else { fall };
        }
        hint
    }
}

impl Tunable<Parchis> for Race {
    const WEIGHTS: &'static [Weight] = &[
        // A step of the player's colour that is behind, against 64 for one of the colour ahead.
        Weight { name: "trailer", tuned: 38, plain: 64, step: 8 },
        // A piece at home, which only a 5 brings out.
        Weight { name: "home", tuned: 927, plain: 0, step: 64 },
        // A piece that cannot be eaten where it is: on a safe square, in the queue or in the goal.
        Weight { name: "safe", tuned: 325, plain: 0, step: 32 },
        // A wall on the ring.
        Weight { name: "wall", tuned: -92, plain: 0, step: 32 },
        // A piece with a wall of another colour close before it.
        Weight { name: "blocked", tuned: 111, plain: 0, step: 32 },
        // A 5 in the pool while a piece is at home.
        Weight { name: "exit", tuned: 246, plain: 0, step: 32 },
        // A piece that a die in the pool brings to the goal.
        Weight { name: "arrival", tuned: 167, plain: 0, step: 32 },
        // A step of a bonus not yet used.
        Weight { name: "bonus", tuned: -30, plain: 0, step: 8 },
        // Being on turn.
        Weight { name: "turn", tuned: 410, plain: 0, step: 64 },
        // How likely the colour on turn eats whom it can, in 64ths.
        Weight { name: "strike_now", tuned: 24, plain: 0, step: 8 },
        // The same for the colour that comes next.
        Weight { name: "strike_next", tuned: 13, plain: 0, step: 4 },
        // The same for the others.
        Weight { name: "strike_later", tuned: 6, plain: 0, step: 2 },
        // Each die left in a pool.
        Weight { name: "die_1", tuned: -145, plain: 0, step: 32 },
        Weight { name: "die_2", tuned: -98, plain: 0, step: 32 },
        Weight { name: "die_3", tuned: -102, plain: 0, step: 32 },
        Weight { name: "die_4", tuned: -98, plain: 0, step: 32 },
        Weight { name: "die_5", tuned: 212, plain: 0, step: 32 },
        Weight { name: "die_6", tuned: 896, plain: 0, step: 32 },
    ];

    fn with_weights(_: &Parchis, weights: &[Score]) -> Self {
        Self::from_weights(weights.iter().copied())
    }
}

/// A colour's points as player 1 sees them.
#[inline]
fn signed(colour: Colour, points: Score) -> Score {
    match colour.side() {
        Side::One => points,
        Side::Two => -points,
    }
}

/// The steps of the bonus in a pool, by its two upper bits.
const BONUSES: [Score; 4] = [0, 10, 20, 20];

/// What any set of dice is worth, given what each is worth.
fn pools(dice: [Score; 6]) -> [Score; 64] {
    std::array::from_fn(|pool| dice.iter().enumerate().map(|(die, worth)| worth * (pool >> die & 1) as Score).sum())
}

/// What a piece of a colour is worth in each place.
fn places(colour: Colour, home: Score, safe: Score) -> [Score; 128] {
    std::array::from_fn(|code| {
        let Some(place) = Place::from_code(code as u8) else { return 0 };
        let standing = -STEP * Score::from(place.distance_to_goal(colour));
        match place.ring() {
            _ if place == Place::HOME => standing - home,
            Some(_) if !place.is_safe() => standing,
            _ => standing + safe,
        }
    })
}
