//! Opening a table.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_arena::TimeControl;
use palestra_games::bandera::Bandera;
use palestra_games::{Draw, GameKind};
use palestra_protocol::shown;
use palestra_search::any_player;
use palestra_store::Scope;
use serde::Deserialize;
use serde_json::json;

use super::message::Command;
use super::new::again;
use super::occupant::{Invited, Occupant, Who};
use super::setup::Setup;
use crate::account::{is_built_in, is_reserved};
use crate::app::App;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::maps;
use crate::ratelimit::Key;
use crate::recent::RecentTables;
use crate::text::{clean, clean_name};
use crate::visitor::Visitor;

/// The form of a new table, or what a program sends instead. All but the game has a default: a casual game by link,
/// without clocks, against ninja1.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub(crate) struct NewTable {
    pub(crate) game: String,
    /// A word of the game's options, or the name of a map.
    pub(crate) options: String,
    /// `me`, `open`, `reserved`, `own:NAME` for a program of the server's owner, or the name of a built-in player.
    pub(crate) seat1: String,
    pub(crate) seat2: String,
    /// The nickname for which a reserved seat is.
    pub(crate) reserved1: String,
    pub(crate) reserved2: String,
    /// The nickname of a guest.
    pub(crate) nickname: String,
    /// `none`, `turn`, `game`, or both numbers of the time of a game: `3+2` is 3 minutes and 2 seconds a move.
    pub(crate) clock: String,
    /// The time of a turn or of a game, in seconds.
    pub(crate) seconds: u32,
    /// The time of a game in minutes, as the form has it; empty if it is given in seconds.
    pub(crate) minutes: String,
    /// The increment for each move, in seconds.
    pub(crate) increment: u32,
    /// `public` or `link`.
    pub(crate) visibility: String,
    /// `yes` or nothing.
    pub(crate) rated: String,
    /// The number of games of the match, 1 or 2.
    pub(crate) games: u32,
    /// What an illegal move of a program does: `forfeit` or `retry`.
    pub(crate) illegal: String,
    /// The first move, if the visitor plays first and has chosen it already.
    #[serde(rename = "move")]
    pub(crate) first_move: String,
}

impl Default for NewTable {
    fn default() -> Self {
        Self {
            game: String::new(),
            options: "-".to_owned(),
            seat1: "me".to_owned(),
            seat2: "ninja1".to_owned(),
            reserved1: String::new(),
            reserved2: String::new(),
            nickname: String::new(),
            clock: "none".to_owned(),
            seconds: 300,
            minutes: String::new(),
            increment: 0,
            visibility: "link".to_owned(),
            rated: String::new(),
            games: 1,
            illegal: "forfeit".to_owned(),
            first_move: String::new(),
        }
    }
}

/// Range of a clock's initial time in seconds.
const CLOCK_SECONDS: std::ops::RangeInclusive<u32> = 1..=24 * 3600;

/// The largest increment of a clock.
const MAX_INCREMENT_SECONDS: u32 = 3600;

/// The longest nickname of a guest, in characters.
pub(super) const MAX_NICKNAME: usize = 20;

/// Maximum length, in characters, of an unknown program's name in the error message.
const MAX_OWN_NAME: usize = 40;

/// Maximum depth of a textbook player at a table, because the server's threads are shared by all visitors.
const MAX_TEXTBOOK_DEPTH: u32 = 10;

/// Tables that one visitor may have at a time.
const MAX_TABLES_PER_VISITOR: usize = 20;

/// Opens a table from the form, and redirects to it; if something in the form is wrong, shows it again.
pub(crate) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    Posted(form): Posted<NewTable>,
) -> Result<Response, Refused> {
    let code = match open(&app, &visitor, &form).await {
        Ok(code) => code,
        Err(refused @ Refused::Bad(..)) => return again(&app, &visitor, form, &refused).await,
        Err(refused) => return Err(refused),
    };
    let cookie = RecentTables::of(&headers).with([code.clone()]).cookie();
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&format!("/t/{code}"))).into_response())
}

/// Opens a table by the API, and returns its address.
pub(crate) async fn create_from_program(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    new: Result<Json<NewTable>, JsonRejection>,
) -> Result<Response, Refused> {
    app.origins.check(&headers, &visitor)?;
    visitor.may(Scope::Play)?;
    let Json(new) = new.map_err(|error| Refused::Bad("refused.json", shown(&error.body_text(), 300).to_string()))?;
    let code = open(&app, &visitor, &new).await?;
    let url = app.origins.link(&format!("/t/{code}"));
    Ok((StatusCode::CREATED, Json(json!({"code": code, "url": url}))).into_response())
}

async fn open(app: &App, visitor: &Visitor, new: &NewTable) -> Result<String, Refused> {
    app.limits.tables.check(Key::visitor(visitor))?;
    let setup = setup(app, visitor, new).await?;
    let who = Who::from(visitor);
    let name = nickname(app, visitor, Some(&new.nickname)).await?;
    if app.tables.list().iter().filter(|summary| summary.is_of(&who)).count() >= MAX_TABLES_PER_VISITOR {
        return Err(Refused::bad("tables.too_many"));
    }
    let seats = [
        seat(app, &setup, &who, &name, &new.seat1, &new.reserved1).await?,
        seat(app, &setup, &who, &name, &new.seat2, &new.reserved2).await?,
    ];
    let is_engine = |seat: &Occupant| matches!(seat, Occupant::BuiltIn(_) | Occupant::Own(_));
    if seats.iter().any(is_engine) && app.tables.plays_rated(visitor) {
        return Err(Refused::bad("analyse.barred"));
    }
    if setup.is_rated {
        let may_be_rated =
            |seat: &Occupant| matches!(seat, Occupant::Open | Occupant::Reserved(_) | Occupant::Account { .. });
        if !seats.iter().all(may_be_rated) || (seats[0] == seats[1] && seats[0].is_person()) {
            return Err(Refused::bad("tables.rated"));
        }
    }
    let opener = (Key::address(visitor.address), app.limits.owner(visitor));
    let code = app.tables.open(app, opener, setup, seats).await?;
    if !new.first_move.is_empty() {
        let first = Command::Move { ply: 0, text: new.first_move.clone() };
        // A move that cannot be made is made at the table, where the board shows which can.
        let _ = app.tables.find(&code)?.command(who, name, first).await;
    }
    Ok(code)
}

async fn setup(app: &App, visitor: &Visitor, new: &NewTable) -> Result<Setup, Refused> {
    let kind = GameKind::find(&new.game).ok_or(Refused::bad("tables.no_such_game"))?;
    let (text, is_usual) = options(app, kind, &new.options).await?;
    let start = (kind.start)(&text).map_err(|error| Refused::Bad("tables.options", error.to_string()))?;
    let is_rated = new.rated == "yes";
    if is_rated && visitor.account.is_none() {
        return Err(Refused::SignIn);
    }
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).map_err(|_| Refused::Fault)?;
    Ok(Setup {
        game: kind.id().to_owned(),
        options: new.options.clone(),
        start: start.notation(),
        is_usual,
        time: time(new)?,
        is_public: one_of(&new.visibility, ["link", "public"])? == 1,
        is_rated,
        games: if (1..=2).contains(&new.games) { new.games } else { return Err(Refused::bad("refused.form")) },
        retry: one_of(&new.illegal, ["forfeit", "retry"])? == 1,
        seed: u64::from_le_bytes(seed),
        creator: visitor.guest().as_str().to_owned(),
    })
}

/// The text of the options, and whether a record can say them in a word.
async fn options(app: &App, kind: &GameKind, options: &str) -> Result<(String, bool), Refused> {
    if kind.id() != Bandera::ABOUT.id || options == "-" {
        return Ok((options.to_owned(), true));
    }
    let text = maps::options(app, options).await?;
    let is_word = text == options;
    Ok((text, is_word))
}

fn time(new: &NewTable) -> Result<TimeControl, Refused> {
    let wrong = || Refused::bad("tables.clock");
    let (kind, seconds, increment) = match new.clock.split_once('+') {
        Some((minutes, increment)) => {
            let increment = increment.parse().map_err(|_| wrong())?;
            ("game", seconds_of(minutes).ok_or_else(wrong)?, increment)
        }
        None if new.clock == "game" && !new.minutes.is_empty() => {
            ("game", seconds_of(&new.minutes).ok_or_else(wrong)?, new.increment)
        }
        None => (new.clock.as_str(), new.seconds, new.increment),
    };
    if kind != "none" && !(CLOCK_SECONDS.contains(&seconds) && increment <= MAX_INCREMENT_SECONDS) {
        return Err(wrong());
    }
    let [total, increment] = [seconds, increment].map(|seconds| Duration::from_secs(seconds.into()));
    Ok(match one_of(kind, ["none", "turn", "game"])? {
        0 => TimeControl::Unlimited,
        1 => TimeControl::Wall(total),
        _ => TimeControl::Game { total, increment },
    })
}

/// The seconds of a number of minutes, which may be a fraction such as 0.5.
fn seconds_of(minutes: &str) -> Option<u32> {
    let minutes: f64 = minutes.trim().parse().ok()?;
    let is_one = (0.0..=f64::from(*CLOCK_SECONDS.end())).contains(&minutes);
    is_one.then_some((minutes * 60.0).round() as u32)
}

fn one_of<const N: usize>(word: &str, words: [&str; N]) -> Result<usize, Refused> {
    words.iter().position(|known| *known == word).ok_or(Refused::bad("refused.form"))
}

async fn seat(
    app: &App,
    setup: &Setup,
    who: &Who,
    name: &str,
    what: &str,
    reserved: &str,
) -> Result<Occupant, Refused> {
    if what != "reserved" && !reserved.trim().is_empty() {
        return Err(Refused::Bad("tables.not_reserved", clean(reserved, MAX_NICKNAME)));
    }
    match what {
        "me" => Ok(Occupant::person(who, name)),
        "open" => Ok(Occupant::Open),
        "reserved" => {
            let account = app.store.account_by_nickname(reserved.trim()).await?;
            let account = account.ok_or_else(|| Refused::Bad("tables.nobody", clean(reserved, MAX_NICKNAME)))?;
            Ok(Occupant::Reserved(Invited { account: Some(account.id), nickname: account.nickname }))
        }
        _ => {
            if let Some(name) = what.strip_prefix("own:") {
                let is_offered = app.offers.has(name, setup.kind()).await;
                let refused = || Refused::Bad("tables.not_offered", clean(name, MAX_OWN_NAME));
                return if is_offered { Ok(Occupant::Own(name.to_owned())) } else { Err(refused()) };
            }
            any_player(&setup.game, what, 0).map_err(|error| Refused::Bad("tables.player", error.to_string()))?;
            if textbook_depth(what).is_some_and(|depth| depth > MAX_TEXTBOOK_DEPTH) {
                return Err(Refused::Bad("tables.depth", MAX_TEXTBOOK_DEPTH.to_string()));
            }
            Ok(Occupant::BuiltIn(what.to_owned()))
        }
    }
}

/// The depth of a textbook player such as `alphabeta:6:strong`.
fn textbook_depth(name: &str) -> Option<u32> {
    name.split(':').nth(1)?.parse().ok()
}

/// Checks the nickname of a guest: it is neither reserved nor the nickname of an account.
pub(crate) async fn check_name(app: &App, name: &str) -> Result<(), Refused> {
    if is_built_in(name) {
        return Err(Refused::Bad("tables.name_built_in", name.to_owned()));
    }
    if is_reserved(name, None) {
        return Err(Refused::Bad("tables.name_reserved", name.to_owned()));
    }
    match app.store.account_by_nickname(name).await? {
        Some(_) => Err(Refused::Bad("tables.name_taken", name.to_owned())),
        None => Ok(()),
    }
}

/// The nickname of a visitor at a table. Guests choose theirs, but cannot take the nickname of an account.
pub(crate) async fn nickname(app: &App, visitor: &Visitor, wanted: Option<&str>) -> Result<String, Refused> {
    if let Some(account) = &visitor.account {
        return Ok(account.nickname.clone());
    }
    let wanted = clean_name(wanted.unwrap_or_default(), MAX_NICKNAME);
    if wanted.is_empty() {
        return Ok(visitor.locale.t("tables.guest").to_owned());
    }
    check_name(app, &wanted).await?;
    Ok(wanted)
}
