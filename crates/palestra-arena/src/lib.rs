//! The arena: programs play programs, and the results can be trusted.
//!
//! Pairing, resuming and ranking are pure functions over a plan and the games finished so far ([`Finished`]). Whoever
//! keeps those, a file or a database, is no concern of this crate.

mod cpu;
mod finished;
mod forfeit;
mod game;
mod lapse;
mod memory;
mod referee;
mod rules;
mod seat;
mod socket;
mod transport;
mod verdict;

pub use finished::Finished;
pub use forfeit::ForfeitKind;
pub use game::{Clock, GameToPlay, PlayedGame, RealTime, Told};
pub use lapse::Lapse;
pub use memory::{Memory, Reaction, VirtualClock};
pub use referee::{Action, Event, Referee, Saved, SavedError};
pub use rules::{Rules, TimeControl};
pub use seat::{Bot, BuiltIn, Said, Seat, Thought};
pub use socket::{Socket, Stream};
pub use transport::{Received, Transport};
pub use verdict::{Reason, Verdict};
