//! The page on which one sees the search think. Its address has all that was chosen.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use palestra_games::{GAMES, GameKind, Record};
use palestra_search::tree::{Algorithm, MoveOrder};
use serde::Deserialize;
use serde_json::json;

use super::question::{Question, Wanted, evaluations};
use crate::app::App;
use crate::board_tag::BoardTag;
use crate::http::error::Refused;
use crate::http::form::Wrong;
use crate::line;
use crate::locale::Locale;
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// The deepest tree that the page offers.
const MAX_OFFERED_DEPTH: u32 = 10;

/// What is shown to a visitor who asks for nothing: a small tree in which most kinds of things happen.
const EXAMPLE: (&str, &str) = ("mancala", "1:14,1,0,3,0,2,0/15,0,4,2,0,1,6");

/// What the address of the page says.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default)]
pub(crate) struct Form {
    pub(super) game: String,
    position: String,
    moves: String,
    algorithm: String,
    order: String,
    eval: String,
    depth: String,
    /// How many plies of it a picture shows.
    plies: String,
}

/// The name of a field, and what is wrong with it.
type WrongField = (&'static str, Refused);

impl Form {
    /// How many plies a picture is to show, if the address says so.
    pub(super) fn plies(&self) -> Option<u32> {
        self.plies.trim().parse().ok()
    }

    /// The example, if the address says nothing.
    fn or_example(self) -> Self {
        let (game, position) = EXAMPLE;
        let says_where = [&self.game, &self.position, &self.moves].iter().any(|text| !text.trim().is_empty());
        if says_where { self } else { Self { game: game.to_owned(), position: position.to_owned(), ..self } }
    }

    /// The request for a tree.
    pub(super) fn wanted(self) -> Result<Wanted, WrongField> {
        let form = self.or_example();
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let depth = given(&form.depth).map(|depth| depth.parse::<u32>()).transpose();
        let depth =
            depth.map_err(|_| ("depth", Refused::bad_with("tree.wrong_depth", MAX_OFFERED_DEPTH.to_string())))?;
        let moves = form.moves.split_whitespace().take(line::MAX_MOVES + 1).map(str::to_owned).collect();
        Ok(Wanted {
            game: form.game.clone(),
            position: given(&form.position),
            options: None,
            moves,
            algorithm: given(&form.algorithm),
            order: given(&form.order),
            evaluation: given(&form.eval),
            depth,
            at: vec![],
            window: (None, None),
        })
    }
}

/// The field of the form that an error concerns; empty if it is none of them.
fn field_of(refused: &Refused) -> &'static str {
    let Refused::Bad(key, _) = refused else { return "" };
    match *key {
        "analyse.game" => "game",
        "analyse.position" | "analyse.long" | "analyse.over" => "position",
        "analyse.move" => "moves",
        "tree.wrong_algorithm" => "algorithm",
        "tree.wrong_order" => "order",
        "tree.wrong_evaluation" => "eval",
        "tree.wrong_depth" => "depth",
        _ => "",
    }
}

#[derive(Template)]
#[template(path = "tree.html")]
struct TreePage {
    frame: Frame,
    games: &'static [GameKind],
    form: Form,
    wrong: Wrong,
    shown: Option<Shown>,
}

/// What the page shows when nothing is wrong.
struct Shown {
    game: &'static GameKind,
    board: BoardTag,
    algorithm: Algorithm,
    order: MoveOrder,
    evaluations: Vec<EvaluationChoice>,
    evaluation: &'static str,
    depth: u32,
    /// The question for the scripts, as JSON.
    question: String,
    words: String,
}

/// An evaluation that can be chosen, and what it looks at.
struct EvaluationChoice {
    name: &'static str,
    summary: String,
}

impl TreePage {
    fn algorithms(&self) -> [Algorithm; 2] {
        Algorithm::ALL
    }

    fn orders(&self) -> [MoveOrder; 3] {
        MoveOrder::ALL
    }

    /// The fields that people choose beside the tree, when there is none.
    fn rest(&self) -> [(&'static str, &str); 4] {
        let Form { algorithm, order, eval, depth, .. } = &self.form;
        [("algorithm", algorithm), ("order", order), ("eval", eval), ("depth", depth)]
    }

    /// The depths that are offered: the one of the address too.
    fn depths(&self) -> std::ops::RangeInclusive<u32> {
        1..=MAX_OFFERED_DEPTH.max(self.shown.as_ref().map_or(0, |shown| shown.depth))
    }
}

/// The page; with a form alone if the address makes no sense.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    form: Result<Query<Form>, QueryRejection>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let form = form.map_or_else(|_| Form::default(), |Query(form)| form).or_example();
    let frame = Frame::new(&visitor);
    match shown(&app, &form, frame.locale).await {
        Ok(shown) => page(&TreePage { frame, games: GAMES, form, wrong: Wrong::default(), shown: Some(shown) }),
        Err((field, refused @ Refused::Bad(..))) => {
            let wrong = Wrong::at(field, &refused, frame.locale);
            page_again(&TreePage { frame, games: GAMES, form, wrong, shown: None })
        }
        Err((_, refused)) => Err(refused),
    }
}

async fn shown(app: &App, form: &Form, locale: Locale) -> Result<Shown, WrongField> {
    let wanted = form.clone().wanted()?;
    let (its, at) = (wanted.clone(), |refused: Refused| (field_of(&refused), refused));
    let read = move || {
        let record = its.asked().record()?;
        its.question(&record).map(|question| (record, question))
    };
    let read: Result<(Record, Question), Refused> = app.rendering.run(wanted.asked().load(), read).await.map_err(at)?;
    let (record, question) = read.map_err(at)?;
    let layout = line::layout(app, &record).await.map_err(at)?;
    let game = record.kind();
    let choice = |name| EvaluationChoice { name, summary: summary(locale, game.id(), name) };
    Ok(Shown {
        game,
        board: BoardTag::new(game.id(), layout, locale),
        algorithm: question.algorithm,
        order: question.order,
        evaluations: evaluations(game).iter().map(|evaluation| choice(evaluation.name)).collect(),
        evaluation: question.evaluation,
        depth: question.depth,
        question: for_scripts(&wanted, &question),
        words: words(locale),
    })
}

/// What an evaluation looks at, in a language.
pub(crate) fn summary(locale: Locale, game: &str, evaluation: &str) -> String {
    locale.t(&format!("evaluation.{game}.{evaluation}")).to_owned()
}

fn for_scripts(wanted: &Wanted, question: &Question) -> String {
    json!({
        "game": wanted.game,
        "position": wanted.position,
        "options": wanted.options,
        "moves": wanted.moves,
        "algorithm": question.algorithm,
        "order": question.order,
        "evaluation": question.evaluation,
        "depth": question.depth,
    })
    .to_string()
}

/// The texts of the scripts as JSON; `{1}` stands for a value, `{a}` and `{b}` for places in the tree.
fn words(locale: Locale) -> String {
    json!(locale.section("tree.say.").collect::<BTreeMap<_, _>>()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_evaluation_is_described_in_every_language() {
        for &locale in Locale::ALL {
            for kind in GAMES {
                for evaluation in evaluations(kind) {
                    let text = summary(locale, kind.id(), evaluation.name);
                    assert!(!text.starts_with("evaluation."), "{text}");
                }
            }
        }
    }
}
