//! Evaluations and the teaching algorithms against golden data.

<<<<<<< HEAD
mod boom;
=======
mod bandera;
>>>>>>> ev-bandera
mod mancala;
mod parchis;
#[path = "../../../../../tests/golden/rows.rs"]
mod rows;

pub(crate) use rows::{Row, Tally, rows};
