//! Mancala: plain minimax by the difference of the stores.

use std::collections::BTreeMap;

use palestra_games::mancala::{Mancala, Pit};
use palestra_games::{Game, Side};
use palestra_search::Score;
use palestra_search::engine::{Engine, Limits, Never, Settings};
use palestra_search::mancala::Stores;
use palestra_search::teach::{Ascending, Teacher};
use serde::Deserialize;

use super::{Row, Tally, rows};
use crate::support::engine_value;

/// The part of a row that tells the position.
#[derive(Deserialize)]
struct Position {
    b: [u8; 14],
    t: usize,
}

impl Position {
    fn game(&self, place: &str) -> Mancala {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = self.b;
        let seeds = [[a, b, c, d, e, f, g], [h, i, j, k, l, m, n]];
        Mancala::from_seeds(Side::from_index(self.t), seeds).unwrap_or_else(|error| panic!("{place}: {error}"))
    }
}

/// What minimax finds at one depth.
#[derive(Deserialize)]
struct Searched {
    value: Score,
    best: Vec<u8>,
    move_values: BTreeMap<u8, Score>,
    /// Without the root.
    nodes: u64,
}

#[test]
fn golden_mancala_minimax() {
    let mut tally = Tally::default();
    for row in rows("mancala") {
        let fields: BTreeMap<String, serde_json::Value> = row.read();
        let depths = fields.keys().filter_map(|field| field.strip_prefix('d')?.parse::<u32>().ok());
        for depth in depths {
            let wanted: Searched = serde_json::from_value(fields[&format!("d{depth}")].clone())
                .unwrap_or_else(|error| panic!("{}: depth {depth}: {error}", row.place));
            check(&row, depth, &wanted);
            tally.add("minimax values", 1);
        }
    }
    tally.print("mancala");
}

/// Positions whose end is known: the exact final difference after each move.
#[derive(Deserialize)]
struct Solved {
    move_values: BTreeMap<u8, Score>,
    value: Score,
    best: Vec<u8>,
    pits: u8,
}

#[test]
fn golden_mancala_solved() {
    let mut tally = Tally::default();
    let mut engine = Engine::new(Settings::default()).expect("room for the table");
    for row in rows("mancala").iter().filter(|row| row.has(&["move_values", "pits"])) {
        let position = row.read::<Position>().game(&row.place);
        let wanted: Solved = row.read();
        let seeds = Side::BOTH.map(|side| position.seeds(side)[1..].iter().sum::<u8>());
        assert_eq!(seeds[0] + seeds[1], wanted.pits, "{}", row.place);

        let limits = Limits { lines: wanted.move_values.len(), ..Limits::default() };
        let report = engine.search(&position, &Stores, limits, &mut Never).expect("an unfinished position");
        assert!(report.proven, "{}: {report:?}", row.place);
        let values: BTreeMap<u8, Score> =
            report.lines.iter().map(|line| (line.moves[0].number(), line.score)).collect();
        assert_eq!(values, wanted.move_values, "{}", row.place);
        assert_eq!(report.lines[0].score, wanted.value, "{}", row.place);
        assert!(wanted.best.contains(&report.best().number()), "{}", row.place);
        tally.add("solved positions", 1);
    }
    tally.print("mancala");
}

fn check(row: &Row, depth: u32, wanted: &Searched) {
    let place = format!("{} depth {depth}", row.place);
    let position = row.read::<Position>().game(&place);
    let mover = position.turn();
    let mut teacher = Teacher::new(mover, &Stores, Ascending);

    let values: BTreeMap<u8, Score> = position
        .moves()
        .into_iter()
        .map(|mv| {
            let mut child = position;
            child.play(mv);
            (mv.number(), teacher.minimax(&child, depth - 1))
        })
        .collect();
    assert_eq!(values, wanted.move_values, "{place}");
    assert_eq!(teacher.nodes(), wanted.nodes, "{place}: nodes");
    let best: Vec<u8> = values.iter().filter(|&(_, &value)| value == wanted.value).map(|(&mv, _)| mv).collect();
    assert_eq!(best, wanted.best, "{place}");

    let first = Pit::new(wanted.best[0]).expect("a pit");
    assert_eq!(teacher.best_by_minimax(&position, depth), Some((first, wanted.value)), "{place}: minimax");
    assert_eq!(teacher.best_by_alpha_beta(&position, depth), Some((first, wanted.value)), "{place}: alpha-beta");
    assert_eq!(engine_value(&position, depth, &Stores), Some(wanted.value), "{place}: engine");
}
