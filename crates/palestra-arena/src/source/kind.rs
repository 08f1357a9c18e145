//! Kinds of source (C++, Rust, Python, course kits) and the compiler command of each.

use super::files::Files;
use super::kit::{BOOM, CPP, Kit, MANCALA, PYTHON, RUST};

/// The kind of a source, which decides how it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A Python script, which is not compiled.
    Python { main: String },
    /// A C++ file, with the files that it includes.
    Cpp { main: String },
    /// A Rust file, with its modules.
    Rust { main: String },
    /// A Cargo package.
    Cargo,
    /// A class of the Mancala course, the file that defines it, and the sources that are compiled together.
    Class { name: String, header: String, units: Vec<String> },
    /// A player of the Boom courses: `player.cpp` and `player.h`.
    Player,
}

impl Kind {
    /// The files on the compiler's command line, without those of the kit.
    pub(super) fn units(&self) -> Vec<String> {
        match self {
            Self::Python { main } | Self::Cpp { main } | Self::Rust { main } => vec![main.clone()],
            Self::Class { units, .. } => units.clone(),
            Self::Player => vec!["player.cpp".to_owned()],
            Self::Cargo => vec![],
        }
    }

    /// The kit of the course or of the language, with which the source is built.
    pub(super) const fn kit(&self) -> Option<&'static Kit> {
        match self {
            Self::Class { .. } => Some(&MANCALA),
            Self::Player => Some(&BOOM),
            Self::Cpp { .. } => Some(&CPP),
            Self::Rust { .. } => Some(&RUST),
            Self::Python { .. } => Some(&PYTHON),
            Self::Cargo => None,
        }
    }

    /// The author's own files, without copies of the kit's.
    pub(super) fn own_files<'a>(&self, files: &'a Files) -> impl Iterator<Item = &'a (String, Vec<u8>)> {
        let kit = self.kit();
        files.iter().filter(move |(name, _)| !kit.is_some_and(|kit| kit.has(name.as_ref())))
    }

    /// The files of the kit for this program, except the ones that the program replaces by its own.
    pub(super) fn kit_files(&self, files: &Files) -> Vec<(&'static str, String)> {
        let is_brought = |name: &str| files.iter().any(|(brought, _)| brought == name);
        let mut kit = self.kit().map_or_else(Vec::new, |kit| kit.files(is_brought));
        if let Self::Class { name, header, .. } = self {
            // The course's main program gets the name of the class by macros.
            let main = kit.iter_mut().filter(|(file, _)| *file == "main.cpp");
            main.for_each(|(_, text)| {
                *text = format!("#define BOT_CLASS {name}\n#define BOT_HEADER \"{header}\"\n{text}");
            });
        }
        kit
    }

    /// The language standards to try, in order. The course's own comes first; many later submissions need a newer one.
    pub(super) const fn dialects(&self) -> &'static [&'static str] {
        match self {
            Self::Class { .. } => &["c++11", "gnu++17", "gnu++20"],
            Self::Player => &["gnu++14", "gnu++17", "gnu++20"],
            Self::Cpp { .. } => &["c++17"],
            Self::Rust { .. } => &["2021"],
            Self::Python { .. } | Self::Cargo => &[""],
        }
    }

    /// The compiler command, run in the folder with all files; empty if no compiler is needed.
    pub(super) fn command(&self, dialect: &str, units: &[String], output: &str) -> Vec<String> {
        let (compiler, kit, flags) = match self {
            Self::Cpp { .. } => (format!("g++ -O2 -std={dialect}"), "", String::new()),
            Self::Rust { .. } => (format!("rustc --edition {dialect} -O"), "", String::new()),
            Self::Class { .. } | Self::Player => {
                let kit = if matches!(self, Self::Player) { BOOM_UNITS } else { MANCALA_UNITS };
                ("g++ -O2".to_owned(), kit, format!("-I./ -lm -std={dialect} -fpermissive -w"))
            }
            Self::Python { .. } | Self::Cargo => return vec![],
        };
        let [compiler, kit, flags] = [&compiler, kit, &flags].map(str::split_whitespace);
        let units = units.iter().map(String::as_str);
        compiler.chain(["-o", output]).chain(kit).chain(units).chain(flags).map(str::to_owned).collect()
    }
}

const MANCALA_UNITS: &str = "Bot.cpp GameState.cpp main.cpp SimulatorLink.cpp";
const BOOM_UNITS: &str = "environment.cpp main.cpp";

/// Builds in the first dialect in which the source compiles, and returns the result with that dialect. If it compiles
/// in none, returns the first failure: the course's dialect is the one that the author meant.
pub(super) fn in_first_dialect<T, E>(
    dialects: &'static [&'static str],
    mut build: impl FnMut(&'static str) -> Result<T, E>,
    is_about_source: impl Fn(&E) -> bool,
) -> Result<(T, &'static str), E> {
    let (first, others) = dialects.split_first().expect("every kind has a dialect");
    let failure = match build(first) {
        Ok(built) => return Ok((built, first)),
        Err(failure) if is_about_source(&failure) => failure,
        Err(failure) => return Err(failure),
    };
    for dialect in others {
        match build(dialect) {
            Ok(built) => return Ok((built, dialect)),
            Err(other) if is_about_source(&other) => {}
            Err(other) => return Err(other),
        }
    }
    Err(failure)
}
