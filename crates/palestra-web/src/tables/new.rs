//! The form for a new table.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use palestra_games::bandera::Bandera;
use palestra_games::{Draw, GAMES, GameKind};
use palestra_search::any_players;
use serde::Deserialize;

use super::create::{MAX_NICKNAME, starting_position};
use super::new_table::{IllegalRule, NewTable, Visibility};
use super::seat_choice::SeatChoice;
use crate::app::App;
use crate::http::error::{Refused, What};
use crate::http::form::Wrong;
use crate::page::{Frame, page, page_again};
use crate::text::clean;
use crate::visitor::Visitor;

/// The clocks that are offered as one choice: minutes, and seconds added with each move.
const PRESETS: [(u32, u32); 5] = [(1, 0), (3, 2), (5, 0), (10, 5), (15, 10)];

/// The longest address of a map that the form repeats.
const MAX_ADDRESS: usize = 60;

/// Maximum number of public maps in the form.
const MAX_PUBLIC_MAPS: u32 = 500;

#[derive(Template)]
#[template(path = "new_table.html")]
struct NewTablePage {
    frame: Frame,
    games: &'static [GameKind],
    kind: &'static GameKind,
    players: Vec<&'static str>,
    /// The programs of the server's owner.
    own: Vec<String>,
    /// Whether the game is played on maps.
    has_maps: bool,
    /// The visitor's own maps and the public ones of others: addresses and names.
    own_maps: Vec<(String, String)>,
    public_maps: Vec<(String, String)>,
    presets: Vec<String>,
    form: NewTable,
    wrong: Wrong,
}

impl NewTablePage {
    /// Who is chosen for a side, and for whom it is reserved.
    fn seat(&self, side: &usize) -> (String, &str) {
        let NewTable { seat1, seat2, reserved1, reserved2, .. } = &self.form;
        if *side == 1 { (seat1.to_string(), reserved1) } else { (seat2.to_string(), reserved2) }
    }

    /// The name of the field for the nickname of a reserved seat.
    fn reserved(&self, side: &usize) -> &'static str {
        if *side == 1 { "reserved1" } else { "reserved2" }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    game: String,
    /// The address of the map to choose.
    map: String,
    /// The position from which the games begin; empty for that of the options.
    position: String,
}

/// The form, for the game, map or position that the address names.
pub(crate) async fn new(
    State(app): State<App>,
    visitor: Visitor,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Refused> {
    let Query(wanted) = wanted.unwrap_or_default();
    let kind = GameKind::find(&wanted.game).unwrap_or(&GAMES[0]);
    let mut form = NewTable { seat2: SeatChoice::Open, minutes: "5".to_owned(), ..NewTable::default() };
    if !wanted.map.is_empty() {
        form.options = clean(&wanted.map, MAX_ADDRESS);
    }
    if wanted.position.trim().is_empty() {
        return page(&form_page(&app, &visitor, kind, form, Wrong::default()).await?);
    }
    match starting_position(&app, kind, &wanted.position) {
        Ok(start) => {
            form.position = start.notation();
            page(&form_page(&app, &visitor, kind, form, Wrong::default()).await?)
        }
        Err(refused) => {
            let wrong = Wrong::at("", &refused, visitor.locale);
            page_again(&form_page(&app, &visitor, kind, form, wrong).await?)
        }
    }
}

/// The form once more, with what is wrong beside the field that it concerns.
pub(super) async fn again(
    app: &App,
    visitor: &Visitor,
    form: NewTable,
    refused: &Refused,
) -> Result<Response, Refused> {
    let Some(kind) = GameKind::find(&form.game) else { return Err(refused.clone()) };
    let wrong = Wrong::at(field_of(refused, &form), refused, visitor.locale);
    let frame = Frame::returned(visitor);
    page_again(&NewTablePage { frame, ..form_page(app, visitor, kind, form, wrong).await? })
}

/// The field that a refusal concerns; empty if it is none of them.
fn field_of(refused: &Refused, form: &NewTable) -> &'static str {
    let Refused::Bad(key, what) = refused else { return "" };
    let is_first = || What::from(clean(&form.reserved1, MAX_NICKNAME)) == *what;
    match *key {
        "tables.nobody" | "tables.not_reserved" if is_first() => "reserved1",
        "tables.nobody" | "tables.not_reserved" => "reserved2",
        "tables.name_taken" | "tables.name_reserved" | "tables.name_built_in" => "nickname",
        "tables.clock" => form.wrong_clock(),
        "maps.unknown" if !form.map.trim().is_empty() => "map",
        "tables.options" | "maps.unknown" => "options",
        "tables.rated" => "rated",
        _ => "",
    }
}

/// The maps that the form offers besides those of the game: the visitor's own, then the public ones of others.
async fn maps(app: &App, visitor: &Visitor) -> Result<[Vec<(String, String)>; 2], Refused> {
    let own = match &visitor.account {
        Some(account) => app.store.maps_of(account.id).await?,
        None => vec![],
    };
    let own: Vec<_> = own.into_iter().map(|map| (map.address, map.name)).collect();
    let public = app.store.public_maps(0, MAX_PUBLIC_MAPS).await?.into_iter().map(|map| (map.address, map.name));
    let others = public.filter(|map| !own.contains(map)).collect();
    Ok([own, others])
}

async fn form_page(
    app: &App,
    visitor: &Visitor,
    kind: &'static GameKind,
    mut form: NewTable,
    wrong: Wrong,
) -> Result<NewTablePage, Refused> {
    let has_maps = kind.id() == Bandera::ABOUT.id;
    let [own_maps, public_maps] = if has_maps { maps(app, visitor).await? } else { Default::default() };
    let is_offered = |word: &str| {
        let mut maps = own_maps.iter().chain(&public_maps);
        word == "-" || kind.about.options.iter().any(|(option, _)| *option == word) || maps.any(|(map, _)| map == word)
    };
    // A map that is in no list of the form stands in its field for links.
    if has_maps && form.map.is_empty() && !is_offered(&form.options) && !form.options.contains('\n') {
        form.map = std::mem::replace(&mut form.options, "-".to_owned());
    }
    Ok(NewTablePage {
        frame: Frame::new(visitor),
        games: GAMES,
        kind,
        players: built_in(kind),
        own: app.offers.of(kind).await,
        has_maps,
        own_maps,
        public_maps,
        presets: PRESETS.iter().map(|(minutes, increment)| format!("{minutes}+{increment}")).collect(),
        form,
        wrong,
    })
}

/// The built-in players of a game whose names need nothing filled in.
pub(super) fn built_in(kind: &GameKind) -> Vec<&'static str> {
    let players = any_players(kind.id()).unwrap_or_default();
    players.into_iter().map(|player| player.name).filter(|name| !name.contains(':')).collect()
}
