//! One test binary: the search against golden data, against plain minimax, and under attack.

mod abort;
mod bandera;
mod equivalence;
mod golden;
mod parchis;
mod players;
mod playout;
mod support;
mod tree;
