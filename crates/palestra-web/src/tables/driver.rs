//! The task (actor) of a table: handles inputs and timeouts, asks players for moves, saves changes and broadcasts them.
//!
//! A change is committed once the store has saved it. If saving fails, the table is rolled back to its last saved
//! state, and the client that asked for the change gets an error.

mod players;
mod saving;
mod spectators;

pub(super) use spectators::WATCHING_INTERVAL;

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use palestra_store::{Id, KeptTable, Token};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::task::AbortHandle;

use super::event::Event;
use super::message::{Command, ToClient, You};
use super::occupant::{Occupant, Who};
use super::programs::{Programs, Started};
use super::setup::Setup;
use super::summary::{Connected, Summary};
use super::table::{Now, Table};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::programs::{FromProgram, Link, Seated};
use crate::ratelimit::Owner;
use crate::thinking::Answer;

/// The settings, position and players for a table that goes on from the position on the board of another.
pub(super) struct Fork {
    pub(super) setup: Setup,
    pub(super) position: String,
    pub(super) seats: [Occupant; 2],
}

/// A message to the task of a table.
pub(super) enum Input {
    /// A client connects, having seen all messages up to this number.
    Watch(Who, Option<u64>, oneshot::Sender<Watching>),
    /// A client disconnected.
    Gone(u64),
    /// A command of a client, and the occupant that it names. The reply is who the client then is at the table.
    Command(Who, Option<Occupant>, Command, oneshot::Sender<Result<You, Refused>>),
    /// A client wants to go on from the position on the board at another table.
    Fork(Who, oneshot::Sender<Result<Fork, Refused>>),
    /// A program asks for a seat, or for the seat that it had before it disconnected.
    SeatProgram {
        /// The name that the program asks for; ignored if it returns to its seat.
        name: Result<String, Refused>,
        seat: Option<usize>,
        key: Option<Token>,
        link: Link,
        reply: oneshot::Sender<Result<Seated, Refused>>,
    },
    /// A message of a program: its seat, the number of its connection, and the message.
    Program(usize, u64, FromProgram),
    /// A program of the server's owner was started, or failed to start.
    Started(usize, String, Started),
    /// A built-in player starts to search, at this turn.
    Thinks(u64),
    /// A built-in player has finished its search at this turn; `None` if it found no move.
    Thought(u64, Option<Answer>),
    /// An account with this nickname was deleted.
    Forget(Id, String),
    /// The server has too many tables: this one is closed if it has no clients.
    Abandon(oneshot::Sender<()>),
    /// The server is shutting down.
    Stop(oneshot::Sender<()>),
}

/// A client's subscription to a table.
pub(super) struct Watching {
    /// The id of the subscription, for [`Input::Gone`].
    pub(super) watcher: u64,
    pub(super) you: You,
    /// The messages to send first: a snapshot of the table, or the messages that the client has missed.
    pub(super) first: Vec<Utf8Bytes>,
    /// The messages from now on.
    pub(super) said: broadcast::Receiver<Utf8Bytes>,
}

/// Maximum number of events in the log from which a client that reconnects gets what it has missed. Beyond that it gets
/// a snapshot.
const MAX_LOG_EVENTS: usize = 300;

/// Number of messages by which a slow client may lag before it is sent a new snapshot.
const MAX_LAG_MESSAGES: usize = 256;

/// Delay before retrying after the store has failed to save a change.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Time after which a table without clients is closed once its games are over.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// Time after which a table without clients is closed if no game has begun: an invited player may still come.
const UNSTARTED_IDLE_TIMEOUT: Duration = Duration::from_secs(24 * 3600);

/// The task of a table.
pub(super) struct Driver {
    app: App,
    code: String,
    /// The visitor who opened the table, to whom the CPU time of built-in players is charged.
    owner: Owner,
    table: Table,
    inputs: mpsc::Receiver<Input>,
    /// A sender of inputs, for tasks that answer later.
    to_self: mpsc::Sender<Input>,
    said: broadcast::Sender<Utf8Bytes>,
    summary: watch::Sender<Summary>,
    watchers: HashMap<u64, Who>,
    next_watcher: u64,
    programs: Programs,
    thinking: Option<AbortHandle>,
    /// The last turn at which a built-in player found no move.
    failed: Option<u64>,
    /// Deleted accounts whose nicknames are still to be removed.
    gone: Vec<(Id, String)>,
    /// The number of the last event, and the last events.
    seq: u64,
    log: VecDeque<(u64, Event)>,
    /// The snapshot for new clients, made for the first one after a change.
    view: Option<Utf8Bytes>,
    /// When the number of spectators was last broadcast, and whether it has changed since.
    watching_told: Option<Instant>,
    is_watching_new: bool,
    /// The table as it was last saved, for rollbacks.
    kept: KeptTable,
    begun: Instant,
    /// The time on the table's clock at `begun`.
    clock_before: Duration,
    /// The earliest time of the next attempt to save, after the store has failed.
    retry_at: Option<Instant>,
    idle_since: Instant,
}

impl Driver {
    pub(super) fn new(
        app: App,
        owner: Owner,
        table: Table,
        kept: KeptTable,
        clock: Duration,
        channel: (mpsc::Sender<Input>, mpsc::Receiver<Input>),
    ) -> (Self, watch::Receiver<Summary>) {
        let (summary, seen) = watch::channel(Summary::of(&table, Connected::default(), kept.saved_ms, None));
        let (to_self, inputs) = channel;
        let programs = Programs::new(to_self.clone());
        let driver = Self {
            app,
            code: kept.code.clone(),
            owner,
            table,
            inputs,
            to_self,
            said: broadcast::channel(MAX_LAG_MESSAGES).0,
            summary,
            watchers: HashMap::new(),
            next_watcher: 0,
            programs,
            thinking: None,
            failed: None,
            gone: vec![],
            seq: 0,
            log: VecDeque::new(),
            view: None,
            watching_told: None,
            is_watching_new: false,
            kept,
            begun: Instant::now(),
            clock_before: clock,
            retry_at: None,
            idle_since: Instant::now(),
        };
        (driver, seen)
    }

    /// Continues the log from these events, which an earlier process has saved. What an earlier version has written
    /// and this one cannot read is as if it were too long ago.
    pub(super) fn with_log(mut self, events: Vec<(i64, String)>) -> Self {
        for (seq, body) in events {
            self.seq = seq.cast_unsigned();
            match serde_json::from_str(&body) {
                Ok(event) => self.log.push_back((self.seq, event)),
                Err(_) => self.log.clear(),
            }
        }
        self
    }

    fn now(&self) -> Now {
        Now { clock: self.clock_before + self.begun.elapsed(), unix_ms: now_ms() }
    }

    /// Saves a new table, with its first messages.
    pub(super) async fn open(&mut self) -> Result<(), Refused> {
        self.change().await
    }

    /// Runs until the table is closed or the server stops.
    pub(super) async fn run(mut self) {
        loop {
            self.settle().await;
            self.ask();
            self.tell_watching();
            let due = tokio::time::sleep(self.wait());
            let input = tokio::select! {
                input = self.inputs.recv() => input,
                () = due => None,
            };
            let mut abandoned = None;
            match input {
                Some(Input::Stop(reply)) => {
                    let _ = reply.send(());
                    return;
                }
                Some(Input::Abandon(reply)) => abandoned = Some(reply),
                Some(input) => self.take(input).await,
                None => {}
            }
            let is_unwanted = abandoned.is_some() && self.watchers.is_empty();
            if (is_unwanted || self.is_idle()) && self.close().await {
                return;
            }
            // The dropped reply says that the table stays open.
            drop(abandoned);
        }
    }

    /// Time until the next deadline.
    fn wait(&self) -> Duration {
        if let Some(at) = self.retry_at {
            return at.saturating_duration_since(Instant::now());
        }
        let watching = self.watching_due().map(|at| at.saturating_duration_since(Instant::now()));
        let due = self.table.deadline().map(|deadline| deadline.saturating_sub(self.now().clock));
        let due = due.into_iter().chain(self.programs.wait()).chain(watching).min().unwrap_or(IDLE_TIMEOUT);
        // A player forfeits on time after the limit, not at it, so the timer fires a little later.
        due.min(IDLE_TIMEOUT) + Duration::from_millis(1)
    }

    /// Updates clocks and presence. Presence is derived from the open connections, so that it is right again after a
    /// rollback.
    async fn settle(&mut self) {
        if self.retry_at.is_some_and(|at| at > Instant::now()) {
            return;
        }
        self.retry_at = None;
        let now = self.now();
        self.table.tick(now);
        if let Some((seat, fault)) = self.programs.late() {
            self.table.fault(seat, fault, now);
        }
        for seat in 0..2 {
            let is_here = match &self.table.seats()[seat] {
                Occupant::Remote { .. } => self.programs.has(seat),
                occupant if occupant.is_person() => self.watchers.values().any(|who| occupant.is(who)),
                _ => continue,
            };
            self.table.set_here(seat, is_here, now);
        }
        if self.gone.is_empty() {
            let _ = self.keep().await;
        } else {
            self.forget().await;
        }
    }

    /// Removes the nicknames of deleted accounts, from the chat and the log too.
    async fn forget(&mut self) {
        let (gone, now) = (std::mem::take(&mut self.gone), self.now());
        for (account, nickname) in &gone {
            self.table.forget(*account, nickname, now);
        }
        let log = std::mem::take(&mut self.log);
        if self.change().await.is_err() {
            (self.gone, self.log) = (gone, log);
        }
    }

    async fn take(&mut self, input: Input) {
        match input {
            Input::Watch(who, since, reply) => self.watch(who, since, reply),
            Input::Gone(watcher) => self.unwatch(watcher),
            Input::Command(who, occupant, command, reply) => {
                let done = self.command(&who, occupant, command);
                // Also if the command was refused: a clock may have run out meanwhile.
                let kept = self.keep().await;
                let _ = reply.send(done.and(kept).map(|()| self.table.you(&who)));
            }
            Input::Fork(who, reply) => {
                let fork = self.table.players_from_here(&who);
                let setup = || self.table.setup().clone();
                let _ = reply.send(fork.map(|(position, seats)| Fork { setup: setup(), position, seats }));
            }
            Input::SeatProgram { name, seat, key, link, reply } => {
                let seated = self.seat_program(name, seat, key, link).await;
                let _ = reply.send(seated);
            }
            Input::Program(seat, connection, said) => self.hear(seat, connection, said).await,
            Input::Started(seat, name, started) => self.own_started(seat, &name, started).await,
            // The search may have been cancelled meanwhile.
            Input::Thinks(turn) if self.thinking.is_some() => {
                let now = self.now();
                self.table.asked(turn, now);
                let _ = self.keep().await;
                self.say_clocks();
            }
            Input::Thinks(_) => {}
            Input::Thought(turn, answer) => {
                if turn == self.table.turn {
                    self.thought(turn, answer);
                    let _ = self.keep().await;
                }
            }
            Input::Forget(account, nickname) => self.gone.push((account, nickname)),
            Input::Abandon(_) | Input::Stop(_) => unreachable!("the loop takes them"),
        }
    }

    fn command(&mut self, who: &Who, occupant: Option<Occupant>, command: Command) -> Result<(), Refused> {
        let now = self.now();
        match command {
            Command::Move { ply, text } => self.table.make_move(who, ply, &text, now),
            Command::Chat { text } => self.table.chat(who, text, now),
            Command::Sit { seat, .. } => self.table.sit(seat, occupant.ok_or(Refused::bad("refused.form"))?, now),
            Command::Leave => self.table.stand_up(who),
            Command::Resign => self.table.resign(who, now),
            Command::Draw => self.table.offer_draw(who, now),
            Command::DeclineDraw => self.table.decline_draw(who, now),
            Command::TakeBack => self.table.take_back(who, now),
            Command::DeclineTakeBack => self.table.decline_take_back(who),
            Command::Rematch => self.table.rematch(who, now),
            command => self.solo(who, occupant, command, now),
        }
    }

    /// A command for a table at which no other person plays.
    fn solo(&mut self, who: &Who, occupant: Option<Occupant>, command: Command, now: Now) -> Result<(), Refused> {
        let turn = self.table.turn;
        match (command, occupant) {
            (Command::StandIn { moves, .. }, Some(player)) => self.table.let_stand_in(who, player, moves, now)?,
            (Command::SetPlayer { seat, .. }, Some(player)) => self.table.set_player(who, seat, player, now)?,
            (Command::StopStandIn, _) => self.table.stop_stand_in(who, now)?,
            (Command::ChangeSides, _) => self.table.change_sides(who, now)?,
            (Command::Restart, _) => self.table.restart(who, now)?,
            _ => return Err(Refused::bad("refused.form")),
        }
        if self.table.turn != turn {
            self.programs.release_own(&self.table);
            if let Some(thinking) = self.thinking.take() {
                thinking.abort();
            }
        }
        Ok(())
    }

    fn summarise(&self) {
        let summary = {
            let earlier = self.summary.borrow();
            let connected = Connected { clients: self.watchers.len(), spectators: self.spectators() };
            Summary::of(&self.table, connected, earlier.created_ms, Some(&earlier))
        };
        self.summary.send_if_modified(|old| {
            let is_new = *old != summary;
            *old = summary;
            is_new
        });
    }

    /// Whether the table has had no clients for the idle timeout and no game is in progress.
    fn is_idle(&mut self) -> bool {
        let goes_on = self.any_seat_can_drop() && (self.table.referee().is_some() || self.table.deadline().is_some());
        if !self.watchers.is_empty() || goes_on {
            self.idle_since = Instant::now();
        }
        let is_waiting = self.table.referee().is_none() && !self.table.is_over();
        self.idle_since.elapsed() >= if is_waiting { UNSTARTED_IDLE_TIMEOUT } else { IDLE_TIMEOUT }
    }

    /// Closes the table; its finished games stay in the store. Returns whether the store has removed it.
    async fn close(&mut self) -> bool {
        let is_removed = self.app.store.remove_table(&self.code).await;
        if is_removed.is_ok() {
            self.stop_thinking();
            self.programs.close();
            self.app.tables.forget(&self.code);
        }
        is_removed.is_ok()
    }
}

fn json(message: &ToClient<'_>) -> Utf8Bytes {
    json_text(message).into()
}

fn json_text(message: &impl serde::Serialize) -> String {
    serde_json::to_string(message).expect("messages can be written")
}
