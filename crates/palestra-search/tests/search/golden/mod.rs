//! Evaluations and the teaching algorithms against golden data.

mod bandera;
mod boom;
mod mancala;
mod parchis;
mod players;

pub(crate) use palestra_golden::{Row, Tally, rows};
