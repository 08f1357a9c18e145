//! Bandera: distances against plain oracles, and what both evaluations must keep to.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use palestra_games::bandera::{
    BUNDLED, Bandera, BanderaOptions, CellIndex, Map, MapPlan, Order, Player, Start, Tile, generate,
};
use palestra_games::{Game, Outcome, Side};
use palestra_search::bandera::{
    Ground, NO_WAY, Races, Way, WayTable, Ways, Waytracking, Waytracking1, Waytracking2, Waytracking4,
};
use palestra_search::rng::Rng;
use palestra_search::teach::{Ascending, Teacher};
use palestra_search::{Guide, Playable, Tunable, WIN_BOUND};
use proptest::prelude::*;

fn starts() -> impl Iterator<Item = Bandera> {
    BUNDLED.iter().map(|bundled| Bandera::new(&BanderaOptions::from_map(bundled.map())))
}

fn generated(seed: u64, rows: usize, cols: usize, team_size: usize) -> Option<Bandera> {
    let map = generate(seed, MapPlan { rows, cols, team_size }).ok()?;
    Some(Bandera::new(&BanderaOptions::from_map(map)))
}

/// The positions of a random game, the last one included.
fn random_game(start: &Bandera, seed: u64) -> Vec<Bandera> {
    let mut random = Rng::new(seed);
    let mut positions = vec![start.clone()];
    let mut position = start.clone();
    while position.outcome().is_none() {
        let moves = position.moves();
        position.play(moves[random.below(moves.len())]);
        positions.push(position.clone());
    }
    positions
}

fn flags(position: &Bandera) -> Vec<CellIndex> {
    (0..).zip(position.tiles()).filter(|&(_, tile)| tile == Tile::Flag).map(|(cell, _)| cell).collect()
}

/// Hops and energy from a cell to all others: of the `fast` ways the cheapest, or of the cheap ones the fastest.
fn dijkstra(position: &Bandera, from: CellIndex, player: &Player, fast: bool) -> Vec<Option<(u32, u32)>> {
    let mut best: Vec<Option<(u32, u32)>> = vec![None; position.torus().cells()];
    let mut heap = BinaryHeap::from([Reverse((0, 0, from))]);
    while let Some(Reverse((first, second, cell))) = heap.pop() {
        if best[usize::from(cell)].is_some() {
            continue;
        }
        best[usize::from(cell)] = Some(if fast { (first, second) } else { (second, first) });
        for &next in position.torus().neighbours(cell) {
            let tile = position.tile(next);
            if tile != Tile::Wall {
                let cost = u32::from(player.cost(tile));
                let (more_first, more_second) = if fast { (1, cost) } else { (cost, 1) };
                heap.push(Reverse((first + more_first, second + more_second, next)));
            }
        }
    }
    best
}

/// Whether anybody has or may get these tools: 1 a boat, 2 an axe.
fn can_have(position: &Bandera, tools: u16) -> bool {
    let lies = |item| position.tiles().any(|tile| tile == item);
    let held = |units: fn(&Player) -> u16| position.players().iter().any(|player| units(player) > 0);
    let boat = lies(Tile::Boat) || held(|player| player.boat);
    let axe = lies(Tile::Axe) || held(|player| player.axe);
    (tools & 1 == 0 || boat) && (tools & 2 == 0 || axe)
}

fn check_ways(position: &Bandera) {
    let ground = Ground::new(position);
    let flags = flags(position);
    let table = WayTable::new(position, &ground, &flags);
    for tools in (0..4).filter(|&tools| can_have(position, tools)) {
        let player = Player { boat: tools & 1, axe: tools >> 1, ..Player::default() };
        let cells = (0..position.torus().cells() as CellIndex).filter(|&cell| position.tile(cell) != Tile::Wall);
        for cell in cells {
            let [fast, cheap] = [true, false].map(|fast| dijkstra(position, cell, &player, fast));
            for (&flag, &found) in flags.iter().zip(table.ways(table.start(&player, cell))) {
                if flag == cell {
                    continue;
                }
                let [fast, cheap] = [&fast, &cheap].map(|ways| {
                    let none = Way { hops: NO_WAY, energy: NO_WAY };
                    ways[usize::from(flag)]
                        .map_or(none, |(hops, energy)| Way { hops: hops as u16, energy: energy as u16 })
                });
                assert_eq!(found, Ways { fast, cheap }, "tools {tools}, from {cell} to {flag}: {position}");
            }
        }
    }
}

#[test]
fn ways_are_those_of_dijkstra() {
    for start in starts() {
        check_ways(&start);
        let positions = random_game(&start, 3);
        check_ways(&positions[positions.len() / 2]);
    }
}

#[test]
fn a_flag_underfoot_is_two_steps_away() {
    let position: Bandera = "3x4:F10.%:1,9,0,0,0/5,9,0,0,0:0-0:1".parse().unwrap();
    let table = WayTable::new(&position, &Ground::new(&position), &[0]);
    let around = Way { hops: 2, energy: 2 };
    assert_eq!(table.ways(table.start(&Player::default(), 0)), [Ways { fast: around, cheap: around }]);
    // A cell between walls cannot be left.
    let walled: Bandera = "3x4:F11#:1,9,0,0,0/1,9,0,0,0:0-0:1".parse().unwrap();
    let table = WayTable::new(&walled, &Ground::new(&walled), &[0]);
    assert_eq!(table.ways(0)[0].fast.hops, NO_WAY);
}

#[test]
fn hops_are_those_of_the_torus() {
    for position in starts().chain(generated(5, 31, 46, 3)) {
        let ground = Ground::new(&position);
        let open = |cell| position.tile(cell) != Tile::Wall;
        let flags = flags(&position);
        for sources in flags.iter().map(std::slice::from_ref).chain([&flags[..]]) {
            let wanted = position.torus().hops(sources.iter().copied(), open);
            let wanted: Vec<u16> = wanted.into_iter().map(|hops| hops.unwrap_or(NO_WAY)).collect();
            assert_eq!(ground.hops(sources.iter().copied()), wanted);
        }
    }
}

/// Too many flags for a table: the distances are measured from the players, and must come out the same.
#[test]
fn waytracking_with_or_without_a_table() {
    let size = 128;
    let mut random = Rng::new(9);
    let tiles = |random: &mut Rng, flags: usize| {
        let mut tiles: Vec<Tile> =
            (0..size * size).map(|_| if random.below(3) == 0 { Tile::Wall } else { Tile::Mud }).collect();
        (0..flags).for_each(|flag| tiles[flag * 50 + 1] = Tile::Flag);
        tiles[0] = Tile::Grass;
        tiles[9000] = Tile::Grass;
        tiles
    };
    let starts = || [0, 9000].map(|cell| Start { cell, energy: 50 }).to_vec();
    let many = tiles(&mut random, 300);
    // The flags beyond the first 200 are mud instead: the table of those left must say what the larger map says.
    let position = |tiles| Bandera::new(&BanderaOptions::from_map(Map::new(size, size, tiles, starts()).unwrap()));
    let mut few = many.clone();
    few.iter_mut().skip(10_000).filter(|tile| **tile == Tile::Flag).for_each(|tile| *tile = Tile::Mud);
    let (many, few) = (position(many), position(few));
    assert!(flags(&many).len() > 256 && flags(&few).len() <= 256);
    for side in Side::BOTH {
        assert_eq!(Waytracking::new(&many).score(&few, side), Waytracking::new(&few).score(&few, side));
    }
}

/// What the evaluations of the student say, in the order in which they were written.
fn waytracking_steps(position: &Bandera, side: Side) -> [i32; 4] {
    [
        Waytracking1::new(position).value(position, side),
        Waytracking2::new(position).value(position, side),
        Waytracking::new(position).value(position, side),
        Waytracking4::new(position).value(position, side),
    ]
}

/// A row of twelve cells between walls, worked out by hand. From the left: a flag, four steps to player 1, two to a second flag,
/// one to player 2.
#[test]
fn the_steps_of_waytracking_by_hand() {
    let row = |energy: [u16; 2], captured: &str| -> Bandera {
        let [one, two] = energy;
        format!("3x12:12#F5.F4.13#:17,{one},0,0,0/20,{two},0,0,0:{captured}:1").parse().unwrap()
    };
    let scores = |position: &Bandera| Side::BOTH.map(|side| waytracking_steps(position, side));
    // The nearest flags are 2 and 1 away. MAX as player 1 gives up the one that is nearer to the other: 4 are left to go.
    // f(2) - f(1) = 3.352 - 4.094.
    let even = scores(&row([20, 20], "0-0"));
    assert_eq!(even, [[-742, 1 - 2, 1 - 4, 16 * (1 - 4)], [742, 2 - 1, 2 - 1, 16]]);
    // A unit of energy more is a sixteenth of a hop.
    let rested = scores(&row([30, 14], "0-0"));
    assert_eq!(rested, [[-742, -1, -3, -48 + 16], [742, 1, 1, 16 - 16]]);
    // A flag is worth 5, or the board of 36 cells.
    let ahead = scores(&row([20, 20], "2-1"));
    assert_eq!(ahead, [[5000 - 742, 36 - 1, 36 - 3, 16 * 33], [742 - 5000, 1 - 36, 1 - 36, 16 * -35]]);
    // A player that cannot go on is near to nothing, and takes nothing from the other.
    let tired = scores(&row([20, 0], "0-0"));
    assert_eq!(tired, [[3352, 36 - 2, 36 - 2, 16 * 34 + 20], [-3352, 2 - 36, 2 - 36, 16 * -34 - 20]]);
}

/// Without the flags that MAX gives up, the evaluation is fair; in the steps before it always is.
#[test]
fn the_first_steps_of_waytracking_are_antisymmetric() {
    let mut one_sided = 0;
    for start in starts() {
        for position in random_game(&start, 12) {
            let [one, two] = Side::BOTH.map(|side| waytracking_steps(&position, side));
            assert_eq!([one[0], one[1]], [-two[0], -two[1]], "{position}");
            one_sided += usize::from(one[2] != -two[2]);
            assert_eq!(one[3] - 16 * one[2], 16 * two[2] - two[3], "energy counts alike for both: {position}");
        }
    }
    assert!(one_sided > 10, "too few positions where MAX gives up a flag: {one_sided}");
}

#[test]
fn strong_is_antisymmetric() {
    for start in starts() {
        let guide = Races::new(&start);
        let plain: Vec<i32> = Races::WEIGHTS.iter().map(|weight| weight.plain).collect();
        let plain = Races::with_weights(&start, &plain);
        for position in random_game(&start, 11) {
            for guide in [&guide, &plain] {
                let [one, two] = Side::BOTH.map(|side| guide.value(&position, side));
                assert_eq!(one, -two, "{position}");
                assert!(guide.score(&position, Side::One).abs() < WIN_BOUND);
            }
        }
    }
}

/// With the teams swapped, and the turn, it is the same position seen from the other side.
#[test]
fn strong_sees_both_teams_alike() {
    for start in starts() {
        for position in random_game(&start, 4).iter().filter(|position| position.outcome().is_none()) {
            let Some(swapped) = swapped(position) else { continue };
            let found = Races::new(position).score(position, Side::One);
            assert_eq!(Races::new(&swapped).score(&swapped, Side::Two), found, "{position}");
        }
    }
}

/// The teams swapped, by way of the notation: tiles stay where they are.
fn swapped(position: &Bandera) -> Option<Bandera> {
    let text = position.to_string();
    let [size, tiles, players, flags, _] = text.split(':').collect::<Vec<_>>().try_into().ok()?;
    let (one, two) = players.split_once('/')?;
    let (won, lost) = flags.split_once('-')?;
    format!("{size}:{tiles}:{two}/{one}:{lost}-{won}:{}", position.turn().other()).parse().ok()
}

#[test]
fn more_than_half_of_the_flags_decides() {
    let scored = |flags: &str| {
        let position: Bandera = format!("4x4:12.2F2.:1,9,0,0,0/4,9,0,0,0:{flags}:2").parse().unwrap();
        Races::new(&position).score(&position, Side::One)
    };
    // Two of five decide nothing, three of five do, even with all other things against it.
    assert!(scored("3-0") > 1 << 23);
    assert!(scored("0-3") < -(1 << 23));
    assert!(scored("2-1").abs() < 1 << 20);
}

#[test]
fn strong_knows_who_wins_a_race_and_who_cannot_pay() {
    // One flag, in a row of grass between walls: team 1 is two steps from it, team 2 three.
    let row = |players: &str, turn: u8| -> i32 {
        let position: Bandera = format!("3x8:8#2.F4.9#:{players}:0-0:{turn}").parse().unwrap();
        Races::new(&position).score(&position, Side::One)
    };
    assert!(row("9,9,0,0,0/14,9,0,0,0", 1) > 500);
    assert!(row("9,9,0,0,0/13,9,0,0,0", 1) > 500);
    assert!(row("9,9,0,0,0/13,9,0,0,0", 2) < -500, "the mover is first where both have as far");
    assert!(row("9,1,0,0,0/14,9,0,0,0", 1) < -500, "energy 1 does not reach");
    assert!(row("9,0,0,0,0/14,9,0,0,0", 2) < -500, "nor do the dead");
    assert_eq!(row("9,0,5,5,0/14,9,0,0,0", 2), row("9,0,0,0,0/14,9,0,0,0", 2), "to whom tools are of no use");
}

#[test]
fn strong_asks_who_will_have_more_flags_not_how_many_more() {
    let weights: Vec<i32> = Races::WEIGHTS.iter().map(|it| if it.name == "lead" { 500 } else { 0 }).collect();
    // Three flags in a row of grass, and one team that is too tired to fetch any.
    for (players, turn, expected) in [("9,20,0,0,0/16,0,0,0,0", 1, 500), ("9,0,0,0,0/16,20,0,0,0", 2, -500)] {
        let position: Bandera = format!("3x8:8#2.F.F.F.8#:{players}:0-0:{turn}").parse().unwrap();
        let score = Races::with_weights(&position, &weights).score(&position, Side::One);
        assert_eq!(score, expected, "{position}");
    }
}

#[test]
fn greedy_captures_or_comes_nearer() {
    for start in starts().chain((0..8).filter_map(|seed| generated(seed, 9, 10, 2))) {
        let mut position = start;
        while position.outcome().is_none() {
            let mv = position.greedy();
            assert!(position.is_legal(mv));
            let mut child = position.clone();
            child.play(mv);
            let captures = |mv: &Order| {
                let mut child = position.clone();
                child.play(*mv);
                child.flags_left() < position.flags_left()
            };
            assert_eq!(captures(&mv), position.moves().iter().any(captures), "{position}");
            position = child;
        }
    }
}

#[test]
fn hints_put_captures_first_and_digging_last() {
    let position: Bandera = "3x8:10.F6.J6.:10,9,0,0,10/1,9,0,0,0:0-0:1".parse().unwrap();
    let guide = Races::new(&position);
    let hint = |mv: &str| guide.hint(&position, mv.parse::<Order>().unwrap());
    let mut moves: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
    moves.sort_by_key(|mv| Reverse(hint(mv)));
    let mut child = position.clone();
    child.play(moves[0].parse().unwrap());
    assert_eq!(child.points(), [1, 0], "{moves:?}");
    assert_eq!(moves.last().map(String::as_str), Some("1:dig"));
}

/// The strong evaluation against the student's at the same depth, both sides, from openings of some random moves.
#[test]
fn strong_beats_waytracking() {
    let mut wins = [0; 2];
    for start in starts().take(6) {
        for opening in 0..4 {
            let mut random = Rng::new(opening);
            let mut opened = start.clone();
            for _ in 0..2 + opening {
                let moves = opened.moves();
                opened.play(moves[random.below(moves.len())]);
            }
            for strong in Side::BOTH {
                if let Some(Outcome::Win(side)) = play_out(opened.clone(), strong) {
                    wins[usize::from(side != strong)] += 1;
                }
            }
        }
    }
    assert!(wins[0] >= 2 * wins[1] + 3, "{wins:?}");
}

fn play_out(mut position: Bandera, strong: Side) -> Option<Outcome> {
    while position.outcome().is_none() {
        let side = position.turn();
        let best = if side == strong {
            Teacher::new(side, &Races::new(&position), Ascending).best_by_alpha_beta(&position, 2)
        } else {
            Teacher::new(side, &Waytracking::new(&position), Ascending).best_by_alpha_beta(&position, 2)
        };
        position.play(best.expect("somebody moves").0);
    }
    position.outcome()
}

/// Every score and hint that can be asked for.
fn ask_everything(position: &Bandera) {
    let races = Races::new(position);
    for side in Side::BOTH {
        assert!(races.score(position, side).abs() < WIN_BOUND);
        assert!(waytracking_steps(position, side).iter().all(|score| score.abs() < WIN_BOUND));
    }
    for mv in position.moves() {
        let mut child = position.clone();
        child.play(mv);
        races.hint(position, mv);
        assert_eq!(races.value(&child, Side::One), -races.value(&child, Side::Two));
    }
}

#[test]
fn large_maps_and_many_flags() {
    ask_everything(&(1..9).find_map(|seed| generated(seed, 128, 128, 8)).expect("a large map"));
    let tiles = |tile| vec![tile; 128 * 128];
    let starts = || (0..16).map(|player| Start { cell: player * 1000, energy: 5000 }).collect();
    for tile in [Tile::Flag, Tile::Forest, Tile::Grass] {
        let map = Map::new(128, 128, tiles(tile), starts()).unwrap();
        ask_everything(&Bandera::new(&BanderaOptions::from_map(map)));
    }
}

fn any_map() -> impl Strategy<Value = Bandera> {
    let size = (3_usize..9, 2_usize..6, 1_usize..4);
    size.prop_flat_map(|(rows, half, team)| {
        let cells = rows * half * 2;
        let tiles = prop::collection::vec((1_u8..13).prop_map(|number| Tile::from_number(number).unwrap()), cells);
        let starts = prop::collection::vec((0..cells as u16, 0_u16..60), 2 * team);
        (tiles, starts).prop_map(move |(mut tiles, starts)| {
            let starts: Vec<Start> = starts.into_iter().map(|(cell, energy)| Start { cell, energy }).collect();
            starts.iter().for_each(|start| tiles[usize::from(start.cell)] = Tile::Flag);
            Bandera::new(&BanderaOptions::from_map(Map::new(rows, half * 2, tiles, starts).unwrap()))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_map_can_be_evaluated(start in any_map(), seed: u64) {
        check_ways(&start);
        let guide = Races::new(&start);
        for position in random_game(&start, seed) {
            ask_everything(&position);
            // A guide made earlier in the game serves too.
            prop_assert_eq!(guide.value(&position, Side::One), -guide.value(&position, Side::Two));
        }
    }
}
