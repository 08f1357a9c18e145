//! Bandera against a plain retelling of its rules, and its notation, options and layout.

use std::collections::HashMap;

use palestra_games::bandera::{Action, Bandera, BanderaOptions, CellIndex, Map, Order, Player, Start, Tile, Torus};
use palestra_games::draw::{Draw, Layout, Point};
use palestra_games::{Game, Outcome, Side};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The rules as the text tells them, with no thought of speed. Cells, players and teams count from 0, tiles and actions
/// have the course's numbers.
#[derive(Clone)]
struct Plain {
    rows: i32,
    cols: i32,
    tiles: Vec<u8>,
    /// Cell, energy, axe, boat, shovel.
    players: Vec<[i32; 5]>,
    flags: [i32; 2],
    team: usize,
}

impl Plain {
    fn of(game: &Bandera) -> Self {
        let player = |p: &Player| [p.cell, p.energy, p.axe, p.boat, p.shovel].map(i32::from);
        Self {
            rows: game.torus().rows() as i32,
            cols: game.torus().cols() as i32,
            tiles: game.tiles().map(Tile::number).collect(),
            players: game.players().iter().map(player).collect(),
            flags: game.points(),
            team: game.turn().index(),
        }
    }

    fn target(&self, cell: i32, action: u8) -> i32 {
        let (row, col) = (cell / self.cols, cell % self.cols);
        let lower = col % 2;
        let (row, col) = match action {
            1 => (row - 1, col),
            2 => (row - 1 + lower, col + 1),
            3 => (row + lower, col + 1),
            4 => (row + 1, col),
            5 => (row + lower, col - 1),
            _ => (row - 1 + lower, col - 1),
        };
        row.rem_euclid(self.rows) * self.cols + col.rem_euclid(self.cols)
    }

    fn cost(&self, player: usize, tile: u8) -> i32 {
        let [_, _, axe, boat, _] = self.players[player];
        match tile {
            2 => {
                if boat > 0 {
                    3
                } else {
                    6
                }
            }
            3 => 2,
            4 => i32::MAX,
            5 => 4,
            6 => 6,
            12 => {
                if axe > 0 {
                    4
                } else {
                    8
                }
            }
            _ => 1,
        }
    }

    fn may(&self, player: usize, action: u8) -> bool {
        let [cell, energy, _, _, shovel] = self.players[player];
        if action == 7 {
            return energy > 0 && shovel >= 2 && [1, 5, 6].contains(&self.tiles[cell as usize]);
        }
        self.cost(player, self.tiles[self.target(cell, action) as usize]) <= energy
    }

    fn actions_of(&self, team: usize) -> Vec<(usize, u8)> {
        let size = self.players.len() / 2;
        let all = (team * size..(team + 1) * size).flat_map(|player| (1..=7).map(move |action| (player, action)));
        all.filter(|&(player, action)| self.may(player, action)).collect()
    }

    fn is_over(&self) -> bool {
        !self.tiles.contains(&7) || self.actions_of(0).is_empty() && self.actions_of(1).is_empty()
    }

    fn act(&mut self, player: usize, action: u8) {
        let [cell, ..] = self.players[player];
        if action == 7 {
            self.players[player][4] -= 2;
            let tile = &mut self.tiles[cell as usize];
            *tile = if *tile == 1 { 5 } else { 6 };
        } else {
            let target = self.target(cell, action);
            self.enter(player, target);
        }
        self.team = 1 - self.team;
        if !self.is_over() && self.actions_of(self.team).is_empty() {
            self.team = 1 - self.team;
        }
    }

    fn enter(&mut self, player: usize, cell: i32) {
        let tile = self.tiles[cell as usize];
        let cost = self.cost(player, tile);
        let [at, energy, axe, boat, shovel] = &mut self.players[player];
        *at = cell;
        *energy -= cost;
        let mut cleared = true;
        match tile {
            7 => self.flags[self.team] += 1,
            8 => *boat += 20,
            9 => *axe += 20,
            10 => *energy += 20,
            11 => *shovel += 10,
            12 if *axe > 0 => *axe -= 1,
            2 if *boat > 0 => {
                *boat -= 1;
                cleared = false;
            }
            _ => cleared = false,
        }
        if cleared {
            self.tiles[cell as usize] = 1;
        }
    }
}

fn any_map() -> impl Strategy<Value = Map> {
    let tile = prop_oneof![8 => Just(1), 4 => 2..=12u8].prop_map(|number| Tile::from_number(number).unwrap());
    let size = (3..8usize, (2..5usize).prop_map(|half| 2 * half));
    (size, 1..=3usize, 0..40u16, any::<u64>()).prop_flat_map(move |((rows, cols), team_size, energy, seed)| {
        prop::collection::vec(tile.clone(), rows * cols).prop_map(move |mut tiles| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut start = |_| {
                let cell = rng.random_range(0..tiles.len());
                if tiles[cell] == Tile::Wall {
                    tiles[cell] = Tile::Shovel;
                }
                Start { cell: cell as CellIndex, energy: rng.random_range(0..=energy) }
            };
            let starts = (0..2 * team_size).map(&mut start).collect();
            Map::new(rows, cols, tiles, starts).unwrap()
        })
    })
}

fn moves(game: &Bandera) -> Vec<(usize, u8)> {
    game.moves().iter().map(|mv| (mv.player() - 1, mv.action().number())).collect()
}

/// The positions of a random game from the start to the end, or to a number of them.
fn random_game(map: Map, seed: u64, most: usize) -> Vec<Bandera> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut positions = vec![Bandera::new(&BanderaOptions::from_map(map))];
    while let Some(game) = positions.last()
        && game.outcome().is_none()
        && positions.len() < most
    {
        let moves = game.moves();
        let mut next = game.clone();
        next.play(moves[rng.random_range(0..moves.len())]);
        positions.push(next);
    }
    positions
}

proptest! {
    #[test]
    fn play_agrees_with_the_rules_as_told(map in any_map(), seed in any::<u64>()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Bandera::new(&BanderaOptions::from_map(map));
        let mut plain = Plain::of(&game);
        let flags = game.points().iter().sum::<i32>() + i32::from(game.flags_left());
        for plies_left in (0..=game.max_plies()).rev() {
            prop_assert!(game.max_plies() <= plies_left);
            prop_assert_eq!(game.outcome().is_some(), plain.is_over());
            prop_assert_eq!(game.points().iter().sum::<i32>() + i32::from(game.flags_left()), flags);
            if game.outcome().is_some() {
                prop_assert!(game.moves().is_empty());
                return Ok(());
            }
            let legal = plain.actions_of(plain.team);
            prop_assert_eq!(&moves(&game), &legal);
            let choice = rng.random_range(0..legal.len());
            plain.act(legal[choice].0, legal[choice].1);
            game.play(game.moves()[choice]);
            let found = Plain::of(&game);
            prop_assert_eq!(&found.tiles, &plain.tiles);
            prop_assert_eq!(&found.players, &plain.players);
            prop_assert_eq!((found.flags, found.team), (plain.flags, plain.team));
        }
        prop_assert!(false, "the game goes on and on");
    }

    #[test]
    fn legal_is_what_is_listed(map in any_map(), seed in any::<u64>()) {
        for game in random_game(map, seed, usize::MAX) {
            for player in 1..=16 {
                for action in Action::ALL {
                    let mv = Order::new(player, action).unwrap();
                    prop_assert_eq!(game.is_legal(mv), game.moves().contains(&mv));
                }
            }
        }
    }

    #[test]
    fn a_position_is_its_notation(map in any_map(), seed in any::<u64>()) {
        let mut by_key = HashMap::new();
        for game in random_game(map, seed, usize::MAX) {
            let text = game.to_string();
            let read: Bandera = text.parse().unwrap();
            prop_assert_eq!(&read, &game);
            prop_assert_eq!(read.key(), game.key());
            prop_assert_eq!(read.to_string(), text.clone());
            prop_assert_eq!((read.outcome(), read.moves()), (game.outcome(), game.moves()));
            prop_assert_eq!(by_key.entry(game.key()).or_insert(text.clone()), &text);
        }
    }

    #[test]
    fn a_copy_over_another_position_is_a_copy(one in any_map(), other in any_map(), seed in any::<u64>()) {
        let [one, other] = [one, other].map(|map| random_game(map, seed, usize::MAX));
        let mut copy = one[0].clone();
        for position in one.iter().rev().chain(&other) {
            copy.clone_from(position);
            prop_assert_eq!(&copy, position);
            prop_assert_eq!(copy.to_string(), position.to_string());
        }
    }

    #[test]
    fn a_changed_text_is_refused_or_canonical(map in any_map(), at in any::<prop::sample::Index>(), new in ".?") {
        let text = Bandera::new(&BanderaOptions::from_map(map)).to_string();
        let at = at.index(text.len());
        for end in [at, at + 1] {
            let changed = format!("{}{new}{}", &text[..at], &text[end..]);
            if let Ok(position) = changed.parse::<Bandera>() {
                prop_assert_eq!(position.to_string(), changed);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,60}") {
        let _ = text.parse::<Bandera>();
        let _ = text.parse::<Order>();
        let _ = text.parse::<BanderaOptions>();
    }
}

#[test]
fn what_is_wrong_with_a_position_is_said_and_where() {
    let check = |text: &str, column: usize, problem: &str| {
        let error = text.parse::<Bandera>().expect_err(text);
        assert_eq!((error.column, error.problem.english()), (column, problem), "{text}");
    };
    assert!("3x4:11.F:1,3,0,0,0/4,5,0,0,0:0-0:1".parse::<Bandera>().is_ok());
    check("", 1, "the number of rows expected, but the text ends");
    let juice = "128x128:16383JF:1,3,0,0,0/4,5,0,0,0:0-0:1";
    check(juice, 9, "16383 tiles of juice: at most 3000 are allowed");
    check("3x5:15.:1,3,0,0,0/4,5,0,0,0:0-0:1", 1, "5 columns: a hex torus needs an even number of columns");
    check("2x4", 1, "2 rows and 4 columns: there must be 3 to 128 rows and 4 to 128 columns");
    check("3x130", 3, "the number of columns is larger than 128");
    check("3x4:11.f", 8, "a tile, one of .~%#oOFBAJS^ expected, found 'f'");
    check("3x4:11.é", 8, "a tile, one of .~%#oOFBAJS^ expected, found 'é'");
    check("3x4:11.:", 8, "11 tiles on a board of 12 cells");
    check("3x4:", 5, "0 tiles on a board of 12 cells");
    check("3x4:11.2", 9, "a tile, one of .~%#oOFBAJS^ expected, but the text ends");
    check("3x4:11.2F:", 8, "2 tiles where the board has 1 more cells");
    check("3x4:99999999999999999999.", 5, "a run of tiles is larger than 16384");
    check("3x4:6.6.", 7, "two runs of the same tile must be written as one");
    check("3x4:1F11.", 5, "a run of 1: a number here is at least 2");
    check("3x4:12.F", 8, "':' expected, found 'F'");
    check("3x4:11.F:0,3", 10, "player 1 is on cell 0: cells count from 1");
    check("3x4:11.F:13,3", 10, "the cell of player 1 is larger than 12");
    check("3x4:11.#:1,3,0,0,0/12,", 20, "player 2 is inside a wall");
    check("3x4:10.JF:1,64981,0,0,0", 13, "the energy of player 1 is larger than 64980");
    check("3x4:11.F:1,3,0,0,65001", 18, "the shovel count of player 1 is larger than 65000");
    check("3x4:11.F:1,3,0,0,0:", 19, "'/' expected, found ':'");
    let unequal = "team 1 has 1 and team 2 2: both must have as many players";
    check("3x4:11.F:1,3,0,0,0/4,5,0,0,0;4,5,0,0,0:0-0:1", 20, unequal);
    check(&format!("3x4:11.F:{}", "1,3,0,0,0;".repeat(9)), 90, "a team has at most 8 players");
    check("3x4:11.F:1,3,0,0,0/4,5,0,0,0:8-4:1", 30, "12 flags are captured, but only 11 cells can have held one");
    check("3x4:11.F:1,3,0,0,0/4,5,0,0,0:0-0:3", 34, "the team to move, 1 or 2, expected, found '3'");
    check("3x4:11.F:1,0,0,0,0/4,5,0,0,0:0-0:1", 34, "team 1 cannot act and team 2 can: the turn is passed on");
    check("3x4:11.F:1,3,0,0,0/4,5,0,0,0:0-0:1 ", 35, "the text should end here, found ' '");
}

#[test]
fn finished_positions_are_positions() {
    for text in ["3x4:12.:1,3,0,0,0/4,0,0,0,0:2-1:2", "3x4:11.F:1,0,0,0,0/4,0,0,0,9:1-1:1"] {
        let game: Bandera = text.parse().unwrap();
        assert!(game.outcome().is_some() && game.moves().is_empty(), "{text}");
        assert_eq!(game.to_string(), text);
    }
}

#[test]
fn a_team_that_cannot_act_is_passed_over() {
    let mut game: Bandera = "3x4:11.F:1,3,0,0,0/4,1,0,0,0:0-0:2".parse().unwrap();
    game.play("2:N".parse().unwrap());
    assert_eq!(game.points(), [0, 1]);

    let mut game: Bandera = "3x4:11.F:1,3,0,0,0/4,1,0,0,0:0-0:2".parse().unwrap();
    game.play("2:S".parse().unwrap());
    for _ in 0..3 {
        assert_eq!((game.turn(), game.outcome()), (Side::One, None));
        game.play("1:S".parse().unwrap());
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw));
}

#[test]
fn large_boards_are_played_and_read() {
    let tiles = vec![Tile::Shovel; 3000].into_iter().chain(vec![Tile::Grass; 128 * 128 - 3001]).chain([Tile::Flag]);
    let starts = [3000, 16_000].map(|cell| Start { cell, energy: 5000 });
    let map = Map::new(128, 128, tiles.collect(), starts.to_vec()).unwrap();
    let positions = random_game(map, 1, 400);
    let last = positions.last().unwrap();
    assert_eq!(last.to_string().parse::<Bandera>().unwrap(), *last);
    assert_ne!(last.tiles().collect::<Vec<_>>(), positions[0].tiles().collect::<Vec<_>>());
}

#[test]
fn options_are_a_name_or_a_start() {
    let default = BanderaOptions::default();
    assert_eq!(Bandera::ABOUT.options[0].0.parse(), Ok(default.clone()));
    for (name, _) in Bandera::ABOUT.options {
        assert_eq!(name.parse::<BanderaOptions>().unwrap().name(), Some(*name));
    }
    let start = Bandera::new(&default).to_string();
    assert_eq!(start.parse(), Ok(default));

    let start = "3x4:11.F:1,3,0,0,0/4,5,0,0,0:0-0:1";
    assert_eq!(start.parse::<BanderaOptions>().unwrap().to_string(), start);
    for wrong in ["", "nowhere", "3x4:11.F:1,3,1,0,0/4,5,0,0,0:0-0:1", "3x4:11.F:1,3,0,0,0/4,5,0,0,0:0-0:2", "a\nb"] {
        assert!(wrong.parse::<BanderaOptions>().is_err(), "{wrong:?}");
    }
}

#[test]
fn every_hex_is_drawn_beside_its_neighbours() {
    for (rows, cols) in [(3, 4), (4, 4), (5, 8), (8, 6)] {
        let torus = Torus::new(rows, cols).unwrap();
        let cells = rows * cols;
        let layout = format!("{rows}x{cols}:{cells}.:1,1,0,0,0/1,1,0,0,0:0-0:1").parse::<Bandera>().unwrap().layout();
        for cell in 0..cells {
            for (direction, &neighbour) in torus.neighbours(cell as CellIndex).iter().enumerate() {
                let angle = (direction as f32 * 60.0 - 90.0).to_radians();
                let wanted = shifted(centre(&layout, cell), Point { x: angle.cos(), y: angle.sin() }, 3f32.sqrt());
                let own = centre(&layout, usize::from(neighbour));
                let ghosts = layout.cells[usize::from(neighbour)].ghosts.iter().map(|&ghost| shifted(own, ghost, 1.0));
                let drawn = ghosts.chain([own]).filter(|&place| is_near(place, wanted)).count();
                assert_eq!(drawn, 1, "{rows}x{cols}: from {cell} to {neighbour}");
            }
        }
    }
}

fn centre(layout: &Layout, cell: usize) -> Point {
    let corners = &layout.cells[cell].polygon;
    let sum = corners.iter().fold(Point { x: 0.0, y: 0.0 }, |sum, &corner| shifted(sum, corner, 1.0));
    Point { x: sum.x / corners.len() as f32, y: sum.y / corners.len() as f32 }
}

fn shifted(from: Point, by: Point, times: f32) -> Point {
    Point { x: from.x + by.x * times, y: from.y + by.y * times }
}

fn is_near(one: Point, other: Point) -> bool {
    (one.x - other.x).abs() < 1e-4 && (one.y - other.y).abs() < 1e-4
}
