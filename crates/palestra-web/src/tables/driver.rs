//! Drives a table: takes what comes in, looks at the clock, asks those who are to move, keeps what happens and says it.
//!
//! One task a table. A change counts once it is kept: if the store refuses, the table is again as it was last kept, and
//! whoever asked for the change is told.

mod spectators;

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use palestra_protocol::{Fault, ForfeitKind};
use palestra_store::{Id, KeptTable, TableChange, Token};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::task::AbortHandle;

use super::message::{Command, ToClient};
use super::occupant::{Occupant, Who};
use super::programs::{Heard, Programs, Started};
use super::summary::Summary;
use super::table::{Ask, Now, Table};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::programs::{FromProgram, Link, Seated};
use crate::ratelimit::Owner;
use crate::thinking::{Answer, PLAYED_MOVE_CPU, Question, SHOWN_MOVE_CPU};

/// What comes in.
pub(super) enum Input {
    /// Somebody looks at the table, having seen everything up to a number.
    Watch(Who, Option<u64>, oneshot::Sender<Watching>),
    /// Somebody no longer does.
    Gone(u64),
    /// Somebody wants something, and is called so. The answer is which seats are theirs.
    Command(Who, String, Command, oneshot::Sender<Result<Vec<usize>, Refused>>),
    /// A program wants a seat, or back to the one it had.
    SeatProgram {
        /// What it wants to be called; not asked of one that comes back.
        name: Result<String, Refused>,
        seat: Option<usize>,
        key: Option<Token>,
        link: Link,
        reply: oneshot::Sender<Result<Seated, Refused>>,
    },
    /// A program said something: the seat, which of its connections, and what.
    Program(usize, u64, FromProgram),
    /// An own program could be started, or not.
    Started(usize, Started),
    /// A built-in player begins to think.
    Thinks(u64),
    /// It has a move; none if it was not let.
    Thought(u64, Option<Answer>),
    /// Somebody has deleted their account, and was called so.
    Forget(Id, String),
    /// There is no room for more tables: it is closed if nobody looks.
    Abandon(oneshot::Sender<()>),
    /// The server stops.
    Stop(oneshot::Sender<()>),
}

/// What somebody who looks at a table gets.
pub(super) struct Watching {
    /// To be given back in [`Input::Gone`].
    pub(super) watcher: u64,
    pub(super) seats: Vec<usize>,
    /// What to send first.
    pub(super) first: Vec<Utf8Bytes>,
    /// What is said from now on.
    pub(super) said: broadcast::Receiver<Utf8Bytes>,
}

/// How many messages somebody who was away may have missed without having to begin anew, and how long they are together:
/// great boards take much room.
const LOG: usize = 300;
const LOG_BYTES: usize = 256 << 10;

/// How far a slow connection may fall behind.
const BEHIND: usize = 256;

/// How long to wait after the store refused something that nobody in particular asked for.
const RETRY: Duration = Duration::from_secs(1);

/// How long a table without anybody at it is kept once its games are over.
const IDLE: Duration = Duration::from_secs(15 * 60);

/// And how long one at which no game has begun: somebody may have been invited.
const IDLE_WAITING: Duration = Duration::from_secs(24 * 3600);

/// The task of a table.
pub(super) struct Driver {
    app: App,
    code: String,
    /// Who opened it.
    owner: Owner,
    table: Table,
    inputs: mpsc::Receiver<Input>,
    /// For those who answer later.
    to_self: mpsc::Sender<Input>,
    said: broadcast::Sender<Utf8Bytes>,
    summary: watch::Sender<Summary>,
    watchers: HashMap<u64, Who>,
    next_watcher: u64,
    programs: Programs,
    thinking: Option<AbortHandle>,
    /// The last question to which a built-in player had no answer.
    failed: Option<u64>,
    /// Who is to be forgotten.
    gone: Vec<(Id, String)>,
    /// The number of the last message, and the last messages.
    seq: u64,
    log: VecDeque<(u64, Utf8Bytes)>,
    /// All there is to know since the last change, for spectators who come; made for the first of them.
    view: Option<Utf8Bytes>,
    /// When spectators were last told how many they are, and whether that has changed since.
    watching_told: Option<Instant>,
    is_watching_new: bool,
    /// The table as it was last kept.
    kept: KeptTable,
    begun: Instant,
    /// What the table's clock showed then.
    clock_before: Duration,
    /// Not before: the store has just refused something.
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
        let (summary, seen) = watch::channel(Summary::of(&table, 0, kept.saved_ms, None));
        let (to_self, inputs) = channel;
        let programs = Programs::new(to_self.clone());
        let driver = Self {
            app,
            code: kept.code.clone(),
            owner,
            table,
            inputs,
            to_self,
            said: broadcast::channel(BEHIND).0,
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

    /// Goes on from these messages.
    pub(super) fn with_log(mut self, messages: Vec<(i64, String)>) -> Self {
        self.log = messages.into_iter().map(|(seq, body)| (seq.cast_unsigned(), body.into())).collect();
        self.seq = self.log.back().map_or(0, |(seq, _)| *seq);
        self
    }

    fn now(&self) -> Now {
        Now { clock: self.clock_before + self.begun.elapsed(), unix_ms: now_ms() }
    }

    /// Keeps a table that was just made, and what its making said.
    pub(super) async fn open(&mut self) -> Result<(), Refused> {
        self.change().await
    }

    /// Until the table is closed or the server stops.
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
            // Whoever waits for it hears now that it stays.
            drop(abandoned);
        }
    }

    /// Until something is due.
    fn wait(&self) -> Duration {
        if let Some(at) = self.retry_at {
            return at.saturating_duration_since(Instant::now());
        }
        let watching = self.watching_due().map(|at| at.saturating_duration_since(Instant::now()));
        let due = self.table.deadline().map(|deadline| deadline.saturating_sub(self.now().clock));
        let due = due.into_iter().chain(self.programs.wait()).chain(watching).min().unwrap_or(IDLE);
        // Late is who needs more than the limit, so the limit itself must have passed.
        due.min(IDLE) + Duration::from_millis(1)
    }

    /// Brings the table up to date: whose time is over, and who is there. That follows from what is connected, so that it
    /// is right again after the store has refused something.
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

    /// Forgets the names of those who have deleted their accounts, also in what was said.
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
            Input::Command(who, name, command, reply) => {
                let done = self.command(&who, name, command);
                // Also if it was refused: that may have shown that somebody's time is over.
                let kept = self.keep().await;
                let _ = reply.send(done.and(kept).map(|()| self.table.seats_of(&who)));
            }
            Input::SeatProgram { name, seat, key, link, reply } => {
                let seated = self.seat_program(name, seat, key, link).await;
                let _ = reply.send(seated);
            }
            Input::Program(seat, connection, said) => self.hear(seat, connection, said).await,
            Input::Started(seat, started) => self.own_started(seat, started).await,
            // It may have been stopped since.
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

    fn command(&mut self, who: &Who, name: String, command: Command) -> Result<(), Refused> {
        let now = self.now();
        match command {
            Command::Move { ply, text } => self.table.make_move(who, ply, &text, now),
            Command::Chat { text } => self.table.chat(who, text, now),
            Command::Sit { seat, .. } => self.table.sit(seat, Occupant::person(who, &name), now),
            Command::Leave => self.table.stand_up(who),
            Command::Resign => self.table.resign(who, now),
            Command::Draw => self.table.offer_draw(who, now),
            Command::DeclineDraw => self.table.decline_draw(who, now),
            Command::TakeBack => self.table.take_back(who, now),
            Command::DeclineTakeBack => self.table.decline_take_back(who),
            Command::Rematch => self.table.rematch(who, now),
        }
    }

    // Those who do not look but play.

    /// Asks whoever is to move, if they are neither a person nor asked already.
    fn ask(&mut self) {
        if self.retry_at.is_some() || self.is_paused() {
            return;
        }
        let Some(ask) = self.table.ask() else { return };
        match &self.table.seats()[ask.seat] {
            Occupant::BuiltIn(name) => self.think(ask, name.clone()),
            Occupant::Own(_) | Occupant::Remote { .. } => self.ask_program(ask),
            _ => {}
        }
    }

    /// Whether somebody plays here who may be away.
    fn is_somebodys(&self) -> bool {
        self.table.seats().iter().any(Occupant::can_drop)
    }

    /// Whether nothing is computed: a game without human players goes on only while it has a spectator.
    fn is_paused(&self) -> bool {
        self.watchers.is_empty() && !self.is_somebodys()
    }

    /// Stops a built-in player that waits for a thread or thinks; it is asked anew when a spectator comes back.
    fn stop_thinking(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.abort();
            let now = self.now();
            self.table.withdraw(now);
        }
    }

    fn ask_program(&mut self, ask: Ask) {
        if self.programs.go(&self.app, &self.table, ask) {
            let now = self.now();
            self.table.asked(ask.turn, now);
            self.say_clocks();
        }
    }

    fn think(&mut self, ask: Ask, player: String) {
        let Some(referee) = self.table.referee() else { return };
        let ply = referee.record().moves().len() as u64;
        let question = Question {
            owner: self.owner,
            game: self.table.setup().kind().id(),
            player,
            seed: self.table.setup().seed.wrapping_add(ply),
            position: referee.position().boxed_clone(),
            budget: referee.budget(),
            max_cpu: if self.table.is_shown() { SHOWN_MOVE_CPU } else { PLAYED_MOVE_CPU },
        };
        // Its clock runs from when a thread takes it up: waiting for one is not its fault.
        self.table.is_asked = true;
        let (app, to_self) = (self.app.clone(), self.to_self.clone());
        let task = tokio::spawn(async move {
            let (started, starts) = oneshot::channel();
            let told = to_self.clone();
            let tell = async move {
                if starts.await.is_ok() {
                    let _ = told.send(Input::Thinks(ask.turn)).await;
                }
            };
            let (answer, ()) = tokio::join!(app.thinking.choose(question, started), tell);
            let _ = to_self.send(Input::Thought(ask.turn, answer)).await;
        });
        if let Some(earlier) = self.thinking.replace(task.abort_handle()) {
            earlier.abort();
        }
    }

    /// A built-in player has thought. One that has no answer is asked once more: something may have failed.
    fn thought(&mut self, turn: u64, answer: Option<Answer>) {
        let now = self.now();
        match answer {
            Some(Answer { mv, thought, cpu }) => self.table.answered(turn, mv, Some(cpu), Some(thought), now),
            None if self.failed == Some(turn) => {
                let seat = self.table.mover().unwrap_or_default();
                self.table.fault(seat, Fault::new(ForfeitKind::Crash, "it found no move"), now);
            }
            None => {
                self.failed = Some(turn);
                self.table.is_asked = false;
                self.retry_at = Some(Instant::now() + RETRY);
            }
        }
    }

    async fn seat_program(
        &mut self,
        name: Result<String, Refused>,
        seat: Option<usize>,
        key: Option<Token>,
        link: Link,
    ) -> Result<Seated, Refused> {
        let now = self.now();
        let key = key.unwrap_or_else(Token::random);
        let hash = key.hash().as_str().to_owned();
        let is_own = |seat: &usize| matches!(&self.table.seats()[*seat], Occupant::Remote { key, .. } if *key == hash);
        let seat = match (0..2).find(is_own) {
            Some(seat) => {
                // A connection that was not known to be lost yet is replaced.
                self.table.set_here(seat, false, now);
                seat
            }
            None => {
                let is_free = |seat: &usize| self.table.seats()[*seat] == Occupant::Open;
                let seat = seat.or_else(|| (0..2).find(is_free)).ok_or(Refused::bad("tables.taken"))?;
                self.table.sit(seat, Occupant::Remote { key: hash, name: name? }, now)?;
                self.keep().await?;
                seat
            }
        };
        self.programs.connect(seat, link);
        Ok(Seated { key, game: self.table.setup().kind().id() })
    }

    async fn own_started(&mut self, seat: usize, started: Started) {
        let now = self.now();
        if let Err(fault) = self.programs.own_started(seat, started) {
            self.table.fault(seat, fault, now);
        }
        let _ = self.keep().await;
    }

    async fn hear(&mut self, seat: usize, connection: u64, said: FromProgram) {
        let now = self.now();
        match self.programs.hear(seat, connection, self.table.turn, said) {
            Heard::Nothing => return,
            Heard::Move { turn, text, cpu, thought } => {
                self.table.answered(turn, text, cpu, thought, now);
                if let Some(used) = self.table.take_used() {
                    self.programs.used(used);
                }
            }
            Heard::Fault(fault) => self.table.fault(seat, fault, now),
        }
        let _ = self.keep().await;
    }

    // Keeping and saying.

    /// Keeps what changed, and then says it. If it cannot be kept, it has not happened.
    async fn keep(&mut self) -> Result<(), Refused> {
        if self.table.has_said() { self.change().await } else { Ok(()) }
    }

    async fn change(&mut self) -> Result<(), Refused> {
        let (said, game, now) = (self.table.take_said(), self.table.take_finished(), self.now());
        let messages: Vec<(i64, String)> = (self.seq + 1..)
            .zip(&said)
            .map(|(seq, message)| (seq.cast_signed(), text(&ToClient::Numbered { seq, message })))
            .collect();
        let table = KeptTable {
            code: self.code.clone(),
            state: self.table.save(now.clock),
            clock_ms: i64::try_from(now.clock.as_millis()).unwrap_or(i64::MAX),
            saved_ms: now.unix_ms,
        };
        // One change behind: what is kept too long is forgotten with the next.
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
        for (seq, body) in messages {
            let body = Utf8Bytes::from(body);
            self.seq = seq.cast_unsigned();
            self.log.push_back((self.seq, body.clone()));
            let _ = self.said.send(body);
        }
        let mut bytes: usize = self.log.iter().map(|(_, body)| body.len()).sum();
        while self.log.len() > LOG || bytes > LOG_BYTES {
            bytes -= self.log.pop_front().map_or(bytes, |(_, body)| body.len());
        }
        self.summarise();
        Ok(())
    }

    /// The table as it was last kept.
    fn roll_back(&mut self) {
        let clock = Duration::from_millis(self.kept.clock_ms.unsigned_abs());
        match Table::restore(&self.code, &self.kept.state, clock) {
            Ok(table) => self.table = Table { is_watched: !self.watchers.is_empty(), ..table },
            Err(error) => tracing::error!(table = self.code, error, "a table cannot be read back"),
        }
        self.view = None;
        self.retry_at = Some(Instant::now() + RETRY);
    }

    fn summarise(&self) {
        let summary = {
            let earlier = self.summary.borrow();
            Summary::of(&self.table, self.watchers.len(), earlier.created_ms, Some(&earlier))
        };
        self.summary.send_if_modified(|old| {
            let is_new = *old != summary;
            *old = summary;
            is_new
        });
    }

    /// Whether nobody has been here for long, and nothing goes on.
    fn is_idle(&mut self) -> bool {
        let goes_on = self.is_somebodys() && (self.table.referee().is_some() || self.table.deadline().is_some());
        if !self.watchers.is_empty() || goes_on {
            self.idle_since = Instant::now();
        }
        let is_waiting = self.table.referee().is_none() && !self.table.is_over();
        self.idle_since.elapsed() >= if is_waiting { IDLE_WAITING } else { IDLE }
    }

    /// Closes the table; its games stay.
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
    text(message).into()
}

fn text(message: &ToClient<'_>) -> String {
    serde_json::to_string(message).expect("messages can be written")
}
