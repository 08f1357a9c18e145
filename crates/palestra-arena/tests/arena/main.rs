//! One test binary: games between bots that behave and bots that do not, most of them under time that is made up.

mod clocks;
mod forfeits;
mod support;
mod table;
