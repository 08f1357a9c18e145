//! SPSA: tunes the weights of an evaluation by letting it play against itself.
//!
//! # Simultaneous perturbation
//!
//! How strong an evaluation is can only be seen by playing, and a game says little: win, draw or loss. To try each
//! weight by itself would take a match each. Spall's method (SPSA) tries all of them at once: toss a coin for every
//! weight, move each by its step up or down accordingly, and play the evaluation so changed against the one changed the
//! other way round. If it wins, all weights go a little the way their coins fell, if it loses, the other way. A weight
//! whose coin had nothing to do with the result is moved to and fro by chance and stays about where it was; one that
//! matters goes, slowly, where it should. The walk becomes smaller and smaller, so that it comes to rest.
//!
//! A round is a batch of pairs of games. Their results are added up, so it does not matter in which order or on how
//! many threads they are played. Openings are random, from the seed, and not those of the ladder.

use palestra_games::GameKind;
use palestra_search::openings::random_opening;
use palestra_search::player::{PlayerError, weighted_player, weights};
use palestra_search::rng::Rng;
use palestra_search::{Score, Weight};
use palestra_tournament::{Pair, Wdl};

use crate::duel::{Match, play_pair};

/// How to tune.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// All that is random comes from it.
    pub seed: u64,
    /// How many rounds.
    pub rounds: u32,
    /// How many pairs of games a round.
    pub pairs: usize,
    /// How deep the players look.
    pub depth: u32,
}

/// Weights on their way.
#[derive(Clone, Debug)]
pub struct Tuning {
    game: &'static str,
    plan: Plan,
    weights: &'static [Weight],
    values: Vec<f64>,
    coins: Vec<f64>,
    round: u32,
}

/// How far a round that is won to nil moves the weights at the beginning, in steps.
const GAIN: f64 = 2.0;

impl Tuning {
    /// Begins with the plain values.
    pub fn new(game: &str, plan: Plan) -> Result<Self, PlayerError> {
        let kind = GameKind::find(game).ok_or_else(|| PlayerError::UnknownGame(game.to_owned()))?;
        let (game, weights) = (kind.id(), weights(game)?);
        let values = weights.iter().map(|weight| f64::from(weight.plain)).collect();
        let mut tuning = Self { game, plan, weights, values, coins: Vec::new(), round: 0 };
        tuning.toss();
        Ok(tuning)
    }

    /// What is tuned.
    #[must_use]
    pub const fn weights(&self) -> &'static [Weight] {
        self.weights
    }

    /// The weights as they are now.
    #[must_use]
    pub fn values(&self) -> Vec<Score> {
        self.values.iter().map(|value| value.round() as Score).collect()
    }

    /// How many rounds are done.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.round
    }

    /// The next round's match; `None` when the last is done.
    #[must_use]
    pub fn next_match(&self) -> Option<Match> {
        if self.round >= self.plan.rounds {
            return None;
        }
        let seed = Rng::new(self.plan.seed).fork(u64::from(self.round)).next();
        let plan = Plan { seed, ..self.plan };
        // The game is one of the list: it was looked up in the beginning.
        contest(self.game, [self.moved(1.0), self.moved(-1.0)], plan).ok()
    }

    /// Learns from the pairs of the round, in whatever order, and begins the next.
    pub fn learn(&mut self, pairs: &[Pair]) {
        let mut balance = 0;
        for &result in pairs.iter().flatten() {
            balance += match result {
                Wdl::Win => 1,
                Wdl::Draw => 0,
                Wdl::Loss => -1,
            };
        }
        let games = (2 * pairs.len()).max(1);
        let rest = f64::from(self.plan.rounds.max(1)) / 3.0;
        let gain = GAIN * rest / (rest + f64::from(self.round));
        let way = gain * f64::from(balance) / games as f64;
        for ((value, coin), weight) in self.values.iter_mut().zip(&self.coins).zip(self.weights) {
            *value += way * coin * f64::from(weight.step);
        }
        self.round += 1;
        self.toss();
    }

    fn toss(&mut self) {
        let mut rng = Rng::new(self.plan.seed ^ COIN_SEED_MASK).fork(u64::from(self.round));
        self.coins = self.weights.iter().map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect();
    }

    /// The weights moved by their steps, as the coins fell or against them.
    fn moved(&self, way: f64) -> Vec<Score> {
        let moved = self.values.iter().zip(&self.coins).zip(self.weights);
        moved.map(|((value, coin), weight)| (value + way * coin * f64::from(weight.step)).round() as Score).collect()
    }
}

/// So that coins and openings have nothing to do with each other.
const COIN_SEED_MASK: u64 = 0xc0_1175;

/// A match between two sets of weights: `plan.pairs` pairs from random openings, `plan.depth` plies deep.
pub fn contest(game: &str, weights: [Vec<Score>; 2], plan: Plan) -> Result<Match, PlayerError> {
    let kind = GameKind::find(game).ok_or_else(|| PlayerError::UnknownGame(game.to_owned()))?;
    Ok(Match::new(plan.pairs, move |index| {
        let mut rng = Rng::new(plan.seed).fork(index as u64);
        let opening = random_opening(kind.id(), &mut rng, index)?;
        let mut first = weighted_player(kind.id(), &weights[0], plan.depth)?;
        let mut second = weighted_player(kind.id(), &weights[1], plan.depth)?;
        Ok(play_pair(kind, &opening, &mut *first, &mut *second))
    }))
}

#[cfg(test)]
mod tests {
    use palestra_tournament::Tally;

    use super::*;

    /// The results of all pairs of a match.
    fn results(contest: &Match) -> Vec<Pair> {
        let pair = |index| contest.pair(index).expect("memory").map(|game| game.result);
        (0..contest.pairs()).map(pair).collect()
    }

    const PLAN: Plan = Plan { seed: 3, rounds: 12, pairs: 4, depth: 1 };

    fn tuned(plan: Plan) -> Vec<Score> {
        let mut tuning = Tuning::new("mancala", plan).expect("a game");
        while let Some(round) = tuning.next_match() {
            tuning.learn(&results(&round));
        }
        tuning.values()
    }

    #[test]
    fn the_same_seed_gives_the_same_weights() {
        assert_eq!(tuned(PLAN), tuned(PLAN));
        assert_ne!(tuned(PLAN), tuned(Plan { seed: 4, ..PLAN }));
    }

    #[test]
    fn weights_go_the_way_of_the_coins_when_the_round_is_won() {
        let mut tuning = Tuning::new("mancala", PLAN).expect("a game");
        let (before, coins) = (tuning.values.clone(), tuning.coins.clone());
        tuning.learn(&[[Wdl::Win, Wdl::Win]]);
        for (index, weight) in tuning.weights.iter().enumerate() {
            let wanted = before[index] + GAIN * coins[index] * f64::from(weight.step);
            assert!((tuning.values[index] - wanted).abs() < 1e-9, "{}", weight.name);
        }
        let still = tuning.values.clone();
        tuning.learn(&[[Wdl::Win, Wdl::Loss], [Wdl::Draw, Wdl::Draw]]);
        assert_eq!(tuning.values, still);
    }

    #[test]
    fn the_same_weights_are_equally_strong() {
        let weights: Vec<Score> =
            palestra_search::player::weights("mancala").expect("a game").iter().map(|w| w.tuned).collect();
        let mirror = contest("mancala", [weights.clone(), weights], Plan { pairs: 6, ..PLAN }).expect("a match");
        let mut tally = Tally::default();
        results(&mirror).into_iter().for_each(|pair| tally.add(pair));
        assert_eq!((tally.wins, tally.pairs[2]), (tally.losses, 6));
    }
}
