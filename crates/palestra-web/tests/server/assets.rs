//! Style sheets and scripts, as a browser fetches and keeps them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use palestra_games::bandera::BUNDLED;

use crate::site::{Browser, Seen, Site, between};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");

fn cache(seen: &Seen) -> &str {
    seen.headers["cache-control"].to_str().unwrap()
}

/// The folder of the hashed addresses, as a page names it.
async fn hashed_folder(browser: &Browser) -> String {
    let page = browser.get("/").await.text;
    let style = between(&page, "rel=\"stylesheet\" href=\"", "\"");
    style.strip_suffix("/tokens.css").unwrap_or_else(|| panic!("{style} is not the style sheet")).to_owned()
}

/// The files that browsers fetch; declarations of types are for tests alone.
fn assets() -> impl Iterator<Item = PathBuf> {
    let all = fs::read_dir(FOLDER).unwrap().map(|file| file.unwrap().path());
    all.filter(|path| !path.to_string_lossy().ends_with(".d.ts"))
}

#[tokio::test]
async fn every_asset_is_served_for_good_by_its_hash_and_for_minutes_without() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let folder = hashed_folder(&browser).await;
    assert_ne!(folder, "/assets", "the address holds a hash");
    for path in assets() {
        let (name, text) = (path.file_name().unwrap().to_str().unwrap(), fs::read_to_string(&path).unwrap());
        let kind = match name.rsplit_once('.').unwrap().1 {
            "js" => "text/javascript",
            "svg" => "image/svg+xml",
            _ => "text/css",
        };
        let addresses = [(folder.as_str(), "public, max-age=31536000, immutable"), ("/assets", "public, max-age=300")];
        for (folder, kept) in addresses.into_iter().chain([("/assets/anotherrelease", "public, max-age=300")]) {
            let seen = browser.get(&format!("{folder}/{name}")).await;
            assert_eq!((seen.status.as_u16(), cache(&seen)), (200, kept), "{folder}/{name}");
            assert!(seen.text == text, "{folder}/{name} is not the file");
            assert!(seen.headers["content-type"].to_str().unwrap().starts_with(kind), "{name}");
        }
    }
    for wrong in ["nothing.js", "..%2fCargo.toml", "x/y/board.js"] {
        assert_eq!(browser.get(&format!("{folder}/{wrong}")).await.status, 404, "{wrong}");
    }
}

/// The addresses that a page or a script fetches: the quoted texts after one of these words.
fn fetched(text: &str) -> BTreeSet<String> {
    let quoted = ["rel=\"stylesheet\" href=\"", "src=\"", "from \"", "import \""].into_iter().flat_map(|before| {
        text.split(before).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect::<Vec<_>>()
    });
    quoted.collect()
}

#[tokio::test]
async fn pages_and_scripts_fetch_assets_by_their_hash_alone() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let folder = hashed_folder(&browser).await;
    let code = browser.open_table(&[("game", "mancala"), ("seat1", "me"), ("seat2", "open")]).await;
    for page in ["/", &format!("/t/{code}"), &format!("/maps/{}", BUNDLED[0].name), "/sign-in"] {
        let fetched = fetched(&browser.get(page).await.text);
        assert!(
            !fetched.is_empty() && fetched.iter().all(|address| address.starts_with(&folder)),
            "{page}: {fetched:?}"
        );
    }
    for path in assets() {
        for import in fetched(&fs::read_to_string(&path).unwrap()) {
            let name = import.strip_prefix("./").unwrap_or_else(|| panic!("{import} in {path:?} is not relative"));
            let is_there = |name: &str| Path::new(FOLDER).join(name).is_file();
            assert!(is_there(name) || is_there(&format!("{name}.d.ts")), "{path:?} imports {name}");
        }
    }
}
