//! The arena: programs play programs, and the results can be trusted.
//!
//! Pairing, resuming and ranking are pure functions over a plan and the games finished so far ([`Finished`]). Whoever
//! keeps those, a file or a database, is no concern of this crate.

pub mod check;
mod checksum;
mod contest;
mod counted;
mod cpu;
mod cross;
mod executable;
mod finished;
mod forfeit;
mod game;
mod glicko;
mod journal;
mod lapse;
mod matching;
mod matrix;
mod memory;
mod pairing;
mod plain_file;
mod process;
mod ranking;
mod rating;
mod referee;
pub mod report;
mod roster;
mod rules;
#[cfg(target_os = "linux")]
pub mod sandbox;
#[cfg(not(target_os = "linux"))]
#[path = "sandbox/elsewhere.rs"]
pub mod sandbox;
mod seat;
mod socket;
mod source;
#[cfg(target_os = "linux")]
mod spawner;
mod spent;
mod sprt;
mod swiss;
mod transport;
mod turning;
mod verdict;
mod within;

pub use contest::{Contest, ContestError, Start, Starts, Task, Watcher};
pub use cross::Cross;
pub use finished::Finished;
pub use forfeit::ForfeitKind;
pub use game::{Clock, GameToPlay, PlayedGame, RealTime, Told};
pub use glicko::{Glicko, glicko_ratings};
pub use journal::{Difference, Entry, Header, Journal, JournalError};
pub use lapse::Lapse;
pub use memory::{Memory, Reaction, VirtualClock};
pub use pairing::{Format, FormatError, Pairing, Plan, PlanError};
pub use plain_file::{FileType, NotPlain};
pub use process::{Launch, Process};
pub use ranking::{Criterion, Order, OrderError, Standing, standings};
pub use rating::{Elo, elo_ratings};
pub use referee::{Action, Event, Referee, Saved, SavedError};
pub use roster::{Entrant, EntrantError, EntrantKind, Entrants, InBox, Program};
pub use rules::{Rules, TimeControl};
pub use seat::{Bot, BuiltIn, Said, Seat, Thought};
pub use socket::{Socket, Stream};
#[cfg(target_os = "linux")]
pub use source::Artefact;
pub use source::{BuildError, Upload, UploadError, Workshop};
pub use spent::Spent;
pub use sprt::{Sprt, SprtError, SprtVerdict};
pub use transport::{Received, Transport};
pub use turning::{Judge, Turning};
pub use verdict::{Reason, Verdict};
pub use within::{Within, think};
