//! The steps in which the evaluation of a student's program of 2009 grew, and the one that was given up: beside
//! [`Waytracking`], which the program came to use.

use palestra_games::bandera::Bandera;
use palestra_games::{Game, Outcome, Side};

use super::ground::NO_WAY;
use super::waytracking::Waytracking;
use crate::{Guide, Score, WIN_BOUND};

/// What 1 is worth in the scores of [`Waytracking1`].
pub(super) const THOUSANDTHS: Score = 1000;

/// What 1 is worth in the scores of [`Waytracking4`].
pub(super) const SIXTEENTHS: Score = 16;

/// The first step: flags captured, and how near the nearest flag is, even if the other team is nearer to it.
///
/// `5 * (flags - flags of the other team) + f(d) - f(d of the other team)` in thousandths, where `f(d) = 5 * e^(-d / 5)` and `d` is
/// the distance of the team to its nearest flag in hops. Nothing is near where there is no way. A flag is worth as much as
/// standing on one: too little, as its author found.
#[derive(Clone, Debug)]
pub struct Waytracking1(Waytracking);

/// The second step: flags captured, each worth more than any distance on the board, then hops to the nearest flag.
///
/// `cells * (flags - flags of the other team) + d of the other team - d`, with `d` as in [`Waytracking1`].
#[derive(Clone, Debug)]
pub struct Waytracking2(Waytracking);

/// The fourth step, after [`Waytracking`]: it also saves energy. It was given up because it loses flags at small depth.
///
/// `waytracking + (energy - energy of the other team) / 16`, in sixteenths.
#[derive(Clone, Debug)]
pub struct Waytracking4(Waytracking);

/// `f` in thousandths for the distances at which it is not 0 yet. Made by multiplication alone, so that it is the same on every
/// machine.
const NEARNESS: [Score; 50] = {
    /// `e^(-1 / 5)`
    const FADING: f64 = 0.818_730_753_077_981_9;
    let mut table = [0; 50];
    let mut value = 5.0 * THOUSANDTHS as f64;
    let mut distance = 0;
    while distance < table.len() {
        table[distance] = (value + 0.5) as Score;
        value *= FADING;
        distance += 1;
    }
    table
};

impl Waytracking1 {
    /// The evaluation for a game that stands at `position`.
    #[must_use]
    pub fn new(position: &Bandera) -> Self {
        Self(Waytracking::new(position))
    }
}

impl Waytracking2 {
    /// The evaluation for a game that stands at `position`.
    #[must_use]
    pub fn new(position: &Bandera) -> Self {
        Self(Waytracking::new(position))
    }
}

impl Waytracking4 {
    /// The evaluation for a game that stands at `position`.
    #[must_use]
    pub fn new(position: &Bandera) -> Self {
        Self(Waytracking::new(position))
    }
}

/// The flags that a side has captured, less those of the other.
fn lead(position: &Bandera, side: Side) -> Score {
    let points = position.points();
    points[side.index()] - points[side.other().index()]
}

/// The energy of all players of a side.
fn energy(position: &Bandera, side: Side) -> i64 {
    position.team(side).map(|index| i64::from(position.players()[index].energy)).sum()
}

impl Guide<Bandera> for Waytracking1 {
    const ANTISYMMETRIC: bool = true;

    fn score(&self, position: &Bandera, side: Side) -> Score {
        let nearness =
            |hops: u16| if hops == NO_WAY { 0 } else { NEARNESS.get(usize::from(hops)).copied().unwrap_or(0) };
        let nearest = self.0.nearest(position, side);
        5 * THOUSANDTHS * lead(position, side) + nearness(nearest.own) - nearness(nearest.other)
    }

    /// The formula holds for finished positions too.
    fn finished(&self, position: &Bandera, _: Outcome, side: Side) -> Score {
        self.score(position, side)
    }
}

impl Guide<Bandera> for Waytracking2 {
    const ANTISYMMETRIC: bool = true;

    fn score(&self, position: &Bandera, side: Side) -> Score {
        let nearest = self.0.nearest(position, side);
        self.0.cells() * lead(position, side) + self.0.or_far(nearest.other) - self.0.or_far(nearest.own)
    }

    /// The formula holds for finished positions too.
    fn finished(&self, position: &Bandera, _: Outcome, side: Side) -> Score {
        self.score(position, side)
    }
}

impl Guide<Bandera> for Waytracking4 {
    const ANTISYMMETRIC: bool = false;

    /// A lead of thousands of flags on the largest board is not told from a larger one: a score has an end.
    fn score(&self, position: &Bandera, side: Side) -> Score {
        let flags_and_hops = i64::from(SIXTEENTHS) * i64::from(self.0.score(position, side));
        let score = flags_and_hops + energy(position, side) - energy(position, side.other());
        let most = i64::from(WIN_BOUND) - 1;
        score.clamp(-most, most) as Score
    }

    /// The formula holds for finished positions too.
    fn finished(&self, position: &Bandera, _: Outcome, side: Side) -> Score {
        self.score(position, side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearness_fades_as_the_formula_says() {
        assert_eq!(NEARNESS[..6], [5000, 4094, 3352, 2744, 2247, 1839]);
        for (distance, &nearness) in NEARNESS.iter().enumerate() {
            let exact = 5000.0 * (-(distance as f64) / 5.0).exp();
            assert!((f64::from(nearness) - exact).abs() <= 0.5 + 1e-6, "{distance}");
        }
        assert_eq!(*NEARNESS.last().unwrap(), 0, "beyond the table it is 0 too");
    }
}
