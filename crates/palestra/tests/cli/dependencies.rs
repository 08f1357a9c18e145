//! The crates use each other as the map in ARCHITECTURE.md says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../../../../ARCHITECTURE.md");

/// The first line of the block in ARCHITECTURE.md, each line of which names a crate and those of ours that it uses.
const BLOCK: &str = "```text\npalestra-games: ";

/// A crate, and those of ours that it uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// What ARCHITECTURE.md says.
fn on_the_page() -> Graph {
    let start =
        PAGE.find(BLOCK).expect("ARCHITECTURE.md has a block that begins with palestra-games") + "```text\n".len();
    let (block, _) = PAGE[start..].split_once("```").expect("the block ends");
    let line = |line: &str| {
        let (name, used) = line.split_once(": ").unwrap_or_else(|| panic!("`crate: uses a, b` is expected: {line}"));
        let used = used.strip_prefix("uses ").unwrap_or_else(|| panic!("`uses` is expected: {line}"));
        let used = used.split(", ").filter(|&used| used != "nothing of ours").map(str::to_owned);
        (name.to_owned(), used.collect())
    };
    block.lines().map(line).collect()
}

/// What the manifests say: the dependencies of each crate that users get, without those of its tests and benchmarks.
fn in_the_manifests() -> Graph {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = |folder: fs::DirEntry| fs::read_to_string(folder.path().join("Cargo.toml")).ok();
    let manifests = fs::read_dir(crates).expect("the folder of all crates").flatten().filter_map(manifest);
    let published = manifests.filter(|manifest| !manifest.contains("\npublish = false\n"));
    published.map(|manifest| (name(&manifest).to_owned(), used(&manifest))).collect()
}

fn name(manifest: &str) -> &str {
    let line = manifest.lines().find_map(|line| line.strip_prefix("name = "));
    line.expect("a package has a name").trim_matches('"')
}

/// The crates of ours in `[dependencies]`, for every target.
fn used(manifest: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut is_dependencies = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_dependencies =
                line == "[dependencies]" || line.starts_with("[target.") && line.ends_with(".dependencies]");
        } else if is_dependencies && line.starts_with("palestra") {
            let end = line.find(['.', ' ', '=']).unwrap_or(line.len());
            used.insert(line[..end].to_owned());
        }
    }
    used
}

#[test]
fn crates_use_each_other_as_the_map_says() {
    let (page, manifests) = (on_the_page(), in_the_manifests());
    assert!(manifests.len() >= 9, "all manifests were found: {:?}", manifests.keys());
    for name in page.keys().chain(manifests.keys()) {
        assert_eq!(page.get(name), manifests.get(name), "{name}: what ARCHITECTURE.md says, and its Cargo.toml");
    }
}
