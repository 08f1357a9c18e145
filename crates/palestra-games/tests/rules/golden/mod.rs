//! The rules against golden data.

mod bandera;
mod boom;
mod mancala;
mod parchis;

use palestra_games::{Game, Perft, perft};

pub(crate) use palestra_golden::{Row, Tally, rows};

/// Counts above this are left to `palestra perft`.
const PERFT_LIMIT: u64 = 100_000_000;

/// Perft counts of the golden data.
pub(crate) trait PerftCounts {
    /// Compares a perft count with ours where it is small enough for a test.
    fn perft<G: Game>(&mut self, place: &str, position: &G, depth: u32, leaves: u64, finished: Option<u64>);
}

impl PerftCounts for Tally {
    fn perft<G: Game>(&mut self, place: &str, position: &G, depth: u32, leaves: u64, finished: Option<u64>) {
        if leaves > PERFT_LIMIT {
            self.add("perft counts too deep for a test", 1);
            return;
        }
        let counted = perft(position, depth);
        let expected = Perft { leaves, finished: finished.unwrap_or(counted.finished) };
        assert_eq!(counted, expected, "{place}: perft {depth} of {position}");
        self.add("perft counts", 1);
    }
}
