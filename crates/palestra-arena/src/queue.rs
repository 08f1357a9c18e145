//! A queue of work that is leased: each job goes to a process that has a slot free.
//!
//! Games of leagues, compilations and comparisons are *jobs*. A worker leases a job, renews the lease while it works, and
//! hands in the outcome. A worker that dies renews nothing: once its lease has ended another one takes the job. So a job
//! may be done twice, by a worker that was only slow, and an outcome must count once: the queue stores it and removes the
//! job in one step, and an outcome that is there already stays.
//!
//! The job with the smallest [`Job::priority`] goes first. Jobs of the same priority go by turns between *lanes*, such as
//! leagues: a lane that is new starts where the others are, so that a league that started yesterday and has a thousand games
//! left does not hold up one that starts now, nor the other way round.
//!
//! Today the one implementation is the server's, on its database. Further machines come through this trait: a worker needs
//! nothing else of the server than a queue and the files that a job names.

use std::error::Error;
use std::time::Duration;

/// How long a lease lasts from when it was taken or last renewed. After a crash the jobs under way wait for this long.
pub const LEASE: Duration = Duration::from_secs(30);

/// Number of times that a job may fail before it is set aside with the last reason.
pub const MAX_FAILURES: i64 = 3;

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What it is about, such as `version 17`: a second job about the same is the same job.
    pub subject: String,
    /// The kind of work, which says how to read the body.
    pub kind: String,
    /// What to do, as JSON.
    pub body: String,
    /// The smaller one goes first.
    pub priority: i64,
    /// Jobs of one priority go by turns from lane to lane.
    pub lane: i64,
}

/// A job that a worker has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The job.
    pub job: Job,
    /// How often it has failed before.
    pub failures: i64,
    /// The secret that shows whose lease it is.
    pub token: String,
}

/// What became of a job that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// It will be tried again.
    Again,
    /// It has failed [`MAX_FAILURES`] times, and waits for an admin.
    SetAside,
    /// The lease had ended before: the job is another worker's, or done.
    Lost,
}

/// A queue of jobs. Its functions block.
pub trait Queue: Send + Sync {
    /// What a job leaves behind.
    type Outcome;
    /// Why the queue cannot be reached.
    type Error: Error;

    /// Adds a job. `false` if there is one about the same subject.
    fn add(&self, job: &Job) -> Result<bool, Self::Error>;

    /// Takes the next job; `None` if there is none. A job whose lease has ended counts as failed once more.
    fn lease(&self) -> Result<Option<Lease>, Self::Error>;

    /// Renews a lease by [`LEASE`]. `false` if it has been lost: its holder should stop working.
    fn renew(&self, lease: &Lease) -> Result<bool, Self::Error>;

    /// Stores what the job leaves behind and removes the job, in one step. `false` if it did not count: the outcome was
    /// there already, or the job is no longer wanted.
    fn finish(&self, lease: &Lease, outcome: Self::Outcome) -> Result<bool, Self::Error>;

    /// The job could not be done, for a reason that is not its outcome: a program that loses a game has not failed.
    fn fail(&self, lease: &Lease, reason: &str) -> Result<Failed, Self::Error>;

    /// Puts the job back as it was, because the worker stops. This is no failure.
    fn give_back(&self, lease: &Lease) -> Result<(), Self::Error>;
}
