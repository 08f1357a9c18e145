//! Parchís: evaluations and players.

mod myheuristic1;
mod table;
mod test;

pub use myheuristic1::MyHeuristic1;
pub use test::Test;
