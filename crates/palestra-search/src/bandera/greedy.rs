//! The player `greedy`.

use palestra_games::Game;
use palestra_games::bandera::{Bandera, Order, Tile};

use super::ground::{Ground, cells_with};

/// Captures a flag if a move can; else takes the step towards the first flag of the board that has the least way left,
/// in hops; else whatever ends nearest to it. Of equals the first.
///
/// Which flag is the nearest, and to whom, it does not ask: beginners do better.
pub(super) fn greedy(position: &Bandera) -> Option<Order> {
    let flag = cells_with(position, |tile| tile == Tile::Flag).into_iter().take(1);
    let hops = Ground::new(position).hops(flag);
    position.moves().into_iter().min_by_key(|mv| {
        let mut child = position.clone();
        child.play(*mv);
        let index = mv.player() - 1;
        let [before, after] = [position, &child].map(|it| hops[usize::from(it.players()[index].cell)]);
        (child.flags_left() == position.flags_left(), after >= before, after)
    })
}
