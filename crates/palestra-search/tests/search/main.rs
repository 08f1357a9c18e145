//! One test binary: the search against golden data, against plain minimax, and under attack.

mod abort;
mod bandera;
mod comparison;
mod equivalence;
mod golden;
mod order;
mod parchis;
mod picture;
mod players;
mod playout;
mod recount;
mod support;
mod tree;
mod tree_requests;
mod values;
