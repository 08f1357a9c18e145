//! Searches compared at the same position: all find the same value, and each row counts what its algorithm visits.

use palestra_games::{AnyGame, GameKind, with_game};
use palestra_search::Playable;
use palestra_search::engine::{Engine, Limits, Never, Settings, States, any_search};
use palestra_search::rng::Rng;
use palestra_search::tree::{Algorithm, MoveOrder, TreeError, TreeRequest, any_comparison, any_tree};

use crate::recount::mancala;
use crate::support::random_position;

/// The rows of the teaching algorithms count as their trees do, those of the engine as the engine.
#[test]
fn compared_searches_agree_on_the_value() {
    for kind in palestra_games::GAMES {
        for seed in 0..4 {
            let mut random = Rng::new(seed);
            let position = with_game!(kind.id(), G => {
                let position: G = random_position(&Default::default(), random.below(40), &mut random);
                Box::new(position) as Box<dyn AnyGame>
            });
            let position = position.expect("a game of the list");
            for evaluation in with_game!(kind.id(), G => G::EVALUATIONS).expect("a game of the list") {
                compare_rows(&*position, evaluation.name, 1 + (seed as u32 % 3));
            }
        }
    }
}

fn compare_rows(position: &dyn AnyGame, evaluation: &str, depth: u32) {
    let rows = any_comparison(position, evaluation, depth, u64::MAX, &mut Never).expect("rows");
    let place = format!("{evaluation} of {} at depth {depth}: {rows:#?}", position.notation());
    let names = ["minimax", "alphabeta-worst", "alphabeta-listed", "alphabeta-best", "deepening", "deepening-table"];
    assert!(rows.iter().map(|row| row.name).eq(names), "{place}");
    assert!(rows.iter().all(|row| row.score == rows[0].score && row.score.is_some() && !row.is_stopped), "{place}");
    let orders = [MoveOrder::Listed, MoveOrder::Worst, MoveOrder::Listed, MoveOrder::Best];
    for (index, order) in orders.into_iter().enumerate() {
        let algorithm = Algorithm::ALL[usize::from(index > 0)];
        let tree = any_tree(position, &TreeRequest::new(algorithm, order, evaluation, depth), &mut Never);
        let tree = tree.expect("a tree").recording;
        assert_eq!((rows[index].nodes, rows[index].cutoffs), (tree.visited, tree.cutoffs), "{place}");
    }
    for (row, memory) in [(&rows[4], 0), (&rows[5], 8 << 20)] {
        let mut engine = Engine::new(Settings { memory, threads: 1, shortcut: false }).expect("room for a table");
        let report = any_search(&mut engine, position, evaluation, Limits { depth, lines: 1 }, &mut Never, &mut |_| {});
        assert_eq!(row.nodes, report.expect("an unfinished position").nodes, "{place}");
    }
    for row in &rows {
        let nodes: f64 = (0..=depth as i32).map(|ply| row.branching.powi(ply)).sum();
        assert!((nodes / row.nodes as f64 - 1.0).abs() < 1e-3, "an even tree has {nodes} nodes: {row:#?}");
    }
}

/// Cut-offs save nodes, the more the better the order of the moves is; so does a table.
#[test]
fn each_idea_saves_nodes() {
    for (game, evaluation, depth) in [("mancala", "stores", 7), ("conecta4boom", "strong", 5)] {
        let start = (GameKind::find(game).expect("a game").start)("-").expect("the usual start");
        let rows = any_comparison(&*start, evaluation, depth, u64::MAX, &mut Never).expect("rows");
        assert!(rows[..4].windows(2).all(|pair| pair[0].nodes > pair[1].nodes), "{rows:#?}");
        assert!(rows[..4].windows(2).all(|pair| pair[0].branching > pair[1].branching), "{rows:#?}");
        assert!(rows[5].nodes < rows[4].nodes, "{rows:#?}");
        assert_eq!(rows[0].cutoffs, 0);
        assert!(rows[1..].iter().all(|row| row.cutoffs > 0 && row.cutoffs < row.nodes), "{rows:#?}");
    }
}

#[test]
fn compared_searches_keep_to_their_budgets() {
    let start = mancala("-");
    let rows = any_comparison(&*start, "stores", 8, 10_000, &mut Never).expect("rows");
    assert!(rows.iter().all(|row| row.nodes <= 10_001 && row.is_stopped == row.score.is_none()), "{rows:#?}");
    assert!(rows[0].is_stopped && !rows[5].is_stopped, "{rows:#?}");
    let rows = any_comparison(&*start, "stores", 8, u64::MAX, &mut States(20_000)).expect("rows");
    assert!(rows.iter().map(|row| row.nodes).sum::<u64>() <= 20_000 + 6, "{rows:#?}");
    assert!(rows[0].is_stopped && rows[5].is_stopped, "{rows:#?}");
    assert_eq!(any_comparison(&*start, "stores", 0, 1, &mut Never), Err(TreeError::Depth { depth: 0 }));
    let over = mancala("1:24,0,0,0,0,0,0/24,0,0,0,0,0,0");
    assert_eq!(any_comparison(&*over, "stores", 3, 9, &mut Never), Err(TreeError::GameOver));
}
