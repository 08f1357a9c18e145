//! What a bot and the referee say to each other, without saying it: no I/O, no clock.
//!
//! [`message`] has the lines of protocol 1, both ways. [`Lines`] cuts a stream of bytes into lines and refuses what is
//! too long. [`Session`] is the referee's side of the talk with one bot: it is asked what to write and told what was
//! read, and says what that means. [`Player`] is a session with CPU accounting and a startup deadline: all that a driver needs. It speaks protocol 1 or the Mancala course's protocol of 2018 ([`Dialect`]); a
//! [`Probe`] finds out which of them a program understands.
//!
//! ```
//! use palestra_protocol::{Budget, Dialect, Greeting, Heard, Session, Turn};
//! use palestra_games::Side;
//!
//! let greeting = Greeting { game: "mancala", side: Side::One, options: "-", budget: Budget::INFINITE };
//! let (mut session, mut out) = (Session::new(Dialect::One), String::new());
//! session.start(&greeting, &mut out);
//! assert_eq!(out, "hello 1\n");
//! out.clear();
//! assert_eq!(session.hear("ready", &mut out), Ok(Heard::Ready));
//! assert_eq!(out, "game mancala seat 1 options -\n");
//! ```

mod budget;
mod course;
mod fault;
mod forfeit;
mod lines;
pub mod message;
mod player;
mod probe;
mod protocol_error;
mod session;
mod shown;
mod thought;
mod transport;
pub mod websocket;

pub use budget::Budget;
pub use fault::Fault;
pub use forfeit::ForfeitKind;
pub use lines::{LineFault, Lines, MAX_LINE, MAX_OUTPUT};
pub use player::{Player, PlayerEvent};
pub use probe::{Found, Probe};
pub use protocol_error::ProtocolError;
pub use session::{Dialect, GameEnd, Greeting, Heard, Session, Turn};
pub use shown::{Shown, is_unseen, shown};
pub use thought::Thought;
pub use transport::{Received, Transport, take};
