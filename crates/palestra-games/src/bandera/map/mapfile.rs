//! Maps as text files, to be read and edited by people.
//!
//! ```text
//! title: A small pond
//!
//! map:
//! . . . . . .
//! . F ~ . . .
//! . . ~ ~ . .
//! . . . ~ F .
//! . . . . . .
//!
//! team 1:
//! row 1 column 4 energy 20
//!
//! team 2:
//! row 5 column 3 energy 20
//! ```
//!
//! A tile is written with its [symbol](Tile::symbol). Rows and columns count from 1; odd columns lie half a hex higher
//! than even ones. Players are numbered in the order of the file, team 1's first. Sections may come in any order; empty
//! lines, spaces between tiles, spaces at the ends of lines and Windows line ends make no difference.

use std::fmt;
use std::str::FromStr;

use super::fair::Place;
use super::ways::hops;
use super::{InvalidMap, MAX_ENERGY, MAX_TEAM, Map, Start, team_is_full};
use crate::bandera::tile::Tile;
use crate::bandera::torus::{CellIndex, MAX_SIZE, Torus};
use crate::parse::{Cursor, utf8};
use crate::{ParseError, Phrase, phrase};

/// The most bytes that the text of a map can have: more than twice what the largest map needs.
pub const MAX_MAP_TEXT: usize = 1 << 16;

/// The most characters of a title.
pub const MAX_TITLE: usize = 80;

/// A map with its title, as it is kept in a file. Always playable: every cell that is no wall can be reached, and there
/// is a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapFile {
    title: String,
    map: Map,
}

/// What cannot be kept in a map file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidMapFile {
    /// The title is empty or too long, begins or ends with a space, or is more than one line.
    Title,
    /// There is nothing to play for.
    NoFlag,
    /// There is a cell to which player 1 knows no way, and so a part of the map is shut off by walls.
    Enclosed {
        /// The first such cell.
        place: Place,
        /// What it is; a flag if there is one that cannot be reached.
        tile: Tile,
    },
}

impl InvalidMapFile {
    /// Why not.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match *self {
            Self::Title => phrase!("map.title", "a title is one line of 1 to {max} characters", max = MAX_TITLE),
            Self::NoFlag => phrase!("map.no_flag", "there is no flag on the map"),
            Self::Enclosed { place, tile } => phrase!(
                "map.enclosed",
                "there is no way from player 1 to the {tile} at {place}",
                tile = tile.phrase(),
                place = place.phrase(),
            ),
        }
    }
}

impl fmt::Display for InvalidMapFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for InvalidMapFile {}

impl MapFile {
    /// Sets the title of the map.
    pub fn new(title: impl Into<String>, map: Map) -> Result<Self, InvalidMapFile> {
        let title = title.into();
        if !is_title(&title) {
            return Err(InvalidMapFile::Title);
        }
        check_playable(&map)?;
        Ok(Self { title, map })
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ParseError> {
        utf8("map", bytes)?.parse()
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The map.
    #[must_use]
    pub const fn map(&self) -> &Map {
        &self.map
    }

    /// The map without its title.
    #[must_use]
    pub fn into_map(self) -> Map {
        self.map
    }
}

/// Writes the text that reads best; reading it gives the same map and title.
impl fmt::Display for MapFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "title: {}\n\nmap:", self.title)?;
        for row in self.map.tiles().chunks(self.map.torus().cols()) {
            let symbols: Vec<_> = row.iter().map(|tile| tile.symbol().to_string()).collect();
            writeln!(f, "{}", symbols.join(" "))?;
        }
        for (number, team) in (1..).zip(self.map.starts().chunks(self.map.team_size())) {
            writeln!(f, "\nteam {number}:")?;
            for start in team {
                writeln!(f, "{} energy {}", Place::of(self.map.torus(), start.cell), start.energy)?;
            }
        }
        Ok(())
    }
}

impl FromStr for MapFile {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text.len() > MAX_MAP_TEXT {
            let (found, max) = (text.len(), MAX_MAP_TEXT);
            let problem = phrase!("map.too_large", "{found} bytes of text, a map has at most {max}", found, max);
            return Err(error(1, 0, problem));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut draft = Draft::default();
        for line in text.lines() {
            draft.line += 1;
            draft.read(line.trim_end_matches(' ')).map_err(|error| error.on_line(draft.line))?;
        }
        draft.finish()
    }
}

/// The part of a file that is being read.
#[derive(Clone, Copy)]
enum Section {
    Map,
    Team(usize),
}

/// What has been read so far.
#[derive(Default)]
struct Draft {
    line: usize,
    section: Option<Section>,
    title: Option<String>,
    map: Option<Rows>,
    teams: [Option<Team>; 2],
}

struct Rows {
    /// The line of the heading.
    line: usize,
    cols: usize,
    tiles: Vec<Tile>,
    /// Line and number of characters before it, of every tile.
    places: Vec<(usize, usize)>,
}

struct Team {
    line: usize,
    players: Vec<Player>,
}

struct Player {
    line: usize,
    row: Number,
    column: Number,
    energy: u16,
}

struct Number {
    at: usize,
    value: usize,
}

impl Draft {
    fn read(&mut self, line: &str) -> Result<(), ParseError> {
        if line.trim_start_matches(' ').is_empty() {
            return Ok(());
        }
        if let Some((heading, rest)) = line.split_once(':') {
            return self.read_heading(heading, rest);
        }
        match self.section {
            None => Err(ParseError::new(
                "map",
                0,
                phrase!(
                    "map.begins",
                    "a file begins with one of the headings \"title:\", \"map:\", \"team 1:\" and \"team 2:\"",
                ),
            )),
            Some(Section::Map) => self.read_row(line),
            Some(Section::Team(team)) => self.read_player(team, line),
        }
    }

    fn read_heading(&mut self, heading: &str, rest: &str) -> Result<(), ParseError> {
        let at = heading.chars().count() + 1;
        let line = self.line;
        let is_new = match heading {
            "title" => {
                let title = rest.trim_matches(' ');
                if !is_title(title) {
                    return Err(ParseError::new("map", at, InvalidMapFile::Title.phrase()));
                }
                self.section = None;
                self.title.replace(title.to_owned()).is_none()
            }
            "map" => {
                self.section = Some(Section::Map);
                self.map.replace(Rows { line, cols: 0, tiles: Vec::new(), places: Vec::new() }).is_none()
            }
            "team 1" | "team 2" => {
                let team = usize::from(heading == "team 2");
                self.section = Some(Section::Team(team));
                self.teams[team].replace(Team { line, players: Vec::new() }).is_none()
            }
            _ => {
                let problem =
                    phrase!("map.headings", "the headings are \"title:\", \"map:\", \"team 1:\" and \"team 2:\"",);
                return Err(ParseError::new("map", 0, problem));
            }
        };
        if !is_new {
            let problem =
                phrase!("map.second_heading", "the heading \"{heading}:\" stands here a second time", heading);
            return Err(ParseError::new("map", 0, problem));
        }
        if heading != "title" && !rest.is_empty() {
            let problem = phrase!("map.alone", "\"{heading}:\" should stand alone in its line", heading);
            return Err(ParseError::new("map", at, problem));
        }
        Ok(())
    }

    fn read_row(&mut self, line: &str) -> Result<(), ParseError> {
        let rows = self.map.as_mut().expect("its heading made it");
        if rows.cols > 0 && rows.tiles.len() / rows.cols == MAX_SIZE {
            let problem = phrase!("map.too_many_rows", "a map has at most {max} rows", max = MAX_SIZE);
            return Err(ParseError::new("map", 0, problem));
        }
        let before = rows.tiles.len();
        for (at, symbol) in line.chars().enumerate().filter(|&(_, symbol)| symbol != ' ') {
            let tile = Tile::from_symbol(symbol).ok_or_else(|| {
                let symbols: String = Tile::ALL.iter().map(|tile| tile.symbol()).collect();
                let found = format!("{symbol:?}");
                let problem = phrase!("map.no_tile", "{found} is no tile: these are {symbols}", found, symbols);
                ParseError::new("map", at, problem)
            })?;
            let place = rows.tiles.len() - before + 1;
            if place > MAX_SIZE {
                let problem = phrase!("map.too_many_columns", "a map has at most {max} columns", max = MAX_SIZE);
                return Err(ParseError::new("map", at, problem));
            }
            if rows.cols > 0 && place > rows.cols {
                let problem = phrase!(
                    "map.long_row",
                    "this row is longer than the first, which has {first} tiles",
                    first = rows.cols,
                );
                return Err(ParseError::new("map", at, problem));
            }
            rows.tiles.push(tile);
            rows.places.push((self.line, at));
        }
        let found = rows.tiles.len() - before;
        if found < rows.cols {
            let problem = phrase!(
                "map.short_row",
                "this row has {found} tiles, the first has {first}",
                found,
                first = rows.cols,
            );
            return Err(ParseError::new("map", line.chars().count(), problem));
        }
        rows.cols = found;
        Ok(())
    }

    fn read_player(&mut self, team: usize, line: &str) -> Result<(), ParseError> {
        let players = &mut self.teams[team].as_mut().expect("its heading made it").players;
        if players.len() == MAX_TEAM {
            return Err(ParseError::new("map", 0, team_is_full()));
        }
        let mut cursor = Cursor::new("map", line);
        let row = number(&mut cursor, "row", MAX_SIZE)?;
        let column = number(&mut cursor, "column", MAX_SIZE)?;
        let energy = number(&mut cursor, "energy", usize::from(MAX_ENERGY))?.value as u16;
        cursor.end()?;
        players.push(Player { line: self.line, row, column, energy });
        Ok(())
    }

    fn finish(self) -> Result<MapFile, ParseError> {
        let missing = |heading: &str| {
            error(self.line + 1, 0, phrase!("map.missing", "the part \"{heading}:\" is missing", heading))
        };
        let title = self.title.ok_or_else(|| missing("title"))?;
        let rows = self.map.ok_or_else(|| missing("map"))?;
        let [one, two] = self.teams;
        let one = one.ok_or_else(|| missing("team 1"))?;
        let two = two.ok_or_else(|| missing("team 2"))?;
        if one.players.is_empty() {
            return Err(error(one.line, 0, phrase!("map.no_players", "team 1 has no players")));
        }
        if one.players.len() != two.players.len() {
            let problem = phrase!(
                "map.teams",
                "players: {one} in team 1, {two} in team 2; there must be as many in both",
                one = one.players.len(),
                two = two.players.len(),
            );
            return Err(error(two.line, 0, problem));
        }
        let players: Vec<Player> = one.players.into_iter().chain(two.players).collect();
        let map = rows.map(&players)?;
        check_playable(&map).map_err(|invalid| rows.invalid(&map, invalid))?;
        Ok(MapFile { title, map })
    }
}

impl Rows {
    /// The map with these tiles and players.
    fn map(&self, players: &[Player]) -> Result<Map, ParseError> {
        let rows = self.tiles.len().checked_div(self.cols).unwrap_or(0);
        let first = self.places.first().copied().unwrap_or((self.line, 0));
        Torus::new(rows, self.cols).map_err(|invalid| error(first.0, first.1, invalid.phrase()))?;
        let starts = players.iter().map(|player| self.start(rows, player)).collect::<Result<_, _>>()?;
        Map::new(rows, self.cols, self.tiles.clone(), starts).map_err(|invalid| {
            let (line, at) = match invalid {
                InvalidMap::OnWall(player) => (players[player - 1].line, players[player - 1].row.at),
                _ => first,
            };
            error(line, at, invalid.phrase())
        })
    }

    fn start(&self, rows: usize, player: &Player) -> Result<Start, ParseError> {
        let (row, column) = (player.row.value, player.column.value);
        if !(1..=rows).contains(&row) {
            let problem = phrase!("map.row", "the map has rows 1 to {max}, not {row}", max = rows, row);
            return Err(error(player.line, player.row.at, problem));
        }
        if !(1..=self.cols).contains(&column) {
            let max = self.cols;
            let problem = phrase!("map.column", "the map has columns 1 to {max}, not {column}", max, column);
            return Err(error(player.line, player.column.at, problem));
        }
        let cell = (row - 1) * self.cols + column - 1;
        Ok(Start { cell: cell as CellIndex, energy: player.energy })
    }

    /// The error at the cell it speaks of.
    fn invalid(&self, map: &Map, invalid: InvalidMapFile) -> ParseError {
        let (line, at) = match invalid {
            InvalidMapFile::Enclosed { place, .. } => {
                self.places[(place.row - 1) * map.torus().cols() + place.column - 1]
            }
            InvalidMapFile::NoFlag | InvalidMapFile::Title => (self.line, 0),
        };
        error(line, at, invalid.phrase())
    }
}

fn is_title(title: &str) -> bool {
    (1..=MAX_TITLE).contains(&title.chars().count())
        && title.trim() == title
        && !title.contains(|c: char| c.is_control())
}

/// A flag is looked for first among the cells that cannot be reached: it is what a player would miss.
pub(super) fn check_playable(map: &Map) -> Result<(), InvalidMapFile> {
    let (torus, tiles) = (map.torus(), map.tiles());
    if !tiles.contains(&Tile::Flag) {
        return Err(InvalidMapFile::NoFlag);
    }
    let hops = hops(torus, tiles, [map.starts()[0].cell]);
    let enclosed = (0..).zip(tiles).filter(|&(cell, &tile)| tile != Tile::Wall && hops[usize::from(cell)].is_none());
    match enclosed.min_by_key(|&(cell, &tile)| (tile != Tile::Flag, cell)) {
        None => Ok(()),
        Some((cell, &tile)) => Err(InvalidMapFile::Enclosed { place: Place::of(torus, cell), tile }),
    }
}

fn number(cursor: &mut Cursor<'_>, name: &str, max: usize) -> Result<Number, ParseError> {
    while cursor.take(' ') {}
    let here = cursor.clone();
    if name.chars().any(|c| !cursor.take(c)) {
        return Err(here.expected(phrase!("map.word", "\"{word}\" and a number", word = name)));
    }
    cursor.expect(' ')?;
    while cursor.take(' ') {}
    let at = cursor.at();
    let number_of = || phrase!("map.number", "the number after \"{word}\"", word = name);
    let value = cursor.number(number_of, max as u32)?;
    Ok(Number { at, value: value as usize })
}

fn error(line: usize, at: usize, problem: Phrase) -> ParseError {
    ParseError::new("map", at, problem).on_line(line)
}
