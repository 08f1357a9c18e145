//! The arena: programs play programs, and the results can be trusted.
//!
//! Pairing, resuming and ranking are pure functions over a plan and the games finished so far ([`Finished`]). Whoever
//! keeps those, a file or a database, is no concern of this crate.

mod counted;
mod cross;
mod finished;
mod forfeit;
mod glicko;
mod journal;
mod matching;
mod matrix;
mod pairing;
mod ranking;
mod rating;
mod sprt;
mod swiss;

pub use cross::Cross;
pub use finished::Finished;
pub use forfeit::ForfeitKind;
pub use glicko::{Glicko, glicko_ratings};
pub use journal::{Difference, Entry, Header, Journal, JournalError};
pub use pairing::{Format, FormatError, Pairing, Plan, PlanError};
pub use ranking::{Criterion, Order, OrderError, Standing, standings};
pub use rating::{Elo, elo_ratings};
pub use sprt::{Sprt, SprtError, Verdict};
