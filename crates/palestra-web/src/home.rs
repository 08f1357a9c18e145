//! The first page, and the choice of a language.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_games::GAMES;
use palestra_search::player::GRADE_NAMES;
use palestra_store::GameFilter;
use serde::Deserialize;

use crate::app::App;
use crate::games::Row;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::leagues::{LeagueRow, published};
use crate::locale::Locale;
use crate::page::{Frame, page};
use crate::recent::RecentTables;
use crate::showcase::{Picture, opening, pictures};
use crate::tables::{Status, Summary, TableRow, Who};
use crate::visitor::Visitor;

/// Tables in each list of the page.
const MAX_TABLES: usize = 8;

/// Finished games in each list of the page.
const MAX_GAMES: u32 = 6;

/// Published leagues in the list of the page.
const MAX_LEAGUES: u32 = 6;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    /// The board on which the first click is the first move.
    first: Picture,
    /// Who answers it.
    opponent: &'static str,
    pictures: Vec<Picture>,
    grades: [&'static str; GRADE_NAMES.len()],
    /// The visitor's own tables, and games that they have finished.
    own_tables: Vec<TableRow>,
    own_games: Vec<Row>,
    /// Public tables where a game is in progress, how many there are, and the last public games.
    tables: Vec<TableRow>,
    table_count: usize,
    games: Vec<Row>,
    /// Published leagues.
    leagues: Vec<LeagueRow>,
}

/// The first page.
pub(crate) async fn home(State(app): State<App>, visitor: Visitor, headers: HeaderMap) -> Result<Response, Refused> {
    let (frame, who) = (Frame::new(&visitor), Who::from(&visitor));
    let all = app.tables.list();
    let own: Vec<&Summary> = all.iter().filter(|summary| summary.is_of(&who)).collect();
    let known = RecentTables::of(&headers);
    let recent = known.with(own.iter().map(|summary| summary.code.clone()));
    let account = visitor.account.as_ref().map(|account| account.id);
    let own_games = app.store.games_of(account, recent.codes(), MAX_GAMES).await?;
    let games = app.store.games(&GameFilter::default(), MAX_GAMES).await?;
    let playing = all.iter().filter(|summary| summary.is_public && summary.status == Status::Playing);
    let row = |summary: &Summary| TableRow::new(summary, frame.locale);
    let shown = page(&Home {
        first: opening(&app, &GAMES[0], frame.locale).await?,
        opponent: GRADE_NAMES[0],
        pictures: pictures(&app, frame.locale).await?,
        grades: GRADE_NAMES,
        own_tables: own
            .iter()
            .filter(|table| table.status != Status::Over)
            .take(MAX_TABLES)
            .map(|table| row(table))
            .collect(),
        own_games: own_games.iter().map(|game| Row::new(game, frame.locale)).collect(),
        tables: playing.clone().take(MAX_TABLES).map(row).collect(),
        table_count: playing.count(),
        games: games.iter().map(|game| Row::new(game, frame.locale)).collect(),
        leagues: published(&app, MAX_LEAGUES, frame.locale).await?,
        frame,
    })?;
    // A guest who sat down at another visitor's table is known there by now.
    if recent == known {
        return Ok(shown);
    }
    Ok(([(header::SET_COOKIE, recent.cookie())], shown).into_response())
}

#[derive(Deserialize)]
pub(crate) struct Language {
    lang: String,
}

/// Chooses a language, and goes back to where that was asked.
pub(crate) async fn language(headers: HeaderMap, Posted(form): Posted<Language>) -> Result<Response, Refused> {
    let locale = Locale::find(&form.lang).ok_or(Refused::bad("refused.form"))?;
    Ok(([(header::SET_COOKIE, locale.cookie())], Redirect::to(&back(&headers))).into_response())
}

/// The path of the page that a form stood on.
pub(crate) fn back(headers: &HeaderMap) -> String {
    let referer = headers.get(header::REFERER).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let path = referer.split_once("://").and_then(|(_, rest)| rest.find('/').map(|slash| &rest[slash..]));
    path.filter(|path| !path.starts_with("//")).unwrap_or("/").to_owned()
}
