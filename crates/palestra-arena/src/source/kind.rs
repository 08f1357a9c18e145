//! The kinds of programs that are given as source, and how each is compiled.

use super::kit::{BOOM, CPP, Kit, MANCALA, PYTHON, RUST};

/// What to make of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Runs as it is.
    Python { main: String },
    /// One file, and whatever it includes.
    Cpp { main: String },
    /// One file, and its modules.
    Rust { main: String },
    /// A package.
    Cargo,
    /// A class of the Mancala course.
    Class { name: String },
    /// A player of the Boom courses.
    Player,
}

impl Kind {
    /// The file that is the program's own.
    pub(super) fn main(&self) -> String {
        match self {
            Self::Python { main } | Self::Cpp { main } | Self::Rust { main } => main.clone(),
            Self::Class { name } => format!("{name}.cpp"),
            Self::Player => "player.cpp".to_owned(),
            Self::Cargo => "Cargo.toml".to_owned(),
        }
    }

    /// The files that it is built with: of its course, or of its language.
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

    /// The files of its kit, made for this program, without those that it brings.
    pub(super) fn kit_files(&self, is_brought: impl Fn(&str) -> bool) -> Vec<(&'static str, String)> {
        let class = match self {
            Self::Class { name } => name.as_str(),
            _ => "",
        };
        self.kit().map_or_else(Vec::new, |kit| kit.files_for(class, is_brought))
    }

    /// How it is compiled in the folder where all its files lie; nothing for what needs no compiler.
    pub(super) fn command(&self, main: &str, output: &str) -> Vec<String> {
        let [compiler, kit, flags] = match self {
            Self::Cpp { .. } => ["g++ -O2 -std=c++17", "", ""],
            Self::Rust { .. } => ["rustc --edition 2021 -O", "", ""],
            Self::Class { .. } => {
                ["g++ -O2", "Bot.cpp GameState.cpp main.cpp SimulatorLink.cpp", "-I./ -lm -std=c++11 -fpermissive -w"]
            }
            Self::Player => ["g++ -O2", "environment.cpp main.cpp", "-I./ -lm -std=gnu++14 -fpermissive -w"],
            Self::Python { .. } | Self::Cargo => return vec![],
        };
        let [compiler, kit, flags] = [compiler, kit, flags].map(str::split_whitespace);
        compiler.chain(["-o", output]).chain(kit).chain([main]).chain(flags).map(str::to_owned).collect()
    }
}
