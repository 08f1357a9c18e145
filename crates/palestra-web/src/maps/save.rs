//! What the editor asks for beside reports: maps kept, read, generated, written as text, and played on.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use palestra_games::Draw;
use palestra_games::bandera::{Bandera, MAX_MAP_TEXT, MapFile, MapPlan, generate as generate_map};
use palestra_store::Role;
use serde::Deserialize;
use serde_json::{Value, json};

use super::draft::Draft;
use super::report::given;
use super::{checked_name, find_own, keep, taken};
use crate::app::App;
use crate::http::error::Refused;
use crate::ratelimit::Key;
use crate::recent::RecentTables;
use crate::rendering::Load;
use crate::tables::{NewTable, open_table};
use crate::text::clean_name;
use crate::visitor::Visitor;

/// Cells of the largest map that is generated here; `palestra maps new` knows no such limit.
const MAX_GENERATED_CELLS: usize = 24 * 24;

/// A map that is to be kept.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Named {
    name: String,
    map: Draft,
}

impl Named {
    fn file(&self) -> Result<MapFile, Refused> {
        self.map.file(&checked_name(&self.name)?)
    }

    /// The file of a map that may not have a name yet.
    fn file_or_unnamed(&self, visitor: &Visitor) -> Result<MapFile, Refused> {
        let name = clean_name(&self.name, super::MAX_NAME);
        self.map.file(if name.is_empty() { visitor.locale.t("mapeditor.unnamed") } else { &name })
    }
}

/// Keeps a new map, private, and returns its address.
pub(crate) async fn save_new(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    sent: Result<Json<Named>, JsonRejection>,
) -> Result<Response, Refused> {
    app.origins.check(&headers, &visitor)?;
    let account = visitor.at_least(Role::Student)?;
    app.limits.saved_maps.check(Key::visitor(&visitor))?;
    let kept = async { keep(&app, account, &given(sent)?.file()?).await };
    match kept.await {
        Ok(address) => Ok((StatusCode::CREATED, Json(json!({ "address": address }))).into_response()),
        Err(refused) => beside_name(&visitor, refused),
    }
}

/// A refusal, which the editor shows beside the name if it concerns that.
fn beside_name(visitor: &Visitor, refused: Refused) -> Result<Response, Refused> {
    if !matches!(refused, Refused::Bad("maps.name" | "maps.taken", _)) {
        return Err(refused);
    }
    let said = json!({"error": refused.word(), "message": refused.text(visitor.locale), "field": "name"});
    Ok((StatusCode::UNPROCESSABLE_ENTITY, Json(said)).into_response())
}

/// Keeps what has changed of one's own map.
pub(crate) async fn save(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(address): Path<String>,
    sent: Result<Json<Named>, JsonRejection>,
) -> Result<Response, Refused> {
    app.origins.check(&headers, &visitor)?;
    let account = visitor.at_least(Role::Student)?;
    app.limits.saved_maps.check(Key::visitor(&visitor))?;
    find_own(&app, &visitor, &address).await?;
    let saved = async {
        let file = given(sent)?.file()?;
        let saved = app.store.save_map(account.id, &address, file.title(), &file.to_string()).await;
        saved.map_err(|error| taken(error, file.title()))
    };
    match saved.await {
        Ok(true) => Ok(Json(json!({ "address": address })).into_response()),
        Ok(false) => Err(Refused::NotFound),
        Err(refused) => beside_name(&visitor, refused),
    }
}

/// A map that is to be generated; without a seed by chance.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    rows: usize,
    columns: usize,
    players: usize,
    seed: Option<u32>,
}

/// Generates a fair map, and returns it with its seed.
pub(crate) async fn generate(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    sent: Result<Json<Plan>, JsonRejection>,
) -> Result<Json<Value>, Refused> {
    app.origins.check(&headers, &visitor)?;
    app.limits.try_generated_map(&visitor)?;
    let Plan { rows, columns: cols, players: team_size, seed } = given(sent)?;
    if rows.saturating_mul(cols) > MAX_GENERATED_CELLS {
        return Err(Refused::bad_with("maps.too_large_to_generate", MAX_GENERATED_CELLS.to_string()));
    }
    let seed = match seed {
        Some(seed) => seed,
        None => random()?,
    };
    let make = move || generate_map(seed.into(), MapPlan { rows, cols, team_size });
    let map = app.rendering.run(Load::Heavy, make).await?.map_err(|_| Refused::bad("maps.no_room"))?;
    Ok(Json(json!({"map": Draft::of(&map), "seed": seed})))
}

/// Four digits and a few more: a seed that can be said.
fn random() -> Result<u32, Refused> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).map_err(|_| Refused::Fault)?;
    Ok(u32::from_le_bytes(bytes) % 1_000_000)
}

/// The text of a map file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    text: String,
}

/// Reads a map file.
pub(crate) async fn read(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    sent: Result<Json<Text>, JsonRejection>,
) -> Result<Json<Value>, Refused> {
    app.origins.check(&headers, &visitor)?;
    app.limits.try_map_report(&visitor)?;
    let Text { text } = given(sent)?;
    if text.len() > MAX_MAP_TEXT {
        return Err(Refused::bad("maps.too_large"));
    }
    let file: MapFile =
        text.parse().map_err(|error: palestra_games::ParseError| Refused::bad_with("maps.bad", error.phrase()))?;
    Ok(Json(json!({"name": clean_name(file.title(), super::MAX_NAME), "map": Draft::of(file.map())})))
}

/// Writes a map as a file.
pub(crate) async fn text_of(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    sent: Result<Json<Named>, JsonRejection>,
) -> Result<Json<Value>, Refused> {
    app.origins.check(&headers, &visitor)?;
    app.limits.try_map_report(&visitor)?;
    let file = given(sent)?.file_or_unnamed(&visitor)?;
    Ok(Json(json!({ "text": file.to_string() })))
}

/// Opens a table against a built-in player on a map that need not be kept, and returns its address.
pub(crate) async fn play(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    sent: Result<Json<Named>, JsonRejection>,
) -> Result<Response, Refused> {
    app.origins.check(&headers, &visitor)?;
    // As for the form: a program's token opens tables by the API for tables.
    if visitor.scopes.is_some() {
        return Err(Refused::Forbidden);
    }
    let file = given(sent)?.file_or_unnamed(&visitor)?;
    let game = Bandera::ABOUT.id.to_owned();
    let code = open_table(&app, &visitor, &NewTable { game, options: file.to_string(), ..NewTable::default() }).await?;
    let cookie = RecentTables::of(&headers).with([code.clone()]).cookie();
    Ok(([(header::SET_COOKIE, cookie)], Json(json!({"url": format!("/t/{code}")}))).into_response())
}
