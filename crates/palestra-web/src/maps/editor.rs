//! The page of the editor.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_games::Draw;
use palestra_games::bandera::{Bandera, MAX_ENERGY, MAX_SIZE, MAX_TEAM, MIN_COLS, MIN_ROWS};
use serde::Deserialize;
use serde_json::{Value, json};

use super::draft::{Draft, empty};
use super::palette::{palette, player_kinds};
use super::{MAX_NAME, Shown, find_own, parsed};
use crate::app::App;
use crate::board;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::page::{Frame, page};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// Cells of the largest map whose report is asked for while it is being drawn.
const MAX_MEASURED_CELLS: usize = 40 * 40;

/// The size with which an empty map begins.
const ROWS: usize = 10;
const COLUMNS: usize = 12;

#[derive(Template)]
#[template(path = "map_editor.html")]
struct EditorPage {
    frame: Frame,
    /// The map that is edited: its address and its name. None for a new one.
    kept: Option<(String, String)>,
    /// What the script needs, as JSON.
    data: String,
}

impl EditorPage {
    /// The name of a tool.
    fn tool(&self, tool: &str) -> String {
        self.frame.t(&format!("mapeditor.{tool}")).to_owned()
    }
}

/// The map to begin with.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    from: String,
}

/// The editor with a new map, or with a copy of another.
pub(crate) async fn new(
    State(app): State<App>,
    visitor: Visitor,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let Query(Wanted { from }) = wanted.unwrap_or_default();
    if from.is_empty() {
        return editor(&visitor, None, "", &empty(ROWS, COLUMNS));
    }
    let map = Shown::find(&app, &visitor, &from).await?;
    let draft = Draft::of(parsed(map.text())?.map());
    let name: String =
        visitor.locale.with("mapeditor.copy_of", &[("what", map.name())]).chars().take(MAX_NAME).collect();
    editor(&visitor, None, &name, &draft)
}

/// The editor with one's own map.
pub(crate) async fn edit(
    State(app): State<App>,
    visitor: Visitor,
    Path(address): Path<String>,
) -> Result<Response, Refused> {
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let map = find_own(&app, &visitor, &address).await?;
    let draft = Draft::of(parsed(&map.body)?.map());
    let name = map.name.clone();
    editor(&visitor, Some((address, map.name)), &name, &draft)
}

fn editor(visitor: &Visitor, kept: Option<(String, String)>, name: &str, draft: &Draft) -> Result<Response, Refused> {
    let data = json!({
        "address": kept.as_ref().map(|(address, _)| address),
        "name": name,
        "map": draft,
        "owner": visitor.account.as_ref().map(|account| &account.nickname),
        "palette": palette(visitor.locale),
        "players": player_kinds(),
        "look": board::look_address(Bandera::ABOUT.id),
        "limits": limits(),
        "words": words(visitor.locale),
    });
    page(&EditorPage { frame: Frame::new(visitor), kept, data: data.to_string() })
}

fn limits() -> Value {
    json!({
        "min_rows": MIN_ROWS,
        "min_columns": MIN_COLS,
        "max_size": MAX_SIZE,
        "max_team": MAX_TEAM,
        "max_energy": MAX_ENERGY,
        "measured": MAX_MEASURED_CELLS,
    })
}

/// The words that the script says.
const WORDS: [&str; 21] = [
    "at",
    "board",
    "copied",
    "discard",
    "drafted",
    "energy_of",
    "expired",
    "failed",
    "generated",
    "line_from",
    "offline",
    "opposite",
    "out",
    "player",
    "redone",
    "resized",
    "saved",
    "sign_in",
    "undone",
    "unmeasured",
    "unsaved",
];

/// The words that the script says, as a map.
fn words(locale: Locale) -> BTreeMap<&'static str, String> {
    WORDS.iter().map(|word| (*word, locale.t(&format!("mapeditor.say.{word}")).to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_editor_says_has_a_text_in_every_language() {
        for &locale in Locale::ALL {
            for (word, text) in words(locale) {
                assert!(!text.starts_with("mapeditor."), "{word}: {text}");
            }
        }
    }

    #[test]
    fn the_script_has_the_words_that_it_says_and_no_others() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let is_editor = |path: &std::path::PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("map-");
        let scripts: String = files.filter(is_editor).map(|path| std::fs::read_to_string(path).unwrap()).collect();
        for word in WORDS {
            assert!(scripts.contains(&format!("\"{word}\"")), "{word} is never said");
        }
        let said: Vec<_> = scripts.split("say(\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert!(said.len() > 10, "{said:?}");
        for word in said {
            assert!(WORDS.contains(&word), "{word}");
        }
    }
}
