//! A search that is stopped at any point has a legal answer, and leaves a table that can be trusted.

use palestra_games::bandera::Bandera;
use palestra_games::boom::Conecta4Boom;
use palestra_games::mancala::Mancala;
use palestra_games::parchis::Parchis;
use palestra_games::{Game, NoOptions};
use palestra_search::engine::{Engine, Limits, Never, Report, Settings, States};
use palestra_search::mancala::{Stores, Strong};
use palestra_search::rng::Rng;

use crate::support::{Banks, Hashed, minimax, random_position};

fn stopped_anywhere<G: Banks>(depth: u32, plies: usize, threads: usize) {
    for seed in 0..4 {
        let position: G = random_position(&Default::default(), plies, &mut Rng::new(seed));
        let guide = Hashed::<false, true> { seed, values: 7 };
        let limits = Limits { depth, lines: 1 };
        let settings = Settings { memory: 1 << 16, threads, ..Settings::default() };
        let mut engine = Engine::new(settings).expect("room");
        let whole = engine.search(&position, &guide, limits, &mut Never).expect("unfinished");
        let mut random = Rng::new(seed);
        for states in (0..20).chain((0..20).map(|_| random.next() % whole.nodes)) {
            engine.forget();
            let report = engine.search(&position, &guide, limits, &mut States(states)).expect("unfinished");
            assert!(position.is_legal(report.best()), "{report:?} after {states} of {position}");
            assert!(threads > 1 || report.nodes <= states, "{report:?} after {states}");
            assert!(report.depth <= depth);
            assert_legal(&position, &report);
            if report.finished && report.depth > 0 {
                let value = minimax(&position, report.depth, 0, position.turn(), &guide);
                assert_eq!(report.lines[0].score, value, "{report:?} after {states} of {position}");
            }
            // What the stopped search left in the table must not mislead the next one.
            let again = engine.search(&position, &guide, limits, &mut Never).expect("unfinished");
            assert_eq!(again.lines[0].score, whole.lines[0].score, "after {states} of {position}");
        }
    }
}

/// All moves of all lines can be played one after the other.
fn assert_legal<G: Game>(position: &G, report: &Report<G>) {
    for line in &report.lines {
        let mut end = position.clone();
        for &mv in &line.moves {
            assert!(end.is_legal(mv), "{mv} after {end} of {report:?}");
            end.play(mv);
        }
    }
}

/// Where a move is better than expected, the search is stopped before it can say how the game goes on.
#[test]
fn lines_of_stopped_searches_are_legal() {
    let start = Mancala::new(&NoOptions);
    let mut engine = Engine::new(Settings { memory: 1 << 20, ..Settings::default() }).expect("room");
    for states in (0..30_000).step_by(101).chain([5161]) {
        engine.forget();
        let report = engine.search(&start, &Strong::default(), Limits::default(), &mut States(states));
        assert_legal(&start, &report.expect("unfinished"));
    }
}

/// With a table so small that places are fought for.
#[test]
fn an_engine_that_forgets_is_as_good_as_new() {
    let settings = Settings { memory: 1 << 14, ..Settings::default() };
    let mut used = Engine::new(settings).expect("room");
    for seed in 0..12 {
        let position: Mancala = random_position(&Default::default(), 12, &mut Rng::new(seed));
        used.forget();
        let again = used.search(&position, &Stores, Limits::default(), &mut States(40_000));
        let fresh =
            Engine::new(settings).expect("room").search(&position, &Stores, Limits::default(), &mut States(40_000));
        assert_eq!(again, fresh, "{position}");
    }
}

/// A search with more threads than the machine has cores still stops, and answers.
#[test]
fn many_threads_stop_together() {
    let start = Mancala::new(&NoOptions);
    let mut engine = Engine::new(Settings { memory: 1 << 20, threads: 16, ..Settings::default() }).expect("room");
    let report = engine.search(&start, &Stores, Limits::default(), &mut States(50_000)).expect("unfinished");
    assert!(start.is_legal(report.best()));
    assert_legal(&start, &report);
}

#[test]
fn mancala_stopped_anywhere() {
    stopped_anywhere::<Mancala>(6, 10, 1);
    stopped_anywhere::<Mancala>(6, 10, 2);
}

#[test]
fn conecta4boom_stopped_anywhere() {
    stopped_anywhere::<Conecta4Boom>(4, 20, 1);
    stopped_anywhere::<Conecta4Boom>(4, 20, 2);
}

#[test]
fn parchis_stopped_anywhere() {
    stopped_anywhere::<Parchis>(3, 40, 1);
}

#[test]
fn bandera_stopped_anywhere() {
    stopped_anywhere::<Bandera>(3, 10, 1);
}

/// Stopped within the first move of an iteration, the answer is the last iteration's; stopped later, it may be the new
/// one's, but never a move that only seemed better because its search was cut short.
#[test]
fn the_answer_is_never_worse_than_the_last_iteration_knew() {
    let position: Mancala = random_position(&Default::default(), 6, &mut Rng::new(3));
    let guide = Hashed::<true, true> { seed: 3, values: 30 };
    let mut engine = Engine::new(Settings::default()).expect("room");
    let mut told = Vec::new();
    engine.search_with(&position, &guide, Limits { depth: 7, lines: 1 }, &mut Never, &mut (), &mut |report| {
        told.push(report.clone());
    });
    let whole = told.last().expect("iterations").nodes;
    for states in (0..whole).step_by(61) {
        engine.forget();
        let report = engine.search(&position, &guide, Limits::default(), &mut States(states)).expect("unfinished");
        let last = told.iter().rev().find(|done| done.nodes <= states);
        let Some(last) = last else { continue };
        assert!(report.depth >= last.depth, "{report:?} after {states}, {last:?}");
        if report.depth == last.depth {
            assert_eq!(report.lines, last.lines, "after {states}");
        } else {
            // The new iteration's first move is the old best one; another has beaten it at the greater depth.
            assert_eq!(report.depth, last.depth + 1);
            let value = |mv| {
                let mut child = position;
                child.play(mv);
                minimax(&child, report.depth - 1, 1, position.turn(), &guide)
            };
            assert!(value(report.best()) >= value(last.best()), "{report:?} after {states}, {last:?}");
        }
    }
}
