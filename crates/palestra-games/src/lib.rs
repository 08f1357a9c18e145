//! The rules of Palestra's board games, exact and fast.
//!
//! Every game is a small value that implements [`Game`]: who moves, the legal moves, playing one, the outcome, a key
//! for hash tables. Nothing here does I/O, reads a clock, holds a global or starts a thread.

mod any;
pub mod bandera;
pub mod boom;
pub mod draw;
mod game;
mod hash;
pub mod mancala;
pub mod parchis;
mod parse;
mod perft;
pub mod record;

pub use any::{AnyGame, GAMES, GameKind, PlayError, Played};
pub use draw::Draw;
pub use game::{Game, IllegalMove, MAX_MOVES, MoveList, NoOptions, Outcome, Side};
pub use parse::ParseError;
pub use perft::{Perft, perft, perft_bulk};
pub use record::Record;

/// The example of the README, so that it is tried.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ReadmeExamples;
