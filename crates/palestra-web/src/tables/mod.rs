//! Live tables.
//!
//! A [`Table`](table::Table) is what can happen at one, without I/O or clock. A [`Driver`](driver::Driver) is the task that
//! runs one: it is sent what browsers ([`live`]) and programs want, keeps every change in the store before anybody hears of
//! it, and says it to all who look. [`Tables`] knows them all.

mod commands;
mod create;
mod driver;
mod finished;
mod layout;
mod live;
mod message;
mod occupant;
mod pages;
mod play;
mod programs;
mod reopen;
mod saved;
mod secret;
mod setup;
mod summary;
mod table;
#[cfg(test)]
mod tests;
mod view;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use palestra_games::AnyGame;
use palestra_store::{Id, KeptTable, Token};
use tokio::sync::{mpsc, oneshot, watch};

pub(crate) use create::{check_name, create, create_from_program};
pub(crate) use live::live;
pub(crate) use occupant::Who;
pub(crate) use pages::{lobby, new, show};
pub(crate) use reopen::count_unreadable;
pub(crate) use summary::Summary;

use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::metrics::TABLES;
use crate::programs::{Link, Seated};
use crate::ratelimit::{Key, Owner};
use crate::visitor::Visitor;
use driver::{Driver, Input, Watching};
use layout::TableLayout;
use message::Command;
use occupant::Occupant;
use setup::Setup;
use table::{Now, Table};

/// All tables there are.
#[derive(Default)]
pub(crate) struct Tables {
    all: RwLock<HashMap<String, Handle>>,
    /// Whether the server stops: whoever wants to a table comes back later.
    is_stopping: AtomicBool,
}

/// The way to a table.
#[derive(Clone)]
pub(crate) struct Handle {
    to: mpsc::Sender<Input>,
    summary: watch::Receiver<Summary>,
    /// From where it was opened.
    address: Key,
    layout: Arc<TableLayout>,
}

/// How many tables there can be.
const MOST_TABLES: usize = 2000;

/// How many of them from one address: a class has several each.
const MOST_OF_ADDRESS: usize = 500;

/// How many inputs wait at a table before those who send more have to wait.
const WAITING: usize = 64;

/// When there are too many, some will have ended after that.
const COME_BACK: Duration = Duration::from_secs(60);

impl Tables {
    /// Opens a table for somebody at an address, and says under which code.
    pub(crate) async fn open(
        &self,
        app: &App,
        (address, owner): (Key, Owner),
        setup: Setup,
        seats: [Occupant; 2],
    ) -> Result<String, Refused> {
        self.make_room(address).await?;
        let layout = TableLayout::of(&setup);
        let (code, now) = (palestra_store::code(), Now { clock: Duration::ZERO, unix_ms: now_ms() });
        let table = Table::new(code.clone(), setup, seats, now)?;
        let kept = KeptTable { code: code.clone(), state: table.save(now.clock), clock_ms: 0, saved_ms: now.unix_ms };
        let channel = mpsc::channel(WAITING);
        let to = channel.0.clone();
        let (mut driver, summary) = Driver::new(app.clone(), owner, table, kept, Duration::ZERO, channel);
        driver.open().await?;
        self.add(&code, Handle { to, summary, address, layout });
        tokio::spawn(driver.run());
        Ok(code)
    }

    /// Closes the oldest table at which nobody is if there are too many; or refuses.
    async fn make_room(&self, address: Key) -> Result<(), Refused> {
        if self.is_stopping.load(Ordering::Relaxed) {
            return Err(Refused::Busy);
        }
        let (count, of_address) = {
            let all = self.read();
            (all.len(), all.values().filter(|handle| handle.address == address).count())
        };
        if of_address >= MOST_OF_ADDRESS {
            return Err(Refused::bad("tables.too_many"));
        }
        if count < MOST_TABLES {
            return Ok(());
        }
        let abandoned = {
            let all = self.read();
            let rank = |handle: &&Handle| handle.summary.borrow().worth_keeping();
            all.values().filter(|handle| rank(handle).is_some()).min_by_key(rank).cloned()
        };
        let abandoned = abandoned.ok_or(Refused::Limited(COME_BACK))?;
        let (reply, closed) = oneshot::channel();
        let _ = abandoned.to.send(Input::Abandon(reply)).await;
        let _ = closed.await;
        if self.read().len() < MOST_TABLES { Ok(()) } else { Err(Refused::Limited(COME_BACK)) }
    }

    /// The table with this code.
    pub(crate) fn find(&self, code: &str) -> Result<Handle, Refused> {
        match self.read().get(code) {
            Some(handle) => Ok(handle.clone()),
            None if self.is_stopping.load(Ordering::Relaxed) => Err(Refused::Busy),
            None => Err(Refused::NotFound),
        }
    }

    /// All tables, the newest first.
    pub(crate) fn list(&self) -> Vec<Summary> {
        let mut all: Vec<Summary> = self.read().values().map(Handle::summary).collect();
        all.sort_by_key(|summary| std::cmp::Reverse(summary.created_ms));
        all
    }

    /// Whether somebody plays a rated game just now: then no engine helps them.
    pub(crate) fn plays_rated(&self, visitor: &Visitor) -> bool {
        let Some(account) = &visitor.account else { return false };
        let plays = |summary: &Summary| summary.secret.is_some() && summary.accounts.contains(&Some(account.id));
        self.read().values().any(|handle| plays(&handle.summary.borrow()))
    }

    /// Whether a position is near a rated game that goes on, or as good as one that is: nobody is helped with it.
    pub(crate) fn is_secret(&self, position: &dyn AnyGame) -> bool {
        let (game, key) = (position.kind().id(), position.key());
        let is_it =
            |summary: &Summary| summary.game == game && summary.secret.as_ref().is_some_and(|secret| secret.has(key));
        self.read().values().any(|handle| is_it(&handle.summary.borrow()))
    }

    /// Somebody has deleted their account, and was called so.
    pub(crate) async fn forget_account(&self, account: Id, nickname: &str) {
        let all: Vec<Handle> = self.read().values().cloned().collect();
        for handle in all {
            let _ = handle.to.send(Input::Forget(account, nickname.to_owned())).await;
        }
    }

    /// Stops all tables. They are kept already.
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
    /// What lists say about it.
    pub(crate) fn summary(&self) -> Summary {
        self.summary.borrow().clone()
    }

    /// Gives a program a seat, or back the one that its key stands for.
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

    /// Somebody who is called so wants something. Which seats are theirs then.
    async fn command(&self, who: Who, name: String, command: Command) -> Result<Vec<usize>, Refused> {
        self.ask(|reply| Input::Command(who, name, command, reply)).await?
    }

    async fn ask<T>(&self, input: impl FnOnce(oneshot::Sender<T>) -> Input) -> Result<T, Refused> {
        let (reply, answer) = oneshot::channel();
        // A table that does not answer has just been closed.
        self.to.send(input(reply)).await.map_err(|_| Refused::NotFound)?;
        answer.await.map_err(|_| Refused::NotFound)
    }
}
