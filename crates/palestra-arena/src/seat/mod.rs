//! Whoever sits at the board: a program behind a connection, or a built-in player.

mod bot;
mod built_in;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_protocol::message::Info;
use palestra_protocol::{GameEnd, Greeting};
use palestra_search::player::AnyChoice;

pub use bot::Bot;
pub use built_in::BuiltIn;

use palestra_protocol::Fault;

use crate::Referee;

/// One of the two who play. Asks are answered through [`Seat::hear`], which waits no longer than it is told to.
pub trait Seat: Send {
    /// A game begins. It is ready when it says so.
    fn start(&mut self, greeting: &Greeting<'_>);

    /// It is its turn.
    fn go(&mut self, referee: &Referee) -> Result<(), Fault>;

    /// What it says, within that time.
    fn hear(&mut self, wait: Duration, quit: &AtomicBool) -> Result<Option<Said>, Fault>;

    /// The CPU time it has used since its last move, or since its first turn began. `None` where nobody can tell.
    fn cpu(&mut self) -> Option<Duration>;

    /// How long it has waited for a CPU in this turn; see [`Transport::waited`](palestra_protocol::Transport::waited).
    fn waited(&mut self) -> Duration {
        Duration::ZERO
    }

    /// Its move was taken, and cost this.
    fn used(&mut self, cpu: Option<Duration>, wall: Duration);

    /// The turn has gone to the other; see [`Transport::pause`](palestra_protocol::Transport::pause).
    fn pause(&mut self) {}

    /// It is not its turn; see [`Transport::rest`](palestra_protocol::Transport::rest).
    fn rest(&mut self) {}

    /// The game is over.
    fn end(&mut self, end: &GameEnd<'_>);

    /// What it wrote that is not yet a line.
    fn unfinished(&self) -> String {
        String::new()
    }

    /// The last of what it wrote on stderr.
    fn stderr(&mut self) -> String {
        String::new()
    }

    /// What it has written there since this was last asked.
    fn fresh_stderr(&mut self) -> String {
        String::new()
    }
}

/// What somebody at the board says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// Ready to play.
    Ready,
    /// Its name.
    Name(String),
    /// What it thinks.
    Info(Thought),
    /// Its move.
    Move(String),
}

/// What a player thinks of the position, as far as it says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// How many plies it looked ahead.
    pub depth: Option<u32>,
    /// What it expects, from its own side.
    pub score: Option<f64>,
    /// How many positions it visited.
    pub states: Option<u64>,
    /// What it expects to be played.
    pub line: Vec<String>,
    /// Anything else that it wants to say.
    pub text: Option<String>,
}

impl From<&AnyChoice> for Thought {
    fn from(choice: &AnyChoice) -> Self {
        Self {
            depth: (choice.depth > 0).then_some(choice.depth),
            score: choice.score.map(f64::from),
            states: (choice.nodes > 0).then_some(choice.nodes),
            line: choice.line.clone(),
            text: None,
        }
    }
}

impl Thought {
    /// As a bot says it.
    #[must_use]
    pub fn info(&self) -> Info<'_> {
        let Self { depth, score, states, line, text } = self;
        let pv = line.iter().map(String::as_str).collect();
        Info { depth: *depth, score: *score, states: *states, pv, text: text.as_deref() }
    }

    /// This one, and what it does not say as an earlier one said it.
    #[must_use]
    pub fn or(self, earlier: Option<Self>) -> Self {
        let Some(earlier) = earlier else { return self };
        Self {
            depth: self.depth.or(earlier.depth),
            score: self.score.or(earlier.score),
            states: self.states.or(earlier.states),
            line: if self.line.is_empty() { earlier.line } else { self.line },
            text: self.text.or(earlier.text),
        }
    }
}
