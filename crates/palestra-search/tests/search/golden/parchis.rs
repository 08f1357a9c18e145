//! Parchís: the course's evaluations, and minimax with them in both of its orders.

use std::collections::BTreeMap;

use palestra_games::parchis::{Colour, Die, Move, Parchis};
use palestra_games::{Game, Side};
use palestra_search::parchis::{MyHeuristic1, Test};
use palestra_search::teach::{Ascending, Descending, Order, Teacher};
use palestra_search::{Guide, Score, WIN};
use serde::Deserialize;

use super::{Row, Tally, rows};
use crate::support::engine_value;

/// What the original calls a win.
const ORIGINAL_WIN: i64 = 9_999_999_998;

#[derive(Deserialize)]
struct Position {
    state: String,
    eaten: Option<String>,
    vt: Option<[i64; 2]>,
    h1: Option<[i64; 2]>,
}

/// What minimax finds at one depth. Moves are a piece (-1 for a skip) and a die.
#[derive(Deserialize)]
struct Searched {
    value: i64,
    best_asc: (i8, u8),
    best_desc: (i8, u8),
    root: Vec<(i8, u8, i64)>,
}

#[test]
fn golden_parchis_minimax() {
    let mut tally = Tally::default();
    for row in rows("parchis") {
        if row.has(&["state", "vt"]) || row.has(&["state", "h1"]) {
            check(&row, &mut tally);
        }
    }
    tally.print("parchis");
}

fn check(row: &Row, tally: &mut Tally) {
    let Position { state, eaten, vt, h1 } = row.read();
    let text = match eaten.filter(|eaten| eaten != "-") {
        Some(eaten) => format!("{state}|{eaten}"),
        None => state,
    };
    let game: Parchis = text.parse().unwrap_or_else(|error| panic!("{}: {text}: {error}", row.place));
    for (wanted, found) in [(vt, values(&game, &Test)), (h1, values(&game, &MyHeuristic1))] {
        if let Some(wanted) = wanted {
            assert_eq!(found, wanted.map(score), "{}", row.place);
            tally.add("evaluations", 2);
        }
    }

    // Searches are named like mm3_vt: the depth and the evaluation.
    let fields: BTreeMap<String, serde_json::Value> = row.read();
    for (name, value) in &fields {
        let Some((depth, evaluation)) = name.strip_prefix("mm").and_then(|name| name.split_once('_')) else { continue };
        let place = format!("{}: {name}", row.place);
        let depth = depth.parse().unwrap_or_else(|error| panic!("{place}: {error}"));
        let wanted = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{place}: {error}"));
        match evaluation {
            "vt" => check_search(&place, &game, &Test, depth, &wanted),
            "h1" => check_search(&place, &game, &MyHeuristic1, depth, &wanted),
            _ => panic!("{place}: no such evaluation"),
        }
        tally.add("minimax values", 1);
    }
}

fn check_search(place: &str, game: &Parchis, guide: &impl Guide<Parchis>, depth: u32, wanted: &Searched) {
    let mut teacher = Teacher::new(game.turn(), guide, Ascending);
    let values: Vec<(Move, Score)> = game
        .moves()
        .into_iter()
        .map(|mv| {
            let mut child = *game;
            child.play(mv);
            (mv, teacher.minimax(&child, depth - 1))
        })
        .collect();
    let root = wanted.root.iter().map(|&(piece, die, value)| (action(game.colour(), (piece, die)), score(value)));
    assert_eq!(values, root.collect::<Vec<_>>(), "{place}");

    let value = score(wanted.value);
    check_order(&format!("{place}: ascending"), game, guide, Ascending, depth, (wanted.best_asc, value));
    check_order(&format!("{place}: descending"), game, guide, Descending, depth, (wanted.best_desc, value));
}

fn check_order(
    place: &str,
    game: &Parchis,
    guide: &impl Guide<Parchis>,
    order: impl Order<Parchis>,
    depth: u32,
    (best, value): ((i8, u8), Score),
) {
    let wanted = Some((action(game.colour(), best), value));
    let mut teacher = Teacher::new(game.turn(), guide, order);
    assert_eq!(teacher.best_by_minimax(game, depth), wanted, "{place}: minimax");
    assert_eq!(teacher.best_by_alpha_beta(game, depth), wanted, "{place}: alpha-beta");
    assert_eq!(engine_value(game, depth, guide), Some(value), "{place}: engine");
}

/// What each side thinks of a position.
fn values(game: &Parchis, guide: &impl Guide<Parchis>) -> [Score; 2] {
    Side::BOTH.map(|side| guide.value(game, side))
}

fn action(colour: Colour, (piece, die): (i8, u8)) -> Move {
    let die = Die::new(die).expect("a die");
    match u8::try_from(piece) {
        Ok(piece) => Move::new(colour, piece, die).expect("a piece"),
        Err(_) => Move::skip(colour, die),
    }
}

/// The original's wins are out of the range of ours.
fn score(original: i64) -> Score {
    match original {
        ORIGINAL_WIN => WIN,
        value if value == -ORIGINAL_WIN => -WIN,
        value => Score::try_from(value).expect("a small number"),
    }
}
