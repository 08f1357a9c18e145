//! One test binary: games between bots that behave and bots that do not, most of them under time that is made up.

mod chaos;
mod clocks;
mod course;
mod forfeits;
mod games;
mod notes;
mod replay;
mod saved;
mod support;
mod table;
