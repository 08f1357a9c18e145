//! The page of a game, and its positions for the replay.

use askama::Template;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{Redirect, Response};

use super::replay::Replay;
use super::{game_name, reason, result};
use crate::app::App;
use crate::board_tag::BoardTag;
use crate::http::error::Refused;
use crate::page::{Frame, page};
use crate::player_name::PlayerName;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    frame: Frame,
    code: String,
    game: String,
    options: String,
    players: [PlayerName; 2],
    points: [i64; 2],
    result: String,
    reason: String,
    is_rated: bool,
    ended_ms: i64,
    moves: Vec<Move>,
    board: BoardTag,
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
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let game = app.store.game(&code).await?.ok_or(Refused::NotFound)?;
    let replay = Replay::of(&app, game.clone()).await?;
    let layout = replay.layout(&app).await?.path();
    let frame = Frame::new(&visitor);
    let locale = frame.locale;
    page(&GamePage {
        code,
        game: game_name(&game.game),
        players: [0, 1].map(|side| PlayerName::of(&game.players[side], locale)),
        points: game.points,
        result: result(&game, locale),
        reason: reason(&game.reason, locale),
        is_rated: game.is_rated,
        ended_ms: game.ended_ms,
        moves: replay
            .record
            .moves()
            .iter()
            .map(|mv| Move { side: mv.played.side.index(), text: mv.text.clone() })
            .collect(),
        board: BoardTag::new(&game.game, layout, locale),
        options: game.options,
        frame,
    })
}

/// Leads to the analysis of the last position that was not decided: the one before the last move, if that ended the game.
pub(crate) async fn analyse(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Redirect, Refused> {
    app.limits.drawings.check(Key::visitor(&visitor))?;
    let game = app.store.game(&code).await?.ok_or(Refused::NotFound)?;
    let position = Replay::of(&app, game.clone()).await?.last_undecided()?;
    let query = [("game", game.game), ("position", position)];
    let query = serde_urlencoded::to_string(query).map_err(|_| Refused::Fault)?;
    Ok(Redirect::to(&format!("/analyse?{query}")))
}

/// The board after a number of moves.
pub(crate) async fn scene(
    State(app): State<App>,
    visitor: Visitor,
    place: Result<Path<(String, usize)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    app.limits.drawings.check(Key::visitor(&visitor))?;
    let Path((code, ply)) = place.map_err(|_| Refused::NotFound)?;
    let game = app.store.game(&code).await?.ok_or(Refused::NotFound)?;
    let replay = Replay::of(&app, game).await?;
    if ply > replay.record.moves().len() {
        return Err(Refused::NotFound);
    }
    replay.scene(&app, &code, ply).await?.response(&app, &headers).await
}
