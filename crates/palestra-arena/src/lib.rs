//! The arena: programs play programs, and the results can be trusted.

mod beginning;
mod blunder;
mod budget_stop;
pub mod check;
mod contest;
pub mod copies;
mod driver;
pub mod duel;
mod hand_in;
mod judge;
pub mod ladder;
pub mod queue;
mod referee;
mod roster;
mod rules;
mod seat;
mod source;
mod speed;
mod spent;
pub mod testing;
mod think;
pub mod tune;
mod verdict;

pub use beginning::{BeginError, Beginning, begin};
pub use blunder::{Blunder, BlunderFinder};
pub use budget_stop::{BudgetStop, Limit};
pub use contest::{Contest, ContestError, GameStart, Starts, Task, Watcher};
pub use driver::{Clock, GameEvent, GameToPlay, PlayedGame, RealTime};
pub use hand_in::{HandIn, HandInBundle, HandInError, MAX_HAND_IN_BYTES};
pub use judge::{Cost, Judge, Judgement, Mistake, chance};
pub use referee::{Action, Event, Referee, Saved, SavedError};
pub use roster::{Entrant, EntrantError, EntrantKind, Entrants, InBox, Program};
pub use rules::{Rules, TimeControl};
pub use seat::{Bot, BuiltIn, Seat};
#[cfg(target_os = "linux")]
pub use source::{Artefact, Compiled};
pub use source::{
    BuildError, FirstError, Misnamed, StreamUse, Upload, UploadError, Workshop, first_error, handed_in, pack as zip,
};
pub use speed::{SPEED_PLAYER, machine_speed};
pub use spent::Spent;
pub use think::{think, thought_of};
pub use verdict::{Reason, Verdict};
