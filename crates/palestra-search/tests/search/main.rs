//! One test binary: the search against golden data, against plain minimax, and under attack.

mod abort;
mod equivalence;
mod bandera;
mod golden;
mod players;
mod parchis;
mod support;
