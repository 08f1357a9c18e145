//! A player at the board, as the driver sees it: a bot behind a transport, or a built-in player.

mod bot;
mod built_in;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_protocol::{Fault, GameEnd, Greeting, PlayerEvent, Turn};

pub use bot::Bot;
pub use built_in::BuiltIn;

/// A player at the board. It answers through [`Seat::hear`], which blocks no longer than `wait`.
pub trait Seat: Send {
    /// A game begins at the time `now`. The player reports [`PlayerEvent::Ready`] within `limit`.
    fn start(&mut self, greeting: &Greeting<'_>, now: Duration, limit: Duration);

    /// The fault of a player that is not ready although its time to start is over.
    fn overdue(&self, now: Duration) -> Option<Fault> {
        let _ = now;
        None
    }

    /// Asks for a move.
    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Fault>;

    /// The next thing that the player says, if it comes within `wait`.
    fn hear(&mut self, wait: Duration, quit: &AtomicBool) -> Result<Option<PlayerEvent>, Fault>;

    /// Tells the player to answer now, with the best move that it knows; it need not obey.
    fn stop(&mut self) {}

    /// The CPU time used since the last accepted move, or since the first turn began. `None` where it cannot be
    /// measured.
    fn cpu(&mut self) -> Option<Duration>;

    /// How long the player has waited for a CPU in this turn; see
    /// [`Transport::waited`](palestra_protocol::Transport::waited).
    fn waited(&mut self) -> Duration {
        Duration::ZERO
    }

    /// The move was accepted, and cost this.
    fn used(&mut self, cpu: Option<Duration>, wall: Duration);

    /// The turn has passed to the opponent; see [`Transport::pause`](palestra_protocol::Transport::pause).
    fn pause(&mut self) {}

    /// Called during the opponent's turn, every few milliseconds. See
    /// [`Transport::rest`](palestra_protocol::Transport::rest).
    fn rest(&mut self) {}

    /// The game is over.
    fn end(&mut self, end: &GameEnd<'_>);

    /// Output that does not end with a newline yet.
    fn unfinished(&self) -> String {
        String::new()
    }

    /// The last part of the player's stderr.
    fn stderr(&mut self) -> String {
        String::new()
    }

    /// What the player has written on stderr since the last call.
    fn fresh_stderr(&mut self) -> String {
        String::new()
    }
}
