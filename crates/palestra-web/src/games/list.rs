//! The list of finished games, with filters and pages.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use palestra_arena::Reason;
use palestra_games::{GAMES, GameKind};
use palestra_store::{GameEnd, GameFilter, KeptGame};
use serde::{Deserialize, Serialize};

use super::{game_name, reason, result};
use crate::app::App;
use crate::calendar::{day_begin_ms, next_day_ms};
use crate::http::error::Refused;
use crate::http::form::Wrong;
use crate::locale::Locale;
use crate::page::{Frame, page, page_again};
use crate::player_name::PlayerName;
use crate::recent::RecentTables;
use crate::visitor::Visitor;

/// The filter form of the list. Empty fields do not filter.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Asked {
    game: String,
    player: String,
    result: String,
    reason: String,
    /// Days, the last one included.
    from: String,
    to: String,
    before: String,
    /// `yes` for the visitor's own games, public or not, instead of a search.
    own: String,
}

impl Asked {
    /// The query of the store.
    pub(super) fn filter(&self) -> Result<GameFilter, Refused> {
        let result =
            said(&self.result).map(|word| word.parse().map_err(|_| Refused::bad("refused.form"))).transpose()?;
        Ok(GameFilter {
            game: one_of_games(&self.game)?,
            player: said(&self.player),
            result,
            reason: one_of(&self.reason, |word| Reason::words().any(|known| known == word))?,
            from_ms: day(&self.from)?,
            to_ms: day(&self.to)?.map(next_day_ms),
            before: said(&self.before),
        })
    }

    fn is_own(&self) -> bool {
        self.own == "yes"
    }

    /// The field of a date that is none.
    fn wrong_day(&self) -> &'static str {
        if day(&self.from).is_err() { "from" } else { "to" }
    }

    /// The query string of this list, continued after the game with the code `before`.
    fn query(&self, before: &str) -> String {
        let asked = Self { before: before.to_owned(), ..self.clone() };
        serde_urlencoded::to_string(asked).unwrap_or_default()
    }
}

fn said(field: &str) -> Option<String> {
    let field = field.trim();
    (!field.is_empty()).then(|| field.to_owned())
}

/// The value of a field, which must be a known one; `None` if the field is empty.
fn one_of(field: &str, is_one: impl FnOnce(&str) -> bool) -> Result<Option<String>, Refused> {
    let word = said(field);
    if word.as_deref().is_none_or(is_one) { Ok(word) } else { Err(Refused::bad("refused.form")) }
}

/// The game in a field; `None` if the field is empty.
pub(super) fn one_of_games(field: &str) -> Result<Option<String>, Refused> {
    one_of(field, |word| GameKind::find(word).is_some())
}

/// The key of the error for a text that is no date.
const NO_DAY: &str = "games.day";

/// The start of the day in a field, in Unix milliseconds.
fn day(field: &str) -> Result<Option<i64>, Refused> {
    said(field).map(|text| day_begin_ms(&text).ok_or_else(|| Refused::bad(NO_DAY))).transpose()
}

/// A line of the list.
pub(crate) struct Row {
    pub(crate) code: String,
    pub(crate) game: String,
    pub(crate) players: [PlayerName; 2],
    pub(crate) points: [i64; 2],
    pub(crate) result: String,
    pub(crate) reason: String,
    pub(crate) ended_ms: i64,
}

impl Row {
    pub(crate) fn new(game: &KeptGame, locale: Locale) -> Self {
        Self {
            code: game.code.clone(),
            game: game_name(&game.game),
            players: [0, 1].map(|side| PlayerName::of(&game.players[side], locale)),
            points: game.points,
            result: result(game, locale),
            reason: reason(&game.reason, locale),
            ended_ms: game.ended_ms,
        }
    }
}

#[derive(Template)]
#[template(path = "games.html")]
struct Games {
    frame: Frame,
    games: &'static [GameKind],
    reasons: Vec<&'static str>,
    rows: Vec<Row>,
    /// The query string of the next page.
    next: Option<String>,
    /// The query string for the download of all games in the list.
    all: String,
    asked: Asked,
    wrong: Wrong,
}

impl Games {
    /// Whether these are the visitor's own games.
    fn is_own(&self) -> bool {
        self.asked.is_own()
    }

    /// Whether anything is filtered.
    fn is_filtered(&self) -> bool {
        let Asked { game, player, result, reason, from, to, before, own: _ } = &self.asked;
        [game, player, result, reason, from, to, before].iter().any(|field| !field.is_empty())
    }
}

/// Number of games on a page.
const PAGE_GAMES: usize = 25;

/// Number of the visitor's own games that are listed.
const OWN_GAMES: u32 = 200;

/// The public games or the visitor's own, newest first.
pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Refused> {
    let Query(asked) = asked.map_err(|_| Refused::bad("refused.form"))?;
    let frame = Frame::new(&visitor);
    let reasons = Reason::words().collect();
    if asked.is_own() {
        let account = visitor.account.as_ref().map(|account| account.id);
        let found = app.store.games_of(account, RecentTables::of(&headers).codes(), OWN_GAMES).await?;
        let rows = found.iter().map(|game| Row::new(game, frame.locale)).collect();
        let (all, wrong) = (String::new(), Wrong::default());
        return page(&Games { frame, games: GAMES, reasons, rows, next: None, all, asked, wrong });
    }
    let filter = match asked.filter() {
        Ok(filter) => filter,
        Err(refused) => {
            let field = if refused == Refused::bad(NO_DAY) { asked.wrong_day() } else { "" };
            let (rows, all, wrong) = (vec![], String::new(), Wrong::at(field, &refused, frame.locale));
            return page_again(&Games { frame, games: GAMES, reasons, rows, next: None, all, asked, wrong });
        }
    };
    let mut found = app.store.games(&filter, PAGE_GAMES as u32 + 1).await?;
    let has_more = found.len() > PAGE_GAMES;
    found.truncate(PAGE_GAMES);
    let next = found.last().filter(|_| has_more).map(|last| asked.query(&last.code));
    let rows = found.iter().map(|game| Row::new(game, frame.locale)).collect();
    let (all, wrong) = (asked.query(""), Wrong::default());
    page(&Games { frame, games: GAMES, reasons, rows, next, all, asked, wrong })
}
