//! A program behind a connection.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_protocol::message::Info;
use palestra_protocol::{
    Budget, Dialect, Fault, GameEnd, Greeting, Heard, ProtocolError, Received, Session, Transport, Turn,
};

use super::{Said, Seat, Thought};
use crate::Referee;

/// A program at the board.
#[derive(Debug)]
pub struct Bot<T> {
    transport: T,
    session: Session,
    /// CPU time up to its last move, or its first turn.
    cpu_before: Duration,
    /// Whether it has had no turn yet.
    is_new: bool,
    /// What is to be sent; kept to save allocations, as is `line`.
    out: String,
    line: String,
}

impl<T: Transport> Bot<T> {
    /// A program that speaks this language.
    pub fn new(transport: T, dialect: Dialect) -> Self {
        let session = Session::new(dialect);
        Self { transport, session, cpu_before: Duration::ZERO, is_new: true, out: String::new(), line: String::new() }
    }

    /// It is its turn, and it is told that the move may cost so much.
    pub(crate) fn go_within(&mut self, budget: Budget, referee: &Referee) -> Result<(), Fault> {
        // Whatever it wrote before it was asked: a move sent ahead is no answer.
        self.receive(Duration::ZERO)?;
        let ahead = self.transport.unfinished();
        if !ahead.is_empty() {
            let expected = "it had begun a line before it was asked";
            return Err(ProtocolError::Unasked { line: ahead, expected }.into());
        }
        if std::mem::take(&mut self.is_new) {
            // What it used until now is nothing to its first move: it started, and waited for the other to start.
            self.cpu_before = self.transport.cpu().unwrap_or_default();
        }
        self.transport.wake();
        let position = referee.position();
        let turn =
            Turn { position: &position.notation(), history: &referee.history(), legal: &position.moves(), budget };
        self.session.go(&turn, &mut self.out);
        self.send();
        Ok(())
    }

    fn send(&mut self) {
        if !self.out.is_empty() {
            self.transport.send(&self.out);
            self.out.clear();
        }
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<Said>, Fault> {
        match self.transport.receive(wait, &mut self.line) {
            Received::Quiet => return Ok(None),
            Received::Gone(fault) => return Err(fault),
            Received::BadLine(fault) => return Err(ProtocolError::from(fault).into()),
            Received::Line => {}
        }
        let heard = self.session.hear(&self.line, &mut self.out)?;
        let said = match heard {
            Heard::Nothing => None,
            Heard::Name(name) => Some(Said::Name(name.to_owned())),
            Heard::Ready => {
                // Whether it goes on computing while it waits for its turn is counted from here.
                self.transport.cpu();
                Some(Said::Ready)
            }
            Heard::Info(info) => Some(Said::Info(Thought::from(info))),
            Heard::Move(mv) => Some(Said::Move(mv.to_owned())),
        };
        self.send();
        Ok(said)
    }
}

impl<T: Transport> Seat for Bot<T> {
    fn start(&mut self, greeting: &Greeting<'_>) {
        self.is_new = true;
        self.session.start(greeting, &mut self.out);
        self.send();
    }

    fn go(&mut self, referee: &Referee) -> Result<(), Fault> {
        self.go_within(referee.budget(), referee)
    }

    fn hear(&mut self, wait: Duration, _: &AtomicBool) -> Result<Option<Said>, Fault> {
        self.receive(wait)
    }

    fn cpu(&mut self) -> Option<Duration> {
        let cpu = self.transport.cpu()?;
        Some(cpu.saturating_sub(self.cpu_before))
    }

    fn waited(&mut self) -> Duration {
        self.transport.waited()
    }

    fn used(&mut self, cpu: Option<Duration>, wall: Duration) {
        self.cpu_before += cpu.unwrap_or_default();
        // Told with the next turn: a line of its own would wake the bot while the other thinks.
        self.session.used(cpu, wall, &mut self.out);
    }

    fn pause(&mut self) {
        self.transport.pause();
    }

    fn rest(&mut self) {
        self.transport.rest();
    }

    fn end(&mut self, end: &GameEnd<'_>) {
        self.transport.wake();
        self.session.end(end, &mut self.out);
        self.send();
        self.transport.close();
    }

    fn unfinished(&self) -> String {
        self.transport.unfinished()
    }

    fn stderr(&mut self) -> String {
        self.transport.stderr()
    }

    fn fresh_stderr(&mut self) -> String {
        self.transport.fresh_stderr()
    }
}

impl From<Info<'_>> for Thought {
    fn from(info: Info<'_>) -> Self {
        let Info { depth, score, states, pv, text } = info;
        let line = pv.into_iter().map(str::to_owned).collect();
        Self { depth, score, states, line, text: text.map(str::to_owned) }
    }
}
