//! Elo ratings of all players of a tournament at once, by maximum likelihood in the Bradley–Terry model.
//!
//! In this model a player whose rating is `d` points above another's takes `1 / (1 + 10^(-d /
//! 400))` of the points, a draw being half a win. The ratings are the ones that make the results likeliest, together
//! with a weak prior for every player: a normal distribution around 0 with a deviation of 1000 points. It moves a match
//! of twenty games by less than a point, and it keeps a player finite who won everything. As a result belongs to two,
//! it also makes the mean exactly 0.
//!
//! How sure a rating is can be told in two ways. The Fisher information knows how much that many games can tell, even
//! when they were all won, but takes them for independent. The residuals of the meetings (what they brought beyond what
//! was expected, squared) take the pair of games as the sample, as all statistics here do, but know nothing after a
//! match won to nil. Each is right where the other is too sure of itself, so the larger of both is taken. Drawing the
//! pairs again and again (a bootstrap) would tell what the residuals tell, more slowly and by chance.

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use palestra_games::Side;
use serde::{Deserialize, Serialize};

use crate::Finished;
use crate::cross_table::meetings;
use crate::matrix::Matrix;
use crate::unique_games::counted;

/// How strong a player is, compared with the mean of all in the tournament, which is 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Elo {
    /// In Elo points.
    pub rating: f64,
    /// The standard error of the rating.
    pub error: f64,
}

impl Elo {
    /// The 95 % confidence interval of the rating.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        (self.rating - 1.96 * self.error, self.rating + 1.96 * self.error)
    }
}

/// Elo points per unit of the natural logarithm (logit).
const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// The standard deviation of the prior of a rating, in Elo points.
const PRIOR_DEVIATION_ELO: f64 = 1000.0;

/// The ratings of all players, by their index.
#[must_use]
pub fn elo_ratings(players: usize, games: &[Finished]) -> Vec<Elo> {
    let bonds = bonds(&counted(players, games));
    let ratings = likeliest(players, &bonds);
    let covariance = information(&ratings, &bonds).inverse();
    let spread = spread(&ratings, &bonds, &covariance);
    // Ratings are compared with their mean: the level of all of them together, which no game tells, is left out.
    let level = (PRIOR_DEVIATION_ELO / ELO_PER_LOGIT).powi(2) / players as f64;
    let errors = (0..players).map(|player| (covariance.at(player, player) - level).max(spread[player]).sqrt());
    ratings
        .iter()
        .zip(errors)
        .map(|(rating, error)| Elo { rating: rating * ELO_PER_LOGIT, error: error * ELO_PER_LOGIT })
        .collect()
}

/// All that two players played against each other, for the one with the lower index.
#[derive(Default)]
struct Bond {
    games: f64,
    points: f64,
    /// Of each meeting its games and points.
    meetings: Vec<[f64; 2]>,
}

type Bonds = BTreeMap<[usize; 2], Bond>;

fn bonds(games: &[&Finished]) -> Bonds {
    let mut bonds = Bonds::new();
    for (first, second) in meetings(games) {
        let [a, b] = first.players;
        let players = [a.min(b), a.max(b)];
        let own = |game: &&Finished| {
            let side = Side::BOTH[usize::from(game.players[0] != players[0])];
            f64::from(game.score(side) as u8) / 2.0
        };
        let results = [Some(first), second];
        let points: f64 = results.iter().flatten().map(own).sum();
        let count = results.iter().flatten().count() as f64;
        let bond = bonds.entry(players).or_default();
        bond.games += count;
        bond.points += points;
        bond.meetings.push([count, points]);
    }
    bonds
}

/// The share of the points that a difference is worth.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Newton's method. The likelihood has one top and no other; short steps keep it from overshooting while it is far.
fn likeliest(players: usize, bonds: &Bonds) -> Vec<f64> {
    let mut ratings = vec![0.0; players];
    for _ in 0..200 {
        let steps = information(&ratings, bonds).inverse().times(&slope(&ratings, bonds));
        let longest = steps.iter().fold(0.0_f64, |longest, step| longest.max(step.abs()));
        let factor = 1.0 / longest.max(1.0);
        ratings.iter_mut().zip(&steps).for_each(|(rating, step)| *rating += factor * step);
        if longest < 1e-9 {
            break;
        }
    }
    ratings
}

/// In which direction the ratings get likelier.
fn slope(ratings: &[f64], bonds: &Bonds) -> Vec<f64> {
    let mut slope: Vec<_> =
        ratings.iter().map(|rating| -rating * (ELO_PER_LOGIT / PRIOR_DEVIATION_ELO).powi(2)).collect();
    for (&[a, b], bond) in bonds {
        let beyond = bond.points - bond.games * expected(ratings[a] - ratings[b]);
        slope[a] += beyond;
        slope[b] -= beyond;
    }
    slope
}

/// The Fisher information, with that of the prior.
fn information(ratings: &[f64], bonds: &Bonds) -> Matrix {
    let mut matrix = Matrix::diagonal(ratings.len(), (ELO_PER_LOGIT / PRIOR_DEVIATION_ELO).powi(2));
    for (&[a, b], bond) in bonds {
        let share = expected(ratings[a] - ratings[b]);
        matrix.bind(a, b, bond.games * share * (1.0 - share));
    }
    matrix
}

/// The variance of each rating by the residuals of the meetings.
fn spread(ratings: &[f64], bonds: &Bonds, covariance: &Matrix) -> Vec<f64> {
    let mut spread = vec![0.0; ratings.len()];
    for (&[a, b], bond) in bonds {
        let share = expected(ratings[a] - ratings[b]);
        let residuals: f64 = bond.meetings.iter().map(|[games, points]| (points - games * share).powi(2)).sum();
        for (player, sum) in spread.iter_mut().enumerate() {
            *sum += residuals * (covariance.at(player, a) - covariance.at(player, b)).powi(2);
        }
    }
    spread
}

#[cfg(test)]
mod tests {
    use palestra_games::rng::Rng;

    use super::*;
    use crate::elo;
    use crate::unique_games::game;

    /// Games between two players, each as side 1 in turn: results for the first, every meeting of the same two kinds.
    fn games(from: u32, [a, b]: [usize; 2], results: &[(usize, [i32; 2])]) -> Vec<Finished> {
        let pairs = results.iter().flat_map(|&(times, pair)| std::iter::repeat_n(pair, times));
        let numbered = (from / 2..).zip(pairs);
        numbered.flat_map(|(n, [x, y])| [game(2 * n, [a, b], x), game(2 * n + 1, [b, a], -y)]).collect()
    }

    fn difference(results: &[(usize, [i32; 2])]) -> f64 {
        let elo = elo_ratings(2, &games(0, [0, 1], results));
        assert!((elo[0].rating + elo[1].rating).abs() < 1e-9, "the mean is 0");
        elo[0].rating - elo[1].rating
    }

    #[test]
    fn two_players_differ_by_what_their_share_is_worth() {
        // Of a hundred points, by the table that goes with the formula: 64 are worth 100 Elo points, 76 are 200, 85
        // are 301, 91 are 402.
        for (points, published) in [(50, 0.0), (64, 100.0), (76, 200.0), (85, 301.0), (91, 402.0)] {
            let found = difference(&[(points * 10, [1, 1]), ((100 - points) * 10, [-1, -1])]);
            assert!((found - published).abs() < 1.5, "{points}: {found}");
            assert!((found - elo(points as f64 / 100.0)).abs() < 0.5, "{points}: {found}");
        }
        let drawish = difference(&[(400, [1, 0]), (400, [0, 0])]);
        assert!((drawish - elo(0.625)).abs() < 0.5, "a draw is half a win: {drawish}");
        assert!((difference(&[(8, [1, 1]), (2, [-1, -1])]) - elo(0.8)).abs() < 2.0, "the belief is weak");
    }

    #[test]
    fn a_player_who_won_everything_is_far_ahead_but_not_infinitely() {
        let few = difference(&[(2, [1, 1])]);
        let many = difference(&[(50, [1, 1])]);
        assert!(400.0 < few && few < many && many < 2_000.0, "{few} {many}");
        let elo = elo_ratings(2, &games(0, [0, 1], &[(50, [1, 1])]));
        let (low, high) = elo[0].interval();
        assert!(low > 100.0 && high < 2_000.0 && high - low > 300.0, "{low} {high}");
    }

    #[test]
    fn differences_add_up_along_a_chain() {
        // 0 beats 1 by 100, 1 beats 2 by 200; 0 and 2 never met.
        let mut all = games(0, [0, 1], &[(640, [1, 1]), (360, [-1, -1])]);
        all.extend(games(10_000, [1, 2], &[(760, [1, 1]), (240, [-1, -1])]));
        let elo = elo_ratings(3, &all);
        assert!((elo[0].rating - elo[2].rating - 300.0).abs() < 3.0, "{elo:?}");
        assert!(elo.iter().map(|elo| elo.rating).sum::<f64>().abs() < 1e-6);
        let mut turned = all.clone();
        turned.reverse();
        assert_eq!(elo_ratings(3, &turned), elo, "the order of the games does not matter");
    }

    #[test]
    fn a_player_without_games_is_average_and_unknown() {
        let elo = elo_ratings(3, &games(0, [0, 1], &[(5, [1, -1])]));
        assert!(
            elo[2].rating.abs() < 1e-9 && (elo[2].error - PRIOR_DEVIATION_ELO * (2.0 / 3.0_f64).sqrt()).abs() < 1e-6,
            "{elo:?}"
        );
        assert!(elo_ratings(0, &[]).is_empty());
    }

    #[test]
    fn errors_are_those_of_the_closed_form() {
        // An even match of n games: the difference has the variance 4 / n in natural units, each rating a quarter.
        let even = elo_ratings(2, &games(0, [0, 1], &[(100, [1, -1]), (50, [1, 1]), (50, [-1, -1])]));
        let known = ELO_PER_LOGIT * (4.0 / 400.0_f64).sqrt() / 2.0;
        assert!((even[0].error - known).abs() < 0.1, "{even:?} {known}");
        // If the opening decides both games of all meetings alike, they are but half as many samples.
        let wild = elo_ratings(2, &games(0, [0, 1], &[(100, [1, 1]), (100, [-1, -1])]));
        assert!((wild[0].error - known * 2.0_f64.sqrt()).abs() < 0.2, "{wild:?} {known}");
    }

    #[test]
    fn intervals_hold_the_truth_about_as_often_as_they_say() {
        let truth = [150.0, 50.0, -60.0, -140.0];
        let mut rng = Rng::new(6);
        let mut held = 0;
        for _ in 0..200 {
            let mut all = Vec::new();
            for (meeting, [a, b]) in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].into_iter().enumerate() {
                for game_pair in 0..20 {
                    let mut one = |favour: f64| {
                        let share = expected((truth[a] - truth[b]) / ELO_PER_LOGIT) + favour;
                        if (rng.below(1_000_000) as f64) < share * 1e6 { 1 } else { -1 }
                    };
                    let results = [one(0.05), one(-0.05)];
                    all.extend(games(2 * (meeting as u32 * 20 + game_pair), [a, b], &[(1, results)]));
                }
            }
            let elo = elo_ratings(4, &all);
            let within = |(elo, truth): (&Elo, f64)| elo.interval().0 < truth && truth < elo.interval().1;
            held += elo.iter().zip(truth).filter(|&pair| within(pair)).count();
        }
        assert!((744..=784).contains(&held), "{held} of 800");
    }
}
