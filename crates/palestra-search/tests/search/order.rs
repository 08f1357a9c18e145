//! The orders in which the teaching searches try moves.

use std::ops::ControlFlow;

use palestra_games::Game;
use palestra_games::boom::Conecta4Boom;
use palestra_games::mancala::Mancala;
use palestra_search::order::Sorted;
use palestra_search::rng::Rng;
use palestra_search::teach::{Ascending, Order};
use palestra_search::{Guide, Score};

use crate::support::{Banks, Hashed, random_position};

/// What the moves are worth to the side that makes them, in this order, each with its place in the list.
fn values<G: Game>(position: &G, order: impl Order<G>, guide: &impl Guide<G>) -> Vec<(Score, usize)> {
    let (listed, mut values) = (position.moves(), Vec::new());
    let _ = order.each_move(position, |mv| {
        let mut child = position.clone();
        child.play(mv);
        let place = listed.iter().position(|&legal| legal == mv).expect("a legal move");
        values.push((guide.value(&child, position.turn()), place));
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(values.len(), listed.len(), "each move once");
    values
}

/// An evaluation that is not antisymmetric tells whether the side to move was asked; one of few values has many equal moves.
fn compare<G: Banks>(seed: u64) {
    let mut random = Rng::new(seed);
    let plies = random.below(12);
    let position: G = random_position(&Default::default(), plies, &mut random);
    let guide = Hashed::<false, true> { seed, values: 4 };
    let mut expected = values(&position, Ascending, &guide);
    expected.sort_by_key(|&(value, place)| (-value, place));
    assert_eq!(values(&position, Sorted::best_first(&guide, Ascending), &guide), expected, "{position}");
    expected.sort_by_key(|&(value, place)| (value, place));
    assert_eq!(values(&position, Sorted::worst_first(&guide, Ascending), &guide), expected, "{position}");
}

#[test]
fn sorted_moves_begin_with_the_best_or_the_worst_for_the_side_to_move() {
    for seed in 0..50 {
        compare::<Mancala>(seed);
        compare::<Conecta4Boom>(seed);
    }
}
