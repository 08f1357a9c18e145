//! The pages of the built-in players: how each thinks, how strong it is, and what its evaluation looks at.

use std::sync::LazyLock;

use askama::Template;
use axum::extract::Path;
use axum::response::{Redirect, Response};
use palestra_games::{GAMES, GameKind, with_game};
use palestra_search::engine::MAX_DEPTH;
use palestra_search::player::{GRADE_NAMES, weights};
use palestra_search::{Evaluation, Grade, Playable, Weight};

use super::strength::{Match, matches_of};
use super::text::{Block, Section, Text};
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

/// The names of all built-in players; those of the textbook without depth and evaluation.
pub(super) const PLAYERS: [&str; 9] =
    ["random", "greedy", "ninja1", "ninja2", "ninja3", "maestro", "house", "minimax", "alphabeta"];

/// The texts in each language: a section a player, with its lead as the title.
static TEXTS: LazyLock<[Text; 2]> = LazyLock::new(|| {
    [include_str!("../../rules/players.en.txt"), include_str!("../../rules/players.es.txt")]
        .map(|text| Text::read(text).expect("the bundled texts are well-formed, which the tests of this module check"))
});

fn text(locale: Locale) -> &'static Text {
    match locale {
        Locale::English => &TEXTS[0],
        Locale::Spanish => &TEXTS[1],
    }
}

/// The built-in players with a sentence on each.
pub(super) fn list(locale: Locale) -> &'static [Section] {
    &text(locale).sections
}

/// The player that a name means, if it is a built-in one: `alphabeta:6:test` is an `alphabeta`.
pub(crate) fn page_of(name: &str) -> Option<&'static str> {
    let name = name.split(':').next()?;
    PLAYERS.into_iter().find(|player| *player == name)
}

#[derive(Template)]
#[template(path = "rules_player.html")]
struct PlayerPage {
    frame: Frame,
    section: &'static Section,
    players: &'static [Section],
    /// The games that it plays.
    games: Vec<InGame>,
    matches: Vec<&'static Match>,
}

/// A player in one game.
struct InGame {
    kind: &'static GameKind,
    /// Its limits, unless it is no graded player.
    grade: Option<Grade>,
    /// The evaluations it can use.
    evaluations: Vec<ShownEvaluation>,
}

/// An evaluation as a page shows it.
struct ShownEvaluation {
    evaluation: &'static Evaluation,
    summary: String,
    /// What a documented evaluation counts, in sentences; `None` if the summary is all there is to say.
    terms: Option<&'static str>,
    /// Its weights in words; empty if it has none that can be tuned.
    weights: Vec<(String, i32)>,
    /// What one of the things that it counts is worth, in words.
    unit: Option<String>,
}

impl PlayerPage {
    fn is_graded(&self) -> bool {
        self.games.iter().any(|game| game.grade.is_some())
    }

    /// Whether its name alone says how it plays, so that one can play against it at once.
    fn is_opponent(&self) -> bool {
        !["minimax", "alphabeta"].contains(&self.section.id.as_str())
    }

    fn has_evaluations(&self) -> bool {
        self.games.iter().any(|game| !game.evaluations.is_empty())
    }

    /// A number of plies; unlimited if the engine's own limit is all there is.
    fn depth(&self, grade: &Grade) -> String {
        if grade.depth < MAX_DEPTH { grade.depth.to_string() } else { self.frame.t("players.any").to_owned() }
    }

    fn states(&self, grade: &Grade) -> String {
        match grade.states {
            u64::MAX => self.frame.t("players.any").to_owned(),
            states => self.frame.locale.number(states),
        }
    }

    /// A number with a decimal point, as the language writes it.
    fn decimal(&self, text: &str) -> String {
        match self.frame.locale {
            Locale::English => text.to_owned(),
            Locale::Spanish => text.replace('.', ",").replace(" to ", " a "),
        }
    }

    fn game_name(&self, id: &str) -> String {
        GameKind::find(id).map_or(id, |kind| kind.about.name).to_owned()
    }

    /// The page of a player, if that is another one.
    fn other_page(&self, name: &str) -> Option<&'static str> {
        page_of(name).filter(|page| *page != self.section.id)
    }
}

/// Leads to the list of players, which stands below the games.
pub(crate) async fn all() -> Redirect {
    Redirect::to("/rules#players")
}

/// The page of a player.
pub(crate) async fn show(visitor: Visitor, Path(name): Path<String>) -> Result<Response, Refused> {
    let frame = Frame::new(&visitor);
    let players = list(frame.locale);
    let section = players.iter().find(|section| section.id == name).ok_or(Refused::NotFound)?;
    let games = GAMES.iter().filter_map(|kind| InGame::of(&section.id, kind, frame.locale));
    page(&PlayerPage { games: games.collect(), matches: matches_of(&section.id).collect(), section, players, frame })
}

impl InGame {
    /// The player in a game; `None` if it does not play it.
    fn of(player: &str, kind: &'static GameKind, locale: Locale) -> Option<Self> {
        let grades = with_game!(kind.id(), G => <G as Playable>::GRADES)?;
        let grade = match GRADE_NAMES.iter().position(|name| *name == player) {
            Some(index) => Some(grades[index]),
            None if player == "house" => Some(with_game!(kind.id(), G => <G as Playable>::HOUSE)??),
            None => None,
        };
        let all = with_game!(kind.id(), G => <G as Playable>::EVALUATIONS)?;
        let uses = |evaluation: &&Evaluation| match grade {
            Some(grade) => evaluation.name == grade.evaluation,
            None => ["minimax", "alphabeta"].contains(&player),
        };
        let evaluations =
            all.iter().filter(uses).map(|evaluation| ShownEvaluation::of(evaluation, kind, locale)).collect();
        Some(Self { kind, grade, evaluations })
    }
}

/// The evaluation that has weights, in every game.
const STRONG: &str = "strong";

impl ShownEvaluation {
    fn of(evaluation: &'static Evaluation, kind: &GameKind, locale: Locale) -> Self {
        let (game, name) = (kind.id(), evaluation.name);
        let summary = locale.find_text(&format!("evaluation.{game}.{name}")).unwrap_or(evaluation.summary);
        let weights = if name == STRONG { weights(game).unwrap_or_default() } else { &[] };
        let in_words = |weight: &Weight| {
            let text = locale.find_text(&format!("weight.{game}.{}", weight.name)).unwrap_or(weight.name);
            (text.to_owned(), weight.tuned)
        };
        Self {
            evaluation,
            summary: summary.to_owned(),
            terms: locale.find_text(&format!("terms.{game}.{name}")),
            // What counts for nothing is not worth a row.
            weights: weights.iter().filter(|weight| weight.tuned != 0).map(in_words).collect(),
            unit: locale.find_text(&format!("weight.{game}.unit")).map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_has_a_page_with_the_same_parts_in_every_language() {
        let parts = |text: &Text| -> Vec<(String, Vec<usize>)> {
            let rules = |section: &Section| section.rules.iter().map(|rule| rule.blocks.len()).collect();
            text.sections.iter().map(|section| (section.id.clone(), rules(section))).collect()
        };
        assert_eq!(parts(&TEXTS[0]), parts(&TEXTS[1]));
        let names: Vec<&str> = TEXTS[0].sections.iter().map(|section| section.id.as_str()).collect();
        assert_eq!(names, PLAYERS);
    }

    #[test]
    fn every_built_in_player_has_a_page() {
        for kind in GAMES {
            for player in palestra_search::any_players(kind.id()).unwrap() {
                let page = page_of(player.name).unwrap_or_else(|| panic!("{} has no page", player.name));
                assert!(InGame::of(page, kind, Locale::English).is_some(), "{page} plays {}", kind.id());
            }
        }
        assert_eq!(page_of("alphabeta:6:test"), Some("alphabeta"));
        assert_eq!(page_of("Ada"), None);
    }

    #[test]
    fn a_grade_is_as_the_game_says() {
        let mancala = GameKind::find("mancala").unwrap();
        let maestro = InGame::of("maestro", mancala, Locale::English).unwrap();
        assert_eq!(maestro.grade.unwrap().states, 500_000);
        assert_eq!(maestro.evaluations.len(), 1);
        assert_eq!(maestro.evaluations[0].weights.len(), weights("mancala").unwrap().len());
        assert!(InGame::of("house", GameKind::find("bandera").unwrap(), Locale::English).is_none());
    }

    #[test]
    fn every_weight_that_counts_is_said_in_words() {
        for (kind, &locale) in GAMES.iter().flat_map(|kind| Locale::ALL.iter().map(move |locale| (kind, locale))) {
            for weight in weights(kind.id()).unwrap().iter().filter(|weight| weight.tuned != 0) {
                let key = format!("weight.{}.{}", kind.id(), weight.name);
                assert!(locale.find_text(&key).is_some(), "{key} in {}", locale.name());
            }
        }
    }

    #[test]
    fn every_evaluation_says_what_it_counts() {
        for kind in GAMES {
            let alphabeta = InGame::of("alphabeta", kind, Locale::Spanish).unwrap();
            for shown in alphabeta.evaluations {
                let (game, name) = (kind.id(), shown.evaluation.name);
                // The difference of the stores or the flags needs no more words than its summary.
                let is_plain = ["stores", "flags"].contains(&name);
                assert!(shown.terms.is_some() == shown.weights.is_empty() || is_plain, "{game} {name}");
            }
        }
    }
}
