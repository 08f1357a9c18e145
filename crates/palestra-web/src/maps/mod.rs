//! Maps of El Juego de la Bandera: bundled ones, and those that accounts keep.

mod change;
mod draft;
mod editor;
mod list;
mod palette;
mod report;
mod save;
mod show;
mod upload;

use std::sync::Arc;

use palestra_games::bandera::{Bandera, BanderaOptions, Bundled, MAX_MAP_TEXT, MapFile};
use palestra_games::{Draw, Game};
use palestra_store::{Account, KeptMap, MapVisibility, Role};

use crate::app::App;
use crate::board;
use crate::board_tag::BoardTag;
use crate::drawings::{Drawing, layout_key};
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::rendering::Load;
use crate::text::{clean, clean_name};
use crate::visitor::Visitor;

pub(crate) use change::{delete, rename, share};
pub(crate) use editor::{edit, new};
pub(crate) use list::list;
pub(crate) use report::{MapReports, REPORT_BYTES, report};
pub(crate) use save::{generate, play, read, save, save_new, text_of};
pub(crate) use show::{show, text};
pub(crate) use upload::upload;

/// The largest body of an upload: a map and the other fields of the form.
pub(crate) const MAX_UPLOAD_BYTES: usize = MAX_MAP_TEXT + 4096;

/// The largest body of what the editor sends: a map as JSON, in which every cell may be escaped.
pub(crate) const MAX_DRAFT_BYTES: usize = 2 * MAX_MAP_TEXT;

/// The most characters of a map's name.
const MAX_NAME: usize = 40;

/// The longest address of a map that is repeated in an error.
const MAX_ADDRESS: usize = 60;

/// The map that is chosen for a new game.
pub(crate) struct Chosen {
    /// The text of the game's options.
    pub(crate) text: String,
    /// The name of the map, if it does not come with the game.
    pub(crate) name: Option<String>,
}

/// The map that a visitor chooses by a word: the name of a bundled map, the address or the link of another, or the text of a
/// map file.
pub(crate) async fn chosen(app: &App, visitor: &Visitor, word: &str) -> Result<Chosen, Refused> {
    if Bundled::find(word).is_some() {
        return Ok(Chosen { text: word.to_owned(), name: None });
    }
    if word.contains('\n') {
        let file: MapFile =
            word.parse().map_err(|error: palestra_games::ParseError| Refused::bad_with("maps.bad", error.phrase()))?;
        return Ok(Chosen { name: Some(clean_name(file.title(), MAX_NAME)), text: file.to_string() });
    }
    match find(app, visitor, address_of(word)).await {
        Ok(map) => Ok(Chosen { text: map.body, name: Some(map.name) }),
        Err(Refused::NotFound) => Err(Refused::bad_with("maps.unknown", clean(word, MAX_ADDRESS))),
        Err(other) => Err(other),
    }
}

/// The address in a link to a map; a word without slashes is the address itself.
fn address_of(word: &str) -> &str {
    let rest = word.rsplit_once("/maps/").map_or(word, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

/// The map at an address, if this visitor may see it. Addresses that lead nowhere are rate-limited: some are secret.
async fn find(app: &App, visitor: &Visitor, address: &str) -> Result<KeptMap, Refused> {
    let found = app.store.map(address).await?.filter(|map| may_see(visitor, map));
    app.limits.found(visitor, found, Refused::NotFound)
}

fn may_see(visitor: &Visitor, map: &KeptMap) -> bool {
    map.visibility != MapVisibility::Private || visitor.account.as_ref().is_some_and(|account| is_owner(account, map))
}

fn is_owner(account: &Account, map: &KeptMap) -> bool {
    map.account_id == Some(account.id)
}

/// The map at an address, if it is this visitor's own. Maps that others have shown are forbidden, and all others unknown.
async fn find_own(app: &App, visitor: &Visitor, address: &str) -> Result<KeptMap, Refused> {
    let account = visitor.at_least(Role::Student)?;
    if Bundled::find(address).is_some() {
        return Err(Refused::Forbidden);
    }
    let map = find(app, visitor, address).await?;
    if is_owner(account, &map) { Ok(map) } else { Err(Refused::Forbidden) }
}

/// A map that a page shows: one that comes with the game, or one that an account keeps.
enum Shown {
    Bundled(Bundled),
    Kept(KeptMap),
}

impl Shown {
    async fn find(app: &App, visitor: &Visitor, address: &str) -> Result<Self, Refused> {
        match Bundled::find(address) {
            Some(bundled) => Ok(Self::Bundled(bundled)),
            None => find(app, visitor, address).await.map(Self::Kept),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Bundled(bundled) => bundled.name,
            Self::Kept(map) => &map.name,
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Bundled(bundled) => bundled.text,
            Self::Kept(map) => &map.body,
        }
    }

    const fn kept(&self) -> Option<&KeptMap> {
        match self {
            Self::Bundled(_) => None,
            Self::Kept(map) => Some(map),
        }
    }
}

/// The map in a text that was checked before it was kept.
fn parsed(text: &str) -> Result<MapFile, Refused> {
    text.parse().map_err(|error| {
        tracing::error!(%error, "a kept map cannot be read");
        Refused::Fault
    })
}

fn start(text: &str) -> Result<Bandera, Refused> {
    Ok(Bandera::new(&BanderaOptions::from_map(parsed(text)?.into_map())))
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

/// The name that a person gives a map.
fn checked_name(name: &str) -> Result<String, Refused> {
    let name = clean_name(name, MAX_NAME + 1);
    let is_name = (1..=MAX_NAME).contains(&name.chars().count());
    if is_name { Ok(name) } else { Err(Refused::bad_with("maps.name", MAX_NAME.to_string())) }
}

/// A map file with this title.
fn titled(file: MapFile, title: &str) -> Result<MapFile, Refused> {
    MapFile::new(title, file.into_map()).map_err(|invalid| Refused::bad_with("maps.bad", invalid.phrase()))
}

/// Keeps a new map of this account, private, and returns its address.
async fn keep(app: &App, account: &Account, file: &MapFile) -> Result<String, Refused> {
    let name = file.title();
    let kept = app.store.add_map(account.id, name, &file.to_string(), crate::app::now_ms()).await;
    let address = kept.map_err(|error| taken(error, name))?;
    address.ok_or_else(|| Refused::bad_with("maps.too_many", palestra_store::MAX_MAPS.to_string()))
}

/// What the store says if the account has a map of that name already.
fn taken(error: palestra_store::StoreError, name: &str) -> Refused {
    match error {
        palestra_store::StoreError::Taken => Refused::bad_with("maps.taken", name.to_owned()),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_found_by_its_address_or_a_link() {
        for word in [
            "abcdefgh",
            "/maps/abcdefgh",
            "https://school.example/maps/abcdefgh",
            "http://127.0.0.1:8080/maps/abcdefgh/edit?x=1#top",
        ] {
            assert_eq!(address_of(word), "abcdefgh", "{word}");
        }
    }

    #[test]
    fn a_name_is_a_line_of_words() {
        assert_eq!(checked_name("  La laguna\u{202e} "), Ok("La laguna".to_owned()));
        for name in ["", " ", "\u{200b}", &"x".repeat(41)] {
            assert!(checked_name(name).is_err(), "{name:?}");
        }
        assert_eq!(checked_name(&"ñ".repeat(40)), Ok("ñ".repeat(40)));
    }
}
