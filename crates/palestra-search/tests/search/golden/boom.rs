//! Conecta-4 Boom and Desconecta-4 Boom: ValoracionTest, and plain minimax by it.

use palestra_games::boom::{Action, Boom, Conecta, Conecta4Boom, Desconecta, Rules};
use palestra_games::{Game, NoOptions, Side};
use palestra_search::boom::Test;
use palestra_search::teach::{Ascending, Teacher};
use palestra_search::{Guide, Score, WIN};
use serde::Deserialize;

use super::{Row, Tally, rows};
use crate::support::engine_value;

/// A won game as ValoracionTest gives it.
const COURSE_WIN: Score = 99_999_999;

/// A position and what is known of it. What is not in a row is not tested.
#[derive(Deserialize)]
struct Position {
    actions: Vec<u8>,
    test1: Option<Score>,
    test2: Option<Score>,
    /// Of `value`, `best`, `root_children` and `nodes`.
    depth: Option<u32>,
    value: Option<Score>,
    best: Option<u8>,
    /// The id and the value of each move.
    root_children: Option<Vec<(u8, Score)>>,
    /// With the root.
    nodes: Option<u64>,
    value6: Option<Score>,
    best6: Option<u8>,
}

#[test]
fn golden_conecta4boom_minimax() {
    check_all::<Conecta>();
}

#[test]
fn golden_desconecta4boom_minimax() {
    check_all::<Desconecta>();
}

/// The count of the course's own engine, which fixes the order of moves, the cut-offs and the evaluation all at once.
#[test]
fn golden_conecta4boom_alpha_beta_visits_as_many_positions_as_the_course() {
    let start = Conecta4Boom::new(&NoOptions);
    let mut teacher = Teacher::new(Side::One, &Test, Ascending);
    let (_, value) = teacher.best_by_alpha_beta(&start, 8).expect("the game has begun");
    assert_eq!(teacher.nodes(), 125_430);
    // The course's first window lies beyond wins and losses, so a win found is no reason to stop.
    let mut whole = Teacher::new(Side::One, &Test, Ascending);
    assert_eq!(whole.alpha_beta(&start, 8, -WIN - 1, WIN + 1), value);
    assert_eq!(whole.nodes(), 125_430);
}

fn check_all<R: Rules>() {
    let mut tally = Tally::default();
    for row in rows(R::ABOUT.id) {
        if row.has(&["actions", "state"]) {
            check::<R>(&row, &mut tally);
        }
    }
    tally.print(R::ABOUT.id);
}

fn check<R: Rules>(row: &Row, tally: &mut Tally) {
    let place = &row.place;
    let position: Position = row.read();
    let game = reach::<R>(&position.actions, place);
    for (side, wanted) in Side::BOTH.into_iter().zip([position.test1, position.test2]) {
        if let Some(wanted) = wanted {
            assert_eq!(Test.value(&game, side), ours(wanted), "{place}: ValoracionTest for {side}");
            tally.add("evaluations", 1);
        }
    }
    if let Some(depth) = position.depth {
        check_tree(&game, depth, &position, place);
        check_best(&game, depth, position.best, position.value, place);
        tally.add("minimax values", 1);
    }
    if position.value6.is_some() || position.best6.is_some() {
        check_best(&game, 6, position.best6, position.value6, place);
        tally.add("minimax values", 1);
    }
}

fn reach<R: Rules>(actions: &[u8], place: &str) -> Boom<R> {
    let mut game = Boom::new(&NoOptions);
    for &id in actions {
        let mv = Action::from_id(id).unwrap_or_else(|| panic!("{place}: no action {id}"));
        game.try_play(mv).unwrap_or_else(|error| panic!("{place}: {mv} in {game}: {error}"));
    }
    game
}

/// All of the tree at its depth: the value of each move, and the number of positions.
fn check_tree<R: Rules>(game: &Boom<R>, depth: u32, wanted: &Position, place: &str) {
    let mut teacher = Teacher::new(game.turn(), &Test, Ascending);
    let value = teacher.minimax(game, depth);
    if let Some(nodes) = wanted.nodes {
        assert_eq!(teacher.nodes(), nodes, "{place}: positions at depth {depth}");
    }
    if let Some(wanted) = wanted.value {
        assert_eq!(value, ours(wanted), "{place}: value at depth {depth}");
    }
    if let (Some(children), Some(rest)) = (&wanted.root_children, depth.checked_sub(1)) {
        let value_after = |mv: Action| {
            let mut child = *game;
            child.play(mv);
            (mv.id(), teacher.minimax(&child, rest))
        };
        let values: Vec<(u8, Score)> = game.moves().into_iter().map(value_after).collect();
        let wanted: Vec<(u8, Score)> = children.iter().map(|&(id, value)| (id, ours(value))).collect();
        assert_eq!(values, wanted, "{place}: moves at depth {depth}");
    }
}

/// The first best move and its value, by both algorithms.
fn check_best<R: Rules>(game: &Boom<R>, depth: u32, best: Option<u8>, value: Option<Score>, place: &str) {
    let mut teacher = Teacher::new(game.turn(), &Test, Ascending);
    let minimax = teacher.best_by_minimax(game, depth);
    let visited = teacher.nodes();
    assert_eq!(teacher.best_by_alpha_beta(game, depth), minimax, "{place}: alpha-beta at depth {depth}");
    assert!(teacher.nodes() - visited <= visited, "{place}: alpha-beta at depth {depth} visits more positions");
    let searched = engine_value(game, depth, &Test);
    assert_eq!(searched, minimax.map(|(_, value)| value), "{place}: engine at depth {depth}");
    if let Some((mv, found)) = minimax {
        assert_eq!((value.map(|_| found), best.map(|_| mv.id())), (value.map(ours), best), "{place}: depth {depth}");
    }
}

/// A value of the course as one of ours: wins are larger here.
const fn ours(value: Score) -> Score {
    match value {
        COURSE_WIN => WIN,
        value if value == -COURSE_WIN => -WIN,
        value => value,
    }
}
