//! Programs that play at tables.

use std::time::Duration;

use palestra_arena::Lapse;
use palestra_protocol::Dialect;
use tokio::sync::mpsc;

use crate::refused::Refused;

/// What a program is sent.
pub(crate) enum ToProgram {
    /// Lines, each with its end.
    Lines(String),
    /// It is its turn: it may use the CPU.
    Wake,
    /// It is not.
    Pause,
}

/// What comes from a program.
pub(crate) enum FromProgram {
    /// A line, and the CPU time used up to it, where that can be told.
    Line { text: String, cpu: Option<Duration> },
    /// It ended by its own fault.
    Gone(Lapse),
    /// The connection was lost.
    Dropped,
}

/// The table's end of the line to a program. When it is dropped the program is sent away.
pub(crate) struct Link {
    pub(crate) to: mpsc::UnboundedSender<ToProgram>,
    pub(crate) from: mpsc::Receiver<FromProgram>,
}

/// The program's end.
pub(crate) struct LinkEnd {
    pub(crate) to: mpsc::UnboundedReceiver<ToProgram>,
    pub(crate) from: mpsc::Sender<FromProgram>,
}

/// Lines that wait to be heard, at most: who says more has to wait.
const WAITING: usize = 64;

/// A line with two ends.
pub(crate) fn link() -> (Link, LinkEnd) {
    let (to, to_end) = mpsc::unbounded_channel();
    let (from_end, from) = mpsc::channel(WAITING);
    (Link { to, from }, LinkEnd { to: to_end, from: from_end })
}

/// A program that runs.
pub(crate) struct Started {
    pub(crate) link: Link,
    pub(crate) dialect: Dialect,
}

pub(crate) struct OwnPrograms;

impl OwnPrograms {
    pub(crate) fn check(&self, _: &str) -> Result<(), Refused> {
        Err(Refused::NotFound)
    }

    pub(crate) async fn start(&self, _: &str, _: &str) -> Result<Started, Refused> {
        Err(Refused::NotFound)
    }
}
