//! Validates an untrusted upload of source files before anything is built from it.

use palestra_games::{Phrase, phrase};
use palestra_protocol::shown;

use super::archive::unpack;
use super::course::{Candidate, Course, is_cpp, is_identifier};
use super::files::Files;
use super::kind::Kind;
use super::kit::{LIBRARIES, MANCALA};
use super::{MANCALA_GAME, MAX_BYTES, MAX_FILES, is_boom, stem};

/// Maximum length of a file name.
const MAX_NAME_BYTES: usize = 64;

/// File names and extensions that are refused, each group with the reason.
#[rustfmt::skip]
const REFUSED: &[(&[&str], &str)] = &[
    (&[".o", ".obj", ".a", ".lib", ".so", ".dll", ".dylib", ".exe", ".out", ".pyc", ".pyd", ".rlib", ".rmeta", ".class"],
        "compiled code is not taken, only source"),
    (&[".gch", ".pch"], "precompiled headers are not taken, only source"),
    (&[".modulemap", ".cppm", ".ixx", ".mpp", ".pcm", ".gcm"], "C++ modules are not taken: use headers"),
    (&["Cargo.toml", "Cargo.lock", "build.rs"], "packages and build scripts are not taken, only a single Rust file"),
];

/// An uploaded program in source. Its files have a form that can be built; nothing else is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    pub(super) kind: Kind,
    pub(super) files: Files,
}

/// Why an upload is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UploadError {
    /// An upload without files.
    #[error("there is no file in it")]
    Empty,
    /// An upload with more than `MAX_BYTES` bytes.
    #[error("it has more than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// An upload with more than `MAX_FILES` files.
    #[error("it has more than {MAX_FILES} files")]
    TooMany,
    /// An invalid file name.
    #[error("a file cannot be called '{}'", shown(.0, MAX_NAME_BYTES))]
    Name(String),
    /// A file that is not source.
    #[error("{name}: {why}")]
    NotSource {
        /// The file.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Two files of the same name.
    #[error("two files are called {0}")]
    Twice(String),
    /// A zip that is damaged, or has something other than files in it.
    #[error("the zip cannot be taken: {0}")]
    Zip(String),
    /// Files that do not form a program for the game.
    #[error("no program for this game is made of {}", .0.join(", "))]
    NoProgram(Vec<String>),
    /// More than one class that may be the bot.
    #[error("it has more than one bot: {}", .0.join(", "))]
    SeveralClasses(Vec<String>),
    /// An invalid class name.
    #[error("a class cannot be called {0}")]
    Class(String),
}

impl UploadError {
    /// The reason, for people who may read another language.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Empty => phrase!("upload.empty", "there is no file in it"),
            Self::TooLarge => {
                phrase!("upload.too_large", "it has more than {mib} MiB", mib = (MAX_BYTES >> 20) as usize)
            }
            Self::TooMany => phrase!("upload.too_many", "it has more than {files} files", files = MAX_FILES),
            Self::Name(name) => {
                let name = shown(name, MAX_NAME_BYTES).to_string();
                phrase!("upload.name", "a file cannot be called '{name}'", name = name)
            }
            Self::NotSource { name, why } => {
                phrase!("upload.not_source", "{name} is refused: {why}", name = name.as_str(), why = reason(why))
            }
            Self::Twice(name) => phrase!("upload.twice", "two files are called {name}", name = name.as_str()),
            Self::Zip(why) => phrase!("upload.zip", "the zip cannot be taken: {why}", why = reason(why)),
            Self::NoProgram(names) => {
                let names = names.join(", ");
                phrase!("upload.no_program", "no program for this game is made of {names}", names = names)
            }
            Self::SeveralClasses(classes) => {
                let classes = classes.join(", ");
                phrase!("upload.several_classes", "it has more than one bot: {classes}", classes = classes)
            }
            Self::Class(name) => phrase!("upload.class", "a class cannot be called {name}", name = name.as_str()),
        }
    }

    /// What the user can do about the error.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Name(_) => "use letters, digits, '_', '-' and '.', and begin with a letter",
            Self::Twice(_) | Self::Zip(_) => "zip the files alone, or the one folder that they lie in",
            Self::SeveralClasses(_) => "hand in one of them, or a main.cpp that makes the one that plays",
            Self::Class(_) => "the class and both of its files have the same name: letters, digits and '_'",
            _ => {
                "hand in one file in C++, Rust or Python; player.cpp and player.h for the Boom games; the \
                 files of a class that derives from Bot for Mancala"
            }
        }
    }
}

/// A reason as a phrase; what the unpacker of zips says has no translations.
fn reason(why: &str) -> Phrase {
    match why {
        "compiled code is not taken, only source" => {
            phrase!("upload.compiled", "compiled code is not taken, only source")
        }
        "precompiled headers are not taken, only source" => {
            phrase!("upload.precompiled", "precompiled headers are not taken, only source")
        }
        "C++ modules are not taken: use headers" => phrase!("upload.modules", "C++ modules are not taken: use headers"),
        "packages and build scripts are not taken, only a single Rust file" => {
            phrase!("upload.packages", "packages and build scripts are not taken, only a single Rust file")
        }
        "it is no text" => phrase!("upload.no_text", "it is no text"),
        "two of its entries have the same name" => {
            phrase!("upload.zip_twice", "two of its entries have the same name")
        }
        "its files lie outside of it" => phrase!("upload.zip_outside", "its files lie outside of it"),
        "its files lie in several folders" => phrase!("upload.zip_folders", "its files lie in several folders"),
        other => Phrase::untranslated(other),
    }
}

impl Upload {
    /// A program for this game from files with their names.
    pub fn of_files(game: &str, files: Vec<(String, Vec<u8>)>) -> Result<Self, UploadError> {
        let (names, bytes) = (files.iter().map(|(name, _)| name.as_str()), files.iter().map(|(_, text)| text.len()));
        if files.is_empty() {
            return Err(UploadError::Empty);
        }
        if files.len() > MAX_FILES {
            return Err(UploadError::TooMany);
        }
        if bytes.sum::<usize>() as u64 > MAX_BYTES {
            return Err(UploadError::TooLarge);
        }
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.iter().try_for_each(|name| check_name(name))?;
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(UploadError::Twice(twice[0].to_owned()));
        }
        if let Some((name, _)) = files.iter().find(|(_, text)| text.contains(&0)) {
            return Err(UploadError::NotSource { name: name.clone(), why: "it is no text" });
        }
        let class = if game == MANCALA_GAME { class(&files, &names)? } else { None };
        let kind = class.map_or_else(|| kind(game, &names), Ok)?;
        Ok(Self { kind, files })
    }

    /// A program for this game from a zip.
    pub fn of_zip(game: &str, bytes: &[u8]) -> Result<Self, UploadError> {
        Self::of_files(game, unpack(bytes)?)
    }

    /// The default name of the program.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.kind {
            Kind::Class { name, .. } => name.clone(),
            kind => kind.units().first().map_or_else(String::new, |main| stem(main.as_ref())),
        }
    }

    /// The files as they were uploaded.
    #[must_use]
    pub fn files(&self) -> &[(String, Vec<u8>)] {
        &self.files
    }
}

/// Checks that a file name is valid for every compiler and file system and may be that of source.
fn check_name(name: &str) -> Result<(), UploadError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if !begins_well || name.len() > MAX_NAME_BYTES || !name.chars().all(is_plain) {
        return Err(UploadError::Name(name.to_owned()));
    }
    let ends = &|end: &&str| if end.starts_with('.') { name.ends_with(end) } else { name == *end };
    match REFUSED.iter().find(|(all, _)| all.iter().any(ends)) {
        Some(&(_, why)) => Err(UploadError::NotSource { name: name.to_owned(), why }),
        None => Ok(()),
    }
}

/// The kind of a program from its file names, which are sorted.
fn kind(game: &str, names: &[&str]) -> Result<Kind, UploadError> {
    let no_program = || UploadError::NoProgram(names.iter().map(|&name| name.to_owned()).collect());
    let own: Vec<&str> = names.iter().copied().filter(|name| !LIBRARIES.contains(name)).collect();
    let (stem, extension) = own.first().and_then(|name| name.rsplit_once('.')).ok_or_else(no_program)?;
    let main = format!("{stem}.{extension}");
    let is_pair = own.len() == 2 && extension == "cpp" && own[1] == format!("{stem}.h");
    let kind = match extension {
        "cpp" if is_boom(game) && stem == "player" && (is_pair || own.len() == 1) => Kind::Player,
        _ if own.len() > 1 => return Err(no_program()),
        "cpp" | "cc" | "cxx" => Kind::Cpp { main },
        "rs" => Kind::Rust { main },
        "py" => Kind::Python { main },
        _ => return Err(no_program()),
    };
    // A program brings the library of its own language, or none: then ours is used.
    let fits = |name: &str| kind.kit().is_some_and(|kit| kit.is_replaceable(name));
    if names.iter().all(|name| own.contains(name) || fits(name)) { Ok(kind) } else { Err(no_program()) }
}

/// The class of the Mancala course, if these files are a submission to it.
fn class(files: &Files, names: &[&str]) -> Result<Option<Kind>, UploadError> {
    if !names.iter().all(|name| is_cpp(name)) {
        return Ok(None);
    }
    if let [source, header] = names
        && let Some(name) = source.strip_suffix(".cpp")
        && *header == format!("{name}.h")
        && (!is_identifier(name) || MANCALA.has(source.as_ref()))
    {
        return Err(UploadError::Class(name.to_owned()));
    }
    let course = Course::new(files);
    if let [one] = names {
        return Ok(course.of_file(one));
    }
    let classes =
        |found: Vec<_>| UploadError::SeveralClasses(found.into_iter().map(|bot: Candidate| bot.class).collect());
    course.of_folder().map_err(classes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(game: &str, names: &[&str]) -> Result<Kind, UploadError> {
        let files = names.iter().map(|name| ((*name).to_owned(), b"text".to_vec())).collect();
        Upload::of_files(game, files).map(|upload| upload.kind)
    }

    fn pair() -> Kind {
        let [name, header, unit] = ["Lento", "Lento.h", "Lento.cpp"].map(str::to_owned);
        Kind::Class { name, header, units: vec![unit] }
    }

    #[test]
    fn files_are_recognised_by_their_names_and_the_game() {
        let main = |name: &str| name.to_owned();
        assert_eq!(of("parchis", &["fast.cpp"]), Ok(Kind::Cpp { main: main("fast.cpp") }));
        assert_eq!(of("parchis", &["palestra.hpp", "fast.cc"]), Ok(Kind::Cpp { main: main("fast.cc") }));
        assert_eq!(of("bandera", &["fast.rs"]), Ok(Kind::Rust { main: main("fast.rs") }));
        assert_eq!(of("bandera", &["palestra.py", "bot.py"]), Ok(Kind::Python { main: main("bot.py") }));
        assert_eq!(of("mancala", &["Lento.h", "Lento.cpp"]), Ok(pair()));
        assert_eq!(of("conecta4boom", &["player.h", "player.cpp"]), Ok(Kind::Player));
        assert_eq!(of("desconecta4boom", &["player.cpp"]), Ok(Kind::Player));
        assert_eq!(of("mancala", &["player.cpp"]), Ok(Kind::Cpp { main: main("player.cpp") }));
    }

    #[test]
    fn what_makes_up_no_program_is_refused() {
        let refused: [(&str, &[&str]); 8] = [
            ("parchis", &["Lento.h", "Lento.cpp"]),
            ("mancala", &["Lento.h", "Otro.cpp"]),
            ("mancala", &["a.cpp", "b.cpp"]),
            ("mancala", &["bot.py", "palestra.rs"]),
            ("mancala", &["palestra.py"]),
            ("mancala", &["notes.txt"]),
            ("mancala", &["Makefile"]),
            ("conecta4boom", &["player.h", "player.cpp", "other.h"]),
        ];
        for (game, names) in refused {
            assert!(matches!(of(game, names), Err(UploadError::NoProgram(_))), "{game} {names:?}");
        }
        assert_eq!(of("mancala", &[]), Err(UploadError::Empty));
        assert_eq!(of("mancala", &["bot.py", "bot.py"]), Err(UploadError::Twice("bot.py".to_owned())));
        assert_eq!(of("mancala", &["a"; MAX_FILES + 1]), Err(UploadError::TooMany));
    }

    fn texts(files: &[(&str, &str)]) -> Result<Kind, UploadError> {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
        Upload::of_files("mancala", files).map(|upload| upload.kind)
    }

    #[test]
    fn classes_of_the_course_are_recognised_by_what_they_derive_from() {
        let class = |name: &str, header: &str, units: &[&str]| {
            let units = units.iter().map(|&unit| unit.to_owned()).collect();
            Ok(Kind::Class { name: name.to_owned(), header: header.to_owned(), units })
        };
        let [uno, dos] = ["class Uno : public Bot {};", "class Dos : Uno {};"];
        assert_eq!(texts(&[("x.hpp", uno), ("y.cc", "")]), class("Uno", "x.hpp", &["y.cc"]));
        assert_eq!(texts(&[("x.cpp", uno)]), class("Uno", "x.cpp", &[]), "it is included, and not compiled twice");
        assert_eq!(
            texts(&[("x.h", uno), ("y.h", dos)]),
            class("Dos", "y.h", &[]),
            "what is derived further is the bot"
        );
        let made = [("x.h", uno), ("y.h", "class Tres:Bot{};"), ("main.cpp", "int main() { new Tres(); }")];
        assert_eq!(texts(&made), class("Tres", "y.h", &[]));
        assert_eq!(texts(&made[..2]), Err(UploadError::SeveralClasses(vec!["Tres".to_owned(), "Uno".to_owned()])));
        let kit = [("Bot.h", "class Bot {};"), ("Bot.cpp", ""), ("x.h", uno), ("x.cpp", "")];
        assert_eq!(texts(&kit), class("Uno", "x.h", &["x.cpp"]), "the course's own files are known");
        assert_eq!(texts(&[("x.cpp", "int main() {}")]), Ok(Kind::Cpp { main: "x.cpp".to_owned() }));
    }

    fn good_zip() -> Vec<u8> {
        let text = "int lento; ".repeat(20);
        let files = ["folder/Lento.h", "folder/Lento.cpp"].map(|name| (name, text.as_bytes()));
        crate::source::pack(files).expect("a zip")
    }

    proptest! {
        #[test]
        fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Upload::of_zip("mancala", &bytes).is_err());
        }

        #[test]
        fn no_mutation_does_harm(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..6),
        ) {
            let mut bytes = good_zip();
            for (at, byte, kind) in changes {
                let at = at.index(bytes.len());
                match kind {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    _ => drop(bytes.remove(at)),
                }
            }
            if let Ok(upload) = Upload::of_zip("mancala", &bytes) {
                prop_assert!(upload.files().iter().all(|(name, _)| check_name(name).is_ok()));
                prop_assert!(upload.files().iter().map(|(_, text)| text.len()).sum::<usize>() <= MAX_BYTES as usize);
            }
        }
    }

    #[test]
    fn every_refusal_can_be_translated() {
        for (_, why) in REFUSED {
            assert!(reason(why).key().is_some(), "{why}");
        }
        let refused = |files: &[(&str, &[u8])]| {
            let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.to_vec())).collect();
            Upload::of_files("mancala", files).expect_err("it is refused").phrase().to_string()
        };
        assert_eq!(refused(&[("bot.cpp", b"\x7fELF\0")]), "bot.cpp is refused: it is no text");
        assert_eq!(refused(&[("bot.so", b"x")]), "bot.so is refused: compiled code is not taken, only source");
        assert!(!refused(&[("b\u{202e}ppc.tob", b"x")]).contains('\u{202e}'));
    }

    #[test]
    fn a_zip_that_is_not_touched_is_taken() {
        let upload = Upload::of_zip("mancala", &good_zip()).expect("a pair");
        assert_eq!((upload.kind.clone(), upload.name()), (pair(), "Lento".to_owned()));
    }
}
