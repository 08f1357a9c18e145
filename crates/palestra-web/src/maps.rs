//! Maps of El Juego de la Bandera: bundled ones, and ones that teachers upload.

use std::sync::Arc;

use askama::Template;
use axum::extract::multipart::MultipartRejection;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Multipart, Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_games::bandera::{
    BUNDLED, Bandera, BanderaOptions, Bundled, MAX_MAP_TEXT, MapFile, MapReport, Measure, ReportRow,
};
use palestra_games::{Draw, Game, GameKind, Phrase};
use palestra_store::{Account, KeptMap, MapEntry, Role, StoreError, derived_code};
use serde::Deserialize;

use crate::app::{App, now_ms};
use crate::board;
use crate::board_tag::BoardTag;
use crate::cache::{Cache, Weighed};
use crate::drawings::{Drawing, layout_key};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong, check_csrf};
use crate::locale::Locale;
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::rendering::Load;
use crate::text::clean;
use crate::visitor::Visitor;

/// Maps that a teacher may have.
const MAX_MAPS: i64 = 100;

/// The largest body of an upload: a map and the other fields of the form.
pub(crate) const MAX_UPLOAD_BYTES: usize = MAX_MAP_TEXT + 4096;

/// A map's name, as part of an address.
const NAME_LENGTH: std::ops::RangeInclusive<usize> = 3..=40;

/// The options of a game on the map with this name: the name itself for a bundled map, else the map's text.
pub(crate) async fn options(app: &App, name: &str) -> Result<String, Refused> {
    if Bundled::find(name).is_some() {
        return Ok(name.to_owned());
    }
    let map = app.store.map(name).await?;
    map.map(|map| map.body).ok_or_else(|| Refused::bad_with("maps.unknown", clean(name, *NAME_LENGTH.end())))
}

#[derive(Template)]
#[template(path = "maps.html")]
struct Maps {
    frame: Frame,
    bundled: Vec<Tile>,
    uploaded: Vec<MapEntry>,
    /// Which page of the uploaded maps, from 0.
    number: u32,
    has_more: bool,
    /// The name in the form of an upload.
    name: String,
    wrong: Wrong,
}

/// A bundled map with a picture of it.
struct Tile {
    name: &'static str,
    board: BoardTag,
}

impl Tile {
    async fn of(app: &App, map: &Bundled, locale: Locale) -> Result<Self, Refused> {
        let board = board_tag(app, &map.text.into(), locale).await?.picture();
        Ok(Self { name: map.name, board })
    }
}

/// Number of uploaded maps on a page.
const MAPS_PAGE: u32 = 200;

/// Which page of the uploaded maps to show.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct MapsQuery {
    page: u32,
}

/// The bundled maps, and a page of the uploaded ones.
pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    query: Result<Query<MapsQuery>, QueryRejection>,
) -> Result<Response, Refused> {
    let Query(MapsQuery { page: number }) = query.unwrap_or_default();
    page(&maps_page(&app, &visitor, number).await?)
}

async fn maps_page(app: &App, visitor: &Visitor, number: u32) -> Result<Maps, Refused> {
    let mut uploaded = app.store.maps(number.saturating_mul(MAPS_PAGE), MAPS_PAGE + 1).await?;
    let has_more = uploaded.len() > MAPS_PAGE as usize;
    uploaded.truncate(MAPS_PAGE as usize);
    let (frame, name, wrong) = (Frame::new(visitor), String::new(), Wrong::default());
    let mut bundled = vec![];
    for map in &BUNDLED {
        bundled.push(Tile::of(app, map, frame.locale).await?);
    }
    Ok(Maps { frame, bundled, uploaded, number, has_more, name, wrong })
}

#[derive(Template)]
#[template(path = "map.html")]
struct MapPage {
    frame: Frame,
    name: String,
    title: String,
    /// The owner's nickname, if the account still exists; none if the map comes with the game.
    owner: Option<Option<String>>,
    may_delete: bool,
    unfair: Option<Phrase>,
    is_good: bool,
    rows: Vec<ReportRow>,
    board: BoardTag,
}

impl MapPage {
    /// The name of the measure.
    fn measured(&self, row: &ReportRow) -> String {
        self.frame.t(&format!("maps.report.{}", row.name)).to_owned()
    }

    /// A value or a range, in words.
    fn value(&self, measure: &Measure) -> String {
        in_words(measure, self.frame.locale)
    }
}

fn in_words(measure: &Measure, locale: Locale) -> String {
    match measure {
        Measure::Yes => locale.t("maps.yes").to_owned(),
        Measure::No => locale.t("maps.no").to_owned(),
        Measure::Numbers(numbers) => numbers.clone(),
        Measure::AtLeast(number) => locale.with("maps.at_least", &[("what", number)]),
    }
}

/// Bytes that a measure holds beside itself.
fn heap_bytes(measure: &Measure) -> usize {
    match measure {
        Measure::Yes | Measure::No => 0,
        Measure::Numbers(text) | Measure::AtLeast(text) => text.len(),
    }
}

/// Cache of the loader's reports, by a hash of the map's text.
pub(crate) type MapReports = Cache<Report>;

/// Memory for them.
pub(crate) const REPORT_BYTES: usize = 4 << 20;

/// The loader's report on a map.
#[derive(Clone)]
pub(crate) struct Report {
    title: String,
    unfair: Option<Phrase>,
    is_good: bool,
    rows: Vec<ReportRow>,
}

impl Report {
    fn of(file: &MapFile) -> Self {
        let report = MapReport::of(file.map());
        Self {
            title: clean(file.title(), palestra_games::bandera::MAX_TITLE),
            unfair: report.fairness().err().map(|unfair| unfair.phrase()),
            is_good: report.is_good(),
            rows: report.rows().to_vec(),
        }
    }
}

impl Weighed for Report {
    fn bytes(&self) -> usize {
        let rows = self.rows.iter().map(|row| size_of::<ReportRow>() + heap_bytes(&row.value) + heap_bytes(&row.range));
        size_of::<Self>()
            + self.title.len()
            + self.unfair.as_ref().map_or(0, |unfair| 4 * unfair.english().len())
            + rows.sum::<usize>()
    }
}

/// The map in a text that was checked before it was kept.
fn read(text: &str) -> Result<MapFile, Refused> {
    text.parse().map_err(|error| {
        tracing::error!(%error, "a kept map cannot be read");
        Refused::Fault
    })
}

fn start(text: &str) -> Result<Bandera, Refused> {
    Ok(Bandera::new(&BanderaOptions::from_map(read(text)?.map().clone())))
}

/// A map, and what the loader thinks of it.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let kept = if Bundled::find(&name).is_none() { Some(find(&app, &name).await?) } else { None };
    let text: Arc<str> = match &kept {
        Some(map) => map.body.as_str().into(),
        None => Bundled::find(&name).ok_or(Refused::NotFound)?.text.into(),
    };
    let report = report(&app, &text).await?;
    let board = board_tag(&app, &text, visitor.locale).await?;
    let Report { title, unfair, is_good, rows } = (*report).clone();
    let frame = Frame::new(&visitor);
    page(&MapPage {
        title,
        may_delete: visitor.account.as_ref().zip(kept.as_ref()).is_some_and(|(account, map)| may_delete(account, map)),
        owner: kept.map(|map| map.nickname),
        unfair,
        is_good,
        rows,
        board,
        frame,
        name,
    })
}

async fn report(app: &App, text: &Arc<str>) -> Result<Arc<Report>, Refused> {
    let (key, text) = (derived_code(text), text.clone());
    app.map_reports.get_or_render(&app.rendering, Load::Heavy, &key, move || Ok(Report::of(&read(&text)?))).await
}

/// The board of a map before the first move.
async fn board_tag(app: &App, text: &Arc<str>, locale: Locale) -> Result<BoardTag, Refused> {
    let [layout, scene] = drawn(app, text).await?;
    Ok(BoardTag::new(Bandera::ABOUT.id, layout.path(), locale).with_scene(scene.path()))
}

/// The layout and the scene of a map before the first move.
async fn drawn(app: &App, text: &Arc<str>) -> Result<[Arc<Drawing>; 2], Refused> {
    let (key, map, same) = (layout_key(Bandera::ABOUT.id, text), text.clone(), text.clone());
    let draw = move || Ok(board::layout(&start(&map)?.layout()));
    let layout = app.drawings.get(&app.rendering, Load::Heavy, &key, draw).await?;
    let (key, draw) = (format!("scene {key}"), move || Ok(board::scene(&start(&same)?.scene(None))));
    Ok([layout, app.drawings.get(&app.rendering, Load::Heavy, &key, draw).await?])
}

/// The text of a map.
pub(crate) async fn text(State(app): State<App>, Path(name): Path<String>) -> Result<Response, Refused> {
    let text = match Bundled::find(&name) {
        Some(bundled) => bundled.text.to_owned(),
        None => find(&app, &name).await?.body,
    };
    let disposition = format!("attachment; filename=\"{name}.map\"");
    let kind = "text/plain; charset=utf-8".to_owned();
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], text).into_response())
}

async fn find(app: &App, name: &str) -> Result<KeptMap, Refused> {
    app.store.map(name).await?.ok_or(Refused::NotFound)
}

/// A form with a file.
#[derive(Default)]
struct Upload {
    csrf: String,
    name: String,
    body: Vec<u8>,
}

impl Upload {
    async fn read(mut form: Multipart) -> Result<Self, Refused> {
        let mut upload = Self::default();
        while let Some(field) = form.next_field().await.map_err(|_| Refused::bad("maps.too_large"))? {
            let name = field.name().unwrap_or_default().to_owned();
            let bytes = field.bytes().await.map_err(|_| Refused::bad("maps.too_large"))?;
            let text = || String::from_utf8_lossy(&bytes).trim().to_owned();
            match name.as_str() {
                "csrf" => upload.csrf = text(),
                "name" => upload.name = text(),
                "map" => upload.body = bytes.to_vec(),
                _ => {}
            }
        }
        Ok(upload)
    }
}

/// Takes a map from a teacher.
pub(crate) async fn upload(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refused> {
    let account = visitor.at_least(Role::Teacher)?;
    app.origins.check(&headers, &visitor)?;
    app.limits.uploads.check(Key::visitor(&visitor))?;
    let upload = Upload::read(form.map_err(|_| Refused::Stale)?).await?;
    check_csrf(&visitor, &upload.csrf)?;
    let done = match visitor.sends() {
        Ok(()) => add(&app, account, &upload).await,
        unsent => unsent,
    };
    match done {
        Ok(()) => Ok(Redirect::to(&format!("/maps/{}", upload.name)).into_response()),
        Err(refused @ Refused::Bad(key, _)) => {
            let field = if ["maps.name", "maps.taken"].contains(&key) { "name" } else { "map" };
            let wrong = Wrong::at(field, &refused, visitor.locale);
            let frame = Frame::returned(&visitor);
            page_again(&Maps { frame, name: upload.name, wrong, ..maps_page(&app, &visitor, 0).await? })
        }
        Err(refused) => Err(refused),
    }
}

/// Keeps the map of an upload.
async fn add(app: &App, account: &Account, upload: &Upload) -> Result<(), Refused> {
    check_name(&upload.name)?;
    let file = MapFile::from_bytes(&upload.body).map_err(|error| Refused::bad_with("maps.bad", error.phrase()))?;
    if app.store.map_count(account.id).await? >= MAX_MAPS {
        return Err(Refused::bad_with("maps.too_many", MAX_MAPS.to_string()));
    }
    app.store.add_map(&upload.name, &file.to_string(), account.id, now_ms()).await.map_err(|error| match error {
        StoreError::Taken => Refused::bad_with("maps.taken", upload.name.clone()),
        other => other.into(),
    })
}

fn check_name(name: &str) -> Result<(), Refused> {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_name = NAME_LENGTH.contains(&name.len()) && name.bytes().all(is_letter) && !name.starts_with('-');
    if !is_name {
        return Err(Refused::bad("maps.name"));
    }
    let is_known = Bundled::find(name).is_some() || GameKind::find(name).is_some();
    if is_known { Err(Refused::bad_with("maps.taken", name.to_owned())) } else { Ok(()) }
}

#[derive(Deserialize)]
pub(crate) struct Nothing {}

/// Forgets a map. Games that are played on it, or were, keep it.
pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let account = visitor.at_least(Role::Teacher)?;
    let map = find(&app, &name).await?;
    if !may_delete(account, &map) {
        return Err(Refused::Forbidden);
    }
    app.store.delete_map(&name).await?;
    Ok(Redirect::to("/maps").into_response())
}

fn may_delete(account: &Account, map: &KeptMap) -> bool {
    account.role >= Role::Admin || (account.role >= Role::Teacher && map.account_id == Some(account.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_report_has_a_text_in_every_language() {
        for bundled in BUNDLED {
            for row in MapReport::of(&bundled.map()).rows() {
                for &locale in Locale::ALL {
                    let key = format!("maps.report.{}", row.name);
                    assert_ne!(locale.t(&key), key);
                }
            }
        }
        assert_eq!(in_words(&Measure::AtLeast("3".to_owned()), Locale::Spanish), "al menos 3");
        assert_eq!(in_words(&Measure::Numbers("2-4".to_owned()), Locale::Spanish), "2-4");
        assert_eq!([Measure::Yes, Measure::No].map(|it| in_words(&it, Locale::Spanish)), ["sí", "no"]);
    }

    #[test]
    fn a_name_can_stand_in_an_address() {
        for name in ["my-map", "abc", "2nd-try"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in ["", "ab", "My-map", "a b c", "../etc", "-abc", "causeway", "bandera", &"x".repeat(41)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
