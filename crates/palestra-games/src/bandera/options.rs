//! The map to play on, as an option.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{BUNDLED, Bandera, Bundled, Map, MapFile, Start};
use crate::{Game, ParseError, phrase};

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
        BUNDLED.iter().find(|bundled| bundled.map() == *self.map).map(|bundled| bundled.name)
    }
}

impl Default for BanderaOptions {
    fn default() -> Self {
        Self::from_map(BUNDLED[0].map())
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
            return text.parse::<MapFile>().map(|file| Self::from_map(file.into_map()));
        }
        if text.contains(':') {
            return from_start(text).map_err(|error| ParseError { what: "options", ..error });
        }
        Bundled::find(text).map(|bundled| Self::from_map(bundled.map())).ok_or_else(|| {
            let names = BUNDLED.map(|bundled| bundled.name).join(", ");
            let problem = phrase!("map.no_such_map", "no bundled map has this name; there are {names}", names);
            ParseError::new("options", 0, problem)
        })
    }
}

/// The options whose game starts with this position.
fn from_start(text: &str) -> Result<BanderaOptions, ParseError> {
    let position: Bandera = text.parse()?;
    let starts = position.players().iter().map(|player| Start { cell: player.cell, energy: player.energy }).collect();
    let (rows, cols) = (position.torus().rows(), position.torus().cols());
    let map = Map::new(rows, cols, position.tiles().collect(), starts);
    let options = BanderaOptions::from_map(map.map_err(|invalid| ParseError::new("options", 0, invalid.phrase()))?);
    if Bandera::new(&options) != position {
        let problem =
            phrase!("map.no_start", "this is no start: nothing may be held or captured, and team 1 moves if it can",);
        return Err(ParseError::new("options", 0, problem));
    }
    Ok(options)
}
