//! The files that programs are built with: of the courses, and of the languages.

use std::ffi::OsStr;

/// The files of a course or a language.
#[derive(Debug)]
pub(super) struct Kit {
    all: &'static [(&'static str, &'static str)],
    /// Files that a student may bring instead.
    replaceable: &'static [&'static str],
}

/// The Mancala course: the class of a student is named in `main.cpp`.
pub(super) const MANCALA: Kit = Kit {
    all: &[
        ("Bot.h", include_str!("../../../../kits/ugr-mancala/Bot.h")),
        ("Bot.cpp", include_str!("../../../../kits/ugr-mancala/Bot.cpp")),
        ("GameState.h", include_str!("../../../../kits/ugr-mancala/GameState.h")),
        ("GameState.cpp", include_str!("../../../../kits/ugr-mancala/GameState.cpp")),
        ("SimulatorLink.h", include_str!("../../../../kits/ugr-mancala/SimulatorLink.h")),
        ("SimulatorLink.cpp", include_str!("../../../../kits/ugr-mancala/SimulatorLink.cpp")),
        ("main.cpp", include_str!("../../../../kits/ugr-mancala/main.cpp")),
    ],
    replaceable: &[],
};

/// The courses of Conecta-4 Boom and Desconecta-4 Boom.
pub(super) const BOOM: Kit = Kit {
    all: &[
        ("environment.h", include_str!("../../../../kits/ugr-boom/environment.h")),
        ("environment.cpp", include_str!("../../../../kits/ugr-boom/environment.cpp")),
        ("player.h", include_str!("../../../../kits/ugr-boom/player.h")),
        ("main.cpp", include_str!("../../../../kits/ugr-boom/main.cpp")),
    ],
    replaceable: &["player.h"],
};

/// The files for the programs of a language, which may bring their own.
pub(super) const LIBRARIES: [&str; 3] = ["palestra.hpp", "palestra.rs", "palestra.py"];

/// What a program in C++ may include.
pub(super) const CPP: Kit = library(&[("palestra.hpp", include_str!("../../../../kits/cpp/palestra.hpp"))]);

/// What a program in Rust may have as a module.
pub(super) const RUST: Kit = library(&[("palestra.rs", include_str!("../../../../kits/rust/palestra.rs"))]);

/// What a program in Python may import.
pub(super) const PYTHON: Kit = library(&[("palestra.py", include_str!("../../../../kits/python/palestra.py"))]);

const fn library(file: &'static [(&'static str, &'static str); 1]) -> Kit {
    Kit { all: file, replaceable: &LIBRARIES }
}

impl Kit {
    /// Whether a program may bring its own file of this name.
    pub(super) fn is_replaceable(&self, name: &str) -> bool {
        self.all.iter().any(|&(file, _)| name == file) && self.replaceable.contains(&name)
    }

    /// Whether a file is one of the course's, not of a student's.
    pub(super) fn has(&self, name: &OsStr) -> bool {
        self.all.iter().any(|&(file, _)| name == file && !self.replaceable.contains(&file))
    }

    /// Its files, without those that the student brings.
    pub(super) fn files(&self, is_brought: impl Fn(&str) -> bool) -> Vec<(&'static str, String)> {
        let needed = self.all.iter().filter(|(name, _)| !(self.replaceable.contains(name) && is_brought(name)));
        needed.map(|&(name, text)| (name, text.to_owned())).collect()
    }
}
