//! Positions as `ROWSxCOLS:TILES:TEAM1/TEAM2:FLAGS1-FLAGS2:TURN`; moves as `2:NE` and `2:dig`.
//!
//! Tiles are run-length coded with their symbols, as in `12.3~F`. A team is its players joined by `;`, a player is
//! `cell,energy,axe,boat,shovel`. Cells count from 1.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::board::Board;
use super::map::{InvalidMap, MAX_ENERGY, MAX_ITEMS, MAX_TEAM, check_items, team_is_full};
use super::player::{SHOVEL_UNITS, UNITS};
use super::{Action, Bandera, CellIndex, MAX_SIZE, Order, Player, Tile, Torus};
use crate::parse::Cursor;
use crate::{Game, ParseError, Phrase, Side, phrase};

/// The most that a player can have of anything, what still lies on the board included: no more than a map can give.
const MAX_HELD: u32 = MAX_ENERGY as u32 + MAX_ITEMS as u32 * UNITS as u32;

// Whatever a player takes, its numbers stay in 16 bits, and below the cost of a wall.
const _: () = assert!(MAX_HELD < u16::MAX as u32 && SHOVEL_UNITS <= UNITS);

impl fmt::Display for Bandera {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}:", self.torus().rows(), self.torus().cols())?;
        write_tiles(f, self.tiles())?;
        let [one, two] = Side::BOTH.map(|side| self.players()[self.team(side)].iter().map(player_text));
        let [one, two] = [one, two].map(|players| players.collect::<Vec<_>>().join(";"));
        write!(f, ":{one}/{two}:{}-{}:{}", self.flags[0], self.flags[1], self.turn())
    }
}

fn write_tiles(f: &mut fmt::Formatter<'_>, tiles: impl Iterator<Item = Tile>) -> fmt::Result {
    let mut tiles = tiles.peekable();
    while let Some(tile) = tiles.next() {
        let mut run = 1;
        while tiles.next_if_eq(&tile).is_some() {
            run += 1;
        }
        if run > 1 {
            write!(f, "{run}")?;
        }
        write!(f, "{}", tile.symbol())?;
    }
    Ok(())
}

fn player_text(player: &Player) -> String {
    let Player { cell, energy, axe, boat, shovel } = player;
    format!("{},{energy},{axe},{boat},{shovel}", cell + 1)
}

impl FromStr for Bandera {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new("position", text);
        let torus = torus(&mut cursor)?;
        cursor.expect(':')?;
        let tiles_at = cursor.at();
        let tiles = tiles(&mut cursor, torus.cells())?;
        check_items(&tiles).map_err(|invalid| cursor.error_at(tiles_at, invalid.phrase()))?;
        cursor.expect(':')?;
        let players = players(&mut cursor, &tiles)?;
        cursor.expect(':')?;
        let flags = flags(&mut cursor, &tiles)?;
        cursor.expect(':')?;
        let turn_at = cursor.at();
        let turn = cursor.side(|| phrase!("text.team_to_move", "the team to move, 1 or 2,"))?;
        cursor.end()?;
        let position = Self::assemble(Arc::new(Board::new(torus, tiles)), &players, flags, turn);
        if position.turn != turn {
            let problem = phrase!(
                "bandera.passed",
                "team {turn} cannot act and team {other} can: the turn is passed on",
                turn,
                other = turn.other(),
            );
            return Err(cursor.error_at(turn_at, problem));
        }
        Ok(position)
    }
}

fn torus(cursor: &mut Cursor<'_>) -> Result<Torus, ParseError> {
    let rows = cursor.number(|| phrase!("bandera.rows", "the number of rows"), MAX_SIZE as u32)?;
    cursor.expect('x')?;
    let cols = cursor.number(|| phrase!("bandera.columns", "the number of columns"), MAX_SIZE as u32)?;
    Torus::new(rows as usize, cols as usize).map_err(|invalid| cursor.error_at(0, invalid.phrase()))
}

fn tiles(cursor: &mut Cursor<'_>, cells: usize) -> Result<Vec<Tile>, ParseError> {
    let mut tiles = Vec::with_capacity(cells);
    while tiles.len() < cells {
        let start = cursor.at();
        if matches!(cursor.peek(), None | Some(':')) {
            return Err(cursor.error(InvalidMap::Tiles { found: tiles.len(), wanted: cells }.phrase()));
        }
        let (run, tile) = run(cursor)?;
        if tiles.last() == Some(&tile) {
            let problem = phrase!("bandera.two_runs", "two runs of the same tile must be written as one");
            return Err(cursor.error_at(start, problem));
        }
        let left = cells - tiles.len();
        if run > left {
            let problem = phrase!("bandera.long_run", "{run} tiles where the board has {left} more cells", run, left);
            return Err(cursor.error_at(start, problem));
        }
        tiles.resize(tiles.len() + run, tile);
    }
    Ok(tiles)
}

fn run(cursor: &mut Cursor<'_>) -> Result<(usize, Tile), ParseError> {
    let start = cursor.at();
    let mut run = 1;
    if cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
        run = cursor.number(|| phrase!("bandera.run", "a run of tiles"), (MAX_SIZE * MAX_SIZE) as u32)? as usize;
        if run < 2 {
            let problem = phrase!("bandera.short_run", "a run of {run}: a number here is at least 2", run);
            return Err(cursor.error_at(start, problem));
        }
    }
    let tile = cursor.peek().and_then(Tile::from_symbol).ok_or_else(|| {
        let symbols: String = Tile::ALL.iter().map(|tile| tile.symbol()).collect();
        cursor.expected(phrase!("bandera.tile", "a tile, one of {symbols}", symbols))
    })?;
    cursor.next();
    Ok((run, tile))
}

fn players(cursor: &mut Cursor<'_>, tiles: &[Tile]) -> Result<Vec<Player>, ParseError> {
    let mut players = Vec::with_capacity(2 * MAX_TEAM);
    team(cursor, tiles, &mut players)?;
    let team_size = players.len();
    cursor.expect('/')?;
    let start = cursor.at();
    team(cursor, tiles, &mut players)?;
    if players.len() != 2 * team_size {
        let problem = phrase!(
            "bandera.teams",
            "team 1 has {one} and team 2 {two}: both must have as many players",
            one = team_size,
            two = players.len() - team_size,
        );
        return Err(cursor.error_at(start, problem));
    }
    Ok(players)
}

fn team(cursor: &mut Cursor<'_>, tiles: &[Tile], players: &mut Vec<Player>) -> Result<(), ParseError> {
    let limits = limits(tiles);
    for _ in 0..MAX_TEAM {
        players.push(player(cursor, players.len() + 1, tiles, limits)?);
        if !cursor.take(';') {
            return Ok(());
        }
    }
    Err(cursor.error(team_is_full()))
}

/// The most energy, axe, boat and shovel units that a player can have here: what lies on the board may yet be taken.
fn limits(tiles: &[Tile]) -> [u32; 4] {
    let units = [(Tile::Juice, UNITS), (Tile::Axe, UNITS), (Tile::Boat, UNITS), (Tile::Shovel, SHOVEL_UNITS)];
    units.map(|(item, units)| {
        let lying = tiles.iter().filter(|&&tile| tile == item).count() as u32;
        MAX_HELD - lying * u32::from(units)
    })
}

fn player(cursor: &mut Cursor<'_>, number: usize, tiles: &[Tile], limits: [u32; 4]) -> Result<Player, ParseError> {
    let start = cursor.at();
    let name = || phrase!("bandera.cell", "the cell of player {player}", player = number);
    let cell = cursor.number(name, tiles.len() as u32)? as usize;
    let problem = match cell.checked_sub(1).map(|index| tiles[index]) {
        None => phrase!("bandera.cell_0", "player {player} is on cell 0: cells count from 1", player = number),
        Some(Tile::Wall) => phrase!("bandera.inside_wall", "player {player} is inside a wall", player = number),
        Some(_) => return held(cursor, number, limits, (cell - 1) as CellIndex),
    };
    Err(cursor.error_at(start, problem))
}

/// Reads the numbers of a player on this cell.
fn held(cursor: &mut Cursor<'_>, player: usize, limits: [u32; 4], cell: CellIndex) -> Result<Player, ParseError> {
    let names: [&dyn Fn() -> Phrase; 4] = [
        &|| phrase!("bandera.energy", "the energy of player {player}", player),
        &|| phrase!("bandera.axe", "the axe count of player {player}", player),
        &|| phrase!("bandera.boat", "the boat count of player {player}", player),
        &|| phrase!("bandera.shovel", "the shovel count of player {player}", player),
    ];
    let mut held = [0; 4];
    for ((held, limit), name) in held.iter_mut().zip(limits).zip(names) {
        cursor.expect(',')?;
        *held = cursor.number(name, limit)? as u16;
    }
    let [energy, axe, boat, shovel] = held;
    Ok(Player { cell, energy, axe, boat, shovel })
}

/// A captured flag leaves grass behind, which may have been dug up since.
fn flags(cursor: &mut Cursor<'_>, tiles: &[Tile]) -> Result<[u16; 2], ParseError> {
    let places = tiles.iter().filter(|tile| matches!(tile, Tile::Grass | Tile::Pit | Tile::Trench)).count() as u32;
    let start = cursor.at();
    let name = |team: usize| phrase!("bandera.flags", "the flags of team {team}", team);
    let one = cursor.number(|| name(1), (MAX_SIZE * MAX_SIZE) as u32)?;
    cursor.expect('-')?;
    let two = cursor.number(|| name(2), (MAX_SIZE * MAX_SIZE) as u32)?;
    if one + two > places {
        let problem = phrase!(
            "bandera.captured",
            "{flags} flags are captured, but only {places} cells can have held one",
            flags = one + two,
            places,
        );
        return Err(cursor.error_at(start, problem));
    }
    Ok([one as u16, two as u16])
}

impl Action {
    /// Its name in moves.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::North => "N",
            Self::NorthEast => "NE",
            Self::SouthEast => "SE",
            Self::South => "S",
            Self::SouthWest => "SW",
            Self::NorthWest => "NW",
            Self::Dig => "dig",
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.player(), self.action().name())
    }
}

impl FromStr for Order {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new("move", text);
        let number = cursor.number(|| phrase!("bandera.player", "the player's number"), 2 * MAX_TEAM as u32)?;
        cursor.expect(':')?;
        let place = cursor.at();
        // All that has been read is ASCII: characters are bytes.
        let action = Action::ALL.into_iter().find(|action| action.name() == &text[place..]);
        let no_action = || phrase!("bandera.action", "an action is N, NE, SE, S, SW, NW or dig");
        let action = action.ok_or_else(|| cursor.error(no_action()))?;
        let no_player = || phrase!("bandera.player_0", "players count from 1");
        Self::new(number as usize, action).ok_or_else(|| cursor.error_at(0, no_player()))
    }
}
