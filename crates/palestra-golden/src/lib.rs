//! Reads golden data: games, positions and counts made by the original engines of the courses.
//!
//! The data is in `tests/golden`, or in the folder named by `PALESTRA_GOLDEN`. The tests replay every file of a game's
//! folder; the fields of a row say what kind of row it is. `tests/golden/README.md` describes the formats.
//!
//! This crate is for tests: it panics on data that it cannot read, with the file and the line.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A row of a golden file.
#[derive(Debug)]
pub struct Row {
    /// The file and line, for messages.
    pub place: String,
    value: Value,
}

impl Row {
    /// Whether the row has all these fields.
    #[must_use]
    pub fn has(&self, fields: &[&str]) -> bool {
        fields.iter().all(|field| self.value.get(field).is_some())
    }

    /// The row as a typed value.
    #[must_use]
    pub fn read<T: DeserializeOwned>(&self) -> T {
        serde_json::from_value(self.value.clone())
            .unwrap_or_else(|error| panic!("{}: cannot be understood: {error}", self.place))
    }

    /// Fails: the row is of no known kind.
    pub fn unknown(&self) -> ! {
        let text = self.value.to_string();
        panic!("{}: cannot be understood: {}", self.place, text.chars().take(200).collect::<String>())
    }
}

/// All rows of all files of a game's folder.
#[must_use]
pub fn rows(game: &str) -> Vec<Row> {
    let folder = folder().join(game);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be listed").path()).collect();
    files.sort();
    let rows: Vec<Row> = files.iter().flat_map(|file| rows_of(file)).collect();
    assert!(!rows.is_empty(), "{} holds no golden data", folder.display());
    rows
}

/// `PALESTRA_GOLDEN`, a relative path being taken from the workspace's root.
fn folder() -> PathBuf {
    std::env::var_os("PALESTRA_GOLDEN").map_or_else(own_folder, |folder| workspace().join(folder))
}

/// The golden data of this repository, whatever `PALESTRA_GOLDEN` says.
#[must_use]
pub fn own_folder() -> PathBuf {
    workspace().join("tests/golden")
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of one file: `.json` or `.jsonl`, plain or compressed (`.gz`).
#[must_use]
pub fn rows_of(file: &Path) -> Vec<Row> {
    let name = file.display().to_string();
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let text = text_of(file);
    let parse = |place: String, text: &str| {
        let value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{place}: cannot be understood: {error}"));
        Row { place, value }
    };
    if plain.ends_with(".jsonl") {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let rows: Vec<Row> = lines.map(|(number, line)| parse(format!("{name}:{}", number + 1), line)).collect();
        assert!(!rows.is_empty(), "{name}: the file is empty");
        rows
    } else if plain.ends_with(".json") {
        vec![parse(name.clone(), &text)]
    } else {
        panic!("{name}: not a .json or .jsonl file, plain or .gz")
    }
}

fn text_of(file: &Path) -> String {
    let bytes = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut text = String::new();
    let read = if file.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text)
    } else {
        (&bytes[..]).read_to_string(&mut text)
    };
    read.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text
}

/// Writes a compressed file of JSON lines.
pub fn write_rows(file: &Path, rows: &[impl Serialize]) {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    for row in rows {
        serde_json::to_writer(&mut encoder, row).expect("a row has only string keys");
        encoder.write_all(b"\n").expect("memory can be written");
    }
    let bytes = encoder.finish().expect("memory can be written");
    fs::write(file, bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// What was checked, printed at the end of a test even where the harness captures output.
#[derive(Debug, Default)]
pub struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    /// Counts `n` things of a kind.
    pub fn add(&mut self, what: &'static str, n: usize) {
        *self.0.entry(what).or_default() += n as u64;
    }

    /// Prints what was checked.
    pub fn print(&self, game: &str) {
        let parts: Vec<String> = self.0.iter().map(|(what, n)| format!("{n} {what}")).collect();
        writeln!(std::io::stderr(), "golden {game}: {}", parts.join(", ")).expect("stderr can be written");
    }
}
