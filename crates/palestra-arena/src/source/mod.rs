//! Programs given as source: detects the kind, compiles, and caches the result until the source changes.
//!
//! A lone file is a program by its extension. A folder is one by what lies in it: `bot.cpp`, `bot.py` or `bot.rs` as
//! `palestra new` writes them, a `Cargo.toml`, or what students of the courses handed in: `player.cpp` and `player.h`
//! for the Boom games, a class that derives from `Bot` for Mancala.
//!
//! Source is read once, into memory and within bounds. What a program is, whether it was built before, and what the
//! compiler sees all come from those bytes.

mod archive;
#[cfg(target_os = "linux")]
mod artefact;
mod build;
mod bundle;
mod cache;
mod course;
mod error;
mod files;
mod first_error;
mod kind;
mod kit;
mod names;
mod scan;
mod upload;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

pub use archive::pack;
pub(crate) use archive::{Bounds, unpack_all};
#[cfg(target_os = "linux")]
pub use artefact::{Artefact, Compiled};
pub use build::Workshop;
use course::Course;
pub use error::BuildError;
use files::Files;
pub use first_error::{FirstError, first_error};
use kind::Kind;
pub use names::{Misnamed, StreamUse};
pub use upload::{Upload, UploadError};

use palestra_sandbox::plain_file::{Folder, Links};

/// Maximum size of a program's source in bytes.
pub(crate) const MAX_BYTES: u64 = 4 << 20;

/// Maximum number of files of a program's source.
pub(crate) const MAX_FILES: usize = 256;

/// The source files at a path, as they are handed in: of a folder all of one language, of a file it and those that it includes.
pub fn handed_in(path: &Path) -> Result<Vec<(String, Vec<u8>)>, BuildError> {
    if !path.is_dir() {
        return files::of_lone_file(path, Links::Follow);
    }
    let folder = Folder::open(path).map_err(|error| BuildError::reading(path, error))?;
    let python = files::of_python_folder(&folder)?;
    if python.is_empty() { files::of_folder(&folder) } else { Ok(python) }
}

/// A program given as source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    kind: Kind,
    /// The folder with the source.
    folder: PathBuf,
    /// The path that the user gave: the folder, or a file in it.
    path: PathBuf,
    /// The files that a compiler may read.
    files: Files,
}

impl Source {
    /// Recognises the source of a program for this game at a path. `None` if the path is a file that is not source.
    /// A folder may be reached through symlinks; `links` says whether a file may be one.
    pub(crate) fn find(path: &Path, game: &str, links: Links) -> Result<Option<Self>, BuildError> {
        if path.is_dir() {
            return Self::of_folder(path, game).map(Some);
        }
        let is_there = fs::symlink_metadata(path).is_ok();
        let name = path.file_name().and_then(OsStr::to_str).filter(|_| is_there).unwrap_or_default();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let source = |kind, files| Self { kind, folder: folder.into(), path: path.into(), files };
        match Kind::of_file(name, game) {
            // A Python file is run as it is: its first line names the interpreter.
            Some(Kind::Python { .. }) => Ok(None),
            Some(Kind::Cargo) => Ok(Some(source(Kind::Cargo, vec![]))),
            None if game != MANCALA_GAME || !course::is_header(name) => Ok(None),
            kind => {
                let files = files::of_lone_file(path, links)?;
                let class = if game == MANCALA_GAME { Course::new(&files).of_file(name) } else { None };
                Ok(class.or(kind).map(|kind| source(kind, files)))
            }
        }
    }

    fn of_folder(path: &Path, game: &str) -> Result<Self, BuildError> {
        let failed = |error| BuildError::reading(path, error);
        let folder = Folder::open(path).map_err(failed)?;
        let names = folder.names().map_err(failed)?;
        let mains = mains(&names);
        let source = |kind, files| Self { kind, folder: path.into(), path: path.into(), files };
        match mains[..] {
            [main @ ("Cargo.toml" | "bot.py")] => {
                folder.file(main.as_ref()).map_err(|error| BuildError::reading(&path.join(main), error))?;
                let kind = if main == "bot.py" { Kind::Python { main: main.to_owned() } } else { Kind::Cargo };
                Ok(source(kind, vec![]))
            }
            [] | [_] => {
                let files = files::of_folder(&folder)?;
                let kind = of_course(path, game, &files, mains.first().copied())?;
                let kind = kind.or_else(|| Kind::of_file(mains.first()?, game));
                let file = || lone_file(&files, &names).map(|name| path.join(name));
                let kind = kind.ok_or_else(|| BuildError::NoSource { folder: path.into(), file: file() })?;
                Ok(source(kind, files))
            }
            _ => {
                let programs = mains.iter().map(|main| path.join(main)).collect();
                Err(BuildError::Several { folder: path.into(), programs })
            }
        }
    }

    /// Whether the program speaks the protocol of the Mancala course, whatever else its author prints.
    pub(crate) const fn is_of_mancala_course(&self) -> bool {
        matches!(self.kind, Kind::Class { .. })
    }

    /// The default name of the program.
    pub(crate) fn name(&self) -> String {
        match &self.kind {
            Kind::Class { name, .. } => name.clone(),
            Kind::Cpp { main } | Kind::Rust { main } if !main.starts_with("bot.") => stem(Path::new(main)),
            _ => fs::canonicalize(&self.folder).map_or_else(|_| stem(&self.folder), |folder| stem(&folder)),
        }
    }

    /// The folder of a program that is not compiled, which is run with all files in it.
    pub(crate) fn script_folder(&self) -> Option<&Path> {
        matches!(self.kind, Kind::Python { .. }).then_some(&self.folder)
    }
}

/// Id of the game of the Mancala course.
const MANCALA_GAME: &str = "mancala";

impl Kind {
    /// The kind of a lone file, by its extension.
    fn of_file(name: &str, game: &str) -> Option<Self> {
        let main = name.to_owned();
        Some(match Path::new(name).extension().and_then(OsStr::to_str) {
            _ if name == "Cargo.toml" => Self::Cargo,
            Some("cpp") if is_boom(game) && name == "player.cpp" => Self::Player,
            Some("cpp" | "cc" | "cxx") => Self::Cpp { main },
            Some("rs") => Self::Rust { main },
            Some("py") => Self::Python { main },
            _ => return None,
        })
    }
}

/// The file names that make a folder a program.
fn mains(names: &[OsString]) -> Vec<&'static str> {
    let has = |name: &&str| names.iter().any(|it| it == name);
    // A Cargo package may have its program in bot.rs, so Cargo.toml comes first.
    let rust = ["Cargo.toml", "bot.rs"].into_iter().find(has);
    ["bot.cpp", "bot.py"].into_iter().filter(has).chain(rust).collect()
}

/// The submission of a student of a course, if these files are one and not a program of their own.
fn of_course(folder: &Path, game: &str, files: &Files, main: Option<&str>) -> Result<Option<Kind>, BuildError> {
    match game {
        MANCALA_GAME => {
            let course = Course::new(files);
            // bot.cpp may define a class of the course.
            if main.is_some_and(|main| main != "bot.cpp" || course.is_program(main) || !course.has_bot()) {
                return Ok(None);
            }
            course.of_folder().map_err(|found| BuildError::SeveralClasses {
                folder: folder.into(),
                classes: found.into_iter().map(|bot| (bot.class, folder.join(bot.file))).collect(),
            })
        }
        _ if is_boom(game) && main.is_none() => {
            Ok(files.iter().any(|(name, _)| name == "player.cpp").then_some(Kind::Player))
        }
        _ => Ok(None),
    }
}

/// A file to suggest as a program when its folder is not one.
fn lone_file(files: &Files, names: &[OsString]) -> Option<String> {
    let is_program = |name: &str| {
        matches!(Kind::of_file(name, ""), Some(Kind::Cpp { .. } | Kind::Rust { .. } | Kind::Python { .. }))
    };
    let has_header = |name: &str| files.iter().any(|(other, _)| *other == format!("{}.h", stem(name.as_ref())));
    let mut names = names.iter().filter_map(|name| name.to_str());
    names.find(|name| is_program(name) && !has_header(name)).map(str::to_owned)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn is_boom(game: &str) -> bool {
    matches!(game, "conecta4boom" | "desconecta4boom")
}
