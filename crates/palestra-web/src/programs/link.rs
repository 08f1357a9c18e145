//! Lines to a program and back.

use std::time::Duration;

use palestra_protocol::Fault;
use tokio::sync::mpsc;

/// How many lines of a program wait until the table hears them; then the program waits.
const UNHEARD: usize = 64;

/// What a table tells a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ToProgram {
    /// A new game begins: what a program may write in a game is counted from here.
    NewGame,
    /// Lines of the protocol, each with its end.
    Lines(String),
    /// The program is about to be asked something: it runs.
    Wake,
    /// It is the opponent's turn: the program is to rest.
    Pause,
    /// All games are over, and it is not needed any more.
    Close,
}

/// What a table hears of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FromProgram {
    /// A line, and the CPU time since its start, where that is known.
    Line { text: String, cpu: Option<Duration> },
    /// It is gone. A [`ForfeitKind::Disconnect`](palestra_protocol::ForfeitKind) may come back.
    Gone {
        fault: Fault,
        /// The last of what it wrote on stderr.
        stderr: String,
    },
}

/// The table's end. When it is dropped, the program is let go.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) to: mpsc::UnboundedSender<ToProgram>,
    pub(crate) from: mpsc::Receiver<FromProgram>,
}

/// The program's end.
#[derive(Debug)]
pub(crate) struct FarEnd {
    pub(super) to: mpsc::UnboundedReceiver<ToProgram>,
    pub(super) from: mpsc::Sender<FromProgram>,
}

impl Link {
    /// Both ends of a new one.
    pub(crate) fn new() -> (Self, FarEnd) {
        // A table says little, and only in answer to something: what it says needs no bound.
        let ((to, told), (say, from)) = (mpsc::unbounded_channel(), mpsc::channel(UNHEARD));
        (Self { to, from }, FarEnd { to: told, from: say })
    }
}
