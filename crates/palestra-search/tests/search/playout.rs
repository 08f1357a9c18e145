//! Random games.

use palestra_games::{Draw, GAMES, Game, with_game};
use palestra_search::playout;
use palestra_search::rng::Rng;

#[test]
fn random_games_of_every_game_are_legal_to_the_end() {
    for kind in GAMES {
        with_game!(kind.id(), G => check_moves::<G>()).expect("a game of the list");
    }
}

/// One move more is one legal move further, up to the end and no further.
fn check_moves<G: Draw>() {
    let start = G::new(&G::Options::default());
    let mut before = start.clone();
    for most in 1..=200 {
        let (after, moves) = playout(start.clone(), most, &mut Rng::new(9));
        if before.outcome().is_some() {
            assert_eq!((&after, moves), (&before, most - 1), "{} went on after its end", G::ABOUT.id);
            return;
        }
        assert_eq!(moves, most);
        assert!(children(&before).contains(&after), "{before} does not lead to {after}");
        before = after;
    }
}

#[test]
fn all_moves_are_equally_likely() {
    for kind in GAMES {
        with_game!(kind.id(), G => check_odds::<G>()).expect("a game of the list");
    }
}

fn check_odds<G: Draw>() {
    const EACH: usize = 1000;
    let start = G::new(&G::Options::default());
    let children = children(&start);
    let mut counts = vec![0.0; children.len()];
    let mut rng = Rng::new(3);
    for _ in 0..EACH * children.len() {
        let (child, _) = playout(start.clone(), 1, &mut rng);
        // Moves that lead to the same position share what they were played.
        let ways = children.iter().filter(|&other| *other == child).count() as f64;
        children.iter().zip(&mut counts).filter(|(other, _)| **other == child).for_each(|(_, n)| *n += 1.0 / ways);
    }
    // Four standard deviations.
    let slack = 4.0 * (EACH as f64).sqrt();
    assert!(counts.iter().all(|n| (n - EACH as f64).abs() < slack), "{}: {counts:?}", G::ABOUT.id);
}

#[test]
fn a_seed_gives_one_game() {
    for kind in GAMES {
        with_game!(kind.id(), G => check_seeds::<G>()).expect("a game of the list");
    }
}

fn check_seeds<G: Draw>() {
    let play = |seed| playout(G::new(&G::Options::default()), 200, &mut Rng::new(seed));
    assert_eq!(play(5), play(5));
    assert!((6..9).any(|seed| play(seed) != play(5)), "{}: the seed does not matter", G::ABOUT.id);
}

fn children<G: Game>(position: &G) -> Vec<G> {
    let after = |mv| {
        let mut child = position.clone();
        child.play(mv);
        child
    };
    position.moves().into_iter().map(after).collect()
}
