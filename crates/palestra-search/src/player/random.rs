//! The player `random`: any legal move, from a seed.

use palestra_games::Game;

use super::{Choice, Player};
use crate::engine::Stop;
use crate::rng::Rng;

/// Plays any legal move, all equally likely.
#[derive(Debug)]
pub(super) struct Random(Rng);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }
}

impl<G: Game> Player<G> for Random {
    fn choose_with(&mut self, position: &G, _: &mut dyn Stop, _: &mut dyn FnMut(&Choice<G>)) -> Option<Choice<G>> {
        let moves = position.moves();
        if moves.is_empty() { None } else { Some(Choice::unsearched(moves[self.0.below(moves.len())])) }
    }
}
