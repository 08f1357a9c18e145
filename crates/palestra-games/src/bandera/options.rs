//! The map to play on, as an option.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{Bandera, Map, Start};
use crate::{Game, ParseError};

/// What can be chosen before a game of Bandera: the map.
///
/// As text it is the name of a bundled map, or a map in the format of map files (that is, several
/// lines), or the notation of a position at the start of a game. It is always written on one line: as a name if the
/// map is bundled, else as the notation of the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BanderaOptions {
    map: Arc<Map>,
}

impl BanderaOptions {
    /// A game on this map.
    #[must_use]
    pub fn from_map(map: impl Into<Arc<Map>>) -> Self {
        Self { map: map.into() }
    }

    /// The map.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The map's name, if it is bundled.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        bundled().iter().find(|bundled| load(bundled) == *self.map).map(|bundled| bundled.name)
    }
}

impl Default for BanderaOptions {
    fn default() -> Self {
        Self::from_map(load(&bundled()[0]))
    }
}

impl fmt::Display for BanderaOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => Bandera::new(self).fmt(f),
        }
    }
}

impl FromStr for BanderaOptions {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text.contains('\n') {
            return parse_map(text).map(Self::from_map);
        }
        if text.contains(':') {
            return from_start(text).map_err(|error| ParseError { what: "options", ..error });
        }
        let found = bundled().iter().find(|bundled| bundled.name == text);
        found.map(|bundled| Self::from_map(load(bundled))).ok_or_else(|| {
            let names: Vec<&str> = bundled().iter().map(|bundled| bundled.name).collect();
            ParseError::new("options", 0, format!("no bundled map has this name; there are: {}", names.join(" ")))
        })
    }
}

/// The options whose game starts with this position.
fn from_start(text: &str) -> Result<BanderaOptions, ParseError> {
    let position: Bandera = text.parse()?;
    let starts = position.players().iter().map(|player| Start { cell: player.cell, energy: player.energy }).collect();
    let (rows, cols) = (position.torus().rows(), position.torus().cols());
    let map = Map::new(rows, cols, position.tiles().collect(), starts);
    let options = BanderaOptions::from_map(map.map_err(|invalid| ParseError::new("options", 0, invalid.to_string()))?);
    if Bandera::new(&options) != position {
        let problem = "this is no start: nothing may be held or captured, and team 1 moves if it can";
        return Err(ParseError::new("options", 0, problem));
    }
    Ok(options)
}

fn load(bundled: &BundledMap) -> Map {
    parse_map(bundled.text).expect("bundled maps are right")
}

struct BundledMap {
    name: &'static str,
    text: &'static str,
}

fn bundled() -> &'static [BundledMap] {
    const SMALL: &str = "8x8:9.^2.B.~.F#.^3.~2.%F.J.2A.J.F%2.~3.^.#F.~.B2.^9.:2,40,0,0,0/63,40,0,0,0:0-0:1";
    &[BundledMap { name: "small", text: SMALL }]
}

fn parse_map(text: &str) -> Result<Map, ParseError> {
    from_start(text).map(|options| Arc::unwrap_or_clone(options.map))
}
