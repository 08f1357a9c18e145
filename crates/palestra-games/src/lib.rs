//! The rules of Palestra's board games, exact and fast.
//!
//! Every game is a small value that implements [`Game`]: who moves, the legal moves, playing one, the outcome, a key for
//! hash tables. Nothing here does I/O, reads a clock, holds a global that changes or starts a thread.
//!
//! | game | type | |
//! |---|---|---|
//! | Mancala | [`mancala::Mancala`] | Kalah with the course's rules |
//! | Conecta-4 Boom | [`boom::Conecta4Boom`] | four in a line win, two moves a turn, bombs |
//! | Desconecta-4 Boom | [`boom::Desconecta4Boom`] | four in a line lose |
//! | Parchís | [`parchis::Parchis`] | Ludo with dice chosen from a pool |
//! | El Juego de la Bandera | [`bandera::Bandera`] | teams race for flags on a hexagonal torus |
//!
//! Code that knows its game at compile time is generic over [`Game`] and pays nothing for it. Code that learns it at run
//! time takes it from [`GAMES`], as a [`Box<dyn AnyGame>`](AnyGame) that speaks text:
//!
//! ```
//! use palestra_games::GameKind;
//!
//! let kind = GameKind::find("parchis").unwrap();
//! let mut game = (kind.start)("ALTERNED")?;
//! let first = game.moves()[0].clone();
//! game.play(&first)?;
//! assert_eq!((kind.parse)(&game.notation())?.moves(), game.moves());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
pub mod bandera;
pub mod boom;
pub mod draw;
pub mod fnv;
mod game;
mod hash;
pub mod mancala;
pub mod parchis;
mod parse;
mod perft;
mod phrase;
pub mod record;
pub mod rng;
pub mod shells;

pub use any::{AnyGame, GAMES, GameKind, PlayError, Played};
pub use draw::Draw;
pub use game::{Game, IllegalMove, MAX_MOVES, MoveList, NoOptions, Outcome, Side};
pub use parse::ParseError;
pub use perft::{Perft, perft, perft_bulk};
pub use phrase::{Argument, Phrase};
pub use record::Record;

/// The example of the README, so that it is tried.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ReadmeExamples;
