//! The arena: programs play programs, and the results can be trusted.
//!
//! Pairing, resuming and ranking are pure functions over a plan and the games finished so far ([`Finished`]). Whoever
//! keeps those, a file or a database, is no concern of this crate.

mod counted;
mod cross;
mod finished;
mod forfeit;
mod matching;
mod pairing;
mod ranking;
mod sprt;
mod swiss;

pub use cross::Cross;
pub use finished::Finished;
pub use forfeit::ForfeitKind;
pub use pairing::{Format, FormatError, Pairing, Plan, PlanError};
pub use ranking::{Criterion, Order, OrderError, Standing, standings};
pub use sprt::{Sprt, SprtError, Verdict};
