//! Bandera's golden games, tables and distances.

use std::collections::BTreeMap;

use palestra_games::bandera::{Action, Bandera, BanderaOptions, CellIndex, Map, Order, Start, Tile, Torus};
use palestra_games::{AnyGame, Game, Outcome, Side};
use serde::Deserialize;

use super::{Row, Tally, rows};

/// Actions by player.
type Legal = BTreeMap<usize, Vec<u8>>;

#[derive(Deserialize)]
struct Size {
    rows: usize,
    cols: usize,
}

#[derive(Deserialize)]
struct Neighbours {
    neighbours: Vec<[usize; 6]>,
}

#[derive(Deserialize)]
struct Hops {
    tiles: Vec<u8>,
    distances: BTreeMap<usize, Vec<Option<i32>>>,
}

#[derive(Deserialize)]
struct Played {
    tiles: Vec<u8>,
    players: Vec<[usize; 4]>,
    #[serde(default = "team_one")]
    first_team: usize,
    legal0: Legal,
    plies: Vec<Ply>,
    end: String,
    flags: [i32; 2],
    flags_left: u16,
    energy: [u32; 2],
    winner: Option<usize>,
}

const fn team_one() -> usize {
    1
}

#[derive(Deserialize)]
struct Ply {
    m: [usize; 2],
    s: Vec<[u16; 5]>,
    c: Vec<(usize, u8)>,
    f: [i32; 2],
    l: Legal,
}

#[derive(Deserialize)]
struct Rule {
    kind: String,
    tile: u8,
    energy: u16,
    #[serde(default)]
    axe: u16,
    #[serde(default)]
    boat: u16,
    #[serde(default)]
    shovel: u16,
    ok: bool,
    after: Option<[u16; 4]>,
    tile_after: Option<u8>,
    captured: Option<i32>,
}

#[derive(Deserialize)]
struct Evaluated {
    tiles: Vec<u8>,
    players: Vec<[usize; 7]>,
    captured: [u16; 2],
    total_flags: u16,
    turn: usize,
}

#[test]
fn golden_bandera_replays() {
    let mut tally = Tally::default();
    for row in rows("bandera") {
        check(&row, &mut tally);
    }
    tally.print("bandera");
}

fn check(row: &Row, tally: &mut Tally) {
    if row.has(&["rows", "cols", "neighbours"]) {
        neighbours(row, tally);
    } else if row.has(&["rows", "cols", "tiles", "distances"]) {
        hops(row, tally);
    } else if row.has(&["rows", "cols", "tiles", "players", "legal0", "plies"]) {
        replay(row, tally);
    } else if row.has(&["kind", "tile", "energy", "ok"]) {
        rule(row, tally);
    } else if row.has(&["rows", "cols", "tiles", "players", "captured", "total_flags", "turn"]) {
        evaluated(row, tally);
    } else {
        row.unknown();
    }
}

fn torus(row: &Row) -> Torus {
    let size: Size = row.read();
    Torus::new(size.rows, size.cols).unwrap_or_else(|error| panic!("{}: {error}", row.place))
}

fn tile(place: &str, number: u8) -> Tile {
    Tile::from_number(number).unwrap_or_else(|| panic!("{place}: there is no tile {number}"))
}

fn tiles(place: &str, numbers: &[u8]) -> Vec<Tile> {
    numbers.iter().map(|&number| tile(place, number)).collect()
}

fn neighbours(row: &Row, tally: &mut Tally) {
    let torus = torus(row);
    let wanted = row.read::<Neighbours>().neighbours;
    assert_eq!(wanted.len(), torus.cells(), "{}", row.place);
    for (cell, wanted) in (0..).zip(&wanted) {
        let found = torus.neighbours(cell).map(|neighbour| usize::from(neighbour) + 1);
        assert_eq!(found, *wanted, "{}: cell {}", row.place, cell + 1);
    }
    tally.add("neighbourhoods", wanted.len());
}

fn hops(row: &Row, tally: &mut Tally) {
    let torus = torus(row);
    let hops: Hops = row.read();
    let tiles = tiles(&row.place, &hops.tiles);
    let is_open = |cell: CellIndex| tiles[usize::from(cell)] != Tile::Wall;
    for (flag, wanted) in hops.distances {
        let found = torus.hops([(flag - 1) as CellIndex], is_open);
        let found: Vec<Option<i32>> =
            (0..).zip(found).map(|(cell, hops)| if is_open(cell) { hops.map(i32::from) } else { Some(-1) }).collect();
        assert_eq!(found, wanted, "{}: from {flag}", row.place);
        tally.add("distance tables", 1);
    }
}

fn replay(row: &Row, tally: &mut Tally) {
    let place = &row.place;
    let played: Played = row.read();
    let mut tiles = tiles(place, &played.tiles);
    let mut game = start(row, &played, tiles.clone());
    let mut team = Side::from_index(played.first_team - 1);
    check_legal(place, &game, team, &played.legal0);
    for (number, ply) in played.plies.iter().enumerate() {
        let place = format!("{place}: ply {number}");
        assert!(Game::outcome(&game).is_none(), "{place}: the game is over");
        if ply.m == [0, 0] {
            assert_ne!(Game::turn(&game), team, "{place}: a pass");
            tally.add("passes", 1);
        } else {
            assert_eq!(Game::turn(&game), team, "{place}: no pass");
            play(&place, &mut game, ply.m);
            tally.add("moves", 1);
        }
        for &(cell, number) in &ply.c {
            tiles[cell - 1] = tile(&place, number);
        }
        team = team.other();
        check_state(&place, &game, ply, &tiles);
        check_legal(&place, &game, team, &ply.l);
    }
    check_end(place, &game, &played);
    tally.add("games", 1);
}

fn start(row: &Row, played: &Played, tiles: Vec<Tile>) -> Bandera {
    let Size { rows, cols } = row.read();
    let team_size = played.players.len() / 2;
    let start = |(index, &[id, team, cell, energy]): (usize, &[usize; 4])| {
        assert_eq!((id, team), (index + 1, index / team_size + 1), "{}: players by team", row.place);
        Start { cell: (cell - 1) as CellIndex, energy: energy as u16 }
    };
    let starts = played.players.iter().enumerate().map(start).collect();
    let map = Map::new(rows, cols, tiles, starts).unwrap_or_else(|error| panic!("{}: {error}", row.place));
    let options = BanderaOptions::from_map(map);
    let text = options.to_string();
    let read: BanderaOptions = text.parse().unwrap_or_else(|error| panic!("{}: {text}: {error}", row.place));
    assert_eq!(read, options, "{}", row.place);
    assert_eq!(played.first_team, 1, "{}: team 1 begins", row.place);
    Bandera::new(&options)
}

fn play(place: &str, game: &mut Bandera, [player, action]: [usize; 2]) {
    let action = Action::from_number(action as u8).unwrap_or_else(|| panic!("{place}: there is no action {action}"));
    let mv = Order::new(player, action).unwrap_or_else(|| panic!("{place}: there is no player {player}"));
    let side = Game::turn(game);
    let played = AnyGame::play(game, &mv.to_string()).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(played.side, side, "{place}");
    assert_eq!(played.passed, Game::outcome(game).is_none() && Game::turn(game) == side, "{place}");
}

fn check_state(place: &str, game: &Bandera, ply: &Ply, tiles: &[Tile]) {
    let players: Vec<[u16; 5]> =
        game.players().iter().map(|p| [p.cell + 1, p.energy, p.axe, p.boat, p.shovel]).collect();
    assert_eq!(players, ply.s, "{place}");
    assert_eq!(game.tiles().collect::<Vec<_>>(), tiles, "{place}");
    assert_eq!(Game::points(game), ply.f, "{place}");
    let text = game.to_string();
    let read: Bandera = text.parse().unwrap_or_else(|error| panic!("{place}: {text}: {error}"));
    assert_eq!(read, *game, "{place}");
    assert_eq!(Game::key(&read), Game::key(game), "{place}");
}

/// `team` is to move, or to be passed over.
fn check_legal(place: &str, game: &Bandera, team: Side, legal: &Legal) {
    let wanted: Vec<(usize, u8)> =
        legal.iter().flat_map(|(&player, actions)| actions.iter().map(move |&action| (player, action))).collect();
    if wanted.is_empty() {
        assert!(Game::outcome(game).is_some() || Game::turn(game) != team, "{place}: team {team} cannot act");
    } else {
        let found: Vec<(usize, u8)> = Game::moves(game).iter().map(|mv| (mv.player(), mv.action().number())).collect();
        assert_eq!((Game::turn(game), found), (team, wanted), "{place}");
    }
}

fn check_end(place: &str, game: &Bandera, played: &Played) {
    assert_eq!(Game::points(game), played.flags, "{place}");
    assert_eq!(game.flags_left(), played.flags_left, "{place}");
    let energy: [u32; 2] =
        Side::BOTH.map(|side| game.players()[game.team(side)].iter().map(|p| u32::from(p.energy)).sum());
    assert_eq!(energy, played.energy, "{place}");
    match played.end.as_str() {
        "flags" => assert_eq!(game.flags_left(), 0, "{place}"),
        "blocked" => assert_ne!(game.flags_left(), 0, "{place}"),
        "cap" => return assert_eq!(Game::outcome(game), None, "{place}"),
        other => panic!("{place}: there is no end {other:?}"),
    }
    let winner = Game::outcome(game).map(|outcome| outcome.winner().map_or(0, |side| side.index() + 1));
    assert_eq!(winner, Some(played.winner.unwrap_or_else(|| panic!("{place}: a winner or 0"))), "{place}");
}

/// Player 1 on cell 5 of a meadow, the tile north of it or underfoot, with a flag elsewhere so that the game goes on.
fn rule(row: &Row, tally: &mut Tally) {
    let rule: Rule = row.read();
    let place = &row.place;
    let (mv, cell) = match rule.kind.as_str() {
        "enter" => ("1:N", 0),
        "dig" => ("1:dig", 4),
        _ => row.unknown(),
    };
    let tile = tile(place, rule.tile);
    let mut tiles = ['.'; 12];
    tiles[cell] = tile.symbol();
    tiles[11] = 'F';
    let Rule { energy, axe, boat, shovel, .. } = rule;
    let text = format!("3x4:{}:5,{energy},{axe},{boat},{shovel}/5,0,0,0,0:0-0:1", run_length(tiles));
    if cell == 4 && tile == Tile::Wall {
        assert!(text.parse::<Bandera>().is_err() && !rule.ok, "{place}");
        return tally.add("rules", 1);
    }
    let mut game: Bandera = text.parse().unwrap_or_else(|error| panic!("{place}: {text}: {error}"));
    assert_eq!(AnyGame::moves(&game).contains(&mv.to_owned()), rule.ok, "{place}: {text}");
    assert_eq!(AnyGame::play(&mut game, mv).is_ok(), rule.ok, "{place}: {text}");
    if rule.ok {
        let player = game.players()[0];
        let after = [player.energy, player.axe, player.boat, player.shovel];
        assert_eq!((usize::from(player.cell), Some(after)), (cell, rule.after), "{place}: {text}");
        assert_eq!(Some(game.tile(cell as CellIndex).number()), rule.tile_after, "{place}: {text}");
        assert_eq!(Game::points(&game), [rule.captured.unwrap_or(0), 0], "{place}: {text}");
    }
    tally.add("rules", 1);
}

/// Values belong to a search. Here it is checked that the position can be read, and is what the row says.
fn evaluated(row: &Row, tally: &mut Tally) {
    let place = &row.place;
    let Size { rows, cols } = row.read();
    let evaluated: Evaluated = row.read();
    let symbols = tiles(place, &evaluated.tiles).into_iter().map(Tile::symbol);
    let teams = [1, 2].map(|wanted| {
        let players = evaluated.players.iter().filter(|&&[_, team, ..]| team == wanted);
        let texts = players.map(|[_, _, held @ ..]| held.map(|n| n.to_string()).join(","));
        texts.collect::<Vec<_>>().join(";")
    });
    let [one, two] = evaluated.captured;
    let head = format!("{rows}x{cols}:{}:{}:{one}-{two}", run_length(symbols), teams.join("/"));
    // The row may name a team that has to pass.
    let [named, other] = [evaluated.turn, 3 - evaluated.turn].map(|turn| format!("{head}:{turn}").parse::<Bandera>());
    let game = named.or(other).unwrap_or_else(|error| panic!("{place}: {head}: {error}"));
    assert_eq!(game.to_string(), format!("{head}:{}", Game::turn(&game)), "{place}");
    assert_eq!(game.flags_left(), evaluated.total_flags - one - two, "{place}");
    assert_eq!(Game::outcome(&game).is_some(), Game::moves(&game).is_empty(), "{place}");
    assert_eq!(Game::points(&game), evaluated.captured.map(i32::from), "{place}");
    if game.flags_left() == 0 {
        assert_eq!(Game::outcome(&game), Some(Outcome::by_points(Game::points(&game))), "{place}");
    }
    tally.add("positions", 1);
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
