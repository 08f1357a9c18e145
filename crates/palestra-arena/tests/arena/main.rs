//! Games between bots that behave and bots that do not: most of them under time that is made up, `process` with real
//! programs, `check` with the programs that `palestra check` must see through.

mod chaos;
mod check;
mod clocks;
mod copies;
mod course;
mod forfeits;
mod games;
mod notes;
mod people;
#[cfg(target_os = "linux")]
mod process;
mod replay;
mod saved;
mod support;
mod table;
