//! Perft: counting the move sequences of a given length, the usual proof that a move generator is right.

use std::ops::ControlFlow;

use crate::Game;

/// The number of move sequences of exactly some depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// All of them.
    pub leaves: u64,
    /// Those whose last move ended the game.
    pub finished: u64,
}

impl std::ops::AddAssign for Perft {
    fn add_assign(&mut self, other: Self) {
        self.leaves += other.leaves;
        self.finished += other.finished;
    }
}

/// Counts the sequences of exactly `depth` moves. Every leaf is played and tested for the end.
#[must_use]
pub fn perft<G: Game>(position: &G, depth: u32) -> Perft {
    match depth {
        0 => Perft { leaves: 1, finished: u64::from(position.outcome().is_some()) },
        1 => last_ply(position),
        _ => {
            let mut sum = Perft::default();
            each_child(position, |child| sum += perft(child, depth - 1));
            sum
        }
    }
}

/// A loop of its own, so that the counts of the many leaves stay in registers.
fn last_ply<G: Game>(position: &G) -> Perft {
    let (mut leaves, mut finished) = (0, 0);
    each_child(position, |child| {
        leaves += 1;
        finished += u64::from(child.outcome().is_some());
    });
    Perft { leaves, finished }
}

/// Calls `f` with the position after each move.
#[inline]
fn each_child<G: Game>(position: &G, mut f: impl FnMut(&G)) {
    // One scratch position a node: `clone_from` need not allocate where `clone` would.
    let mut child = position.clone();
    let _ = position.each_move(|mv| {
        child.clone_from(position);
        child.play(mv);
        f(&child);
        ControlFlow::<()>::Continue(())
    });
}

/// Counts the sequences of exactly `depth` moves without playing the last one: much faster, but it cannot tell how
/// many end the game.
#[must_use]
pub fn perft_bulk<G: Game>(position: &G, depth: u32) -> u64 {
    let mut sum = 0;
    match depth {
        0 => sum = 1,
        1 => sum = position.count_moves() as u64,
        _ => each_child(position, |child| sum += perft_bulk(child, depth - 1)),
    }
    sum
}
