//! Transports: how lines get to a bot and back.

use std::time::Duration;

use crate::{Fault, LineFault, Lines};

/// A connection with one bot. Nothing here blocks for longer than its `wait`.
pub trait Transport: Send {
    /// Sends lines. What the bot does not take at once is kept, and sent while waiting for its answer.
    fn send(&mut self, text: &str);

    /// Waits for a line, for at most so long, and puts it into `line`. A wait of zero only looks.
    fn receive(&mut self, wait: Duration, line: &mut String) -> Received;

    /// How much CPU time the bot has used since it was started, all threads together. `None` where it cannot be
    /// measured.
    fn cpu(&mut self) -> Option<Duration> {
        None
    }

    /// How long in this turn the bot was ready to run while other processes had the CPU: a lower bound, counted from
    /// the first time that it is asked for in the turn. Zero where it is not known.
    fn waited(&mut self) -> Duration {
        Duration::ZERO
    }

    /// The turn has gone to the other: a bot in a box is frozen until it comes back.
    fn pause(&mut self) {}

    /// Called every few milliseconds during the opponent's turn: what the bot writes on stderr is read, and a bot
    /// that goes on computing is stopped until it is its turn again.
    fn rest(&mut self) {}

    /// The bot's turn begins: a suspended bot is resumed.
    fn wake(&mut self) {}

    /// The last of what the bot wrote on stderr.
    fn stderr(&mut self) -> String {
        String::new()
    }

    /// What it has written on stderr since this was last asked.
    fn fresh_stderr(&mut self) -> String {
        String::new()
    }

    /// What was read and is not yet a line.
    fn unfinished(&self) -> String {
        String::new()
    }

    /// The game is over: gives the bot a moment to leave, and ends it.
    fn close(&mut self) {}
}

/// What can be received without waiting: a line if there is one, else why there will be none, if that is known.
#[must_use]
pub fn take(lines: &mut Lines, gone: Option<&Fault>, line: &mut String) -> Option<Received> {
    match lines.next() {
        Some(Ok(next)) => {
            next.clone_into(line);
            Some(Received::Line)
        }
        Some(Err(fault)) => Some(Received::BadLine(fault)),
        None => gone.cloned().map(Received::Gone),
    }
}

/// What came of waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line.
    Line,
    /// Nothing in that time.
    Quiet,
    /// Something that is no line.
    BadLine(LineFault),
    /// The bot is gone, and why.
    Gone(Fault),
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn send(&mut self, text: &str) {
        (**self).send(text);
    }

    fn receive(&mut self, wait: Duration, line: &mut String) -> Received {
        (**self).receive(wait, line)
    }

    fn cpu(&mut self) -> Option<Duration> {
        (**self).cpu()
    }

    fn waited(&mut self) -> Duration {
        (**self).waited()
    }

    fn pause(&mut self) {
        (**self).pause();
    }

    fn rest(&mut self) {
        (**self).rest();
    }

    fn wake(&mut self) {
        (**self).wake();
    }

    fn stderr(&mut self) -> String {
        (**self).stderr()
    }

    fn fresh_stderr(&mut self) -> String {
        (**self).fresh_stderr()
    }

    fn unfinished(&self) -> String {
        (**self).unfinished()
    }

    fn close(&mut self) {
        (**self).close();
    }
}
