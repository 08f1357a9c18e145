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
mod error;
mod kind;
mod kit;
mod upload;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

#[cfg(target_os = "linux")]
pub use artefact::Artefact;
pub use build::Workshop;
pub use error::BuildError;
use kind::Kind;
use kit::MANCALA;
pub use upload::{Upload, UploadError};

/// A program in source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    kind: Kind,
    /// The folder with the source.
    folder: PathBuf,
    /// What was given: that folder, or a file in it.
    path: PathBuf,
}

/// The extensions of what may be included.
const INCLUDED: [&str; 10] = ["h", "hh", "hpp", "hxx", "inc", "c", "cc", "cpp", "cxx", "rs"];

impl Source {
    /// What a path is the source of, when a program for this game is wanted. `None` if it is a file of another kind.
    pub(crate) fn find(path: &Path, game: &str) -> Result<Option<Self>, BuildError> {
        if path.is_dir() {
            return Self::of_folder(path, game).map(Some);
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Python files may be programs as they are: their first line says who runs them.
        let kind = Kind::of(path, game).filter(|kind| path.is_file() && !matches!(kind, Kind::Python { .. }));
        Ok(kind.map(|kind| Self { kind, folder: folder.into(), path: path.into() }))
    }

    fn of_folder(folder: &Path, game: &str) -> Result<Self, BuildError> {
        let programs: Vec<PathBuf> = mains(folder, game).iter().map(|name| folder.join(name)).collect();
        match programs.as_slice() {
            [] => Err(BuildError::NoSource { folder: folder.into(), file: lone_file(folder) }),
            [main] => Kind::of(main, game)
                .map(|kind| Self { kind, folder: folder.into(), path: folder.into() })
                .ok_or_else(|| BuildError::NoSource { folder: folder.into(), file: None }),
            _ => Err(BuildError::Several { folder: folder.into(), programs }),
        }
    }

    /// Whether it speaks as the Mancala course did, whatever its author prints in between.
    pub(crate) const fn is_of_mancala_course(&self) -> bool {
        matches!(self.kind, Kind::Class { .. })
    }

    /// What the program is called, unless somebody says otherwise.
    pub(crate) fn name(&self) -> String {
        match &self.kind {
            Kind::Class { name } => name.clone(),
            Kind::Cpp { main } | Kind::Rust { main } if !main.starts_with("bot.") => stem(Path::new(main)),
            _ => fs::canonicalize(&self.folder).map_or_else(|_| stem(&self.folder), |folder| stem(&folder)),
        }
    }

    /// The folder of a program that is run as it is, with all that lies there.
    pub(crate) fn script_folder(&self) -> Option<&Path> {
        matches!(self.kind, Kind::Python { .. }).then_some(&self.folder)
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

impl Kind {
    /// What a file is by its name, and by the header beside it.
    fn of(path: &Path, game: &str) -> Option<Self> {
        let main = path.file_name()?.to_str()?.to_owned();
        Some(match path.extension().and_then(OsStr::to_str) {
            _ if main == "Cargo.toml" => Self::Cargo,
            Some("cpp") if game == "mancala" && is_class(path) => Self::Class { name: stem(path) },
            Some("cpp") if is_boom(game) && main == "player.cpp" => Self::Player,
            Some("cpp" | "cc" | "cxx") => Self::Cpp { main },
            Some("rs") => Self::Rust { main },
            Some("py") => Self::Python { main },
            _ => return None,
        })
    }
}

/// The files that make a folder a program.
fn mains(folder: &Path, game: &str) -> Vec<String> {
    let has = |name: &&str| folder.join(name).is_file();
    // A package may well have its program in bot.rs.
    let rust = ["Cargo.toml", "bot.rs"].into_iter().find(has);
    let bots = ["bot.cpp", "bot.py"].into_iter().filter(has).chain(rust);
    let bots: Vec<String> = bots.map(str::to_owned).collect();
    match game {
        _ if !bots.is_empty() => bots,
        "mancala" => source_names(folder, is_class),
        _ if is_boom(game) => source_names(folder, |path| path.ends_with("player.cpp")),
        _ => vec![],
    }
}

/// A file that may be a program by itself, though its folder is none.
fn lone_file(folder: &Path) -> Option<PathBuf> {
    let is_lone = |path: &Path| {
        let is_program = matches!(path.extension().and_then(OsStr::to_str), Some("cpp" | "cc" | "cxx" | "py" | "rs"));
        is_program && !path.with_extension("h").is_file()
    };
    source_names(folder, is_lone).first().map(|name| folder.join(name))
}

/// The names of a folder's files that are of some kind, in order.
fn source_names(folder: &Path, is_it: impl Fn(&Path) -> bool) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let paths = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file() && is_it(path));
    let mut names: Vec<String> = paths.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
    names.sort();
    names
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn is_boom(game: &str) -> bool {
    matches!(game, "conecta4boom" | "desconecta4boom")
}

/// Whether a file is a class of the Mancala course: a header of its name lies beside it, and it is neither one of the
/// course's own nor called like a program of another kind.
fn is_class(path: &Path) -> bool {
    let name = stem(path);
    let is_identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_source = path.extension() == Some(OsStr::new("cpp")) && path.with_extension("h").is_file();
    let is_courses = MANCALA.has(path.file_name().unwrap_or_default());
    is_source && is_identifier && !is_courses && name != "bot" && name != "player"
}
