//! Matches and tournaments as pure functions: who plays whom, how it stands, and how sure that is.
//!
//! Pairing, resuming and ranking take a plan and the games finished so far ([`Finished`]); a file or a database may keep
//! these. Nothing here plays a game, does I/O or reads a clock.

mod blossom;
mod class_list;
mod cross_table;
mod finished_game;
mod glicko;
mod journal;
mod matrix;
mod pairing;
mod ranking;
mod rating;
pub mod report;
mod results;
pub mod rubric;
pub mod schedule;
mod sprt;
mod swiss;
mod tally;
mod unique_games;
mod upset;

pub use class_list::{ClassList, ClassListError, LineProblem, MAX_CLASS_LIST_BYTES, MAX_STUDENTS, Problem, Student};
pub use cross_table::Cross;
pub use finished_game::Finished;
pub use glicko::{Glicko, glicko_ratings};
pub use journal::{Difference, Entry, Header, Journal, JournalError};
pub use pairing::{Format, FormatError, Pairing, Plan, PlanError};
pub use ranking::{Criterion, Order, OrderError, Standing, standings};
pub use rating::{Elo, elo_ratings};
pub use results::{Results, Scored, fingerprint};
pub use sprt::{Sprt, SprtError, SprtVerdict};
pub use tally::{Pair, Tally, Wdl, elo};
pub use upset::{Upset, upsets};
