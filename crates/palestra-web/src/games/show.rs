//! The page of a finished game.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{Redirect, Response};

use super::replay::Replay;
use super::{reason, result};
use crate::analysis_page::{AnalysisPage, Form, Kept, Study, words};
use crate::app::App;
use crate::http::error::Refused;
use crate::page::{Frame, page};
use crate::player_name::PlayerName;
use crate::ratelimit::Key;
use crate::runs::{game_for, with_thoughts};
use crate::visitor::Visitor;

/// The page of a game, also of one that is in no list.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let game = game_for(&app, &visitor, &code).await?;
    let replay = Replay::of(&app, game.clone()).await?;
    let frame = Frame::new(&visitor);
    let locale = frame.locale;
    let players = [0, 1].map(|side| PlayerName::of(&game.players[side], locale));
    let key = format!("line of {code}");
    let noted = with_thoughts(&app, &visitor, &code, &replay.record).await?;
    let record = noted.map_or_else(|| replay.record.clone(), Arc::new);
    let study = Study::new(&app, &key, record, Some(players), locale).await?;
    let kept = Kept {
        result: result(&game, locale),
        reason: reason(&game.reason, locale),
        is_rated: game.is_rated,
        ended_ms: game.ended_ms,
        options: game.options,
        code,
    };
    page(&AnalysisPage {
        frame,
        study: Some(study),
        kept: Some(kept),
        words: words(locale),
        pictures: vec![],
        form: Form::default(),
        wrong: String::new(),
    })
}

/// The address that the analysis of a game had before it was on the game's own page.
pub(crate) async fn analyse(Path(code): Path<String>) -> Redirect {
    // A code in an address may hold anything; one that is none leads to a page that says so.
    let code: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    Redirect::permanent(&format!("/games/{code}"))
}
