//! The maps that come with the game, embedded from the files in `maps/`.

use super::Map;
use super::mapfile::MapFile;

// Defined first, as macros must be.
macro_rules! bundled {
    ($name:literal, $about:literal) => {
        Bundled { name: $name, about: $about, text: include_str!(concat!("../../../../../maps/", $name, ".map")) }
    };
}

/// The bundled maps, the default first.
pub const BUNDLED: [Bundled; 8] = [
    bundled!("causeway", "10x12, 2 a side: a causeway between two lakes"),
    bundled!("orchard", "10x12, 2 a side: an orchard for each team, a hedge and a pond"),
    bundled!("lagoon", "8x8, 1 a side: an island in a lagoon"),
    bundled!("palisade", "8x8, 1 a side: a broken palisade and a stream"),
    bundled!("delta", "12x16, 3 a side: two rivers with marshes between their arms"),
    bundled!("citadel", "12x16, 3 a side: a walled place with a moat and four gates"),
    bundled!("menhirs", "16x20, 4 a side: a grove in a ring of stones"),
    bundled!("meander", "16x20, 4 a side: a long river with fords"),
];

/// The names of the bundled maps and what they are like, the default first.
pub const BUNDLED_WORDS: [(&str, &str); BUNDLED.len()] = {
    let mut words = [("", ""); BUNDLED.len()];
    let mut index = 0;
    while index < words.len() {
        words[index] = (BUNDLED[index].name, BUNDLED[index].about);
        index += 1;
    }
    words
};

/// A map that comes with the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// Its name, a word.
    pub name: &'static str,
    /// Its size and character in a few words.
    pub about: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

impl Bundled {
    /// The bundled map of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        BUNDLED.into_iter().find(|bundled| bundled.name == name)
    }

    /// Its title and map.
    #[must_use]
    pub fn file(&self) -> MapFile {
        self.text.parse().expect("a test reads every bundled map")
    }

    /// The map of the file.
    #[must_use]
    pub fn map(&self) -> Map {
        self.file().into_map()
    }
}
