//! Jobs: compilations, games of runs and comparisons, done by worker threads of the server.
//!
//! The workers ([`worker`]) lease jobs from the [`queue`], as many at a time as there are slots ([`slots`]), and the
//! executor of each kind does one. Leases are renewed meanwhile; a job whose lease is lost is told to stop. A server that
//! stops gives its jobs back, so that they are taken up at once by the next one.

mod page;
mod queue;
mod slots;
mod worker;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use palestra_arena::queue::{Lease, MAX_FAILURES};
use palestra_store::{NewJob, StoreError};
use tokio::time::{interval, sleep};

pub(crate) use page::{drop_job, retry, show};
pub(crate) use slots::Slots;
pub(crate) use worker::{Done, Failure, Work};

use crate::app::{App, now_ms};

/// The workers of the server, as the rest of it sees them.
pub(crate) struct Jobs {
    pub(crate) slots: Slots,
    /// How long a lease lasts.
    lease: Duration,
    state: Mutex<State>,
    /// Signals new jobs, ended ones and the shutdown.
    news: Condvar,
}

#[derive(Default)]
struct State {
    /// The jobs that are being done.
    active: Vec<Active>,
    /// Whether a worker is asking the queue.
    is_asking: bool,
    /// The queue is asked again at this time.
    ask_at: Option<Instant>,
    /// Counts how often the workers were woken.
    wakes: u64,
    /// Why nothing can be taken or stored now, if that is so.
    trouble: Option<String>,
    is_closed: bool,
}

struct Active {
    token: String,
    subject: String,
    /// Tells its worker to stop.
    quit: Arc<AtomicBool>,
}

/// How often the queue is asked without a signal: jobs of a worker that died come back so.
const ASK_INTERVAL: Duration = Duration::from_secs(2);

/// How long to wait after the queue could not be reached, or the disk was full.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// How often a worker looks whether there is a slot for it.
const SLOT_INTERVAL: Duration = Duration::from_millis(500);

/// How long a server that stops waits for its workers.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

impl Jobs {
    pub(crate) fn new(slots: Slots, lease: Duration) -> Self {
        Self { slots, lease, state: Mutex::default(), news: Condvar::new() }
    }

    /// There may be work: the workers look at once instead of when they would next.
    pub(crate) fn wake(&self) {
        let mut state = self.lock();
        state.ask_at = None;
        state.wakes += 1;
        drop(state);
        self.news.notify_all();
    }

    /// Why no job can be taken or stored now, if that is so: the disk is full, for instance.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.lock().trouble.clone()
    }

    /// The subjects of the jobs that are being done.
    pub(crate) fn under_way(&self) -> Vec<String> {
        self.lock().active.iter().map(|active| active.subject.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No panic leaves the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A job is begun.
    fn begin(&self, lease: &Lease) {
        let mut state = self.lock();
        let quit = Arc::new(AtomicBool::new(state.is_closed));
        let (token, subject) = (lease.token.clone(), lease.job.subject.clone());
        state.active.push(Active { token, subject, quit });
    }

    /// The flag that tells the worker of a job to stop.
    fn quit_of(&self, lease: &Lease) -> Option<Arc<AtomicBool>> {
        self.lock().active.iter().find(|active| active.token == lease.token).map(|active| active.quit.clone())
    }

    fn end(&self, lease: &Lease) {
        self.lock().active.retain(|active| active.token != lease.token);
        self.news.notify_all();
    }

    fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    fn set_trouble(&self, trouble: Option<String>) {
        let mut state = self.lock();
        if state.trouble != trouble {
            match &trouble {
                Some(trouble) => tracing::error!(trouble, "jobs wait"),
                None => tracing::info!("jobs go on"),
            }
            state.trouble = trouble;
        }
    }

    fn tokens(&self) -> Vec<String> {
        self.lock().active.iter().map(|active| active.token.clone()).collect()
    }

    /// The lease was lost: its worker is to stop.
    fn lose(&self, token: &str) {
        for active in self.lock().active.iter().filter(|active| active.token == token) {
            active.quit.store(true, Ordering::Relaxed);
        }
    }

    fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        for active in &state.active {
            active.quit.store(true, Ordering::Relaxed);
        }
        drop(state);
        self.news.notify_all();
    }
}

/// Adds a job and wakes the workers. `false` if there is one about the same subject, which stays as it is.
pub(crate) async fn add(app: &App, job: NewJob) -> Result<bool, StoreError> {
    let is_new = app.store.add_job(&job, now_ms()).await?;
    app.jobs.wake();
    Ok(is_new)
}

/// Renews the leases of all jobs that are being done, for as long as it is polled.
pub(crate) async fn renew(app: &App) {
    let mut ticks = interval(app.jobs.lease / 3);
    loop {
        ticks.tick().await;
        for token in app.jobs.tokens() {
            let until_ms = now_ms().saturating_add(app.jobs.lease.as_millis() as i64);
            match app.store.renew_job(&token, until_ms).await {
                Ok(true) => {}
                Ok(false) => app.jobs.lose(&token),
                // It is tried again before the lease ends.
                Err(error) => tracing::warn!(%error, "a lease cannot be renewed"),
            }
        }
    }
}

/// Starts the workers. What an earlier server was doing when it died is taken up again.
pub(crate) async fn start(app: &App) -> Result<(), StoreError> {
    let interrupted = app.store.take_back_jobs(queue::HOLDER, MAX_FAILURES).await?;
    if interrupted > 0 {
        tracing::warn!(interrupted, "jobs of a server that died are taken up again");
    }
    worker::start_all(app);
    Ok(())
}

/// Ends the work: what is under way is given back.
pub(crate) async fn stop(app: &App) {
    app.jobs.close();
    let begun = Instant::now();
    while !app.jobs.tokens().is_empty() && begun.elapsed() < STOP_TIMEOUT {
        sleep(Duration::from_millis(10)).await;
    }
    for token in app.jobs.tokens() {
        if let Err(error) = app.store.give_back_job(&token).await {
            tracing::warn!(%error, "a job cannot be given back");
        }
    }
}
