//! Code that is given to all: the kits, the courses' headers, a teacher's template. It does not count as shared.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::language::Language;
use super::token::tokens;
use super::winnow::grams;

/// The hashes of all runs of tokens of given code.
#[derive(Clone, Debug, Default)]
pub struct Given {
    hashes: HashSet<u64>,
}

impl Given {
    /// The code of Palestra's starter kits, with their examples, and of the headers of the courses.
    #[must_use]
    pub fn kits() -> &'static Self {
        static KITS: LazyLock<Given> = LazyLock::new(|| {
            let mut given = Given::default();
            KIT_FILES.iter().for_each(|(name, text)| given.add(name, text.as_bytes()));
            given
        });
        &KITS
    }

    /// Adds a file.
    pub fn add(&mut self, name: &str, text: &[u8]) {
        if let Some(language) = Language::of_name(name) {
            self.hashes.extend(grams(&tokens(language, text)));
        }
    }

    pub(super) fn has(&self, hash: u64) -> bool {
        self.hashes.contains(&hash)
    }
}

macro_rules! kit_files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../../kits/", $name)))),*]
    };
}

/// The sources of the kits. A test compares this list with the folder.
const KIT_FILES: &[(&str, &str)] = kit_files! {
    "cpp/bandera/evaluate.cpp"
    "cpp/conecta4boom/evaluate.cpp"
    "cpp/desconecta4boom/evaluate.cpp"
    "cpp/mancala/alphabeta.cpp"
    "cpp/mancala/random.cpp"
    "cpp/palestra.hpp"
    "cpp/parchis/evaluate.cpp"
    "cpp/replay.cpp"
    "python/bandera/evaluate.py"
    "python/conecta4boom/evaluate.py"
    "python/desconecta4boom/evaluate.py"
    "python/mancala/alphabeta.py"
    "python/mancala/random_bot.py"
    "python/palestra.py"
    "python/parchis/evaluate.py"
    "python/replay.py"
    "rust/bandera/evaluate.rs"
    "rust/conecta4boom/evaluate.rs"
    "rust/desconecta4boom/evaluate.rs"
    "rust/mancala/alphabeta.rs"
    "rust/mancala/random.rs"
    "rust/palestra.rs"
    "rust/parchis/evaluate.rs"
    "rust/replay.rs"
    "ugr-boom/environment.cpp"
    "ugr-boom/environment.h"
    "ugr-boom/main.cpp"
    "ugr-boom/player.h"
    "ugr-mancala/Bot.cpp"
    "ugr-mancala/Bot.h"
    "ugr-mancala/GameState.cpp"
    "ugr-mancala/GameState.h"
    "ugr-mancala/SimulatorLink.cpp"
    "ugr-mancala/SimulatorLink.h"
    "ugr-mancala/main.cpp"
};

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::copies::Program;

    fn sources(folder: &Path, found: &mut Vec<String>, root: &Path) {
        for entry in fs::read_dir(folder).expect("the kits") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, found, root);
            } else if Language::of_name(&path.to_string_lossy()).is_some() {
                found.push(path.strip_prefix(root).expect("below it").to_string_lossy().into_owned());
            }
        }
    }

    #[test]
    fn all_sources_of_the_kits_are_given() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../kits"));
        let mut found = vec![];
        sources(root, &mut found, root);
        found.sort();
        assert_eq!(KIT_FILES.iter().map(|&(name, _)| name).collect::<Vec<_>>(), found);
    }

    #[test]
    fn a_kit_has_nothing_of_its_own() {
        let kit = |(name, text): &(&str, &str)| ((*name).to_owned(), text.as_bytes().to_vec());
        let files: Vec<_> = KIT_FILES.iter().map(kit).collect();
        assert_eq!(Program::new(&files, Given::kits()).fingerprint().len(), 0);
        assert!(Program::new(&files, &Given::default()).fingerprint().len() > 1000);
    }
}
