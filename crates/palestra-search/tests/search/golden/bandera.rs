//! Bandera: the student's evaluation.

use palestra_games::Side;
use palestra_games::bandera::{Bandera, Tile};
use palestra_search::bandera::{Waytracking, Waytracking2};
use palestra_search::{Guide, Score};
use serde::Deserialize;

use super::{Row, Tally, rows};

#[derive(Deserialize)]
struct Evaluated {
    rows: usize,
    cols: usize,
    tiles: Vec<u8>,
    initial_tiles: Option<Vec<u8>>,
    players: Vec<[usize; 7]>,
    captured: [u16; 2],
    turn: usize,
    max1: Wanted,
    max2: Wanted,
}

/// What one side as MAX should find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Wanted {
    h: Score,
    d_me: Score,
    d_op: Score,
}

#[test]
fn golden_bandera_waytracking() {
    let mut tally = Tally::default();
    for row in rows("bandera") {
        if row.has(&["rows", "cols", "tiles", "players", "captured", "turn", "max1", "max2"]) {
            check(&row, &mut tally);
        }
    }
    tally.print("bandera");
}

fn check(row: &Row, tally: &mut Tally) {
    let evaluated: Evaluated = row.read();
    let position = evaluated.position(&row.place, &evaluated.tiles, evaluated.captured);
    // The distances may be those of the start of the game: flags captured since do not count.
    let start = evaluated.initial_tiles.as_deref().map(|tiles| evaluated.position(&row.place, tiles, [0, 0]));
    for made_for in start.iter().chain([&position]) {
        let guide = Waytracking::new(made_for);
        let found = Side::BOTH.map(|side| {
            let (d_me, d_op) = guide.distances(&position, side);
            Wanted { h: guide.value(&position, side), d_me, d_op }
        });
        assert_eq!(found, [evaluated.max1, evaluated.max2], "{}: {position}", row.place);
        // The distance of MIN is that of its nearest flag: all that the step before needs.
        let lead = Score::from(evaluated.captured[0]) - Score::from(evaluated.captured[1]);
        let cells = (evaluated.rows * evaluated.cols) as Score;
        let expected = cells * lead + evaluated.max1.d_op - evaluated.max2.d_op;
        assert_eq!(Waytracking2::new(made_for).value(&position, Side::One), expected, "{}: {position}", row.place);
    }
    tally.add("evaluations", 2);
}

impl Evaluated {
    fn position(&self, place: &str, tiles: &[u8], captured: [u16; 2]) -> Bandera {
        let symbol =
            |&number: &u8| Tile::from_number(number).unwrap_or_else(|| panic!("{place}: tile {number}")).symbol();
        let teams = [1, 2].map(|wanted| {
            let players = self.players.iter().filter(|&&[_, team, ..]| team == wanted);
            let texts = players.map(|[_, _, held @ ..]| held.map(|n| n.to_string()).join(","));
            texts.collect::<Vec<_>>().join(";")
        });
        let [one, two] = captured;
        let tiles = run_length(tiles.iter().map(symbol));
        let head = format!("{}x{}:{tiles}:{}:{one}-{two}", self.rows, self.cols, teams.join("/"));
        // The row may name a team that has to pass.
        let [named, other] = [self.turn, 3 - self.turn].map(|turn| format!("{head}:{turn}").parse::<Bandera>());
        named.or(other).unwrap_or_else(|error| panic!("{place}: {head}: {error}"))
    }
}

fn run_length(symbols: impl IntoIterator<Item = char>) -> String {
    let mut runs: Vec<(usize, char)> = Vec::new();
    for symbol in symbols {
        match runs.last_mut() {
            Some((run, last)) if *last == symbol => *run += 1,
            _ => runs.push((1, symbol)),
        }
    }
    runs.iter().map(|&(run, symbol)| if run > 1 { format!("{run}{symbol}") } else { symbol.to_string() }).collect()
}
