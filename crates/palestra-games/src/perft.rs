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
    if depth == 0 {
        return Perft { leaves: 1, finished: u64::from(position.outcome().is_some()) };
    }
    let mut sum = Perft::default();
    // One scratch position a node: `clone_from` need not allocate where `clone` would.
    let mut child = position.clone();
    let _ = position.each_move(|mv| {
        child.clone_from(position);
        child.play(mv);
        sum += if depth == 1 { leaf(&child) } else { perft(&child, depth - 1) };
        ControlFlow::<()>::Continue(())
    });
    sum
}

#[inline]
fn leaf<G: Game>(position: &G) -> Perft {
    Perft { leaves: 1, finished: u64::from(position.outcome().is_some()) }
}

/// Counts the sequences of exactly `depth` moves without playing the last one: much faster, but it cannot tell how
/// many end the game.
#[must_use]
pub fn perft_bulk<G: Game>(position: &G, depth: u32) -> u64 {
    let mut sum = 0;
    match depth {
        0 => return 1,
        1 => {
            let _ = position.each_move(|_| {
                sum += 1;
                ControlFlow::<()>::Continue(())
            });
        }
        _ => {
            let mut child = position.clone();
            let _ = position.each_move(|mv| {
                child.clone_from(position);
                child.play(mv);
                sum += perft_bulk(&child, depth - 1);
                ControlFlow::<()>::Continue(())
            });
        }
    }
    sum
}
