//! Kits: the files of a course or of a language with which programs are built.

use std::ffi::OsStr;

/// The files of a course or a language.
#[derive(Debug)]
pub(super) struct Kit {
    all: &'static [(&'static str, &'static str)],
    /// Files that a program may replace by its own.
    replaceable: &'static [&'static str],
}

/// The kit of the Mancala course, whose `main.cpp` names the student's class.
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

/// The kit of the Conecta-4 Boom and Desconecta-4 Boom courses.
pub(super) const BOOM: Kit = Kit {
    all: &[
        ("environment.h", include_str!("../../../../kits/ugr-boom/environment.h")),
        ("environment.cpp", include_str!("../../../../kits/ugr-boom/environment.cpp")),
        ("player.h", include_str!("../../../../kits/ugr-boom/player.h")),
        ("main.cpp", include_str!("../../../../kits/ugr-boom/main.cpp")),
    ],
    replaceable: &["player.h"],
};

/// The library files of all languages; a program may replace them by its own.
pub(super) const LIBRARIES: [&str; 3] = ["palestra.hpp", "palestra.rs", "palestra.py"];

/// The C++ library, a header.
pub(super) const CPP: Kit = library(&[("palestra.hpp", include_str!("../../../../kits/cpp/palestra.hpp"))]);

/// The Rust library, a module.
pub(super) const RUST: Kit = library(&[("palestra.rs", include_str!("../../../../kits/rust/palestra.rs"))]);

/// The Python library, a module.
pub(super) const PYTHON: Kit = library(&[("palestra.py", include_str!("../../../../kits/python/palestra.py"))]);

const fn library(file: &'static [(&'static str, &'static str); 1]) -> Kit {
    Kit { all: file, replaceable: &LIBRARIES }
}

impl Kit {
    /// Whether a program may replace this file of the kit by its own.
    pub(super) fn is_replaceable(&self, name: &str) -> bool {
        self.all.iter().any(|&(file, _)| name == file) && self.replaceable.contains(&name)
    }

    /// Whether a file belongs to the kit and cannot be replaced.
    pub(super) fn has(&self, name: &OsStr) -> bool {
        self.all.iter().any(|&(file, _)| name == file && !self.replaceable.contains(&file))
    }

    /// The files of the kit, except the ones that the program replaces.
    pub(super) fn files(&self, is_brought: impl Fn(&str) -> bool) -> Vec<(&'static str, String)> {
        let needed = self.all.iter().filter(|(name, _)| !(self.replaceable.contains(name) && is_brought(name)));
        needed.map(|&(name, text)| (name, text.to_owned())).collect()
    }
}
