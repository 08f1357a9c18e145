//! Commits the changes at a table, and only then broadcasts them; rolls the table back if the store fails.

use std::time::{Duration, Instant};

use palestra_store::{KeptTable, TableChange};

use super::super::event::Event;
use super::super::table::Table;
use super::{Driver, MAX_LOG_EVENTS, RETRY_DELAY, json_text};
use crate::http::error::Refused;

impl Driver {
    /// Saves the changes and then broadcasts them. If saving fails, they are rolled back.
    pub(super) async fn keep(&mut self) -> Result<(), Refused> {
        if self.table.has_said() { self.change().await } else { Ok(()) }
    }

    pub(super) async fn change(&mut self) -> Result<(), Refused> {
        let (said, game, now) = (self.table.take_said(), self.table.take_finished(), self.now());
        let steps = self.table.steps.take().unwrap_or_default();
        let events: Vec<(u64, Event)> = (self.seq + 1..).zip(said).collect();
        let messages: Vec<(i64, String)> =
            events.iter().map(|(seq, event)| (seq.cast_signed(), json_text(event))).collect();
        let table = KeptTable {
            code: self.code.clone(),
            state: self.table.save(now.clock),
            clock_ms: i64::try_from(now.clock.as_millis()).unwrap_or(i64::MAX),
            saved_ms: now.unix_ms,
        };
        // One change behind: old messages are removed from the store with the next change.
        let forget_before = self.log.front().map_or(self.seq + 1, |(seq, _)| *seq).cast_signed();
        let change = TableChange { table: &table, messages: &messages, forget_before, game: game.as_ref() };
        if let Err(error) = self.app.store.save_table(change).await {
            self.roll_back();
            return Err(error.into());
        }
        self.kept = table;
        self.view = None;
        self.retry_at = None;
        if game.is_some() {
            self.programs.end(&self.table);
        }
        if !self.watchers.is_empty() {
            for body in self.rendered(&events, steps, now) {
                let _ = self.said.send(body);
            }
        }
        // Who sits down watches no more.
        self.is_watching_new |= events.iter().any(|(_, event)| matches!(event, Event::Seat { .. }));
        self.seq = events.last().map_or(self.seq, |(seq, _)| *seq);
        self.log.extend(events);
        while self.log.len() > MAX_LOG_EVENTS {
            self.log.pop_front();
        }
        self.summarise();
        Ok(())
    }

    /// Restores the table as it was last saved.
    pub(super) fn roll_back(&mut self) {
        let clock = Duration::from_millis(self.kept.clock_ms.unsigned_abs());
        match Table::restore(&self.code, &self.kept.state, clock) {
            Ok(table) => self.table = Table { is_watched: !self.watchers.is_empty(), ..table },
            Err(error) => tracing::error!(table = self.code, error, "a table cannot be read back"),
        }
        self.view = None;
        self.retry_at = Some(Instant::now() + RETRY_DELAY);
    }
}
