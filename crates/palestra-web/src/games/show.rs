//! The page of a game, and its positions for the replay.

use askama::Template;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use palestra_games::Record;
use serde_json::Value;

use super::{Shown, game_name, moment, reason, record, result};
use crate::app::App;
use crate::board;
use crate::page::{Frame, page};
use crate::refused::Refused;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    frame: Frame,
    code: String,
    game: String,
    game_id: String,
    options: String,
    players: [Shown; 2],
    points: [i64; 2],
    result: String,
    reason: String,
    is_rated: bool,
    started: String,
    ended: String,
    moves: Vec<Move>,
    texts: String,
    layout: String,
    /// The board at the end.
    scene: String,
}

/// A move in the list: who made it, and its text.
struct Move {
    side: usize,
    text: String,
}

/// The page of a game, also of one that is in no list.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let game = app.store.game(&code).await?.ok_or(Refused::NotFound)?;
    let record = record(&game)?;
    let frame = Frame::new(&visitor);
    let locale = frame.locale;
    page(&GamePage {
        code,
        game: game_name(&game.game),
        players: [0, 1].map(|side| Shown::new(&game.players[side], locale)),
        points: game.points,
        result: result(&game, locale),
        reason: reason(&game.reason, locale),
        is_rated: game.is_rated,
        started: moment(game.started_ms),
        ended: moment(game.ended_ms),
        moves: record.moves().iter().map(|mv| Move { side: mv.played.side.index(), text: mv.text.clone() }).collect(),
        texts: board::texts(&game.game, locale),
        layout: board::layout(&record.start().layout()).to_string(),
        scene: scene_of(&record)?.to_string(),
        options: game.options,
        game_id: game.game,
        frame,
    })
}

/// A finished game does not change any more.
const FOREVER: &str = "private, max-age=31536000, immutable";

/// The board after so many moves.
pub(crate) async fn scene(
    State(app): State<App>,
    place: Result<Path<(String, usize)>, PathRejection>,
) -> Result<Response, Refused> {
    let Path((code, ply)) = place.map_err(|_| Refused::NotFound)?;
    let game = app.store.game(&code).await?.ok_or(Refused::NotFound)?;
    let mut record = record(&game)?;
    if ply > record.moves().len() {
        return Err(Refused::NotFound);
    }
    record.truncate(ply);
    Ok(([(header::CACHE_CONTROL, FOREVER)], Json(scene_of(&record)?)).into_response())
}

/// The board after the last move.
fn scene_of(record: &Record) -> Result<Value, Refused> {
    let last = record.moves().last().map(|mv| (mv.played.side, mv.text.as_str()));
    record.position().scene(last).map(|scene| board::scene(&scene)).map_err(|error| {
        tracing::error!(%error, "a move that was played cannot be read");
        Refused::Fault
    })
}
