//! Marks in words: how each number came about.

use palestra_tournament::rubric::{Cause, Flag, Mark, Part, SearchResult};

use super::rubric::{points, written};
use super::sheet::{Sheet, SheetRow};
use crate::locale::Locale;

/// A part of a mark, for a page.
pub(super) struct ShownPart {
    pub(super) title: String,
    /// The points with two decimals; none if they have not been entered.
    pub(super) points: Option<String>,
    pub(super) maximum: String,
    pub(super) reason: String,
    pub(super) games: Vec<ShownGame>,
    /// The address of the list of its games in the league, if they gave the points.
    pub(super) league_games: Option<String>,
    /// Whether it is about the bot itself: its games or its search.
    pub(super) is_of_bot: bool,
}

/// A game behind a number.
pub(super) struct ShownGame {
    pub(super) code: String,
    pub(super) opponent: String,
    /// 1 or 2.
    pub(super) side: usize,
    /// The points, its own first: `30-18`.
    pub(super) score: String,
    /// `won`, `drawn` or `lost`.
    pub(super) result: &'static str,
}

impl SheetRow {
    /// The parts of the mark.
    pub(super) fn parts(&self, sheet: &Sheet, locale: Locale) -> Vec<ShownPart> {
        let parts = sheet.rubric.parts.iter().zip(&self.mark.parts);
        parts
            .map(|(part, own)| ShownPart {
                title: part.title.text(locale.word()).to_owned(),
                points: (own.cause != Cause::NotEntered).then(|| written(own.points.rounded())),
                maximum: points(part.kind.maximum()),
                reason: reason(part, &own.cause, locale),
                games: own.games.iter().filter_map(|&index| self.game(index)).collect(),
                league_games: sheet.league_games(self.team, &own.cause),
                is_of_bot: !own.games.is_empty() || matches!(own.cause, Cause::Searched(_)),
            })
            .collect()
    }

    pub(super) fn game(&self, index: usize) -> Option<ShownGame> {
        let (game, [own, other]) = (self.candidate.games.get(index)?, self.scores.get(index)?);
        Some(ShownGame {
            code: game.code.clone(),
            opponent: game.opponent.clone(),
            side: game.side.index() + 1,
            score: format!("{own}-{other}"),
            result: match game.result {
                palestra_tournament::Wdl::Win => "won",
                palestra_tournament::Wdl::Draw => "drawn",
                palestra_tournament::Wdl::Loss => "lost",
            },
        })
    }
}

/// How the points of a part came about.
pub(super) fn reason(part: &Part, cause: &Cause, locale: Locale) -> String {
    let (key, values) = match cause {
        Cause::Entered => ("entered", vec![]),
        Cause::NotEntered => ("not_entered", vec![]),
        Cause::Beat(opponent) => ("beat", vec![("name", opponent.clone())]),
        Cause::BeatNone => ("beat_none", vec![]),
        Cause::Won { won, of } => ("won", vec![("won", won.to_string()), ("of", of.to_string())]),
        Cause::NotPlayed { missing } => ("not_played", vec![("missing", missing.to_string())]),
        Cause::Share { points: own, best } => {
            let most = points(part.kind.maximum());
            ("share", vec![("most", most), ("points", own.to_string()), ("best", best.to_string())])
        }
        Cause::Searched(SearchResult::Right) => ("search_right", vec![]),
        Cause::Searched(SearchResult::Wrong) => ("search_wrong", vec![]),
        Cause::Searched(SearchResult::Untested) => ("search_untested", vec![]),
        Cause::NoPoints => ("no_points", vec![]),
        Cause::NotInLeague => ("not_in_league", vec![]),
        Cause::NoRun => ("no_run", vec![]),
    };
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    locale.with(&format!("marks.cause.{key}"), &values)
}

/// The total with two decimals; none if there is no mark.
pub(super) fn total(mark: &Mark) -> Option<String> {
    mark.total.map(written)
}

/// A flag in words.
pub(super) fn flag(flag: Flag, locale: Locale) -> &'static str {
    locale.find_text(&format!("marks.flag.{}", flag.word())).unwrap_or_default()
}

/// The class of a flag's badge.
pub(super) const fn tint(flag: Flag) -> &'static str {
    match flag {
        Flag::Copy | Flag::NoCode | Flag::NoMemo => "bad",
        Flag::Overridden => "accent",
        _ => "sun",
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn every_flag_has_a_text() {
        for &locale in Locale::ALL {
            for &each in Flag::VARIANTS {
                assert!(!flag(each, locale).is_empty(), "{each}");
            }
        }
    }
}
