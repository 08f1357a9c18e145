//! Analysis: what the engine finds in a position, for programs all at once and for pages as it deepens.

use std::sync::atomic::AtomicBool;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use palestra_games::{AnyGame, Side};
use palestra_search::engine::{AnyLine, AnyReport};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::evaluate::{PositionValue, events};
use crate::help::Help;
use crate::http::error::Refused;
use crate::line::{Asked, sent};
use crate::thinking::{self, Analysis, AnalysisQuestion, MAX_LINES};
use crate::visitor::Visitor;

/// A request for an analysis: a position, or a game with options; and the moves from there.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = AnalysisRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    game: String,
    position: Option<String>,
    options: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    /// How many of the best moves to analyse: 1 to 5.
    lines: Option<usize>,
    /// Stop after this number of positions, or at this depth.
    states: Option<u64>,
    depth: Option<u32>,
}

/// The JSON response of an analysis.
#[derive(Serialize, ToSchema)]
#[schema(as = Analysis)]
pub(crate) struct Found {
    depth: u32,
    nodes: u64,
    proven: bool,
    lines: Vec<FoundLine>,
    ms: u64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisLine)]
struct FoundLine {
    /// In words, as `palestra analyse` writes it.
    score: String,
    /// The score as a number in the game's unit; `None` if it is not a number.
    value: Option<f64>,
    moves: Vec<String>,
}

impl Wanted {
    fn asked(&self) -> Asked<'_> {
        let Self { game, position, options, moves, .. } = self;
        Asked { game, position: position.as_deref(), options: options.as_deref(), moves }
    }
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

/// What an analysis has found so far, as a page shows it: all scores are for side 1.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Finding {
    Depth {
        depth: u32,
        nodes: u64,
        lines: Vec<FindingLine>,
    },
    /// The search has ended; more time would find no more if it was finished.
    End {
        depth: u32,
        nodes: u64,
        lines: Vec<FindingLine>,
        ms: u64,
    },
}

/// A line that an analysis has found.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct FindingLine {
    value: PositionValue,
    moves: Vec<String>,
}

/// Analyses a position.
#[utoipa::path(
    post, path = "/analyse", operation_id = "analyse", request_body = Wanted, security(("token" = ["analyse"]), ()),
    responses((status = 200, body = Found))
)]
pub(crate) async fn api(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Json<Found>, Refused> {
    // Other sites' pages cannot send JSON without asking, which is never granted; this holds if a browser forgets to
    // ask.
    app.origins.check(&headers, &visitor)?;
    let (question, help) = question(&app, &visitor, wanted).await?;
    let its = app.clone();
    let work = move |quit: &AtomicBool| {
        let mut found = thinking::analyse(&question, quit, &mut |_| {})?;
        for line in &mut found.report.lines {
            line.moves = its.tables.before_secret(&*question.position, std::mem::take(&mut line.moves));
        }
        Some(found)
    };
    let found = app.thinking.search(help.owner, help.cpu, work).await?;
    Ok(Json(found.ok_or(Refused::Fault)?.into()))
}

/// For pages: reports each depth as it is found, and ends when the page no longer listens.
pub(crate) async fn stream(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Response, Refused> {
    app.origins.check(&headers, &visitor)?;
    let (question, help) = question(&app, &visitor, wanted).await?;
    let its = app.clone();
    let work = move |quit: &AtomicBool, tell: &mut dyn FnMut(Finding)| {
        let lines = |report: &AnyReport| finding_lines(&its, &*question.position, report);
        let mut each = |report: &AnyReport| {
            tell(Finding::Depth { depth: report.depth, nodes: report.nodes, lines: lines(report) });
        };
        let found = thinking::analyse(&question, quit, &mut each);
        if let Some(Analysis { report, ms }) = found {
            tell(Finding::End { depth: report.depth, nodes: report.nodes, lines: lines(&report), ms });
        }
    };
    let reports = app.thinking.report(help.owner, help.cpu, work)?;
    Ok(events(reports, help))
}

/// The lines of a report, their scores for side 1.
fn finding_lines(app: &App, position: &dyn AnyGame, report: &AnyReport) -> Vec<FindingLine> {
    let (game, turn) = (position.kind().id(), position.turn());
    let of_one = |line: &AnyLine| match turn {
        Side::One => PositionValue::new(game, line.score, line.worth),
        Side::Two => PositionValue::new(game, -line.score, line.worth.of_other()),
    };
    let moves = |line: &AnyLine| app.tables.before_secret(position, line.moves.clone());
    report.lines.iter().map(|line| FindingLine { value: of_one(line), moves: moves(line) }).collect()
}

/// The question, and leave to search for its answer.
async fn question(
    app: &App,
    visitor: &Visitor,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<(AnalysisQuestion, Help), Refused> {
    Help::count(app, visitor)?;
    let wanted = sent(wanted)?;
    let lines = wanted.lines.unwrap_or(1);
    if !(1..=MAX_LINES).contains(&lines) {
        return Err(Refused::bad("analyse.lines"));
    }
    let (states, depth) = (wanted.states, wanted.depth);
    let position = app.rendering.run(wanted.asked().load(), move || position(&wanted)).await??;
    let help = Help::begin_at(app, visitor, &*position)?;
    Ok((AnalysisQuestion { position, lines, cpu: help.cpu, states, depth }, help))
}

/// The position after the moves; an error if the game is over there.
fn position(wanted: &Wanted) -> Result<Box<dyn AnyGame>, Refused> {
    let record = wanted.asked().record()?;
    let position = record.position();
    if position.outcome().is_some() { Err(Refused::bad("analyse.over")) } else { Ok(position.boxed_clone()) }
}
