//! The arena's queue on the database of the server.

use std::time::Duration;

use palestra_arena::queue::{Failed, Job, Lease, MAX_FAILURES, Queue};
use palestra_store::{FinishedGame, JobState, LeaseTerms, LeasedJob, NewJob, Store, StoreError};
use tokio::runtime::Handle;

use crate::app::{App, now_ms};
use crate::leagues;

/// Whose leases those of this server's workers are. There is one server for a database: when it starts, the one that had them
/// before is dead.
pub(super) const HOLDER: &str = "server";

/// The queue on the database. Its functions block a thread that is not the runtime's.
pub(super) struct StoreQueue {
    pub(super) app: App,
    pub(super) store: Store,
    pub(super) runtime: Handle,
    /// How long a lease lasts.
    pub(super) lease: Duration,
}

impl StoreQueue {
    fn until_ms(&self) -> i64 {
        now_ms().saturating_add(self.lease.as_millis() as i64)
    }
}

impl Queue for StoreQueue {
    /// A game of a run. What other jobs leave behind was stored by their executors.
    type Outcome = Option<Box<FinishedGame>>;
    type Error = StoreError;

    fn add(&self, job: &Job) -> Result<bool, StoreError> {
        let Job { subject, kind, body, priority, lane } = job.clone();
        let kind = kind.parse().map_err(|_| StoreError::Text)?;
        let job = NewJob { subject, kind, body, priority, lane };
        self.runtime.block_on(self.store.add_job(&job, now_ms()))
    }

    fn lease(&self) -> Result<Option<Lease>, StoreError> {
        let terms =
            LeaseTerms { now_ms: now_ms(), until_ms: self.until_ms(), max_failures: MAX_FAILURES, holder: HOLDER };
        Ok(self.runtime.block_on(self.store.lease_job(terms))?.map(leased))
    }

    fn renew(&self, lease: &Lease) -> Result<bool, StoreError> {
        self.runtime.block_on(self.store.renew_job(&lease.token, self.until_ms()))
    }

    fn finish(&self, lease: &Lease, outcome: Self::Outcome) -> Result<bool, StoreError> {
        self.runtime.block_on(async {
            match outcome {
                Some(game) => {
                    let counted = self.store.finish_game(&game).await?;
                    if counted.ends_run {
                        self.runtime.spawn(leagues::tell_finished(self.app.clone(), game.run_id));
                    }
                    Ok(counted.counts)
                }
                None => self.store.finish_job(&lease.token).await,
            }
        })
    }

    fn fail(&self, lease: &Lease, reason: &str) -> Result<Failed, StoreError> {
        let state = self.runtime.block_on(self.store.fail_job(&lease.token, reason, MAX_FAILURES))?;
        Ok(match state {
            None => Failed::Lost,
            Some(JobState::Failed) => Failed::SetAside,
            Some(_) => Failed::Again,
        })
    }

    fn give_back(&self, lease: &Lease) -> Result<(), StoreError> {
        self.runtime.block_on(self.store.give_back_job(&lease.token)).map(drop)
    }
}

fn leased(job: LeasedJob) -> Lease {
    let LeasedJob { subject, kind, body, priority, lane, attempts, lease } = job;
    let job = Job { subject, kind: kind.word().to_owned(), body, priority, lane };
    Lease { job, failures: attempts, token: lease }
}
