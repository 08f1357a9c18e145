//! Requests for trees: those that make no sense, those at the edges of what does, and those without enough time.

use palestra_search::engine::{Never, States};
use palestra_search::tree::{Algorithm, MAX_TREE_DEPTH, MoveOrder, TreeError, TreeRequest, any_tree};
use palestra_search::{Score, WIN};

use crate::recount::mancala;

#[test]
fn requests_that_make_no_sense_are_refused() {
    let start = mancala("-");
    let good = TreeRequest::new(Algorithm::AlphaBeta, MoveOrder::Listed, "stores", 4);
    let error = |request: &TreeRequest<'_>| any_tree(&*start, request, &mut Never).expect_err("refused");
    for depth in [0, MAX_TREE_DEPTH + 1, u32::MAX] {
        assert_eq!(error(&TreeRequest { depth, ..good.clone() }), TreeError::Depth { depth });
    }
    let windows = [(Some(3), Some(3)), (Some(4), Some(3)), (Some(WIN + 1), None), (None, Some(Score::MAX))];
    for window in windows.into_iter().chain([(Some(Score::MIN), Some(0)), (Some(Score::MAX), Some(Score::MIN))]) {
        assert_eq!(error(&TreeRequest { window, ..good.clone() }), TreeError::Window);
    }
    let unknown = error(&TreeRequest { evaluation: "tset", ..good.clone() });
    assert_eq!(unknown.to_string(), "mancala has no evaluation 'tset'; it has stores, strong");
    let moves = ["4".to_owned(), "9".to_owned()];
    let wrong = error(&TreeRequest { moves: &moves, ..good.clone() });
    assert!(matches!(wrong, TreeError::Move { index: 1, .. }), "{wrong}");
    let over = mancala("1:24,0,0,0,0,0,0/24,0,0,0,0,0,0");
    assert_eq!(any_tree(&*over, &good, &mut Never), Err(TreeError::GameOver));
}

/// Windows beyond all scores, the least limits: nothing panics, and the root is always there.
#[test]
fn extreme_windows_and_limits_have_an_answer() {
    let start = mancala("-");
    let good = TreeRequest::new(Algorithm::AlphaBeta, MoveOrder::Best, "stores", 4);
    let bounds = [None, Some(-WIN), Some(1 - WIN), Some(0), Some(WIN - 1), Some(WIN)];
    for alpha in bounds {
        for beta in bounds {
            for limit in [0, 1, 7, usize::MAX] {
                let request = TreeRequest { window: (alpha, beta), limit, ..good.clone() };
                match any_tree(&*start, &request, &mut Never) {
                    Ok(tree) => assert!((1..=limit.max(1)).contains(&tree.recording.nodes.len())),
                    Err(error) => assert!(
                        alpha.is_some() && beta.is_some() && alpha >= beta && error == TreeError::Window,
                        "{error}"
                    ),
                }
            }
        }
    }
}

#[test]
fn a_search_without_time_says_so() {
    let start = mancala("-");
    let request = TreeRequest::new(Algorithm::Minimax, MoveOrder::Listed, "stores", 10);
    for states in [0, 1, 1000] {
        let stopped = any_tree(&*start, &request, &mut States(states));
        assert!(matches!(stopped, Err(TreeError::Stopped { nodes }) if nodes <= states + 1), "{stopped:?}");
    }
}
