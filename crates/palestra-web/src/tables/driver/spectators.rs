//! Spectators of a table: what they are sent first, and how many there are.

use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use serde_json::Value;
use tokio::sync::oneshot;

use super::super::event::Event;
use super::super::message::{Happened, ToClient};
use super::super::occupant::Who;
use super::super::table::Now;
use super::{Driver, Watching, json};

/// Minimum interval between broadcasts of the number of spectators.
pub(in crate::tables) const WATCHING_INTERVAL: Duration = Duration::from_millis(500);

impl Driver {
    pub(super) fn watch(&mut self, who: Who, since: Option<u64>, reply: oneshot::Sender<Watching>) {
        let watcher = self.next_watcher;
        self.next_watcher += 1;
        let you = self.table.you(&who);
        self.watchers.insert(watcher, who);
        self.table.is_watched = true;
        // The new number of spectators is broadcast later, to the new client too.
        let (first, said) = (self.first(since), self.said.subscribe());
        self.is_watching_new = true;
        if reply.send(Watching { watcher, you, first, said }).is_err() {
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

    /// The events after this number, as they are sent; `None` unless the log has all of them.
    fn missed(&self, since: u64) -> Option<Vec<Utf8Bytes>> {
        let oldest = self.log.front().map_or(self.seq + 1, |(seq, _)| *seq);
        if since > self.seq || since + 1 < oldest {
            return None;
        }
        let missed: Vec<(u64, Event)> = self.log.iter().filter(|(seq, _)| *seq > since).cloned().collect();
        Some(self.rendered(&missed, Value::Null, self.now()))
    }

    /// Events as they are sent: each with the state of the table and its clocks at that time, and the last that changes the board with the scene.
    /// The steps are those of its move.
    pub(super) fn rendered(&self, events: &[(u64, Event)], steps: Value, now: Now) -> Vec<Utf8Bytes> {
        let state = self.table.state(now);
        let of_board = events.iter().rposition(|(_, event)| event.changes_board());
        let message = |(index, (seq, event)): (usize, &(u64, Event))| {
            let (mut state, mut shown) = (state.clone(), Value::Null);
            if of_board == Some(index) {
                state.scene = Some(self.table.scene());
                shown = steps.clone();
            }
            json(&ToClient::Happened(Box::new(Happened { seq: *seq, event, state, steps: shown })))
        };
        events.iter().enumerate().map(message).collect()
    }

    /// The snapshot of the table, serialised once for all clients that come before the next change.
    fn view(&mut self) -> Utf8Bytes {
        let (table, seq, now) = (&self.table, self.seq, self.now());
        let view = || json(&ToClient::Table { seq, table: Box::new(table.view(now)) });
        self.view.get_or_insert_with(view).clone()
    }

    /// The number of clients that do not play.
    pub(super) fn spectators(&self) -> usize {
        self.watchers.values().filter(|who| self.table.seats_of(who).is_empty()).count()
    }

    pub(super) fn clocks(&self) -> Utf8Bytes {
        let (turn, clocks) = self.table.clocks_now(self.now());
        json(&ToClient::Clocks { turn, clocks })
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
            let _ = self.said.send(json(&ToClient::Watching { count: self.spectators() }));
        }
        self.summarise();
    }
}
