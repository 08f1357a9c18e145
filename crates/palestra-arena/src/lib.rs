//! The arena: programs play programs, and the results can be trusted.
//!
//! Pairing, resuming and ranking are pure functions over a plan and the games finished so far ([`Finished`]). Whoever
//! keeps those, a file or a database, is no concern of this crate.

mod finished;
mod forfeit;
pub mod report;

pub use finished::Finished;
pub use forfeit::ForfeitKind;
