//! Random playouts.

use std::ops::ControlFlow;

use palestra_games::Game;

use crate::rng::Rng;

/// Plays random moves, all legal ones equally likely, until the game ends or `most` moves were made. The position then
/// reached, and the number of moves that led there.
///
/// ```
/// use palestra_games::{Game, NoOptions, mancala::Mancala};
/// use palestra_search::{playout, rng::Rng};
///
/// let (end, moves) = playout(Mancala::new(&NoOptions), u32::MAX, &mut Rng::new(1));
/// assert!(end.outcome().is_some());
/// assert_eq!(end.points().iter().sum::<i32>(), 48);
/// println!("{moves} moves, {end}");
/// ```
pub fn playout<G: Game>(mut position: G, most: u32, rng: &mut Rng) -> (G, u32) {
    let mut moves = 0;
    while moves < most
        && let Some(mv) = random_move(&position, rng)
    {
        position.play(mv);
        moves += 1;
    }
    (position, moves)
}

/// One of the legal moves; `None` when the game is over.
#[inline]
fn random_move<G: Game>(position: &G, rng: &mut Rng) -> Option<G::Move> {
    let count = position.count_moves();
    if count == 0 {
        return None;
    }
    let mut left = rng.below(count);
    let chosen = position.each_move(|mv| {
        if left == 0 {
            return ControlFlow::Break(mv);
        }
        left -= 1;
        ControlFlow::Continue(())
    });
    chosen.break_value()
}
