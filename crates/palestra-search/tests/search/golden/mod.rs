//! Evaluations and the teaching algorithms against golden data.

mod bandera;
mod boom;
mod mancala;
mod parchis;
#[path = "../../../../../tests/golden/rows.rs"]
mod rows;

pub(crate) use rows::{Row, Tally, rows};
