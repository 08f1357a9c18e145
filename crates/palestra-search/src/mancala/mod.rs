//! Mancala: evaluations and players.

mod stores;

pub use stores::Stores;
