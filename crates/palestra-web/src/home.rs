//! The first page, and the choice of a language.

use askama::Template;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_games::{GAMES, GameKind};
use palestra_search::player::GRADE_NAMES;
use serde::Deserialize;

use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::locale::Locale;
use crate::page::{Frame, page};
use crate::visitor::{LANGUAGE_COOKIE, Visitor};

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    games: &'static [GameKind],
    grades: [&'static str; GRADE_NAMES.len()],
}

/// The first page.
pub(crate) async fn home(visitor: Visitor) -> Result<Response, Refused> {
    page(&Home { frame: Frame::new(&visitor), games: GAMES, grades: GRADE_NAMES })
}

#[derive(Deserialize)]
pub(crate) struct Language {
    lang: String,
}

/// Chooses a language, and goes back to where that was asked.
pub(crate) async fn language(headers: HeaderMap, Posted(form): Posted<Language>) -> Result<Response, Refused> {
    let locale = Locale::find(&form.lang).ok_or(Refused::bad("refused.form"))?;
    let cookie = format!("{LANGUAGE_COOKIE}={}; Path=/; Max-Age=31536000; SameSite=Lax", locale.word());
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&back(&headers))).into_response())
}

/// The path of the page that a form stood on.
fn back(headers: &HeaderMap) -> String {
    let referer = headers.get(header::REFERER).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let path = referer.split_once("://").and_then(|(_, rest)| rest.find('/').map(|slash| &rest[slash..]));
    path.filter(|path| !path.starts_with("//")).unwrap_or("/").to_owned()
}
