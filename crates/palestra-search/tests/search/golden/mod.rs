//! Evaluations and the teaching algorithms against golden data.

mod bandera;
mod boom;
mod mancala;
mod parchis;

pub(crate) use palestra_golden::{Row, Tally, rows};
