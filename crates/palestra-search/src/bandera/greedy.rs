//! The player `greedy`.

use palestra_games::Game;
use palestra_games::bandera::{Bandera, Order, Tile};

use super::ground::{Ground, cells_with};

/// Captures a flag if a move can; else takes the step towards the nearest flag that has the least way left, in hops; else
/// whatever ends nearest. Of equals the first.
pub(super) fn greedy(position: &Bandera) -> Option<Order> {
    let flags = cells_with(position, |tile| tile == Tile::Flag);
    let hops = Ground::new(position).hops(flags);
    position.moves().into_iter().min_by_key(|mv| {
        let mut child = position.clone();
        child.play(*mv);
        let index = mv.player() - 1;
        let [before, after] = [position, &child].map(|it| hops[usize::from(it.players()[index].cell)]);
        (after >= before, after)
    })
}
