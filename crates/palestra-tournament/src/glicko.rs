//! Glicko-2 ratings, which a league carries from one tournament to the next.
//!
//! A tournament is one rating period: all its games are rated together, against what the opponents were before it, so
//! that their order does not matter (M. Glickman, "Example of the Glicko-2 system", 2013).

use palestra_games::Side;
use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use crate::unique_games::counted;
use crate::{Finished, Wdl};

/// How strong a player is, how sure that is, and how steady it has been.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Glicko {
    /// In points like Elo's; 1500 before the first game.
    pub rating: f64,
    /// The standard deviation of the rating; 350 before the first game.
    pub deviation: f64,
    /// By how much the strength is expected to change in a period; 0.06 before the first game.
    pub volatility: f64,
}

impl Default for Glicko {
    fn default() -> Self {
        Self { rating: 1500.0, deviation: 350.0, volatility: 0.06 }
    }
}

impl Glicko {
    /// The 95 % confidence interval of the rating.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        (self.rating - 1.96 * self.deviation, self.rating + 1.96 * self.deviation)
    }

    const fn to_crate(self) -> Glicko2Rating {
        Glicko2Rating { rating: self.rating, deviation: self.deviation, volatility: self.volatility }
    }
}

/// The ratings after a tournament of players who had these before it; new ones have [`Glicko::default`]. Those who did
/// not play get a little less certain.
#[must_use]
pub fn glicko_ratings(before: &[Glicko], games: &[Finished]) -> Vec<Glicko> {
    let mut results = vec![Vec::new(); before.len()];
    for game in counted(before.len(), games) {
        for side in Side::BOTH {
            let [own, other] = [side, side.other()].map(|side| game.players[side.index()]);
            results[own].push((before[other].to_crate(), outcome(game.score(side))));
        }
    }
    // How fast volatility changes (tau) is left at the middle of what Glickman advises.
    let config = Glicko2Config::new();
    let rate = |(player, results): (&Glicko, Vec<_>)| {
        let Glicko2Rating { rating, deviation, volatility } =
            glicko2_rating_period(&player.to_crate(), &results, &config);
        Glicko { rating, deviation, volatility }
    };
    before.iter().zip(results).map(rate).collect()
}

const fn outcome(result: Wdl) -> Outcomes {
    match result {
        Wdl::Win => Outcomes::WIN,
        Wdl::Draw => Outcomes::DRAW,
        Wdl::Loss => Outcomes::LOSS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unique_games::game;

    /// The example of glicko.net/glicko/glicko2.pdf.
    #[test]
    fn glickmans_example_comes_out_as_published() {
        let player = |rating, deviation| Glicko { rating, deviation, volatility: 0.06 };
        let before = [player(1500.0, 200.0), player(1400.0, 30.0), player(1550.0, 100.0), player(1700.0, 300.0)];
        let games = [game(0, [0, 1], 1), game(1, [0, 2], -1), game(2, [3, 0], 1)];
        let after = glicko_ratings(&before, &games);
        assert!((after[0].rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after[0].deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after[0].volatility - 0.05999).abs() < 0.00001, "{after:?}");
        let (low, high) = after[0].interval();
        assert!((low - 1167.09).abs() < 0.1 && (high - 1761.04).abs() < 0.1, "{low} {high}");
    }

    #[test]
    fn the_order_of_the_games_does_not_matter() {
        let before = [Glicko::default(); 3];
        let games = [game(0, [0, 1], 1), game(1, [1, 0], 0), game(2, [0, 2], -1), game(3, [2, 1], 1)];
        let mut turned = games.to_vec();
        turned.reverse();
        assert_eq!(glicko_ratings(&before, &games), glicko_ratings(&before, &turned));
    }

    #[test]
    fn who_does_not_play_gets_less_certain_and_nothing_else() {
        let before = [Glicko { deviation: 50.0, ..Glicko::default() }; 3];
        let after = glicko_ratings(&before, &[game(0, [0, 1], 1)]);
        assert!(after[2].rating.to_bits() == before[2].rating.to_bits() && after[2].deviation > 50.0);
        assert!(after[0].rating > 1500.0 && after[1].rating < 1500.0 && after[0].deviation < after[2].deviation);
    }

    #[test]
    fn long_matches_won_to_nil_stay_finite() {
        let games: Vec<_> = (0..5_000).map(|number| game(number, [0, 1], 1)).collect();
        for glicko in glicko_ratings(&[Glicko::default(); 2], &games) {
            assert!([glicko.rating, glicko.deviation, glicko.volatility].iter().all(|n| n.is_finite()), "{glicko:?}");
        }
    }
}
