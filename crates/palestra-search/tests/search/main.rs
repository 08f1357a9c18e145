//! One test binary: the search against golden data, against plain minimax, and under attack.

mod golden;
mod players;
