//! Live tables: rooms where a game is played and watched.
//!
//! A [`Table`](table::Table) is a state machine without I/O or clock. A [`Driver`](driver::Driver) is the task that
//! runs it: it receives the commands of browsers ([`live`]) and programs, saves every change in the store, and only
//! then broadcasts it to players and spectators. [`Tables`] is the registry of all tables. A game of a run that is being
//! played is [`Watched`]: its spectators see the same page, and are sent the same messages.

mod commands;
pub(crate) mod create;
mod driver;
mod event;
mod finished;
mod layout;
mod live;
mod lobby;
mod message;
mod new;
mod new_table;
mod occupant;
mod pages;
mod play;
mod programs;
mod reopen;
mod saved;
mod seat_choice;
mod secret;
mod setup;
mod solo;
mod spectator;
mod summary;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod types;
mod view;
mod watched;
mod wire;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use palestra_games::AnyGame;
use palestra_store::{Id, KeptTable, Token};
use tokio::sync::{mpsc, oneshot, watch};

pub(crate) use create::{check_name, create, open_table};
pub(crate) use live::live;
pub(crate) use lobby::{Seat, TableRow, lobby};
pub(crate) use message::{Clocks, Holder, HolderKind, Status};
pub(crate) use new::new;
pub(crate) use new_table::NewTable;
pub(crate) use occupant::Who;
pub(crate) use pages::show;
pub(crate) use reopen::count_unreadable;
pub(crate) use summary::Summary;
pub(crate) use watched::Watched;

use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::metrics::TABLES;
use crate::programs::{Link, Seated};
use crate::ratelimit::{Key, Owner};
use crate::visitor::Visitor;
use driver::{Driver, Fork, Input, Watching};
use layout::TableLayout;
use message::{Command, You};
use occupant::Occupant;
use secret::Secret;
use setup::Setup;
use table::{Now, Table};

/// The registry of open tables.
#[derive(Default)]
pub(crate) struct Tables {
    all: RwLock<HashMap<String, Handle>>,
    /// Whether the server is shutting down: clients that look for a table are told to retry.
    is_stopping: AtomicBool,
}

/// A handle to the task of a table.
#[derive(Clone)]
pub(crate) struct Handle {
    to: mpsc::Sender<Input>,
    summary: watch::Receiver<Summary>,
    /// The address from which the table was opened.
    address: Key,
    layout: Arc<TableLayout>,
}

/// Maximum number of open tables.
const MAX_TABLES: usize = 2000;

/// Maximum number of open tables of one address, which may be a classroom with several tables a student.
const MAX_TABLES_PER_ADDRESS: usize = 500;

/// Capacity of a table's input channel; senders wait while it is full.
const MAX_QUEUED_INPUTS: usize = 64;

/// `Retry-After` of a refusal because of [`MAX_TABLES`].
const RETRY_AFTER: Duration = Duration::from_secs(60);

impl Tables {
    /// Opens a table for a visitor at an address, who may make the first move, and returns its code.
    pub(crate) async fn open(
        &self,
        app: &App,
        (address, owner): (Key, Owner),
        setup: Setup,
        seats: [Occupant; 2],
        first_move: Option<(Who, String)>,
    ) -> Result<String, Refused> {
        self.make_room(address).await?;
        let layout = TableLayout::of(&setup);
        let (code, now) = (palestra_store::code(), Now { clock: Duration::ZERO, unix_ms: now_ms() });
        let mut table = Table::new(code.clone(), setup, seats, now)?;
        if let Some((who, text)) = first_move {
            table.make_move(&who, 0, &text, now)?;
        }
        let kept = KeptTable { code: code.clone(), state: table.save(now.clock), clock_ms: 0, saved_ms: now.unix_ms };
        let channel = mpsc::channel(MAX_QUEUED_INPUTS);
        let to = channel.0.clone();
        let (mut driver, summary) = Driver::new(app.clone(), owner, table, kept, Duration::ZERO, channel);
        driver.open().await?;
        self.add(&code, Handle { to, summary, address, layout });
        tokio::spawn(driver.run());
        Ok(code)
    }

    /// Refuses if the address has too many tables. At [`MAX_TABLES`], closes the abandoned table least worth keeping,
    /// or refuses if there is none.
    async fn make_room(&self, address: Key) -> Result<(), Refused> {
        if self.is_stopping.load(Ordering::Relaxed) {
            return Err(Refused::Busy);
        }
        let (count, of_address) = {
            let all = self.read();
            (all.len(), all.values().filter(|handle| handle.address == address).count())
        };
        if of_address >= MAX_TABLES_PER_ADDRESS {
            return Err(Refused::bad("tables.too_many"));
        }
        if count < MAX_TABLES {
            return Ok(());
        }
        let abandoned = {
            let all = self.read();
            let rank = |handle: &&Handle| handle.summary.borrow().worth_keeping();
            all.values().filter(|handle| rank(handle).is_some()).min_by_key(rank).cloned()
        };
        let abandoned = abandoned.ok_or(Refused::Limited(RETRY_AFTER))?;
        let (reply, closed) = oneshot::channel();
        let _ = abandoned.to.send(Input::Abandon(reply)).await;
        let _ = closed.await;
        if self.read().len() < MAX_TABLES { Ok(()) } else { Err(Refused::Limited(RETRY_AFTER)) }
    }

    /// The table with this code.
    pub(crate) fn find(&self, code: &str) -> Result<Handle, Refused> {
        match self.read().get(code) {
            Some(handle) => Ok(handle.clone()),
            None if self.is_stopping.load(Ordering::Relaxed) => Err(Refused::Busy),
            None => Err(Refused::NotFound),
        }
    }

    /// Summaries of all tables, the newest first.
    pub(crate) fn list(&self) -> Vec<Summary> {
        let mut all: Vec<Summary> = self.read().values().map(Handle::summary).collect();
        all.sort_by_key(|summary| std::cmp::Reverse(summary.created_ms));
        all
    }

    /// Whether a visitor is playing a rated game: the engine does not analyse for them meanwhile.
    pub(crate) fn plays_rated(&self, visitor: &Visitor) -> bool {
        let Some(account) = &visitor.account else { return false };
        let plays = |summary: &Summary| summary.secret.is_some() && summary.accounts.contains(&Some(account.id));
        self.read().values().any(|handle| plays(&handle.summary.borrow()))
    }

    /// Whether a position is near that of a rated game in progress, or equivalent to one that is: it is not analysed
    /// for anybody.
    pub(crate) fn is_secret(&self, position: &dyn AnyGame) -> bool {
        self.has_secret(position.kind().id(), &[position.key()])
    }

    /// Whether any of these positions of a game, given by their keys, is such a position.
    pub(crate) fn has_secret(&self, game: &str, keys: &[u64]) -> bool {
        let secrets = self.secrets(game);
        keys.iter().any(|key| secrets.iter().any(|secret| secret.has(*key)))
    }

    /// The moves of a line from a position on, up to the one that leads to such a position.
    pub(crate) fn before_secret(&self, position: &dyn AnyGame, mut line: Vec<String>) -> Vec<String> {
        let secrets = self.secrets(position.kind().id());
        let mut position = position.boxed_clone();
        let mut leads_there =
            |mv: &String| position.play(mv).is_err() || secrets.iter().any(|secret| secret.has(position.key()));
        if !secrets.is_empty()
            && let Some(last) = line.iter().position(&mut leads_there)
        {
            line.truncate(last + 1);
        }
        line
    }

    /// The positions near each rated game in progress.
    fn secrets(&self, game: &str) -> Vec<Secret> {
        let secret = |handle: &Handle| {
            let summary = handle.summary.borrow();
            summary.secret.as_ref().filter(|_| summary.game == game).cloned()
        };
        self.read().values().filter_map(secret).collect()
    }

    /// Removes the nickname of a deleted account from all tables.
    pub(crate) async fn forget_account(&self, account: Id, nickname: &str) {
        let all: Vec<Handle> = self.read().values().cloned().collect();
        for handle in all {
            let _ = handle.to.send(Input::Forget(account, nickname.to_owned())).await;
        }
    }

    /// Stops all tables, which are saved already.
    pub(crate) async fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        let all: Vec<Handle> = std::mem::take(&mut *self.write()).into_values().collect();
        for handle in all {
            let (reply, stopped) = oneshot::channel();
            if handle.to.send(Input::Stop(reply)).await.is_ok() {
                let _ = stopped.await;
            }
        }
    }

    fn forget(&self, code: &str) {
        self.write().remove(code);
        self.count();
    }

    fn add(&self, code: &str, handle: Handle) {
        self.write().insert(code.to_owned(), handle);
        self.count();
    }

    fn count(&self) {
        metrics::gauge!(TABLES).set(self.read().len() as f64);
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, HashMap<String, Handle>> {
        self.all.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, HashMap<String, Handle>> {
        self.all.write().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Handle {
    /// The table's entry in lists.
    pub(crate) fn summary(&self) -> Summary {
        self.summary.borrow().clone()
    }

    /// Gives a program a seat, or the seat that it had if it presents a key.
    pub(crate) async fn seat_program(
        &self,
        name: Result<String, Refused>,
        seat: Option<usize>,
        key: Option<Token>,
        link: Link,
    ) -> Result<Seated, Refused> {
        self.ask(|reply| Input::SeatProgram { name, seat, key, link, reply }).await?
    }

    async fn watch(&self, who: Who, since: Option<u64>) -> Result<Watching, Refused> {
        self.ask(|reply| Input::Watch(who, since, reply)).await
    }

    /// Executes a command of a visitor, which may name an occupant of a seat, and returns who they then are at the table.
    async fn command(&self, who: Who, occupant: Option<Occupant>, command: Command) -> Result<You, Refused> {
        self.ask(|reply| Input::Command(who, occupant, command, reply)).await?
    }

    /// The settings and players for a table that goes on from the position on the board.
    async fn fork(&self, who: Who) -> Result<Fork, Refused> {
        self.ask(|reply| Input::Fork(who, reply)).await?
    }

    async fn ask<T>(&self, input: impl FnOnce(oneshot::Sender<T>) -> Input) -> Result<T, Refused> {
        let (reply, answer) = oneshot::channel();
        // A table that does not answer has just been closed.
        self.to.send(input(reply)).await.map_err(|_| Refused::NotFound)?;
        answer.await.map_err(|_| Refused::NotFound)
    }
}
