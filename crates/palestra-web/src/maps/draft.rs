//! Maps as the editor draws them: valid or not, as JSON.

use palestra_games::bandera::{
    CellIndex, InvalidMap, InvalidMapFile, MAX_ENERGY, MAX_SIZE, MAX_TEAM, Map, MapFile, Place, Start, Tile, Torus,
    Unfair,
};
use palestra_games::{Phrase, Side, phrase};
use serde::{Deserialize, Serialize};

use crate::http::error::Refused;

/// A map that is being drawn. Every row is a text with a symbol for each tile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Draft {
    pub(super) rows: Vec<String>,
    /// The players of both teams.
    pub(super) teams: [Vec<Player>; 2],
}

/// A player at the start. Rows and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Player {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) energy: u32,
}

/// What is wrong with a draft: a sentence, and the cells that it speaks of, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) phrase: Phrase,
    pub(super) cells: Vec<usize>,
}

/// Cells that a problem names at most: more than these nobody looks at one by one.
const MAX_CELLS: usize = 400;

impl Draft {
    /// The draft of a map.
    pub(super) fn of(map: &Map) -> Self {
        let torus = map.torus();
        let rows = map.tiles().chunks(torus.cols()).map(|row| row.iter().map(|tile| tile.symbol()).collect()).collect();
        let player = |start: &Start| {
            let Place { row, column } = Place::of(torus, start.cell);
            Player { row, column, energy: start.energy.into() }
        };
        let (ones, twos) = map.starts().split_at(map.team_size());
        Self { rows, teams: [ones, twos].map(|team| team.iter().map(player).collect()) }
    }

    /// The map, which may still be unplayable; or why there is none.
    pub(super) fn map(&self) -> Result<Map, Problem> {
        let columns = self.rows.first().map_or(0, |row| row.chars().take(MAX_SIZE + 1).count());
        let torus = Torus::new(self.rows.len(), columns).map_err(|size| Problem::of(size.phrase()))?;
        let tiles = self.tiles(columns)?;
        let [one, two] = self.teams.each_ref().map(Vec::len);
        if one != two || one > MAX_TEAM {
            return Err(Problem::of(phrase!(
                "map.teams",
                "players: {one} in team 1, {two} in team 2; there must be as many in both",
                one,
                two,
            )));
        }
        let starts = self.teams.iter().flatten().map(|player| player.start(&torus)).collect();
        Map::new(self.rows.len(), columns, tiles, starts).map_err(|invalid| self.problem(&invalid, columns))
    }

    /// The map as a file with this title: only one that can be played is.
    pub(super) fn file(&self, title: &str) -> Result<MapFile, Refused> {
        let map = self.map().map_err(|problem| Refused::bad_with("maps.cannot", problem.phrase))?;
        MapFile::new(title, map).map_err(|invalid| Refused::bad_with("maps.cannot", invalid.phrase()))
    }

    fn tiles(&self, columns: usize) -> Result<Vec<Tile>, Problem> {
        let mut tiles = Vec::with_capacity(self.rows.len() * columns);
        for row in &self.rows {
            let before = tiles.len();
            for symbol in row.chars().take(columns + 1) {
                tiles.push(Tile::from_symbol(symbol).ok_or_else(|| no_tile(symbol))?);
            }
            let found = tiles.len() - before;
            if found != columns {
                let first = columns;
                let problem =
                    phrase!("map.short_row", "this row has {found} tiles, the first has {first}", found, first);
                return Err(Problem::of(problem));
            }
        }
        Ok(tiles)
    }

    fn problem(&self, invalid: &InvalidMap, columns: usize) -> Problem {
        let player = match *invalid {
            InvalidMap::OnWall(player) | InvalidMap::Energy(player, _) => self.teams.iter().flatten().nth(player - 1),
            _ => None,
        };
        let cells = player.map(|player| (player.row - 1) * columns + player.column).into_iter().collect();
        Problem { phrase: invalid.phrase(), cells }
    }
}

impl Player {
    /// A place beside the board becomes a cell beyond the last, and too much energy the most that can be told: both are refused.
    fn start(&self, torus: &Torus) -> Start {
        let is_on_board = (1..=torus.rows()).contains(&self.row) && (1..=torus.cols()).contains(&self.column);
        let cell = if is_on_board { (self.row - 1) * torus.cols() + self.column - 1 } else { torus.cells() };
        let energy = u16::try_from(self.energy).unwrap_or(u16::MAX);
        const { assert!(MAX_ENERGY < u16::MAX) };
        Start { cell: cell as CellIndex, energy }
    }
}

impl Problem {
    const fn of(phrase: Phrase) -> Self {
        Self { phrase, cells: vec![] }
    }

    /// Why a map cannot be played.
    pub(super) fn of_unplayable(map: &Map, invalid: InvalidMapFile) -> Self {
        let cells = match invalid {
            InvalidMapFile::Enclosed { .. } => enclosed(map),
            InvalidMapFile::Title | InvalidMapFile::NoFlag => vec![],
        };
        Self { phrase: invalid.phrase(), cells }
    }

    /// Why a map is not fair.
    pub(super) fn of_unfair(map: &Map, unfair: Unfair) -> Self {
        let number = |place: Place| (place.row - 1) * map.torus().cols() + place.column;
        let cells = match unfair {
            Unfair::Tile { .. } => unlike(map),
            Unfair::Start { place, mirror, .. } => vec![number(place), number(mirror)],
            Unfair::Energy { player, rival, .. } => {
                [player, rival].map(|player| usize::from(map.starts()[player - 1].cell) + 1).to_vec()
            }
        };
        Self { phrase: unfair.phrase(), cells }
    }
}

fn no_tile(symbol: char) -> Problem {
    let (found, symbols) = (format!("{symbol:?}"), Tile::ALL.iter().map(|tile| tile.symbol()).collect::<String>());
    Problem::of(phrase!("map.no_tile", "{found} is no tile: these are {symbols}", found, symbols))
}

/// Cells to which player 1 knows no way.
fn enclosed(map: &Map) -> Vec<usize> {
    let is_open = |cell: CellIndex| map.tiles()[usize::from(cell)] != Tile::Wall;
    let hops = map.torus().hops([map.starts()[0].cell], is_open);
    let is_enclosed = |cell: &usize| hops[*cell].is_none() && map.tiles()[*cell] != Tile::Wall;
    (0..hops.len()).filter(is_enclosed).map(|cell| cell + 1).take(MAX_CELLS).collect()
}

/// Cells that differ from the opposite one.
fn unlike(map: &Map) -> Vec<usize> {
    let (torus, tiles) = (map.torus(), map.tiles());
    let differs = |cell: &usize| tiles[*cell] != tiles[usize::from(torus.mirror(*cell as CellIndex))];
    (0..tiles.len()).filter(differs).map(|cell| cell + 1).take(MAX_CELLS).collect()
}

/// An empty map of this size with a player in two opposite corners.
pub(super) fn empty(rows: usize, columns: usize) -> Draft {
    let row: String = std::iter::repeat_n(Tile::Grass.symbol(), columns).collect();
    let player = |side: Side| match side {
        Side::One => Player { row: 2, column: 2, energy: 40 },
        Side::Two => Player { row: rows - 1, column: columns - 1, energy: 40 },
    };
    Draft { rows: vec![row; rows], teams: Side::BOTH.map(|side| vec![player(side)]) }
}

#[cfg(test)]
mod tests {
    use palestra_games::bandera::BUNDLED;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::maps::report::Report;

    #[test]
    fn a_map_becomes_a_draft_and_the_same_map_again() {
        for bundled in BUNDLED {
            let map = bundled.map();
            let draft = Draft::of(&map);
            assert_eq!(draft.map().unwrap(), map, "{}", bundled.name);
            let sent: Draft = serde_json::from_str(&serde_json::to_string(&draft).unwrap()).unwrap();
            assert_eq!(sent, draft);
        }
        assert!(empty(8, 8).map().unwrap().is_fair());
    }

    #[test]
    fn a_problem_names_its_cells() {
        let mut draft = empty(4, 4);
        draft.rows[1].replace_range(1..2, "#");
        let problem = draft.map().unwrap_err();
        assert_eq!((problem.phrase.english(), problem.cells), ("player 1 starts on a wall", vec![6]));
        let mut draft = empty(4, 4);
        draft.rows[0].replace_range(0..1, "F");
        let map = draft.map().unwrap();
        assert_eq!(Problem::of_unfair(&map, map.fairness().unwrap_err()).cells, [1, 16]);
        draft.teams[1].clear();
        assert!(draft.map().unwrap_err().phrase.english().contains("1 in team 1, 0 in team 2"));
    }

    #[test]
    fn cells_that_are_shut_off_are_named() {
        let mut draft = empty(5, 6);
        draft.rows = ["......", "......", "######", "F.....", "######"].map(str::to_owned).to_vec();
        draft.teams[1][0] = Player { row: 2, column: 5, energy: 40 };
        let map = draft.map().unwrap();
        let invalid = MapFile::new("x", map.clone()).unwrap_err();
        assert_eq!(Problem::of_unplayable(&map, invalid).cells, [19, 20, 21, 22, 23, 24]);
    }

    #[test]
    fn whatever_is_sent_makes_a_map_with_a_report_or_a_problem() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let text = serde_json::to_string(&Draft::of(&BUNDLED[0].map())).unwrap();
        let (mut maps, mut problems) = (0, 0);
        for _ in 0..12_000 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(0..bytes.len());
                match rng.random_range(0..4) {
                    0 => bytes[at] = rng.random(),
                    1 => drop(bytes.remove(at)),
                    _ => bytes[at] = *b"#F^~.0123456789,\"]}".get(rng.random_range(0..19)).unwrap(),
                }
            }
            let Ok(draft) = serde_json::from_slice::<Draft>(&bytes) else { continue };
            match draft.map() {
                Ok(map) => maps += usize::from(!Report::of(&map).rows.is_empty()),
                Err(_) => problems += 1,
            }
        }
        assert!(maps > 300 && problems > 300, "{maps} maps, {problems} problems");
    }
}
