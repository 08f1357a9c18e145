//! The player `greedy`: the best position after one move.

use super::{Choice, Player};
use crate::Playable;
use crate::engine::Stop;

/// Plays the game's own [`Playable::greedy`].
#[derive(Debug)]
pub(super) struct Greedy;

impl<G: Playable> Player<G> for Greedy {
    fn choose_with(&mut self, position: &G, _: &mut dyn Stop, _: &mut dyn FnMut(&Choice<G>)) -> Option<Choice<G>> {
        position.outcome().is_none().then(|| Choice::unsearched(position.greedy()))
    }
}
