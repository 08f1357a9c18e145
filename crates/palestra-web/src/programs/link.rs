//! The channel between a table and a program.

use std::time::Duration;

use palestra_protocol::Fault;
use tokio::sync::mpsc;

/// Capacity of the channel for a program's lines; the program waits while it is full.
const MAX_QUEUED_LINES: usize = 64;

/// A message from a table to a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ToProgram {
    /// A new game begins: the limit on a program's output is counted from here.
    NewGame,
    /// Lines of the protocol, each with its line end.
    Lines(String),
    /// The program is about to be asked for a move: it is resumed.
    Wake,
    /// The opponent's turn begins: the program is suspended.
    Pause,
    /// All games are over: the program is ended.
    Close,
}

/// A message from a program to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FromProgram {
    /// A line of the program, with its total CPU time where that is known.
    Line { text: String, cpu: Option<Duration> },
    /// The program is gone. After a [`ForfeitKind::Disconnect`](palestra_protocol::ForfeitKind) it may reconnect.
    Gone {
        fault: Fault,
        /// The end of what the program wrote on stderr.
        stderr: String,
    },
}

/// The table's end of the channel. Dropping it ends the program.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) to: mpsc::UnboundedSender<ToProgram>,
    pub(crate) from: mpsc::Receiver<FromProgram>,
}

/// The program's end of the channel.
#[derive(Debug)]
pub(crate) struct FarEnd {
    pub(super) to: mpsc::UnboundedReceiver<ToProgram>,
    pub(super) from: mpsc::Sender<FromProgram>,
}

impl Link {
    /// Both ends of a new channel.
    pub(crate) fn new() -> (Self, FarEnd) {
        // Unbounded: a table sends little, and only in reply to something.
        let ((to, told), (say, from)) = (mpsc::unbounded_channel(), mpsc::channel(MAX_QUEUED_LINES));
        (Self { to, from }, FarEnd { to: told, from: say })
    }
}
