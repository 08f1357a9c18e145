//! Comparisons of two versions of a bot, one at a time a person.

use crate::db::{new_id, transaction, with_pool};
use crate::job::{COMPARE_PRIORITY, insert_jobs};
use crate::row::row;
use crate::{Id, JobKind, NewJob, Store, StoreError, StoreFuture};

/// A comparison of two versions of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Which row.
    pub id: Id,
    /// The version that may be better.
    pub version_id: Id,
    /// The version that it is compared with.
    pub other_id: Id,
    /// The number of the first version.
    pub number: i64,
    /// The number of the second version.
    pub other: i64,
    /// Who asked for it.
    pub account_id: Id,
    /// How far it has come.
    pub state: ComparisonState,
    /// The games so far, as JSON; empty before the first.
    pub report: String,
    /// Since when.
    pub created_ms: i64,
}

row!(Comparison { id, version_id, other_id, number, other, account_id, state: String, report, created_ms });

/// How far a comparison has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = UnknownComparisonState, parse_err_fn = unknown)]
pub enum ComparisonState {
    /// It waits for its first game.
    Waiting,
    /// Its games are being played.
    Playing,
    /// It has a result.
    Finished,
    /// A version cannot play.
    Failed,
}

impl ComparisonState {
    /// The word for it, as in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Whether no more games are played.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Finished | Self::Failed)
    }
}

impl TryFrom<String> for ComparisonState {
    type Error = UnknownComparisonState;

    fn try_from(word: String) -> Result<Self, UnknownComparisonState> {
        word.parse()
    }
}

/// A word that is no state of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no state of a comparison")]
pub struct UnknownComparisonState(String);

fn unknown(word: &str) -> UnknownComparisonState {
    UnknownComparisonState(word.to_owned())
}

/// A comparison about to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewComparison {
    /// The version that may be better.
    pub version: Id,
    /// The version that it is compared with.
    pub other: Id,
    /// Who asks for it.
    pub account: Id,
}

fn subject(comparison: Id) -> String {
    format!("comparison {comparison}")
}

macro_rules! select_comparison {
    ($rest:literal) => {
        concat!(
            "SELECT c.id, c.version_id, c.other_id, v.number, o.number AS other, c.account_id, c.state, c.report, \
             c.created_ms FROM comparisons c JOIN bot_versions v ON v.id = c.version_id \
             JOIN bot_versions o ON o.id = c.other_id ",
            $rest
        )
    };
}

impl Store {
    /// Adds a comparison and its job. `None` if one of this account has not ended.
    pub fn add_comparison(&self, new: NewComparison, now_ms: i64) -> StoreFuture<'_, Option<Id>> {
        // Locks the row: of two calls for one account the second sees the comparison of the first.
        const LOCK: &str = "UPDATE accounts SET role = role WHERE id = $1";
        const OPEN: &str = "SELECT COUNT(*) FROM comparisons WHERE account_id = $1 AND state IN ('waiting', 'playing')";
        const INSERT: &str = "INSERT INTO comparisons (id, version_id, other_id, account_id, state, report, created_ms) \
                              VALUES ($1, $2, $3, $4, 'waiting', '', $5)";
        Box::pin(async move {
            let id = new_id(now_ms);
            let NewComparison { version, other, account } = new;
            transaction!(self, transaction => {
                sqlx::query(LOCK).bind(account).execute(&mut *transaction).await?;
                let open: i64 = sqlx::query_scalar(OPEN).bind(account).fetch_one(&mut *transaction).await?;
                if open > 0 {
                    return Ok(None);
                }
                let query = sqlx::query(INSERT).bind(id).bind(version).bind(other).bind(account).bind(now_ms);
                query.execute(&mut *transaction).await?;
                let job = NewJob {
                    subject: subject(id),
                    kind: JobKind::Compare,
                    body: format!("{{\"comparison\":{id}}}"),
                    priority: COMPARE_PRIORITY,
                    lane: account,
                };
                insert_jobs!(transaction, &[job], now_ms);
                Ok(Some(id))
            })
        })
    }

    /// The comparison with this id.
    pub async fn comparison(&self, id: Id) -> Result<Option<Comparison>, StoreError> {
        const QUERY: &str = select_comparison!("WHERE c.id = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(id).fetch_optional(pool).await)?)
    }

    /// The comparisons of a bot's versions, the newest first: at most `limit`.
    pub async fn comparisons_of(&self, bot: Id, limit: u32) -> Result<Vec<Comparison>, StoreError> {
        const QUERY: &str = select_comparison!("WHERE v.bot_id = $1 ORDER BY c.id DESC LIMIT $2");
        let limit = i64::from(limit);
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(bot).bind(limit).fetch_all(pool).await)?)
    }

    /// Notes the games of a comparison so far. `false` if it has ended, or is gone.
    pub async fn note_comparison(&self, id: Id, report: &str) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE comparisons SET state = 'playing', report = $1 \
                             WHERE id = $2 AND state IN ('waiting', 'playing')";
        let _writer = self.writer().await?;
        let noted = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(report).bind(id).execute(pool).await?.rows_affected()
        });
        Ok(noted == 1)
    }

    /// Ends a comparison, and with it its job. `false` if it had ended before, or is gone: then only the job ends.
    pub async fn end_comparison(&self, id: Id, state: ComparisonState, report: &str) -> Result<bool, StoreError> {
        const END: &str = "UPDATE comparisons SET state = $1, report = $2 \
                           WHERE id = $3 AND state IN ('waiting', 'playing')";
        const JOB: &str = "DELETE FROM jobs WHERE subject = $1";
        transaction!(self, transaction => {
            let query = sqlx::query(END).bind(state.word()).bind(report).bind(id);
            let ended = query.execute(&mut *transaction).await?.rows_affected();
            sqlx::query(JOB).bind(subject(id)).execute(&mut *transaction).await?;
            Ok(ended == 1)
        })
    }
}
