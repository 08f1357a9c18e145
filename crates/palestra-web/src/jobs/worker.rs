//! Workers: threads that lease jobs and have them done.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use palestra_arena::queue::{Failed, Lease, Queue};
use palestra_store::{FinishedGame, JobKind, StoreError};
use serde::de::DeserializeOwned;
use tokio::runtime::Handle;

use super::queue::StoreQueue;
use super::{ASK_INTERVAL, Jobs, RETRY_INTERVAL, SLOT_INTERVAL};
use crate::app::App;
use crate::runs::OnAir;
use crate::{bots, runs};

/// A job that is being done, as its executor sees it.
pub(crate) struct Work<'a> {
    pub(crate) app: &'a App,
    /// The job, and the token of its lease.
    pub(crate) lease: &'a Lease,
    /// Set when the job is to be given back: the server stops, or another worker has it.
    pub(crate) quit: &'a AtomicBool,
    runtime: &'a Handle,
}

/// What came of a job.
pub(crate) enum Done {
    /// Its executor has stored it. That may happen twice: the second time changes nothing.
    Stored,
    /// A game, which is stored together with the end of the job, and can be watched until then.
    Game(Box<FinishedGame>, OnAir),
}

/// Why a job was not done.
pub(crate) enum Failure {
    /// The executor was told to stop.
    Quit,
    /// The database cannot be reached, or the disk is full: that is not the job's fault.
    Store(StoreError),
    /// The job cannot be done, at least not now.
    Failed(String),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full | StoreError::Busy => Self::Store(error),
            error => Self::Failed(error.to_string()),
        }
    }
}

impl Work<'_> {
    /// What to do: the body of the job.
    pub(crate) fn body<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_str(&self.lease.job.body).map_err(|error| Failure::Failed(format!("its body: {error}")))
    }

    /// Waits for a future, such as a query.
    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Whether the executor is to stop.
    pub(crate) fn is_to_stop(&self) -> bool {
        self.quit.load(Ordering::Relaxed)
    }
}

/// Stack size of workers: that of a main thread, as built-in players recurse deeply.
const STACK_BYTES: usize = 8 << 20;

/// Starts a thread for each slot.
pub(super) fn start_all(app: &App) {
    let runtime = Handle::current();
    for _ in 0..app.jobs.slots.most() {
        let queue =
            StoreQueue { app: app.clone(), store: app.store.clone(), runtime: runtime.clone(), lease: app.jobs.lease };
        let app = app.clone();
        let thread = thread::Builder::new().name("worker".to_owned()).stack_size(STACK_BYTES);
        let started = thread.spawn(move || {
            while let Some(lease) = app.jobs.take(&app, &queue) {
                work(&app, &queue, &lease);
            }
        });
        if let Err(error) = started {
            tracing::error!(%error, "a worker cannot be started");
        }
    }
}

impl Jobs {
    /// Waits for a slot and a job, and leases the job; `None` when the server stops. One worker asks at a time.
    fn take(&self, app: &App, queue: &StoreQueue) -> Option<Lease> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            let slots = if app.thinking.is_busy() { self.slots.shared() } else { self.slots.most() };
            let until = state.ask_at.map_or_else(Default::default, |at| at.saturating_duration_since(Instant::now()));
            if state.is_asking || state.active.len() >= slots || !until.is_zero() {
                let wait = if until.is_zero() { SLOT_INTERVAL } else { until.min(SLOT_INTERVAL) };
                state = self.news.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            state.is_asking = true;
            let wakes = state.wakes;
            drop(state);
            let asked = queue.lease();
            let wait = match &asked {
                Ok(Some(lease)) => {
                    self.begin(lease);
                    None
                }
                Ok(None) => Some(ASK_INTERVAL),
                Err(_) => Some(RETRY_INTERVAL),
            };
            self.set_trouble(asked.as_ref().err().map(ToString::to_string));
            state = self.lock();
            state.is_asking = false;
            state.ask_at = wait.filter(|_| state.wakes == wakes).map(|wait| Instant::now() + wait);
            self.news.notify_all();
            if let Ok(Some(lease)) = asked {
                return Some(lease);
            }
        }
    }
}

/// Does a job, and tells the queue what came of it.
fn work(app: &App, queue: &StoreQueue, lease: &Lease) {
    let Some(quit) = app.jobs.quit_of(lease) else { return };
    let work = Work { app, lease, quit: &quit, runtime: &queue.runtime };
    let begun = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(|| execute(&work)));
    metrics::histogram!("palestra_job_seconds", "kind" => lease.job.kind.clone()).record(begun.elapsed());
    match done.unwrap_or_else(|_| Err(Failure::Failed("its executor panicked".to_owned()))) {
        Ok(done) => finish(app, queue, lease, done),
        Err(Failure::Quit) => note(lease, queue.give_back(lease)),
        Err(Failure::Store(error)) => {
            app.jobs.set_trouble(Some(error.to_string()));
            note(lease, queue.give_back(lease));
            thread::sleep(RETRY_INTERVAL);
        }
        Err(Failure::Failed(reason)) => {
            tracing::warn!(job = lease.job.subject, reason, "a job failed");
            match queue.fail(lease, &reason) {
                Ok(Failed::SetAside) => tracing::error!(job = lease.job.subject, "a job is set aside"),
                Ok(_) => {}
                Err(error) => note(lease, Err(error)),
            }
        }
    }
    app.jobs.end(lease);
}

/// The executor of each kind of job.
fn execute(work: &Work<'_>) -> Result<Done, Failure> {
    match work.lease.job.kind.parse() {
        Ok(JobKind::Game) => runs::play(work),
        #[cfg(target_os = "linux")]
        Ok(JobKind::Build) => bots::build(work),
        #[cfg(target_os = "linux")]
        Ok(JobKind::Search) => runs::search(work),
        #[cfg(target_os = "linux")]
        Ok(JobKind::Compare) => bots::compare(work),
        _ => Err(Failure::Failed("this server does not know such jobs".to_owned())),
    }
}

/// Stores what a job leaves behind. While the disk is full it is kept here: nothing that was played is lost.
fn finish(app: &App, queue: &StoreQueue, lease: &Lease, done: Done) {
    let (outcome, on_air) = match done {
        Done::Stored => (None, None),
        Done::Game(game, on_air) => (Some(game), Some(on_air)),
    };
    loop {
        match queue.finish(lease, outcome.clone()) {
            Ok(counts) => return on_air.iter().filter(|_| counts).for_each(OnAir::kept),
            Err(error @ (StoreError::Full | StoreError::Busy)) if !app.jobs.is_closed() => {
                app.jobs.set_trouble(Some(error.to_string()));
                thread::sleep(RETRY_INTERVAL);
            }
            Err(error) => return note(lease, Err(error)),
        }
    }
}

/// A job that could not be ended is taken up again when its lease has ended.
fn note(lease: &Lease, result: Result<(), StoreError>) {
    if let Err(error) = result {
        tracing::warn!(%error, job = lease.job.subject, "a job cannot be ended");
    }
}
