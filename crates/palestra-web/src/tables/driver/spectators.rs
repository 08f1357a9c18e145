//! Spectators of a table: what they are sent first, and how many there are.

use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::oneshot;

use super::super::message::ToClient;
use super::super::occupant::Who;
use super::{Driver, Watching, json};

/// Minimum interval between broadcasts of the number of spectators.
const WATCHING_INTERVAL: Duration = Duration::from_millis(500);

impl Driver {
    pub(super) fn watch(&mut self, who: Who, since: Option<u64>, reply: oneshot::Sender<Watching>) {
        let watcher = self.next_watcher;
        self.next_watcher += 1;
        let seats = self.table.seats_of(&who);
        self.watchers.insert(watcher, who);
        self.table.is_watched = true;
        // The new number of spectators is broadcast later, to the new client too.
        let (first, said) = (self.first(since), self.said.subscribe());
        self.is_watching_new = true;
        if reply.send(Watching { watcher, seats, first, said }).is_err() {
            self.unwatch(watcher);
        }
    }

    pub(super) fn unwatch(&mut self, watcher: u64) {
        self.watchers.remove(&watcher);
        self.is_watching_new = true;
        if self.watchers.is_empty() {
            self.table.is_watched = false;
            self.view = None;
        }
        if self.is_paused() {
            self.stop_thinking();
        }
    }

    /// The first messages to a client that has seen all messages up to this number.
    fn first(&mut self, since: Option<u64>) -> Vec<Utf8Bytes> {
        let first = since.and_then(|since| self.missed(since)).unwrap_or_else(|| vec![self.view()]);
        // The clocks of a cached snapshot are out of date.
        first.into_iter().chain([self.clocks()]).collect()
    }

    /// The messages after this number; `None` unless the log has all of them, with their boards.
    fn missed(&self, since: u64) -> Option<Vec<Utf8Bytes>> {
        let oldest = self.log.front().map_or(self.seq + 1, |(seq, _)| *seq);
        if since > self.seq || since + 1 < oldest {
            return None;
        }
        let missed = self.log.iter().filter(|(seq, _)| *seq > since).map(|(_, body)| body);
        missed.map(|body| is_drawn(body).then(|| body.clone())).collect()
    }

    /// The snapshot of the table, serialised once for all clients that come before the next change.
    fn view(&mut self) -> Utf8Bytes {
        let (table, seq, now) = (&self.table, self.seq, self.now());
        let view = || json(&ToClient::Table { is: "table", seq, table: Box::new(table.view(now)) });
        self.view.get_or_insert_with(view).clone()
    }

    pub(super) fn clocks(&self) -> Utf8Bytes {
        let (turn, clocks) = self.table.clocks_now(self.now());
        json(&ToClient::Clocks { is: "clocks", turn, clocks })
    }

    pub(super) fn say_clocks(&self) {
        if !self.watchers.is_empty() {
            let _ = self.said.send(self.clocks());
        }
    }

    /// When the number of spectators is to be broadcast; `None` if it has not changed.
    pub(super) fn watching_due(&self) -> Option<Instant> {
        let due = self.watching_told.map_or_else(Instant::now, |told| told + WATCHING_INTERVAL);
        self.is_watching_new.then_some(due)
    }

    pub(super) fn tell_watching(&mut self) {
        if self.watching_due().is_none_or(|due| due > Instant::now()) {
            return;
        }
        (self.is_watching_new, self.watching_told) = (false, Some(Instant::now()));
        if !self.watchers.is_empty() {
            let _ = self.said.send(json(&ToClient::Watching { is: "watching", count: self.watchers.len() }));
        }
        self.summarise();
    }
}

/// Whether the board of a message, if it shows one, was drawn: not if it was made without spectators. Within the texts
/// of a message quotes are escaped.
fn is_drawn(body: &str) -> bool {
    !body.contains("\"scene\":null")
}
