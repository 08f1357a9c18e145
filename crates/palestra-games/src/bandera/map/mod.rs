//! Maps: the torus, its tiles, and where the players start; map files, the bundled maps, the generator, and the report
//! on what makes a map good. A game reads a [`Map`] at its start and needs nothing else of this folder.

mod bundled;
mod fair;
mod generate;
mod mapfile;
mod report;
mod sketch;
mod ways;

use std::fmt;
use std::sync::Arc;

use super::board::Board;
use super::tile::Tile;
use super::torus::{CellIndex, InvalidSize, Torus};
use crate::{Phrase, Side, phrase};

pub use bundled::{BUNDLED, BUNDLED_WORDS, Bundled};
pub use fair::{Place, Unfair};
pub use generate::{GenerateError, MapPlan, generate};
pub use mapfile::{InvalidMapFile, MAX_MAP_TEXT, MAX_TITLE, MapFile};
pub use report::{MapReport, Measure, ReportRow};

/// The most players a team can have.
pub const MAX_TEAM: usize = 8;

/// The most energy a player can start with.
pub const MAX_ENERGY: u16 = 5000;

/// The most tiles of one item on a map. With [`MAX_ENERGY`] it keeps all that a player can ever hold below 65,536.
pub const MAX_ITEMS: usize = 3000;

/// What a game starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    board: Arc<Board>,
    starts: Box<[Start]>,
}

/// Where a player starts, and with how much energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The cell where the player starts.
    pub cell: CellIndex,
    /// The energy with which the player starts.
    pub energy: u16,
}

/// Tiles and starts that make no map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidMap {
    /// The board has no such size.
    Size(InvalidSize),
    /// Too few or too many tiles.
    Tiles {
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// Too many tiles of one item.
    Items(Tile, usize),
    /// No players, or too many, or not as many in both teams.
    Players(usize),
    /// A player starts where no cell is.
    Cell {
        /// The player, from 1.
        player: usize,
        /// The cell, from 1.
        cell: usize,
        /// The number of cells.
        cells: usize,
    },
    /// A player starts inside a wall.
    OnWall(usize),
    /// A player starts with too much energy.
    Energy(usize, u16),
}

impl InvalidMap {
    /// What is wrong with them.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match *self {
            Self::Size(size) => size.phrase(),
            Self::Tiles { found, wanted } => {
                phrase!("map.tiles", "{found} tiles on a board of {wanted} cells", found, wanted)
            }
            Self::Items(tile, found) => phrase!(
                "map.items",
                "{found} tiles of {tile}: at most {max} are allowed",
                found,
                tile = tile.phrase(),
                max = MAX_ITEMS,
            ),
            Self::Players(players) => phrase!(
                "map.players",
                "{players} players: two teams of 1 to {max} players each are needed",
                players,
                max = MAX_TEAM,
            ),
            Self::Cell { player, cell, cells } => {
                phrase!("map.cell", "player {player} starts on cell {cell}, the board has {cells}", player, cell, cells,)
            }
            Self::OnWall(player) => phrase!("map.on_wall", "player {player} starts on a wall", player),
            Self::Energy(player, energy) => phrase!(
                "map.energy",
                "player {player} starts with energy {energy}, the most is {max}",
                player,
                energy,
                max = MAX_ENERGY,
            ),
        }
    }
}

impl fmt::Display for InvalidMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for InvalidMap {}

impl From<InvalidSize> for InvalidMap {
    fn from(size: InvalidSize) -> Self {
        Self::Size(size)
    }
}

impl Map {
    /// The map with these tiles, row by row, and these starts, team 1's players first.
    pub fn new(rows: usize, cols: usize, tiles: Vec<Tile>, starts: Vec<Start>) -> Result<Self, InvalidMap> {
        let torus = Torus::new(rows, cols)?;
        let cells = torus.cells();
        if tiles.len() != cells {
            return Err(InvalidMap::Tiles { found: tiles.len(), wanted: cells });
        }
        check_items(&tiles)?;
        if starts.is_empty() || starts.len() % 2 == 1 || starts.len() > 2 * MAX_TEAM {
            return Err(InvalidMap::Players(starts.len()));
        }
        for (player, start) in (1..).zip(&starts) {
            match tiles.get(usize::from(start.cell)) {
                None => return Err(InvalidMap::Cell { player, cell: usize::from(start.cell) + 1, cells }),
                Some(Tile::Wall) => return Err(InvalidMap::OnWall(player)),
                Some(_) if start.energy > MAX_ENERGY => return Err(InvalidMap::Energy(player, start.energy)),
                Some(_) => {}
            }
        }
        Ok(Self { board: Arc::new(Board::new(torus, tiles)), starts: starts.into() })
    }

    pub(super) const fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// The board's shape.
    #[must_use]
    pub fn torus(&self) -> &Torus {
        self.board.torus()
    }

    /// The tiles at the start of the game, row by row.
    #[must_use]
    pub fn tiles(&self) -> &[Tile] {
        self.board.tiles()
    }

    /// Where the players start, team 1's first.
    #[must_use]
    pub fn starts(&self) -> &[Start] {
        &self.starts
    }

    /// Players a team.
    #[must_use]
    pub fn team_size(&self) -> usize {
        self.starts.len() / 2
    }

    /// The side of a player, numbered from 0.
    #[must_use]
    pub fn side_of(&self, player: usize) -> Side {
        Side::from_index(player / self.team_size())
    }
}

/// The problem with one player more.
pub(super) fn team_is_full() -> Phrase {
    phrase!("map.team_is_full", "a team has at most {max} players", max = MAX_TEAM)
}

/// Refuses more tiles of an item than the numbers of a player can bear.
pub(super) fn check_items(tiles: &[Tile]) -> Result<(), InvalidMap> {
    for item in [Tile::Boat, Tile::Axe, Tile::Juice, Tile::Shovel] {
        let count = tiles.iter().filter(|&&tile| tile == item).count();
        if count > MAX_ITEMS {
            return Err(InvalidMap::Items(item, count));
        }
    }
    Ok(())
}
