//! Evaluations and the teaching algorithms against golden data.

mod bandera;
mod mancala;
#[path = "../../../../../tests/golden/rows.rs"]
mod rows;

pub(crate) use rows::{Row, Tally, rows};
