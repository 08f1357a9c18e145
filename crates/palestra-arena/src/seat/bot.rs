//! A bot behind a transport: the sans-IO [`Player`] with its I/O.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_protocol::{
    Dialect, Fault, GameEnd, Greeting, Player, PlayerEvent, ProtocolError, Received, Transport, Turn,
};

use super::Seat;

/// A bot behind a transport.
#[derive(Debug)]
pub struct Bot<T> {
    transport: T,
    player: Player,
    /// What is to be sent; kept to save allocations, as is `line`.
    out: String,
    line: String,
}

impl<T: Transport> Bot<T> {
    /// A bot that speaks this dialect.
    pub fn new(transport: T, dialect: Dialect) -> Self {
        Self { transport, player: Player::new(dialect), out: String::new(), line: String::new() }
    }

    fn send(&mut self) {
        if !self.out.is_empty() {
            self.transport.send(&self.out);
            self.out.clear();
        }
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<PlayerEvent>, Fault> {
        match self.transport.receive(wait, &mut self.line) {
            Received::Quiet => return Ok(None),
            Received::Gone(fault) => return Err(fault),
            Received::BadLine(fault) => return Err(ProtocolError::from(fault).into()),
            Received::Line => {}
        }
        let event = self.player.hear(&self.line, &mut self.out)?;
        if event == Some(PlayerEvent::Ready) {
            // Whether it goes on computing while it waits for its turn is counted from here.
            self.transport.cpu();
        }
        self.send();
        Ok(event)
    }
}

impl<T: Transport> Seat for Bot<T> {
    fn start(&mut self, greeting: &Greeting<'_>, now: Duration, limit: Duration) {
        self.player.start(greeting, now, limit, &mut self.out);
        self.send();
    }

    fn overdue(&self, now: Duration) -> Option<Fault> {
        self.player.overdue(now)
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        // What it wrote before it was asked: a move sent ahead is no answer.
        self.receive(Duration::ZERO)?;
        let ahead = self.transport.unfinished();
        if !ahead.is_empty() {
            let expected = "it had begun a line before it was asked";
            return Err(ProtocolError::Unasked { line: ahead, expected }.into());
        }
        if self.player.is_first_turn() {
            // Starting up, and waiting for the other to start, is no part of its first move.
            self.player.charge_from(self.transport.cpu());
        }
        self.transport.wake();
        self.player.ask(turn, &mut self.out);
        self.send();
        Ok(())
    }

    fn hear(&mut self, wait: Duration, _: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        self.receive(wait)
    }

    fn stop(&mut self) {
        self.player.stop(&mut self.out);
        self.send();
    }

    fn cpu(&mut self) -> Option<Duration> {
        self.player.cpu(self.transport.cpu())
    }

    fn waited(&mut self) -> Duration {
        self.transport.waited()
    }

    fn used(&mut self, cpu: Option<Duration>, wall: Duration) {
        // Sent with the next turn: a line of its own would wake the bot while the other thinks.
        self.player.used(cpu, wall, &mut self.out);
    }

    fn pause(&mut self) {
        self.transport.pause();
    }

    fn rest(&mut self) {
        self.transport.rest();
    }

    fn end(&mut self, end: &GameEnd<'_>) {
        self.transport.wake();
        self.player.end(end, &mut self.out);
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
