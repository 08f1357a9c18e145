//! Analysis: what the engine finds in a position, for programs and as a page.

use std::time::Duration;

use askama::Template;
use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use palestra_games::{AnyGame, GAMES, GameKind};
use palestra_search::Worth;
use palestra_store::Scope;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::line::{Asked, MAX_MOVES, sent};
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::thinking::{Analysis, AnalysisQuestion, MAX_LINES};
use crate::visitor::Visitor;

/// CPU time for those who have no account, and for those who have one.
const GUEST_CPU: Duration = Duration::from_millis(500);
const ACCOUNT_CPU: Duration = Duration::from_secs(2);

/// A request for an analysis: a position, or a game with options; and the moves from there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    game: String,
    position: Option<String>,
    options: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    lines: Option<usize>,
    /// Stop after so many positions, or at this depth.
    states: Option<u64>,
    depth: Option<u32>,
}

/// The JSON response of an analysis.
#[derive(Serialize)]
pub(crate) struct Found {
    depth: u32,
    nodes: u64,
    proven: bool,
    lines: Vec<FoundLine>,
    ms: u64,
}

#[derive(Serialize)]
struct FoundLine {
    /// In words, as `palestra analyse` writes it.
    score: String,
    /// The score as a number in the game's unit; `None` if it is not a number.
    value: Option<f64>,
    moves: Vec<String>,
}

impl From<Analysis> for Found {
    fn from(Analysis { report, ms }: Analysis) -> Self {
        let lines = report.lines.into_iter().map(|line| FoundLine {
            score: line.worth.to_string(),
            value: line.worth.number(),
            moves: line.moves,
        });
        Self { depth: report.depth, nodes: report.nodes, proven: report.proven, lines: lines.collect(), ms }
    }
}

/// For programs.
pub(crate) async fn api(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Json<Found>, Refused> {
    // Other sites' pages cannot send JSON without asking, which is never granted; this holds if a browser forgets to
    // ask.
    app.origins.check(&headers, &visitor)?;
    if visitor.account.is_some() {
        visitor.may(Scope::Analyse)?;
    }
    Ok(Json(analyse(&app, &visitor, &sent(wanted)?).await?.into()))
}

async fn analyse(app: &App, visitor: &Visitor, wanted: &Wanted) -> Result<Analysis, Refused> {
    app.limits.analyse.check(Key::visitor(visitor))?;
    let position = position(wanted)?;
    let lines = wanted.lines.unwrap_or(1);
    if !(1..=MAX_LINES).contains(&lines) {
        return Err(Refused::bad("analyse.lines"));
    }
    // A visitor who is playing a rated game gets no analysis, and nobody gets one of such a game's position.
    if app.tables.plays_rated(visitor) || app.tables.is_secret(&*position) {
        return Err(Refused::bad("analyse.barred"));
    }
    let cpu = if visitor.account.is_some() { ACCOUNT_CPU } else { GUEST_CPU };
    let Some(_share) = app.limits.begin_analysis(visitor) else { return Err(app.thinking.refused(cpu)) };
    let question = AnalysisQuestion { position, lines, cpu, states: wanted.states, depth: wanted.depth };
    app.thinking.analyse(app.limits.owner(visitor), question).await
}

/// The position after the moves; an error if the game is over there.
fn position(wanted: &Wanted) -> Result<Box<dyn AnyGame>, Refused> {
    let Wanted { game, position, options, moves, .. } = wanted;
    let record = Asked { game, position: position.as_deref(), options: options.as_deref(), moves }.record()?;
    let position = record.position();
    if position.outcome().is_some() { Err(Refused::bad("analyse.over")) } else { Ok(position.boxed_clone()) }
}

/// The values of the form.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Form {
    game: String,
    position: String,
    moves: String,
    lines: usize,
}

impl From<&Form> for Wanted {
    fn from(form: &Form) -> Self {
        let position = Some(form.position.trim().to_owned()).filter(|position| !position.is_empty());
        let moves = form.moves.split_whitespace().take(MAX_MOVES + 1).map(str::to_owned).collect();
        let game = form.game.clone();
        Self { game, position, options: None, moves, lines: Some(form.lines), states: None, depth: None }
    }
}

#[derive(Template)]
#[template(path = "analyse.html")]
struct AnalysePage {
    frame: Frame,
    games: &'static [GameKind],
    form: Form,
    found: Option<Analysis>,
    wrong: Wrong,
}

impl AnalysePage {
    fn worth(&self, worth: Worth) -> String {
        match worth {
            Worth::WinsIn(plies) => self.frame.what("analyse.wins_in", plies),
            Worth::LosesIn(plies) => self.frame.what("analyse.loses_in", plies),
            Worth::Draw => self.frame.t("analyse.draw").to_owned(),
            Worth::Proven(amount) => self.frame.what("analyse.proven", amount),
            Worth::Winning => self.frame.t("analyse.winning").to_owned(),
            Worth::Losing => self.frame.t("analyse.losing").to_owned(),
            Worth::Guess(amount) => amount.to_string(),
        }
    }
}

/// The form, filled in as the address says.
pub(crate) async fn form(visitor: Visitor, form: Result<Query<Form>, QueryRejection>) -> Result<Response, Refused> {
    let form = Form { lines: 1, ..form.map_or_else(|_| Form::default(), |Query(form)| form) };
    page(&AnalysePage { frame: Frame::new(&visitor), games: GAMES, form, found: None, wrong: Wrong::default() })
}

/// The form, and what was found.
pub(crate) async fn post(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<Form>,
) -> Result<Response, Refused> {
    let frame = Frame::returned(&visitor);
    match analyse(&app, &visitor, &Wanted::from(&form)).await {
        Ok(found) => page(&AnalysePage { frame, games: GAMES, form, found: Some(found), wrong: Wrong::default() }),
        Err(refused @ Refused::Bad(key, _)) => {
            let wrong = Wrong::at(field_of(key), &refused, frame.locale);
            page_again(&AnalysePage { frame, games: GAMES, form, found: None, wrong })
        }
        Err(refused) => Err(refused),
    }
}

/// The field of the form that an error concerns; empty if it is none of them.
fn field_of(key: &str) -> &'static str {
    match key {
        "analyse.game" => "game",
        "analyse.position" | "analyse.long" | "analyse.over" => "position",
        "analyse.move" => "moves",
        "analyse.lines" => "lines",
        _ => "",
    }
}
