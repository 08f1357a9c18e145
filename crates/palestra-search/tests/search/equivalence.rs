//! Every algorithm and setting finds plain minimax's value, on all games and on one that does not alternate.

use palestra_games::Game;
use palestra_games::bandera::Bandera;
use palestra_games::boom::{Conecta4Boom, Desconecta4Boom};
use palestra_games::mancala::Mancala;
use palestra_games::parchis::Parchis;
use palestra_search::bandera::{Waytracking, Waytracking1, Waytracking2, Waytracking4};
use palestra_search::engine::{Engine, Limits, Never, Report, Settings};
use palestra_search::rng::Rng;
use palestra_search::teach::{Ascending, Teacher};
use palestra_search::{Guide, Score, WIN, is_decided, plies_to_end};

use crate::support::{Banks, Hashed, Toy, WonByNode, minimax, random_position, without_distance};

/// Without a table, with one so small that nearly everything is lost, with a small one and with enough; on one thread
/// and on two; with the shortcut and without.
fn settings() -> Vec<Settings> {
    let mut all = Vec::new();
    for memory in [0, 64, 4096, 1 << 20] {
        for threads in [1, 2] {
            for shortcut in [true, false] {
                all.push(Settings { memory, threads, shortcut });
            }
        }
    }
    all
}

/// What the moves of a position are worth to the side to move, the best first.
fn values_of_moves<G: Game>(position: &G, depth: u32, guide: &impl Guide<G>) -> Vec<Score> {
    let max = position.turn();
    let value = |mv| {
        let mut child = position.clone();
        child.play(mv);
        minimax(&child, depth - 1, 1, max, guide)
    };
    let mut values: Vec<Score> = position.moves().into_iter().map(value).collect();
    values.sort_unstable_by(|a, b| b.cmp(a));
    values
}

/// Compares everything at one position.
fn compare<G: Game>(position: &G, depth: u32, guide: &impl Guide<G>) {
    let max = position.turn();
    let values = values_of_moves(position, depth, guide);
    let mut teacher = Teacher::new(max, guide, Ascending);
    let flat = without_distance(values[0]);
    assert_eq!(teacher.minimax(position, depth), flat, "minimax of {position} at depth {depth}");
    let best = teacher.best_by_minimax(position, depth);
    assert_eq!(best.map(|(_, value)| value), Some(flat));
    assert_eq!(teacher.alpha_beta(position, depth, -WIN, WIN), flat, "alpha-beta of {position} at depth {depth}");
    assert_eq!(teacher.best_by_alpha_beta(position, depth), best);

    for settings in settings() {
        let mut engine = Engine::new(settings).expect("room for a small table");
        let lines = 1 + (position.key() % 3) as usize;
        let report =
            engine.search(position, guide, Limits { depth, lines }, &mut Never).expect("an unfinished position");
        let place = format!("{position} at depth {depth} with {settings:?}: {report:?}");
        assert!(report.finished, "{place}");
        let scores: Vec<Score> = report.lines.iter().map(|line| line.score).collect();
        if report.depth == depth {
            assert_eq!(scores, values[..lines.min(values.len())], "{place}");
        } else {
            assert!(report.proven && scores == values[..lines.min(values.len())], "stopped early: {place}");
        }
        replay(position, &report, guide, &place);
    }
}

/// The lines are legal, as long as the search was deep, and end in what the scores say.
fn replay<G: Game>(position: &G, report: &Report<G>, guide: &impl Guide<G>, place: &str) {
    for line in &report.lines {
        let mut end = position.clone();
        for &mv in &line.moves {
            assert!(end.is_legal(mv), "{mv} after {end}: {place}");
            end.play(mv);
        }
        assert!(end.outcome().is_some() || line.moves.len() == report.depth as usize, "too short: {place}");
        let value = guide.value(&end, position.turn());
        let value = if is_decided(value) { value - line.moves.len() as Score * value.signum() } else { value };
        assert_eq!(value, line.score, "the line does not lead to its score: {place}");
    }
}

fn compare_random<G: Banks>(options: &G::Options, count: u64, depths: std::ops::RangeInclusive<u32>, plies: usize) {
    for seed in 0..count {
        let mut random = Rng::new(seed);
        let plies = random.below(plies);
        let position: G = random_position(options, plies, &mut random);
        let depth = *depths.start() + (seed % u64::from(depths.end() - depths.start() + 1)) as u32;
        let values = [2, 3, 8, 100][random.below(4)];
        match seed % 4 {
            0 => compare(&position, depth, &Hashed::<true, true> { seed, values }),
            1 => compare(&position, depth, &Hashed::<false, true> { seed, values }),
            2 => compare(&position, depth, &Hashed::<true, false> { seed, values }),
            _ => compare(&position, depth, &Hashed::<false, false> { seed, values }),
        }
    }
}

#[test]
fn a_game_that_does_not_alternate() {
    for seed in 0..400 {
        let mut random = Rng::new(seed);
        let position = Toy::new(random.next(), random.next());
        if position.outcome().is_some() {
            continue;
        }
        let depth = 1 + (seed % 8) as u32;
        let values = [2, 5, 50][random.below(3)];
        if seed % 2 == 0 {
            compare(&position, depth, &Hashed::<true, true> { seed, values });
        } else {
            compare(&position, depth, &Hashed::<false, true> { seed, values });
        }
    }
}

#[test]
fn mancala() {
    compare_random::<Mancala>(&Default::default(), 120, 1..=6, 45);
}

#[test]
fn conecta4boom() {
    compare_random::<Conecta4Boom>(&Default::default(), 60, 1..=4, 60);
}

#[test]
fn desconecta4boom() {
    compare_random::<Desconecta4Boom>(&Default::default(), 60, 1..=4, 60);
}

#[test]
fn parchis() {
    compare_random::<Parchis>(&Default::default(), 60, 1..=3, 250);
}

#[test]
fn bandera() {
    compare_random::<Bandera>(&Default::default(), 40, 1..=3, 120);
}

/// The steps of the student's evaluation, of which two are one-sided.
#[test]
fn bandera_with_the_evaluations_of_a_student() {
    for seed in 0..16 {
        let mut random = Rng::new(seed);
        let plies = random.below(120);
        let position: Bandera = random_position(&Default::default(), plies, &mut random);
        let depth = 1 + (seed % 3) as u32;
        compare(&position, depth, &Waytracking::new(&position));
        compare(&position, depth, &Waytracking1::new(&position));
        compare(&position, depth, &Waytracking2::new(&position));
        compare(&position, depth, &Waytracking4::new(&position));
    }
}

/// The same search twice, and on a used engine that was told to forget: the same nodes, lines and scores.
#[test]
fn one_thread_is_reproducible() {
    let position: Mancala = random_position(&Default::default(), 8, &mut Rng::new(5));
    let guide = Hashed::<true, true> { seed: 7, values: 20 };
    let mut engine = Engine::new(Settings::default()).expect("room");
    let limits = Limits { depth: 11, lines: 2 };
    let first = engine.search(&position, &guide, limits, &mut Never);
    engine.forget();
    assert_eq!(engine.search(&position, &guide, limits, &mut Never), first);
    let fresh = Engine::new(Settings::default()).expect("room").search(&position, &guide, limits, &mut Never);
    assert_eq!(fresh, first);
}

/// What the search of a position has stored holds for the side to move there. A search of its child, for the other
/// side, meets the same positions at the same depths, and must not believe it.
#[test]
fn a_table_keeps_the_two_sides_of_a_one_sided_evaluation_apart() {
    let mut searched = 0;
    for seed in 0..40 {
        let mut random = Rng::new(seed);
        let position: Conecta4Boom = random_position(&Default::default(), 10, &mut random);
        let guide = Hashed::<false, true> { seed, values: 50 };
        let mut engine = Engine::new(Settings { memory: 1 << 20, ..Settings::default() }).expect("room");
        let depth = 6;
        engine.search(&position, &guide, Limits { depth, lines: 3 }, &mut Never);
        for mv in position.moves() {
            let mut child = position;
            child.play(mv);
            if child.turn() != position.turn() && child.outcome().is_none() {
                let report = engine.search(&child, &guide, Limits { depth: depth - 1, lines: 1 }, &mut Never);
                let score = report.expect("an unfinished position").lines[0].score;
                let expected = minimax(&child, depth - 1, 0, child.turn(), &guide);
                assert_eq!(score, expected, "{child} after a search of {position}");
                searched += 1;
            }
        }
    }
    assert!(searched > 50, "too few searches for the other side to tell: {searched}");
}

/// With an evaluation that is always 0 a score is the distance of a win or nothing: one read from the table must be
/// counted from the root, not from where it was stored.
#[test]
fn wins_from_the_table_are_counted_from_the_root() {
    let guide = Hashed::<true, true> { seed: 0, values: 1 };
    let mut wins = 0;
    for seed in 0..60 {
        let mut random = Rng::new(seed);
        let plies = 4 + random.below(14);
        let position: Conecta4Boom = random_position(&Default::default(), plies, &mut random);
        let mut engine =
            Engine::new(Settings { memory: 1 << 20, shortcut: false, ..Settings::default() }).expect("room");
        for depth in [4, 5] {
            let report = engine.search(&position, &guide, Limits { depth, lines: 2 }, &mut Never);
            let score = report.expect("an unfinished position").lines[0].score;
            assert_eq!(score, minimax(&position, depth, 0, position.turn(), &guide), "{position} at depth {depth}");
            wins += usize::from(plies_to_end(score).is_some_and(|plies| plies > 2));
        }
    }
    assert!(wins > 10, "too few wins that take a while to tell: {wins}");
}

/// A win is stored as counted from its position. Iterative deepening hides it when it is not: the first depth that sees a
/// win sees none that is slower. A search of several lines goes on beyond that depth, and may try a slower win before a
/// faster one, which a wrong distance then makes it miss. The table is so small that it forgets which move is best.
#[test]
fn wins_of_every_line_are_as_near_as_they_are() {
    let (depth, lines) = (8, 3);
    let mut wins = 0;
    for seed in 0..3000 {
        let mut random = Rng::new(seed);
        let position = Toy::new(random.next(), random.next());
        if position.outcome().is_some() {
            continue;
        }
        let values = values_of_moves(&position, depth, &WonByNode);
        let mut engine = Engine::new(Settings { memory: 256, shortcut: false, ..Settings::default() }).expect("room");
        for search in ["the first search", "a search with a used table"] {
            let report = engine.search(&position, &WonByNode, Limits { depth, lines }, &mut Never);
            let report = report.expect("an unfinished position");
            let scores: Vec<Score> = report.lines.iter().map(|line| line.score).collect();
            assert_eq!(scores, values[..lines.min(values.len())], "{search} of {position}");
        }
        wins += usize::from(plies_to_end(values[0]).is_some_and(|plies| plies > 2));
    }
    assert!(wins > 100, "too few wins that take a while to tell: {wins}");
}
