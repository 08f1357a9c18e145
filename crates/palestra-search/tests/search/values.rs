//! The values of all moves of a position, against plain minimax.

use palestra_games::{AnyGame, GAMES, GameKind, with_game};
use palestra_search::Playable;
use palestra_search::engine::{Never, States};
use palestra_search::rng::Rng;
use palestra_search::tree::{Algorithm, MoveOrder, MoveValue, TreeError, TreeRequest, any_move_values, any_tree};

use crate::support::random_position;

fn start(game: &str) -> Box<dyn AnyGame> {
    (GameKind::find(game).expect("a game of the list").start)("-").expect("a usual start")
}

#[test]
fn every_move_has_its_minimax_value_for_whom_the_search_is() {
    for kind in GAMES {
        let test = with_game!(kind.id(), G => <G as Playable>::TEST).expect("a game of the list");
        for seed in 0..6 {
            let mut random = Rng::new(seed);
            let position = with_game!(kind.id(), G => {
                let position: G = random_position(&Default::default(), random.below(40), &mut random);
                Box::new(position) as Box<dyn AnyGame>
            });
            let position = position.expect("a game of the list");
            check_values(&*position, test, &[]);
            // Below a move, the search may be for the side that does not move.
            let moves = position.moves();
            check_values(&*position, test, &[moves[random.below(moves.len())].clone()]);
        }
    }
}

/// Fails unless the values after a path are those of minimax; nothing is to be known where the game is over.
fn check_values(position: &dyn AnyGame, evaluation: &str, path: &[String]) {
    let values = any_move_values(position, path, evaluation, 3, &mut Never);
    if values == Err(TreeError::GameOver) {
        return;
    }
    for MoveValue { mv, value } in values.expect("an unfinished position") {
        let moves = [path, &[mv]].concat();
        let request = TreeRequest {
            moves: &moves,
            limit: 1,
            ..TreeRequest::new(Algorithm::Minimax, MoveOrder::Listed, evaluation, 2)
        };
        match any_tree(position, &request, &mut Never) {
            Ok(tree) => assert_eq!(tree.recording.score, value, "{moves:?} at {}", position.notation()),
            Err(error) => assert_eq!(error, TreeError::GameOver),
        }
    }
}

#[test]
fn a_search_that_is_stopped_has_no_values() {
    let stopped = any_move_values(&*start("mancala"), &[], "stores", 8, &mut States(1_000));
    assert!(matches!(stopped, Err(TreeError::Stopped { .. })), "{stopped:?}");
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let mancala = start("mancala");
    let values = |path: &[&str], evaluation, depth| {
        let path: Vec<String> = path.iter().map(|&mv| mv.to_owned()).collect();
        any_move_values(&*mancala, &path, evaluation, depth, &mut Never)
    };
    assert_eq!(values(&[], "stores", 0), Err(TreeError::Depth { depth: 0 }));
    assert!(matches!(values(&[], "material", 2), Err(TreeError::UnknownEvaluation { .. })));
    assert!(matches!(values(&["4", "4"], "stores", 2), Err(TreeError::GameOver)), "an empty pit loses at once");
    assert!(matches!(values(&["9"], "stores", 2), Err(TreeError::Move { index: 0, .. })));
}

/// The flags of Bandera alone: what is captured, not what is near.
#[test]
fn a_flag_is_worth_one_to_the_team_that_has_captured_it() {
    let kind = GameKind::find("bandera").expect("a game of the list");
    let position = (kind.parse)("3x4:F11.:2,30,0,0,0/7,30,0,0,0:2-0:1").expect("a position");
    let values = any_move_values(&*position, &[], "flags", 1, &mut Never).expect("values");
    let of = |mv: &str| values.iter().find(|known| known.mv == mv).map(|known| known.value);
    let captures: Vec<&str> = values.iter().filter(|known| known.value != 2).map(|known| known.mv.as_str()).collect();
    assert_eq!(captures.len(), 1, "one step captures the last flag, and wins: {values:?}");
    assert_eq!(of(captures[0]), Some(palestra_search::WIN));
}
