//! The arena: programs play programs, and the results can be trusted.
//!
//! Pairing, resuming and ranking are pure functions over a plan and the games finished so far ([`Finished`]). Whoever
//! keeps those, a file or a database, is no concern of this crate.

mod contest;
mod cpu;
mod finished;
mod forfeit;
mod game;
mod lapse;
mod referee;
mod rules;
mod seat;
mod transport;
mod turning;
mod verdict;
pub mod report;

pub use contest::{Contest, ContestError, Start, Task, Watcher};
pub use finished::Finished;
pub use forfeit::ForfeitKind;
pub use game::{Clock, GameToPlay, PlayedGame, RealTime, Told};
pub use lapse::Lapse;
pub use referee::{Action, Event, Referee, Saved, SavedError};
pub use rules::{Rules, TimeControl};
pub use seat::{Bot, BuiltIn, Said, Seat, Thought};
pub use transport::{Received, Transport};
pub use turning::{Judge, Turning};
pub use verdict::{Reason, Verdict};
mod counted;
mod cross;
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
pub use glicko::{Glicko, glicko_ratings};
pub use journal::{Difference, Entry, Header, Journal, JournalError};
pub use pairing::{Format, FormatError, Pairing, Plan, PlanError};
pub use ranking::{Criterion, Order, OrderError, Standing, standings};
pub use rating::{Elo, elo_ratings};
pub use sprt::{Sprt, SprtError, Verdict};
