//! The score of a match between two players: wins, draws and losses, and the confidence interval that they justify.
//!
//! A match plays every opening twice, with the sides changed, so that an opening that favours a side favours neither player.
//! The two games of such a pair are not independent, the pairs are: intervals are computed from pairs (the pentanomial
//! model). [`Results`](crate::Results) leaves out pairs that only repeat earlier games.

use palestra_games::Side;

/// What a game was for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl Wdl {
    /// The result for a side of a game that this side won; a draw has no winner.
    #[must_use]
    pub fn of(winner: Option<Side>, side: Side) -> Self {
        match winner {
            None => Self::Draw,
            Some(winner) if winner == side => Self::Win,
            Some(_) => Self::Loss,
        }
    }

    const fn half_points(self) -> u32 {
        self as u32
    }
}

/// The two games of an opening, for the first of two players: first as side 1, then as side 2.
pub type Pair = [Wdl; 2];

/// How a match stands, for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// How many pairs brought 0, 1, 2, 3 and 4 half points.
    pub pairs: [u32; 5],
    /// How many of the games only repeat earlier ones and are in no pair.
    pub repeats: u32,
}

impl Tally {
    /// Counts a pair.
    pub fn add(&mut self, pair: Pair) {
        pair.into_iter().for_each(|result| self.score(result));
        self.pairs[(pair[0].half_points() + pair[1].half_points()) as usize] += 1;
    }

    /// Counts a game whose other half is missing: half a pair says as much as a whole one of the same kind, at most.
    pub fn add_single(&mut self, result: Wdl) {
        self.score(result);
        self.pairs[2 * result.half_points() as usize] += 1;
    }

    /// Scores a game that repeats an earlier one and is therefore no sample.
    pub fn add_repeat(&mut self, result: Wdl) {
        self.score(result);
        self.repeats += 1;
    }

    const fn score(&mut self, result: Wdl) {
        match result {
            Wdl::Win => self.wins += 1,
            Wdl::Draw => self.draws += 1,
            Wdl::Loss => self.losses += 1,
        }
    }

    /// How many games were played.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of all points that the first player has, 0 to 1; a half before the first game.
    #[must_use]
    pub fn points(&self) -> f64 {
        let games = f64::from(self.games());
        if games > 0.0 { (f64::from(self.wins) + f64::from(self.draws) / 2.0) / games } else { 0.5 }
    }

    /// The share of the points of the pairs that count, 0 to 1; a half before the first: the estimate of the true share.
    #[must_use]
    pub fn share(&self) -> f64 {
        mean(&self.pairs.map(f64::from))
    }

    /// The 95 % confidence interval of the share of the points.
    ///
    /// The pairs are the samples, each a number from 0 to 1, and the interval is the usual one for their mean, 1.96
    /// standard errors to both sides, after two won and two lost pairs have been added. They are what Agresti and Coull
    /// add to a binomial sample to come close to Wilson's interval, and for the same reason: without them a match won
    /// to nil would claim to be sure.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let mut pairs = self.pairs.map(f64::from);
        pairs[0] += 2.0;
        pairs[4] += 2.0;
        let count: f64 = pairs.iter().sum();
        let mean = mean(&pairs);
        let spread: f64 = SHARES.iter().zip(pairs).map(|(share, n)| n * (share - mean) * (share - mean)).sum();
        let margin = 1.96 * (spread / (count - 1.0) / count).sqrt();
        ((mean - margin).max(0.0), (mean + margin).min(1.0))
    }
}

/// What a pair with 0, 1, 2, 3, 4 half points is worth.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn mean(pairs: &[f64; 5]) -> f64 {
    let count: f64 = pairs.iter().sum();
    let sum: f64 = SHARES.iter().zip(pairs).map(|(share, n)| n * share).sum();
    if count > 0.0 { sum / count } else { 0.5 }
}

/// The difference in Elo points that goes with a share of the points, at most 999 either way.
#[must_use]
pub fn elo(share: f64) -> f64 {
    let share = share.clamp(1e-9, 1.0 - 1e-9);
    (400.0 * (share / (1.0 - share)).log10()).clamp(-999.0, 999.0)
}

#[cfg(test)]
mod tests {
    use super::Wdl::{Draw, Loss, Win};
    use super::*;

    fn tally(pairs: &[(usize, Pair)]) -> Tally {
        let mut tally = Tally::default();
        pairs.iter().for_each(|&(times, pair)| (0..times).for_each(|_| tally.add(pair)));
        tally
    }

    #[test]
    fn a_single_game_counts_as_a_pair_of_its_kind() {
        for (result, pairs) in [(Loss, [1, 0, 0, 0, 0]), (Draw, [0, 0, 1, 0, 0]), (Win, [0, 0, 0, 0, 1])] {
            let mut tally = Tally::default();
            tally.add_single(result);
            assert_eq!((tally.pairs, tally.games(), tally.repeats), (pairs, 1, 0), "{result:?}");
        }
    }

    #[test]
    fn a_tally_counts_games_and_pairs() {
        let tally = tally(&[(3, [Win, Win]), (1, [Win, Loss]), (1, [Draw, Loss]), (1, [Draw, Draw])]);
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.games()), (7, 3, 2, 12));
        assert_eq!(tally.pairs, [0, 1, 2, 0, 3]);
        assert!((tally.share() - 8.5 / 12.0).abs() < 1e-12);
    }

    #[test]
    fn intervals_hold_the_share_and_shrink_with_the_games() {
        let even = tally(&[(50, [Win, Loss])]);
        let wild = tally(&[(25, [Win, Win]), (25, [Loss, Loss])]);
        let width = |tally: &Tally| tally.interval().1 - tally.interval().0;
        assert!(width(&even) < width(&wild) / 2.0, "an opening's favour is no uncertainty");
        assert!(width(&tally(&[(100, [Win, Win]), (100, [Loss, Loss])])) < width(&wild));
        for sample in [even, wild] {
            let (low, high) = sample.interval();
            assert!(low < 0.5 && 0.5 < high && ((low + high) / 2.0 - 0.5).abs() < 1e-9);
        }
        let (low, high) = tally(&[(100, [Win, Win])]).interval();
        assert!((0.94..0.97).contains(&low) && high >= 1.0 - 1e-9, "{low} {high}");
        assert_eq!(Tally::default().interval(), (0.0, 1.0));
    }

    #[test]
    fn a_repeat_is_in_the_table_and_not_in_the_interval() {
        let once = tally(&[(1, [Win, Win]), (1, [Loss, Loss])]);
        let mut more = once;
        (0..20).for_each(|_| more.add_repeat(Win));
        assert_eq!((more.wins, more.games(), more.repeats), (22, 24, 20));
        assert_eq!((more.interval(), more.share()), (once.interval(), once.share()));
        assert!((more.points() - 22.0 / 24.0).abs() < 1e-12);
    }

    #[test]
    fn elo_is_the_usual_scale() {
        assert!((elo(0.5)).abs() < 1e-9);
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-6);
        assert!((elo(0.3) + elo(0.7)).abs() < 1e-9);
        assert!((elo(1.0) - 999.0).abs() < 1e-9);
    }
}
