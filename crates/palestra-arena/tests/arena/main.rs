//! One test binary: games between bots that behave and bots that do not, most of them under time that is made up.

mod clocks;
mod course;
mod forfeits;
mod games;
mod socket;
mod support;
mod table;
