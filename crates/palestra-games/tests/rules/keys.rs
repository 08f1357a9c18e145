//! Keys: the same for the same position whatever the way to it, and the same future behind the same key.

use std::collections::HashMap;

use palestra_games::{Draw, GAMES, Game, with_game};

use crate::conformance::for_each_game;
use crate::random;

/// Positions enough for transpositions: the trees below some positions of random games.
fn trees<G: Draw>(seed: u64) -> Vec<G> {
    let positions = random::positions::<G>(seed, 4);
    let mut all = Vec::new();
    for root in positions.iter().step_by(positions.len() / 60 + 1) {
        let mut level = vec![root.clone()];
        while level.len() < 1500 && !level.is_empty() {
            let next = level.iter().flat_map(children).collect();
            all.append(&mut level);
            level = next;
        }
        all.extend(level.into_iter().take(3000));
    }
    all
}

fn children<G: Game>(position: &G) -> Vec<G> {
    position.moves().into_iter().map(|mv| after(position, mv)).collect()
}

fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut child = position.clone();
    child.play(mv);
    child
}

#[test]
fn transpositions_have_one_key() {
    fn check<G: Draw>() {
        let mut keys: HashMap<String, u64> = HashMap::new();
        let mut transpositions = 0;
        for position in trees::<G>(11) {
            let text = position.to_string();
            transpositions += usize::from(keys.contains_key(&text));
            let key = *keys.entry(text).or_insert_with(|| Game::key(&position));
            assert_eq!(key, Game::key(&position), "{position} reached on two ways");
        }
        assert!(transpositions > 100, "{}: only {transpositions} transpositions", G::ABOUT.id);
    }
    for_each_game!(check);
}

#[test]
fn equal_keys_have_equal_futures() {
    fn check<G: Draw>() {
        let mut by_key: HashMap<u64, G> = HashMap::new();
        for position in trees::<G>(12) {
            let other = by_key.entry(Game::key(&position)).or_insert_with(|| position.clone());
            assert_same_future(other, &position, 2);
        }
    }
    for_each_game!(check);
}

/// The futures are the same, apart from points already banked.
fn assert_same_future<G: Draw>(a: &G, b: &G, depth: u32) {
    if a == b {
        return;
    }
    let context = || format!("{a} and {b} have the key {:x}", Game::key(a));
    assert_eq!(Game::key(a), Game::key(b), "{a} and {b}, reached by the same moves from positions of one key");
    assert_eq!(Game::turn(a), Game::turn(b), "{}", context());
    assert_eq!(Game::moves(a), Game::moves(b), "{}", context());
    assert_eq!(Game::outcome(a).is_some(), Game::outcome(b).is_some(), "{}", context());
    if Game::points(a) == Game::points(b) {
        assert_eq!(Game::outcome(a), Game::outcome(b), "{}", context());
    }
    if depth > 0 {
        for mv in Game::moves(a) {
            let (c, d) = (after(a, mv), after(b, mv));
            assert_eq!(gains(a, &c), gains(b, &d), "{mv}: {}", context());
            assert_same_future(&c, &d, depth - 1);
        }
    }
}

fn gains<G: Draw>(before: &G, after: &G) -> [i32; 2] {
    let (before, after) = (Game::points(before), Game::points(after));
    [after[0] - before[0], after[1] - before[1]]
}
