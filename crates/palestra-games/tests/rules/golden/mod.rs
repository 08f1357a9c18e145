//! The rules against golden data.

mod bandera;
mod boom;
mod mancala;
mod parchis;
#[path = "../../../../../tests/golden/rows.rs"]
mod rows;

use palestra_games::{Game, Perft, perft};

pub(crate) use rows::{Row, Tally, rows};

/// Counts above this are left to `palestra perft`.
const PERFT_LIMIT: u64 = 100_000_000;

impl Tally {
    /// Compares a perft count where it is small enough for a test.
    pub(crate) fn perft<G: Game>(&mut self, place: &str, position: &G, depth: u32, leaves: u64, finished: Option<u64>) {
        if leaves > PERFT_LIMIT {
            self.add("perft counts too deep for a test", 1);
            return;
        }
        let found = perft(position, depth);
        let wanted = Perft { leaves, finished: finished.unwrap_or(found.finished) };
        assert_eq!(found, wanted, "{place}: perft {depth} of {position}");
        self.add("perft counts", 1);
    }
}
