//! The sequential probability ratio test (SPRT) on pairs of games: the pentanomial GSPRT with logistic Elo.
//!
//! The test compares two claims about the difference between two players: it is `elo0` (nothing gained), or it is
//! `elo1` (something gained). After each pair of games it computes how much likelier the results are under the second,
//! and stops as soon as that is so much, or so little, that errors are as rare as was asked for. Elo points are
//! logistic, the common ones: a share `s` of all points is worth `400 log10(s / (1 - s))`.
//!
//! The samples are pairs of games with the sides changed, of 0 to 4 half points (the pentanomial model). How likely
//! each kind of pair is under a claim is not known, only the mean that the claim asks for. The generalised test takes
//! the likeliest such distribution, given the counts: it is `p / (1 + x (a - s))` for the observed share `p` of the
//! pairs worth `a`, where `x` makes the mean `s` (M. Van den Bergh, "Maximum likelihood estimation for multinomial
//! distributions"). That is what Stockfish's fishtest computes for logistic Elo.

use crate::Tally;
use serde::{Deserialize, Serialize};

/// What is tested, and how sure the answer shall be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Numbers")]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// A test that cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The first claim is not the lower one, or they are no differences in Elo points.
    #[error("elo0 must be below elo1, both within -1000 to 1000, not {0} and {1}")]
    Elo(f64, f64),
    /// An error rate that makes no sense.
    #[error("alpha and beta must be above 0 and below 0.5, not {0} and {1}")]
    Rates(f64, f64),
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtVerdict {
    /// The difference is `elo1` rather than `elo0` (H1).
    Better,
    /// The difference is `elo0` rather than `elo1` (H0).
    NotBetter,
    /// More games are needed.
    Undecided,
}

impl Sprt {
    /// A test of `elo1` against `elo0`: with a true difference of `elo0` it says "better" with probability `alpha`,
    /// with one of `elo1` it says "not better" with probability `beta`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(elo0 < elo1 && elo0 >= -1000.0 && elo1 <= 1000.0) {
            Err(SprtError::Elo(elo0, elo1))
        } else if !(is_rate(alpha) && is_rate(beta)) {
            Err(SprtError::Rates(alpha, beta))
        } else {
            Ok(Self { elo0, elo1, alpha, beta })
        }
    }

    /// Both claims, in Elo points.
    #[must_use]
    pub const fn claims(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// Both error rates: alpha, beta.
    #[must_use]
    pub const fn rates(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// At which log-likelihood ratios the test ends: not better at or below the first, better at or above the second.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of `elo1` to `elo0` after these pairs; 0 before the first.
    #[must_use]
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.pairs == [0; 5] {
            return 0.0;
        }
        // As fishtest does: what was never seen is thought to have been, a little, so that no claim is impossible.
        let counts = tally.pairs.map(|count| if count == 0 { 1e-3 } else { f64::from(count) });
        log_likelihood(&counts, share(self.elo1)) - log_likelihood(&counts, share(self.elo0))
    }

    /// What the test says after these pairs.
    #[must_use]
    pub fn verdict(&self, tally: &Tally) -> SprtVerdict {
        let (llr, (lower, upper)) = (self.llr(tally), self.bounds());
        if llr >= upper {
            SprtVerdict::Better
        } else if llr <= lower {
            SprtVerdict::NotBetter
        } else {
            SprtVerdict::Undecided
        }
    }

    /// How far the test has come: 1 is "better", -1 is "not better", 0 favours neither.
    #[must_use]
    pub fn progress(&self, tally: &Tally) -> f64 {
        let (llr, (lower, upper)) = (self.llr(tally), self.bounds());
        (if llr < 0.0 { -llr / lower } else { llr / upper }).clamp(-1.0, 1.0)
    }
}

/// A test as it was written.
#[derive(Deserialize)]
struct Numbers {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl TryFrom<Numbers> for Sprt {
    type Error = SprtError;

    fn try_from(numbers: Numbers) -> Result<Self, SprtError> {
        Self::new(numbers.elo0, numbers.elo1, numbers.alpha, numbers.beta)
    }
}

/// The share of all points that a difference in Elo points is worth.
fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The logarithm of how likely the counts are under the likeliest distribution with this mean, up to a constant that
/// does not depend on the mean.
fn log_likelihood(counts: &[f64; 5], mean: f64) -> f64 {
    let x = tilt(counts, mean);
    -values(mean).zip(counts).map(|(value, count)| count * (x * value).ln_1p()).sum::<f64>()
}

/// What pairs with 0 to 4 half points are worth above a mean.
fn values(mean: f64) -> impl Iterator<Item = f64> {
    [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().map(move |value| value - mean)
}

/// The `x` that moves the observed mean to the one asked for: where `sum p a / (1 + x a)` is 0. It falls from plus to
/// minus infinity between the poles of the worst and the best pair, so halving the interval finds it.
fn tilt(counts: &[f64; 5], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let slope: f64 = values(mean).zip(counts).map(|(value, count)| count * value / (1.0 + middle * value)).sum();
        if slope > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use palestra_games::rng::Rng;

    use super::*;

    fn pairs(pairs: [u32; 5]) -> Tally {
        Tally { pairs, ..Tally::default() }
    }

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).expect("a good test")
    }

    /// Counts with the ratio that was published to two decimals.
    fn check(counts: [u32; 5], elo: (f64, f64), published: f64) {
        let llr = sprt(elo.0, elo.1).llr(&pairs(counts));
        assert!((llr - published).abs() < 0.006, "{counts:?} {elo:?}: {llr} instead of {published}");
    }

    /// The tests "logistic pentanomial" of fastchess, app/tests/sprt_test.cpp in github.com/Disservin/fastchess.
    #[test]
    fn ratios_are_those_of_fastchess() {
        check([223, 9863, 20279 + 1000, 10037, 246], (0.5, 2.5), -3.07);
        check([871, 26175, 55003 + 980, 26678, 821], (0.0, 2.0), -4.98);
    }

    /// Results of fishtest, as quoted in the pull requests of github.com/official-stockfish/Stockfish with these
    /// numbers. Those of 2020 are in logistic Elo, written in curly brackets.
    #[test]
    fn ratios_are_those_of_fishtest() {
        // #2493: two tests of a change to the search.
        check([424, 2948, 5832, 3045, 460], (-1.0, 3.0), 2.94);
        check([1284, 17437, 55536, 18085, 1292], (0.0, 2.0), 2.94);
        // #2598: one that passed and one that was still running.
        check([243, 1665, 3339, 1762, 281], (-1.5, 0.5), 2.95);
        check([444, 5546, 17841, 5604, 428], (-1.5, 0.5), 2.63);
        // #2920, #2951, #2971, #3098, #3209.
        check([665, 4806, 9333, 4893, 747], (-0.5, 1.5), 2.95);
        check([328, 4564, 15580, 4789, 371], (0.25, 1.75), 2.98);
        check([59, 754, 2467, 865, 75], (-0.5, 1.5), 2.95);
        check([33, 1185, 8378, 1302, 50], (0.25, 1.75), 2.95);
        check([17, 253, 1042, 337, 39], (-0.5, 1.5), 2.96);
        check([11, 407, 3238, 513, 11], (0.25, 1.75), 2.93);
        check([491, 7345, 29693, 7670, 465], (-0.25, 1.25), 2.96);
        check([253, 4282, 17604, 4431, 286], (-0.25, 1.25), 2.94);
        check([58, 3302, 33130, 3518, 84], (0.25, 1.25), 2.97);
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = sprt(0.0, 5.0).bounds();
        assert!((upper - 19_f64.ln()).abs() < 1e-12 && (lower + upper).abs() < 1e-12, "2.94, as everybody knows");
        let (lower, upper) = Sprt::new(0.0, 5.0, 0.01, 0.1).expect("a test").bounds();
        assert!((upper - 90_f64.ln()).abs() < 1e-12 && (lower - (0.1_f64 / 0.99).ln()).abs() < 1e-12);
    }

    #[test]
    fn verdicts_follow_the_bounds() {
        let test = sprt(0.0, 20.0);
        assert_eq!(test.verdict(&Tally::default()), SprtVerdict::Undecided);
        assert!(test.progress(&Tally::default()).abs() < 1e-12);
        let (good, bad) = (pairs([20, 40, 300, 80, 40]), pairs([40, 80, 300, 40, 20]));
        assert_eq!((test.verdict(&good), test.verdict(&bad)), (SprtVerdict::Better, SprtVerdict::NotBetter));
        assert!(test.progress(&good) >= 1.0 && test.progress(&bad) <= -1.0);
        let open = test.progress(&pairs([5, 10, 50, 15, 6]));
        assert!(open > 0.0 && open < 1.0, "{open}");
    }

    #[test]
    fn a_match_won_or_lost_to_nil_is_decided_soon_and_not_at_once() {
        let test = sprt(0.0, 50.0);
        let after = |count| test.verdict(&pairs([0, 0, 0, 0, count]));
        assert_eq!((after(3), after(60)), (SprtVerdict::Undecided, SprtVerdict::Better));
        let after = |count| test.verdict(&pairs([count, 0, 0, 0, 0]));
        assert_eq!((after(3), after(60)), (SprtVerdict::Undecided, SprtVerdict::NotBetter));
    }

    /// Kinds of pairs that were never seen count for next to nothing, whether there are a hundred pairs or many more.
    #[test]
    fn what_was_never_seen_hardly_matters() {
        let test = sprt(0.0, 20.0);
        let (few, many) = (test.llr(&pairs([0, 20, 50, 30, 0])), test.llr(&pairs([0, 20_000, 50_000, 30_000, 0])));
        assert!((few - many / 1000.0).abs() < 0.01 * few.abs(), "{few} for a thousandth of what gives {many}");
    }

    #[test]
    fn turning_the_players_and_the_claims_round_turns_the_ratio_round() {
        let counts = [7, 20, 55, 31, 12];
        let mut turned = counts;
        turned.reverse();
        let sum = sprt(-2.0, 9.0).llr(&pairs(counts)) + sprt(-9.0, 2.0).llr(&pairs(turned));
        assert!(sum.abs() < 1e-9, "{sum}");
    }

    #[test]
    fn tests_without_sense_are_refused() {
        assert_eq!(Sprt::new(5.0, 5.0, 0.05, 0.05), Err(SprtError::Elo(5.0, 5.0)));
        assert!(matches!(Sprt::new(f64::NAN, 5.0, 0.05, 0.05), Err(SprtError::Elo(..))));
        assert!(matches!(Sprt::new(0.0, f64::INFINITY, 0.05, 0.05), Err(SprtError::Elo(..))));
        assert_eq!(Sprt::new(0.0, 5.0, 0.0, 0.05), Err(SprtError::Rates(0.0, 0.05)));
        assert_eq!(Sprt::new(0.0, 5.0, 0.05, 0.5), Err(SprtError::Rates(0.05, 0.5)));
        assert!(matches!(Sprt::new(0.0, 5.0, f64::NAN, 0.05), Err(SprtError::Rates(..))));
        let text = serde_json::to_string(&sprt(0.0, 5.0)).expect("a test is text");
        assert_eq!(serde_json::from_str::<Sprt>(&text).expect("a test"), sprt(0.0, 5.0));
        assert!(serde_json::from_str::<Sprt>(&text.replace("0.05", "0.9")).is_err());
    }

    #[test]
    fn extreme_claims_and_counts_give_finite_ratios() {
        for elo in [(-1000.0, 1000.0), (-1000.0, -999.0), (999.0, 1000.0), (0.0, 1e-6)] {
            for counts in [[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, u32::MAX], [1, 1, 1, 1, 1]] {
                assert!(sprt(elo.0, elo.1).llr(&pairs(counts)).is_finite(), "{elo:?} {counts:?}");
            }
        }
    }

    /// Whether a match ends with "better" if two players with this difference draw three games of ten, and the opening
    /// favours the same side in both games of a pair, by 14 points of a hundred.
    fn ends_better(test: &Sprt, elo: f64, rng: &mut Rng) -> bool {
        let mut tally = Tally::default();
        let mut game = |favour: f64| {
            let win = share(elo) + favour - 0.15;
            let luck = rng.below(1_000_000) as f64 / 1e6;
            if luck < win { 2 } else { usize::from(luck < win + 0.3) }
        };
        loop {
            let half_points = game(0.14) + game(-0.14);
            tally.pairs[half_points] += 1;
            match test.verdict(&tally) {
                SprtVerdict::Better => return true,
                SprtVerdict::NotBetter => return false,
                SprtVerdict::Undecided => {}
            }
        }
    }

    #[test]
    fn errors_are_about_as_rare_as_asked_for() {
        let test = Sprt::new(0.0, 40.0, 0.1, 0.05).expect("a test");
        let mut rng = Rng::new(11);
        let mut better = |elo| (0..1_000).filter(|_| ends_better(&test, elo, &mut rng)).count();
        let (false_alarms, hits) = (better(0.0), better(40.0));
        // Three standard deviations are 28 and 21; stopping late makes errors a little rarer than asked for.
        assert!((60..=128).contains(&false_alarms), "{false_alarms}");
        assert!((929..=980).contains(&hits), "{hits}");
    }
}
