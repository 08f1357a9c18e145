//! Opening a table.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_games::bandera::Bandera;
use palestra_games::{AnyGame, Draw, GameKind};
use palestra_protocol::shown;
use palestra_store::Scope;
use serde::Serialize;
use utoipa::ToSchema;

use super::new::again;
use super::new_table::{IllegalRule, NewTable, Visibility};
use super::occupant::{Occupant, Who};
use super::setup::Setup;
use crate::account::{is_built_in, is_reserved};
use crate::app::App;
use crate::help::BARRED;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::maps::{self, Chosen};
use crate::ratelimit::Key;
use crate::recent::RecentTables;
use crate::text::clean_name;
use crate::visitor::Visitor;

/// The longest nickname of a guest, in characters.
pub(super) const MAX_NICKNAME: usize = 20;

/// Tables that one visitor may have at a time.
const MAX_TABLES_PER_VISITOR: usize = 20;

/// Opens a table from the form, and redirects to it; if something in the form is wrong, shows it again.
pub(crate) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    Posted(form): Posted<NewTable>,
) -> Result<Response, Refused> {
    let code = match open_table(&app, &visitor, &form).await {
        Ok(code) => code,
        Err(refused @ Refused::Bad(..)) => return again(&app, &visitor, form, &refused).await,
        Err(refused) => return Err(refused),
    };
    let cookie = RecentTables::of(&headers).with([code.clone()]).cookie();
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&format!("/t/{code}"))).into_response())
}

/// The table that a program has opened.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpenedTable {
    /// The code in its address, `/t/CODE`.
    code: String,
    url: String,
}

/// Opens a table.
#[utoipa::path(
    post, path = "/tables", operation_id = "open_table", request_body = NewTable, security(("token" = ["play"])),
    responses((status = 201, body = OpenedTable))
)]
pub(crate) async fn create_from_program(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    new: Result<Json<NewTable>, JsonRejection>,
) -> Result<Response, Refused> {
    app.origins.check(&headers, &visitor)?;
    visitor.may(Scope::Play)?;
    let Json(new) =
        new.map_err(|error| Refused::bad_with("refused.json", shown(&error.body_text(), 300).to_string()))?;
    let code = open_table(&app, &visitor, &new).await?;
    let url = app.origins.link(&format!("/t/{code}"));
    Ok((StatusCode::CREATED, Json(OpenedTable { code, url })).into_response())
}

/// Opens a table, and returns its code.
pub(crate) async fn open_table(app: &App, visitor: &Visitor, new: &NewTable) -> Result<String, Refused> {
    visitor.sends()?;
    app.limits.tables.check(Key::visitor(visitor))?;
    let setup = setup(app, visitor, new).await?;
    let who = Who::from(visitor);
    let name = nickname(app, visitor, Some(&new.nickname)).await?;
    let seats = [
        new.seat1.occupant(app, &setup, (&who, &name), &new.reserved1).await?,
        new.seat2.occupant(app, &setup, (&who, &name), &new.reserved2).await?,
    ];
    let first_move = (!new.first_move.is_empty()).then(|| new.first_move.clone());
    open_with(app, visitor, setup, seats, first_move).await
}

/// Opens a table that goes on from a position of another.
pub(super) async fn open_from(
    app: &App,
    visitor: &Visitor,
    setup: Setup,
    seats: [Occupant; 2],
) -> Result<String, Refused> {
    app.limits.tables.check(Key::visitor(visitor))?;
    open_with(app, visitor, setup, seats, None).await
}

async fn open_with(
    app: &App,
    visitor: &Visitor,
    setup: Setup,
    seats: [Occupant; 2],
    first_move: Option<String>,
) -> Result<String, Refused> {
    let who = Who::from(visitor);
    if app.tables.list().iter().filter(|summary| summary.is_of(&who)).count() >= MAX_TABLES_PER_VISITOR {
        return Err(Refused::bad("tables.too_many"));
    }
    let is_engine = |seat: &Occupant| matches!(seat, Occupant::BuiltIn(_) | Occupant::Own(_));
    if seats.iter().any(is_engine) && app.tables.plays_rated(visitor) {
        return Err(Refused::bad(BARRED));
    }
    if setup.is_rated {
        let may_be_rated =
            |seat: &Occupant| matches!(seat, Occupant::Open | Occupant::Reserved(_) | Occupant::Account { .. });
        if !seats.iter().all(may_be_rated) || (seats[0] == seats[1] && seats[0].is_person()) {
            return Err(Refused::bad("tables.rated"));
        }
    }
    let opener = (Key::address(visitor.address), app.limits.owner(visitor));
    let first_move = first_move.map(|text| (who, text));
    app.tables.open(app, opener, setup, seats, first_move).await
}

async fn setup(app: &App, visitor: &Visitor, new: &NewTable) -> Result<Setup, Refused> {
    let kind = GameKind::find(&new.game).ok_or(Refused::bad("tables.no_such_game"))?;
    if new.rated && visitor.account.is_none() {
        return Err(Refused::SignIn);
    }
    let Options { text, name, is_usual } = options(app, visitor, kind, new).await?;
    let start = (kind.start)(&text).map_err(|error| Refused::bad_with("tables.options", error.phrase()))?;
    let setup = Setup {
        game: kind.id().to_owned(),
        options: name,
        start: start.notation(),
        is_usual,
        time: new.time()?,
        is_public: new.visibility == Visibility::Public && kind.is_listed,
        is_rated: new.rated && kind.is_listed,
        games: new.games()?,
        retry: new.illegal == IllegalRule::Retry,
        seed: seed()?,
        creator: visitor.guest().as_str().to_owned(),
    };
    if new.position.is_empty() { Ok(setup) } else { from_position(app, setup, &new.position) }
}

/// The settings of a table whose games begin from this position.
pub(super) fn from_position(app: &App, setup: Setup, position: &str) -> Result<Setup, Refused> {
    if setup.is_rated {
        return Err(Refused::bad("tables.rated_position"));
    }
    let start = starting_position(app, setup.kind(), position)?;
    Ok(Setup { start: start.notation(), is_usual: false, seed: seed()?, ..setup })
}

/// The position, if games can begin from it: it is not decided yet, and not near a rated game in progress.
pub(super) fn starting_position(app: &App, kind: &GameKind, position: &str) -> Result<Box<dyn AnyGame>, Refused> {
    let start = (kind.parse)(position.trim());
    let start = start.map_err(|error| Refused::bad_with("tables.position", error.phrase()))?;
    if start.outcome().is_some() {
        return Err(Refused::bad("tables.is_over"));
    }
    if app.tables.is_secret(&*start) { Err(Refused::bad(BARRED)) } else { Ok(start) }
}

fn seed() -> Result<u64, Refused> {
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).map_err(|_| Refused::Fault)?;
    Ok(u64::from_le_bytes(seed))
}

/// The options of a game that is about to begin.
struct Options {
    text: String,
    /// What the table calls them.
    name: String,
    /// Whether a record can say them in a word.
    is_usual: bool,
}

/// The options that a visitor chooses: words of the game, or a map.
async fn options(app: &App, visitor: &Visitor, kind: &GameKind, new: &NewTable) -> Result<Options, Refused> {
    let word = if new.map.trim().is_empty() { &new.options } else { new.map.trim() };
    if kind.id() != Bandera::ABOUT.id || word == "-" {
        return Ok(Options { text: word.to_owned(), name: word.to_owned(), is_usual: true });
    }
    let Chosen { text, name } = maps::chosen(app, visitor, word).await?;
    let is_usual = name.is_none();
    Ok(Options { name: name.unwrap_or_else(|| text.clone()), text, is_usual })
}

/// Checks the nickname of a guest: it is neither reserved nor the nickname of an account.
pub(crate) async fn check_name(app: &App, name: &str) -> Result<(), Refused> {
    if is_built_in(name) {
        return Err(Refused::bad_with("tables.name_built_in", name.to_owned()));
    }
    if is_reserved(name, None) {
        return Err(Refused::bad_with("tables.name_reserved", name.to_owned()));
    }
    match app.store.account_by_nickname(name).await? {
        Some(_) => Err(Refused::bad_with("tables.name_taken", name.to_owned())),
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
