//! The games of a comparison of two versions: how they are stored, what they prove, and how that is said.

use palestra_store::{Comparison, ComparisonState};
use palestra_tournament::{Results, Scored, Sprt, SprtVerdict, Tally, Wdl};
use serde::{Deserialize, Serialize};

use crate::locale::Locale;

/// The most games of a comparison.
pub(crate) const MAX_GAMES: u32 = 200;

/// A comparison ends after this many pairs of games in a row that only repeat earlier ones: more would prove nothing.
const MAX_REPEATED_PAIRS: u32 = 20;

/// What is asked: is the new version better by 35 Elo points rather than by none, with one error in ten? Smaller differences
/// are not to be seen in so few games.
const ELO: (f64, f64) = (0.0, 35.0);
const ERROR_RATE: f64 = 0.1;

/// The games of a comparison, in their order, for the version that may be better. Two games are a pair, from one opening with
/// the sides changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Compared {
    /// 0 lost, 1 drawn, 2 won, with a number that equal games share.
    games: Vec<(u8, u64)>,
    /// Why no more games can be played.
    pub(crate) trouble: String,
}

impl Compared {
    /// The games in a stored text; none if it is none.
    pub(crate) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// The text to be stored.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a comparison has texts and numbers alone")
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, game: Scored) {
        let result = match game.result {
            Wdl::Loss => 0,
            Wdl::Draw => 1,
            Wdl::Win => 2,
        };
        self.games.push((result, game.fingerprint));
    }

    /// How many games there are.
    pub(crate) fn games(&self) -> u32 {
        self.games.len() as u32
    }

    /// The most games that there can be.
    pub(crate) const fn most(&self) -> u32 {
        MAX_GAMES
    }

    /// Whether more games are needed.
    pub(crate) fn is_open(&self) -> bool {
        let results = self.results();
        self.games() < MAX_GAMES
            && results.repeats_in_a_row() < MAX_REPEATED_PAIRS
            && test().verdict(&results.whole_pairs()) == SprtVerdict::Undecided
    }

    /// How it stands, in a sentence.
    pub(crate) fn text(&self, comparison: &Comparison, locale: Locale) -> String {
        let Tally { wins, draws, losses, .. } = self.results().tally();
        let score = locale.with(
            "bots.compare.score",
            &[("wins", &wins.to_string()), ("draws", &draws.to_string()), ("losses", &losses.to_string())],
        );
        let key = match comparison.state {
            ComparisonState::Waiting => return locale.t("bots.compare.waiting").to_owned(),
            ComparisonState::Failed => return locale.with("bots.compare.failed", &[("what", &self.trouble)]),
            ComparisonState::Playing => "bots.compare.playing",
            ComparisonState::Finished => match test().verdict(&self.results().whole_pairs()) {
                SprtVerdict::Better => "bots.compare.better",
                SprtVerdict::NotBetter => "bots.compare.not_better",
                SprtVerdict::Undecided => "bots.compare.undecided",
            },
        };
        let [new, old] = [comparison.number, comparison.other].map(|number| number.to_string());
        format!("{score} {}", locale.with(key, &[("new", &new), ("old", &old)]))
    }

    fn results(&self) -> Results {
        let mut results = Results::default();
        for (number, &(result, fingerprint)) in (0..).zip(&self.games) {
            let result = match result {
                0 => Wdl::Loss,
                1 => Wdl::Draw,
                _ => Wdl::Win,
            };
            results.add(number, Scored { result, fingerprint });
        }
        results
    }
}

fn test() -> Sprt {
    let (elo0, elo1) = ELO;
    Sprt::new(elo0, elo1, ERROR_RATE, ERROR_RATE).expect("the claims are in order, and the rates small")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(result: Wdl, count: u64, fingerprint: impl Fn(u64) -> u64) -> Compared {
        let mut compared = Compared::default();
        for number in 0..count {
            if !compared.is_open() {
                break;
            }
            compared.add(Scored { result, fingerprint: fingerprint(number) });
        }
        compared
    }

    fn comparison(state: ComparisonState) -> Comparison {
        Comparison {
            id: 1,
            version_id: 2,
            other_id: 1,
            number: 7,
            other: 5,
            account_id: 1,
            state,
            report: String::new(),
            created_ms: 0,
        }
    }

    #[test]
    fn it_ends_as_soon_as_the_answer_is_known_and_at_the_latest_after_the_most_games() {
        let won = played(Wdl::Win, 500, |number| number);
        assert!(!won.is_open() && won.games() < 60, "{} games", won.games());
        let text = won.text(&comparison(ComparisonState::Finished), Locale::English);
        assert!(text.contains("v7 is better than v5"), "{text}");
        let lost = played(Wdl::Loss, 500, |number| number);
        assert!(lost.text(&comparison(ComparisonState::Finished), Locale::English).contains("not"), "{lost:?}");
        let drawn = played(Wdl::Draw, 500, |number| number);
        assert!(!drawn.is_open() && drawn.games() <= MAX_GAMES);
        let repeated = played(Wdl::Draw, 500, |_| 1);
        assert!(repeated.games() <= 2 * MAX_REPEATED_PAIRS + 2, "{} games", repeated.games());
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let compared = played(Wdl::Win, 3, |number| u64::MAX - number);
        assert_eq!(Compared::read(&compared.to_text()), compared);
        for text in ["", "[]", "{\"games\":[[3]]}"] {
            assert_eq!(Compared::read(text), Compared::default());
        }
    }
}
