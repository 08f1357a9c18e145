//! Programs that are given as source: recognised, built, and kept until the source changes.
//!
//! A lone file is a program by its extension. A folder is one by what lies in it: `bot.cpp`, `bot.py` or `bot.rs` as
//! `palestra new` writes them, a `Cargo.toml`, or what students of the courses handed in: `player.cpp` and `player.h`
//! for the Boom games, a class in a header and a source file of its name for Mancala.

mod archive;
#[cfg(target_os = "linux")]
mod artefact;
mod build;
#[cfg(target_os = "linux")]
mod bundle;
mod kind;
mod kit;
mod upload;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

#[cfg(target_os = "linux")]
pub use artefact::Artefact;
pub use build::{BuildError, Workshop};
use kind::Kind;
use kit::MANCALA;
pub use upload::{Upload, UploadError};

/// A program in source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    kind: Kind,
    /// The folder with the source.
    folder: PathBuf,
}

/// The extensions of what may be included.
const INCLUDED: [&str; 9] = ["h", "hh", "hpp", "hxx", "inc", "c", "cc", "cpp", "rs"];

impl Source {
    /// What a path is the source of, when a program for this game is wanted. `None` if it is a file of another kind.
    pub(crate) fn find(path: &Path, game: &str) -> Result<Option<Self>, BuildError> {
        if path.is_dir() {
            return Self::of_folder(path, game).map(Some);
        }
        let (Some(name), Some(extension)) = (path.file_name().and_then(OsStr::to_str), path.extension()) else {
            return Ok(None);
        };
        let main = name.to_owned();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let kind = match extension.to_str() {
            Some("cpp" | "cc" | "cxx") if game == "mancala" && has_header(path) => Kind::Class { name: stem(path) },
            Some("cpp" | "cc" | "cxx") if name == "player.cpp" && has_header(path) => Kind::Player,
            Some("cpp" | "cc" | "cxx") => Kind::Cpp { main },
            Some("rs") => Kind::Rust { main },
            _ => return Ok(None),
        };
        Ok(Some(Self { kind, folder: folder.to_owned() }))
    }

    fn of_folder(folder: &Path, game: &str) -> Result<Self, BuildError> {
        let has = |name: &str| folder.join(name).is_file();
        let main = |name: &str| name.to_owned();
        let kind = if has("bot.cpp") {
            Kind::Cpp { main: main("bot.cpp") }
        } else if has("bot.py") {
            Kind::Python { main: main("bot.py") }
        } else if has("Cargo.toml") {
            Kind::Cargo
        } else if has("bot.rs") {
            Kind::Rust { main: main("bot.rs") }
        } else if has("player.cpp") && game != "mancala" {
            Kind::Player
        } else {
            let mut names = class_names(folder);
            match (names.pop(), names.is_empty()) {
                (Some(name), true) => Kind::Class { name },
                (Some(name), false) => {
                    return Err(BuildError::Several { folder: folder.into(), names: [names, vec![name]].concat() });
                }
                (None, _) => return Err(BuildError::NoSource { folder: folder.into() }),
            }
        };
        if matches!(kind, Kind::Class { .. }) && game != "mancala" {
            return Err(BuildError::NoSource { folder: folder.into() });
        }
        Ok(Self { kind, folder: folder.to_owned() })
    }

    /// What the program is called, unless somebody says otherwise.
    pub(crate) fn name(&self) -> String {
        match &self.kind {
            Kind::Class { name } => name.clone(),
            Kind::Cpp { main } | Kind::Rust { main } if !main.starts_with("bot.") => stem(Path::new(main)),
            _ => fs::canonicalize(&self.folder).map_or_else(|_| stem(&self.folder), |folder| stem(&folder)),
        }
    }

    /// The student's own files: all that may be included, but for those that the course's kit brings.
    fn files(&self) -> std::io::Result<Vec<PathBuf>> {
        let mut files = vec![];
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let is_source = path.extension().and_then(OsStr::to_str).is_some_and(|it| INCLUDED.contains(&it));
            let is_kits = self.kind.kit().is_some_and(|kit| kit.has(path.file_name().unwrap_or_default()));
            if is_source && !is_kits && path.is_file() {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn has_header(path: &Path) -> bool {
    path.with_extension("h").is_file()
}

/// The classes that have a header and a source file of their name, apart from those of the course itself.
fn class_names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let paths = entries.flatten().map(|entry| entry.path());
    let sources = paths.filter(|path| path.extension().is_some_and(|it| it == "cpp") && has_header(path));
    let own = sources.filter(|path| !MANCALA.has(path.file_name().unwrap_or_default()));
    let mut names: Vec<String> = own.map(|path| stem(&path)).collect();
    names.sort();
    names
}
