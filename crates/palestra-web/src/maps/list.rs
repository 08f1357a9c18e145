//! The list of maps: bundled ones, one's own, and those that are public.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use palestra_games::bandera::{BUNDLED, MapFile};
use palestra_store::{KeptMap, MAX_MAPS, MapEntry, MapVisibility};
use serde::Deserialize;

use super::board_tag;
use crate::app::App;
use crate::board_tag::BoardTag;
use crate::http::error::Refused;
use crate::http::form::Wrong;
use crate::locale::Locale;
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::rendering::Load;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "maps.html")]
struct Maps {
    frame: Frame,
    own: Vec<Tile>,
    bundled: Vec<Tile>,
    public: Vec<MapEntry>,
    /// Which page of the public maps, from 0.
    number: u32,
    has_more: bool,
    /// The name in the form of an upload.
    name: String,
    wrong: Wrong,
}

impl Maps {
    /// How many maps the visitor has, and how many an account can have.
    fn count(&self) -> String {
        let [count, max] = [self.own.len().to_string(), MAX_MAPS.to_string()];
        self.frame.locale.with("maps.count", &[("count", &count), ("max", &max)])
    }

    fn badge(visibility: &MapVisibility) -> &'static str {
        badge(visibility)
    }
}

/// The key of the word for who can see a map.
pub(super) const fn badge(visibility: &MapVisibility) -> &'static str {
    match visibility {
        MapVisibility::Private => "maps.private",
        MapVisibility::Link => "maps.shared",
        MapVisibility::Public => "maps.listed",
    }
}

/// A map with a picture of it.
struct Tile {
    address: String,
    name: String,
    /// What it is like, in a few words.
    about: String,
    visibility: Option<MapVisibility>,
    /// Large maps have no picture in lists.
    board: Option<BoardTag>,
}

/// Cells of the largest map that has a picture in the list.
const MAX_PICTURED_CELLS: usize = 512;

impl Tile {
    async fn of_bundled(app: &App, index: usize, frame: &Frame) -> Result<Self, Refused> {
        let bundled = BUNDLED[index];
        Ok(Self {
            address: bundled.name.to_owned(),
            name: bundled.name.to_owned(),
            about: frame.option("bandera", bundled.name),
            visibility: None,
            board: Some(board_tag(app, &bundled.text.into(), frame.locale).await?.picture()),
        })
    }

    async fn of_own(app: &App, map: KeptMap, size: Option<Size>, locale: Locale) -> Result<Self, Refused> {
        let is_small = size.is_some_and(|size| size.rows * size.columns <= MAX_PICTURED_CELLS);
        let board =
            if is_small { Some(board_tag(app, &map.body.as_str().into(), locale).await?.picture()) } else { None };
        let about = size.map_or_else(String::new, |Size { rows, columns, players }| {
            let size = format!("{rows}x{columns}");
            locale.with("maps.size", &[("size", &size), ("players", &players.to_string())])
        });
        Ok(Self { address: map.address, name: map.name, about, visibility: Some(map.visibility), board })
    }
}

/// The size of a map, and its players a team.
#[derive(Clone, Copy)]
struct Size {
    rows: usize,
    columns: usize,
    players: usize,
}

impl Size {
    /// None if the map cannot be read.
    fn of(text: &str) -> Option<Self> {
        let file: MapFile = text.parse().ok()?;
        let (torus, players) = (file.map().torus(), file.map().team_size());
        Some(Self { rows: torus.rows(), columns: torus.cols(), players })
    }
}

/// Number of public maps on a page.
const MAPS_PAGE: u32 = 200;

/// Which page of the public maps to show.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct MapsQuery {
    page: u32,
}

/// The bundled maps, the visitor's own, and a page of the public ones.
pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    query: Result<Query<MapsQuery>, QueryRejection>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let Query(MapsQuery { page: number }) = query.unwrap_or_default();
    page(&maps_page(&app, &visitor, number).await?)
}

/// The list once more, with what is wrong with an upload beside the field that it concerns.
pub(super) async fn again(
    app: &App,
    visitor: &Visitor,
    (field, name): (&'static str, String),
    refused: &Refused,
) -> Result<Response, Refused> {
    let (frame, wrong) = (Frame::returned(visitor), Wrong::at(field, refused, visitor.locale));
    page_again(&Maps { frame, name, wrong, ..maps_page(app, visitor, 0).await? })
}

async fn maps_page(app: &App, visitor: &Visitor, number: u32) -> Result<Maps, Refused> {
    let mut public = app.store.public_maps(number.saturating_mul(MAPS_PAGE), MAPS_PAGE + 1).await?;
    let has_more = public.len() > MAPS_PAGE as usize;
    public.truncate(MAPS_PAGE as usize);
    let (frame, name, wrong) = (Frame::new(visitor), String::new(), Wrong::default());
    let mut own = vec![];
    if let Some(account) = &visitor.account {
        let maps = app.store.maps_of(account.id).await?;
        let load = Load::of(maps.iter().map(|map| map.body.len()).sum());
        let measure = move || maps.into_iter().map(|map| (Size::of(&map.body), map)).collect::<Vec<_>>();
        for (size, map) in app.rendering.run(load, measure).await? {
            own.push(Tile::of_own(app, map, size, frame.locale).await?);
        }
    }
    let mut bundled = vec![];
    for index in 0..BUNDLED.len() {
        bundled.push(Tile::of_bundled(app, index, &frame).await?);
    }
    Ok(Maps { frame, own, bundled, public, number, has_more, name, wrong })
}
