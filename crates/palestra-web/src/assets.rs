//! Style sheets and scripts: part of the binary, cached by browsers for good.
//!
//! Pages name an asset by an address that holds a hash of all of them, `/assets/{hash}/board.js`. So a browser may keep
//! it as long as it likes, and a new release is fetched at once. Scripts import each other by relative addresses, which
//! resolve to the same release. Addresses with another hash, or without one, answer with the current file and a short
//! cache: a page of the last release can still load the rest of its scripts.

use std::collections::HashMap;
use std::sync::LazyLock;

use askama::Template;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use palestra_store::derived_code;

use crate::http::error::Refused;
use crate::looks;

const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const JSON: &str = "application/json";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

#[derive(Clone, Copy)]
struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

macro_rules! assets {
    ($($name:literal: $kind:ident,)*) => {
        const ASSETS: &[Asset] =
            &[$(Asset { name: $name, kind: $kind, text: include_str!(concat!("../assets/", $name)) },)*];
    };
}

assets! {
    "accuracy.js": JAVASCRIPT,
    "actions.js": JAVASCRIPT,
    "analysis.css": CSS,
    "analysis.js": JAVASCRIPT,
    "arrows.js": JAVASCRIPT,
    "asking.js": JAVASCRIPT,
    "beside.js": JAVASCRIPT,
    "board.css": CSS,
    "board.js": JAVASCRIPT,
    "bot.js": JAVASCRIPT,
    "bots.css": CSS,
    "branches.js": JAVASCRIPT,
    "camera.js": JAVASCRIPT,
    "cells.js": JAVASCRIPT,
    "chat.js": JAVASCRIPT,
    "choices.js": JAVASCRIPT,
    "chooser.js": JAVASCRIPT,
    "clocks.js": JAVASCRIPT,
    "comparison.js": JAVASCRIPT,
    "components.css": CSS,
    "connection.js": JAVASCRIPT,
    "copies.css": CSS,
    "counters.js": JAVASCRIPT,
    "counts.js": JAVASCRIPT,
    "curve.js": JAVASCRIPT,
    "deeds.js": JAVASCRIPT,
    "dock.js": JAVASCRIPT,
    "dom.js": JAVASCRIPT,
    "effects.js": JAVASCRIPT,
    "element.js": JAVASCRIPT,
    "engine.js": JAVASCRIPT,
    "evalbar.js": JAVASCRIPT,
    "evaluation.js": JAVASCRIPT,
    "favicon.svg": SVG,
    "fetched.js": JAVASCRIPT,
    "focus.js": JAVASCRIPT,
    "geometry.js": JAVASCRIPT,
    "gestures.js": JAVASCRIPT,
    "graft.js": JAVASCRIPT,
    "hand.js": JAVASCRIPT,
    "home.js": JAVASCRIPT,
    "leagues.css": CSS,
    "loading.js": JAVASCRIPT,
    "map-ask.js": JAVASCRIPT,
    "map-begin.js": JAVASCRIPT,
    "map-editor.js": JAVASCRIPT,
    "map-grid.js": JAVASCRIPT,
    "map-ground.js": JAVASCRIPT,
    "map-hand.js": JAVASCRIPT,
    "map-hex.js": JAVASCRIPT,
    "map-history.js": JAVASCRIPT,
    "map-keep.js": JAVASCRIPT,
    "map-looks.js": JAVASCRIPT,
    "map-marks.js": JAVASCRIPT,
    "map-palette.js": JAVASCRIPT,
    "map-players.js": JAVASCRIPT,
    "map-report.js": JAVASCRIPT,
    "map-sheet.js": JAVASCRIPT,
    "map-view.js": JAVASCRIPT,
    "maps.css": CSS,
    "marks.js": JAVASCRIPT,
    "motion.js": JAVASCRIPT,
    "moves.js": JAVASCRIPT,
    "nodeboard.js": JAVASCRIPT,
    "outline.js": JAVASCRIPT,
    "pages.css": CSS,
    "painter.js": JAVASCRIPT,
    "pieces.js": JAVASCRIPT,
    "players.js": JAVASCRIPT,
    "preferences.js": JAVASCRIPT,
    "previews.js": JAVASCRIPT,
    "result.js": JAVASCRIPT,
    "search.js": JAVASCRIPT,
    "sentences.js": JAVASCRIPT,
    "refresh.js": JAVASCRIPT,
    "rules.css": CSS,
    "rules.js": JAVASCRIPT,
    "settings.js": JAVASCRIPT,
    "shapes.js": JAVASCRIPT,
    "sound.js": JAVASCRIPT,
    "spoken.js": JAVASCRIPT,
    "scoresheet.js": JAVASCRIPT,
    "sentence.js": JAVASCRIPT,
    "server.js": JAVASCRIPT,
    "stage.js": JAVASCRIPT,
    "state.js": JAVASCRIPT,
    "stepper.js": JAVASCRIPT,
    "steps.js": JAVASCRIPT,
    "table.css": CSS,
    "table.js": JAVASCRIPT,
    "textures.js": JAVASCRIPT,
    "tokens.css": CSS,
    "turns.js": JAVASCRIPT,
    "variations.js": JAVASCRIPT,
    "tree.css": CSS,
    "tree.js": JAVASCRIPT,
    "treetools.js": JAVASCRIPT,
    "treeview.js": JAVASCRIPT,
    "values.js": JAVASCRIPT,
    "view.js": JAVASCRIPT,
    "words.js": JAVASCRIPT,
    "worth.js": JAVASCRIPT,
}

/// All assets: the files, and what is made from the looks of the games.
static ALL: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let sheet = Asset { name: "looks.css", kind: CSS, text: &looks::SHEET };
    let shapes = looks::SHAPES.iter().map(|(name, text)| Asset { name, kind: JSON, text });
    ASSETS.iter().copied().chain([sheet]).chain(shapes).collect()
});

/// A hash of all assets.
static HASH: LazyLock<String> = LazyLock::new(|| {
    let all: Vec<String> = ALL.iter().map(|asset| format!("{} {}\n", asset.name, asset.text)).collect();
    derived_code(&all.concat())
});

/// The scripts that each script imports, itself first, directly and by others.
static IMPORTS: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let scripts = ASSETS.iter().filter(|asset| asset.kind == JAVASCRIPT);
    let direct: HashMap<_, Vec<_>> = scripts.map(|script| (script.name, imports(script.text).collect())).collect();
    let all = |name: &&'static str| {
        let mut all = vec![*name];
        let mut next = 0;
        while let Some(name) = all.get(next).copied() {
            let new = direct.get(name).into_iter().flatten().filter(|name| !all.contains(name)).copied();
            all.extend(new.collect::<Vec<_>>());
            next += 1;
        }
        (*name, all)
    };
    direct.keys().map(all).collect()
});

/// The names of the scripts that a script imports: each import is a line.
fn imports(script: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = script.lines().filter(|line| line.starts_with("import "));
    lines.filter_map(|line| Some(line.split_once("\"./")?.1.split_once('"')?.0))
}

/// The scripts of a page, as its head names them: with all that they import, so that a browser fetches everything at once
/// and need not read one script to find the next.
#[derive(Debug, Template)]
#[template(path = "parts/scripts.html")]
pub(crate) struct Scripts {
    imported: Vec<&'static str>,
    names: &'static [&'static str],
}

// What it renders is escaped already.
impl askama::filters::HtmlSafe for Scripts {}

impl Scripts {
    pub(crate) fn new(names: &'static [&'static str]) -> Self {
        let mut imported = vec![];
        for name in names.iter().filter_map(|name| IMPORTS.get(name)).flatten() {
            if !imported.contains(name) && !names.contains(name) {
                imported.push(*name);
            }
        }
        Self { imported, names }
    }
}

const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const FIVE_MINUTES: &str = "public, max-age=300";

/// The address of an asset, for pages.
pub(crate) fn address(name: &str) -> String {
    format!("/assets/{}/{name}", *HASH)
}

/// The asset of a release.
pub(crate) async fn hashed(Path((hash, name)): Path<(String, String)>) -> Result<Response, Refused> {
    respond(&name, if hash == *HASH { IMMUTABLE } else { FIVE_MINUTES })
}

/// The asset of whatever release this is.
pub(crate) async fn current(Path(name): Path<String>) -> Result<Response, Refused> {
    respond(&name, FIVE_MINUTES)
}

/// The icon of the site, at the address where browsers look for one.
pub(crate) async fn icon() -> Result<Response, Refused> {
    respond("favicon.svg", FIVE_MINUTES)
}

fn respond(name: &str, cache: &'static str) -> Result<Response, Refused> {
    let asset = ALL.iter().find(|asset| asset.name == name).ok_or(Refused::NotFound)?;
    Ok(([(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, cache)], asset.text).into_response())
}
