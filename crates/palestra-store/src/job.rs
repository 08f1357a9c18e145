//! Jobs: work that processes lease, one at a time.
//!
//! Turns are virtual times, as in start-time fair queueing. A job goes behind those of its lane, and a lane that had none
//! begins at the turn that is next in the other lanes. So lanes of one priority alternate from when they begin, however much
//! work each has.

use crate::db::{transaction, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError, StoreFuture};

/// The kind of a job.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = UnknownJobWord, parse_err_fn = unknown_word)]
pub enum JobKind {
    /// A version of a bot is compiled, checked and tried.
    Build,
    /// A game of a run is played.
    Game,
    /// The search of a player of a run is compared with the teaching alpha-beta.
    Search,
    /// Two versions of a bot are compared.
    Compare,
}

/// The state of a job. One that is done is deleted.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = UnknownJobWord, parse_err_fn = unknown_word)]
pub enum JobState {
    /// It waits for a worker.
    Waiting,
    /// A worker has it.
    Leased,
    /// Its run is paused.
    Held,
    /// It has failed too often, and waits for an admin.
    Failed,
}

/// A word that is neither a kind nor a state of a job.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is said of no job")]
pub struct UnknownJobWord(String);

fn unknown_word(word: &str) -> UnknownJobWord {
    UnknownJobWord(word.to_owned())
}

/// Implements what the two enums have in common: their words.
macro_rules! words {
    ($($type:ident),*) => {$(
        impl $type {
            /// The word for it, as in the database.
            #[must_use]
            pub fn word(self) -> &'static str {
                self.into()
            }
        }

        impl TryFrom<String> for $type {
            type Error = UnknownJobWord;

            fn try_from(word: String) -> Result<Self, UnknownJobWord> {
                word.parse()
            }
        }
    )*};
}
words!(JobKind, JobState);

impl JobKind {
    /// Whether jobs of this kind are part of a run, which would never end without them.
    #[must_use]
    pub const fn is_of_run(self) -> bool {
        matches!(self, Self::Game | Self::Search)
    }
}

/// A version of a bot is built: the smallest priority, as a person waits for it.
pub const BUILD_PRIORITY: i64 = 0;
/// A game of a run that counts for marks, or from which marks are computed.
pub const COUNTED_PRIORITY: i64 = 1;
/// A game of any other run of a league.
pub const LEAGUE_PRIORITY: i64 = 2;
/// A game of a trial of a rubric.
pub const TRIAL_PRIORITY: i64 = 3;
/// Two versions of a bot are compared.
pub const COMPARE_PRIORITY: i64 = 9;

/// A job about to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// What it is about, such as `version 17`.
    pub subject: String,
    /// The kind of work.
    pub kind: JobKind,
    /// What to do: JSON.
    pub body: String,
    /// The smaller one goes first.
    pub priority: i64,
    /// Jobs of one priority go by turns from lane to lane: an account for builds, a run for games.
    pub lane: Id,
}

/// A job that was leased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedJob {
    /// What it is about.
    pub subject: String,
    /// The kind of work.
    pub kind: JobKind,
    /// What to do: JSON.
    pub body: String,
    /// The smaller one goes first.
    pub priority: i64,
    /// Its lane.
    pub lane: Id,
    /// How often it has failed.
    pub attempts: i64,
    /// The secret that shows whose lease it is.
    pub lease: String,
}

row!(LeasedJob { subject, kind: String, body, priority, lane, attempts, lease });

/// When a job is leased, and on which terms.
#[derive(Clone, Copy, Debug)]
pub struct LeaseTerms {
    /// The time now.
    pub now_ms: i64,
    /// When the lease ends unless it is renewed.
    pub until_ms: i64,
    /// A job that fails as often as this is set aside.
    pub max_failures: i64,
    /// Whose leases they are: see [`Store::take_back_jobs`].
    pub holder: &'static str,
}

/// A job that was set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedJob {
    /// What it is about.
    pub subject: String,
    /// The kind of work.
    pub kind: JobKind,
    /// Why it failed last.
    pub reason: Option<String>,
    /// When it was added.
    pub created_ms: i64,
}

row!(FailedJob { subject, kind: String, reason, created_ms });

/// How many jobs of a kind are in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobCount {
    /// The kind of work.
    pub kind: JobKind,
    /// The state.
    pub state: JobState,
    /// How many there are.
    pub count: i64,
    /// When the oldest of them was added.
    pub oldest_ms: i64,
}

row!(JobCount { kind: String, state: String, count, oldest_ms });

/// The reason for which a job is set aside whose workers ended before it did.
const ABANDONED: &str = "its worker ended before the job did, each time";

/// The turn behind all jobs of a lane, and the next turn of all other lanes.
pub(crate) const LANE_TURN: &str = "SELECT COALESCE(MAX(turn) + 1, 0) FROM jobs WHERE priority = $1 AND lane = $2";
pub(crate) const OTHERS_TURN: &str = "SELECT COALESCE(MIN(turn), 0) FROM jobs \
                                      WHERE state IN ('waiting', 'leased') AND priority = $1 AND lane <> $2";
pub(crate) const INSERT: &str =
    "INSERT INTO jobs (id, subject, kind, body, priority, lane, turn, state, attempts, created_ms) ";

/// Number of jobs in a statement: each has ten values, and SQLite takes 32,766 of them.
pub(crate) const CHUNK: usize = 1000;

/// In a transaction: adds jobs, all of one priority and one lane, in this order. How many are new.
macro_rules! insert_jobs {
    ($transaction:ident, $jobs:expr, $now_ms:expr) => {{
        let (jobs, now_ms): (&[$crate::NewJob], i64) = ($jobs, $now_ms);
        let mut added = 0;
        if let Some(first) = jobs.first() {
            let turn = async |transaction: &mut _, query: &'static str| {
                sqlx::query_scalar::<_, i64>(query).bind(first.priority).bind(first.lane).fetch_one(transaction).await
            };
            let of_lane = turn(&mut *$transaction, $crate::job::LANE_TURN).await?;
            let mut turn = of_lane.max(turn(&mut *$transaction, $crate::job::OTHERS_TURN).await?);
            // Numbered: of this many random ones two could be the same.
            let mut id = $crate::db::new_id(now_ms);
            for chunk in jobs.chunks($crate::job::CHUNK) {
                let mut query = sqlx::QueryBuilder::new($crate::job::INSERT);
                query.push_values(chunk, |mut row, job| {
                    row.push_bind(id).push_bind(&job.subject).push_bind(job.kind.word());
                    row.push_bind(&job.body).push_bind(job.priority).push_bind(job.lane).push_bind(turn);
                    row.push_bind("waiting").push_bind(0_i64).push_bind(now_ms);
                    (id, turn) = (id + 1, turn + 1);
                });
                query.push(" ON CONFLICT (subject) DO NOTHING");
                added += query.build().execute(&mut *$transaction).await?.rows_affected();
            }
        }
        added
    }};
}
pub(crate) use insert_jobs;

impl Store {
    /// Adds a job. `false` if there is one with its subject, which stays as it is.
    pub fn add_job<'a>(&'a self, job: &'a NewJob, now_ms: i64) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            transaction!(self, transaction => { Ok(insert_jobs!(transaction, std::slice::from_ref(job), now_ms) > 0) })
        })
    }

    /// Leases the next job: of the smallest priority, by turns between lanes. A lease that has ended counts as a failure.
    pub fn lease_job(&self, terms: LeaseTerms) -> StoreFuture<'_, Option<LeasedJob>> {
        const IS_FREE: &str = "SELECT EXISTS (SELECT 1 FROM jobs WHERE state = 'waiting') \
                               OR EXISTS (SELECT 1 FROM jobs WHERE state = 'leased' AND leased_until_ms <= $1)";
        const SET_ASIDE: &str = "UPDATE jobs SET state = 'failed', attempts = attempts + 1, reason = $1, lease = NULL \
                                 WHERE state = 'leased' AND leased_until_ms <= $2 AND attempts + 1 >= $3";
        // In PostgreSQL two workers may choose the same row. The second one waits for the first, and then finds the row's
        // lease in force: the condition is repeated for that.
        const TAKE: &str = "UPDATE jobs SET state = 'leased', lease = $1, leased_until_ms = $2, \
                            attempts = attempts + CASE WHEN state = 'leased' THEN 1 ELSE 0 END \
                            WHERE (state = 'waiting' OR (state = 'leased' AND leased_until_ms <= $3)) AND id = (\
                            SELECT id FROM jobs WHERE state = 'waiting' OR (state = 'leased' AND leased_until_ms <= $3) \
                            ORDER BY priority, turn, lane, id LIMIT 1) \
                            RETURNING subject, kind, body, priority, lane, attempts, lease";
        Box::pin(async move {
            let LeaseTerms { now_ms, until_ms, max_failures, holder } = terms;
            loop {
                let is_free: bool =
                    with_pool!(self, pool => sqlx::query_scalar(IS_FREE).bind(now_ms).fetch_one(pool).await)?;
                if !is_free {
                    return Ok(None);
                }
                let lease = format!("{holder} {}", crate::Token::random().secret());
                let _writer = self.writer().await?;
                let taken = with_pool!(self, pool => {
                    let query = sqlx::query(SET_ASIDE).bind(ABANDONED).bind(now_ms).bind(max_failures);
                    query.execute(pool).await?;
                    let query = sqlx::query_as(TAKE).bind(&lease).bind(until_ms).bind(now_ms);
                    query.fetch_optional(pool).await
                })?;
                if taken.is_some() {
                    return Ok(taken);
                }
            }
        })
    }

    /// Renews a lease. `false` if the job is no longer leased under it.
    pub async fn renew_job(&self, lease: &str, until_ms: i64) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE jobs SET leased_until_ms = $1 WHERE state = 'leased' AND lease = $2";
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => sqlx::query(QUERY).bind(until_ms).bind(lease).execute(pool).await?.rows_affected());
        Ok(done > 0)
    }

    /// Puts a job back that was not done, which is no failure. `false` if it is no longer leased so.
    pub async fn give_back_job(&self, lease: &str) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE jobs SET state = 'waiting', lease = NULL WHERE state = 'leased' AND lease = $1";
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => sqlx::query(QUERY).bind(lease).execute(pool).await?.rows_affected());
        Ok(done > 0)
    }

    /// Takes back the jobs that a holder had leased, who has died: each has failed once more.
    pub async fn take_back_jobs(&self, holder: &str, max_failures: i64) -> Result<u64, StoreError> {
        const QUERY: &str = "UPDATE jobs SET attempts = attempts + 1, lease = NULL, reason = $1, \
                             state = CASE WHEN attempts + 1 >= $2 THEN 'failed' ELSE 'waiting' END \
                             WHERE state = 'leased' AND lease LIKE $3";
        let _writer = self.writer().await?;
        Ok(with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(ABANDONED).bind(max_failures).bind(format!("{holder} %"));
            query.execute(pool).await?.rows_affected()
        }))
    }

    /// Removes a job that is done, whose outcome is stored. `false` if it is no longer leased so.
    pub async fn finish_job(&self, lease: &str) -> Result<bool, StoreError> {
        const QUERY: &str = "DELETE FROM jobs WHERE state = 'leased' AND lease = $1";
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => sqlx::query(QUERY).bind(lease).execute(pool).await?.rows_affected());
        Ok(done > 0)
    }

    /// Puts a job back that failed, or sets it aside if it has failed as often as this. The state in which it is now;
    /// `None` if it was no longer leased so.
    pub async fn fail_job(&self, lease: &str, reason: &str, max_failures: i64) -> Result<Option<JobState>, StoreError> {
        const QUERY: &str = "UPDATE jobs SET attempts = attempts + 1, reason = $1, lease = NULL, \
                             state = CASE WHEN attempts + 1 >= $2 THEN 'failed' ELSE 'waiting' END \
                             WHERE state = 'leased' AND lease = $3 RETURNING state";
        let reason = reason.replace('\0', "");
        let _writer = self.writer().await?;
        let state: Option<String> = with_pool!(self, pool => {
            sqlx::query_scalar(QUERY).bind(reason).bind(max_failures).bind(lease).fetch_optional(pool).await
        })?;
        Ok(state.and_then(|word| word.parse().ok()))
    }

    /// The jobs that were set aside, the oldest first: at most `limit`.
    pub async fn failed_jobs(&self, limit: u32) -> Result<Vec<FailedJob>, StoreError> {
        const QUERY: &str =
            "SELECT subject, kind, reason, created_ms FROM jobs WHERE state = 'failed' ORDER BY id LIMIT $1";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(i64::from(limit)).fetch_all(pool).await)?)
    }

    /// Lets a job that was set aside be tried again, as if it had never failed. `false` if there is none.
    pub async fn retry_job(&self, subject: &str) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE jobs SET state = 'waiting', attempts = 0 WHERE state = 'failed' AND subject = $1";
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => sqlx::query(QUERY).bind(subject).execute(pool).await?.rows_affected());
        Ok(done > 0)
    }

    /// Deletes a job that was set aside. `false` if there is none, or it is of a run, which would never end without it.
    pub async fn drop_job(&self, subject: &str) -> Result<bool, StoreError> {
        const QUERY: &str =
            "DELETE FROM jobs WHERE state = 'failed' AND kind NOT IN ('game', 'search') AND subject = $1";
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => sqlx::query(QUERY).bind(subject).execute(pool).await?.rows_affected());
        Ok(done > 0)
    }

    /// How many jobs there are, by kind and state.
    pub async fn job_counts(&self) -> Result<Vec<JobCount>, StoreError> {
        const QUERY: &str = "SELECT kind, state, COUNT(*) AS count, MIN(created_ms) AS oldest_ms FROM jobs \
                             GROUP BY kind, state ORDER BY kind, state";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).fetch_all(pool).await)?)
    }

    /// The job with this subject: its state, and how many jobs go before it.
    pub async fn job_place(&self, subject: &str) -> Result<Option<(JobState, i64)>, StoreError> {
        const QUERY: &str = "SELECT j.state, (SELECT COUNT(*) FROM jobs o WHERE o.state = 'waiting' \
                             AND (o.priority < j.priority OR (o.priority = j.priority AND (o.turn < j.turn \
                             OR (o.turn = j.turn AND o.lane < j.lane))))) FROM jobs j WHERE j.subject = $1";
        let found: Option<(String, i64)> =
            with_pool!(self, pool => sqlx::query_as(QUERY).bind(subject).fetch_optional(pool).await)?;
        Ok(found.and_then(|(state, before)| Some((state.parse().ok()?, before))))
    }
}
