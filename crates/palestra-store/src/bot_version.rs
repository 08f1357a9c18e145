//! Versions of bots: their sources, how they are tried, and which one plays.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::blob::put_blob;
use crate::bot::Quotas;
use crate::db::{new_id, transaction, with_pool};
use crate::job::{BUILD_PRIORITY, insert_jobs};
use crate::row::row;
use crate::token::hex;
use crate::{Id, JobKind, NewJob, Store, StoreError, StoreFuture, blob_hash};

/// A version of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotVersion {
    /// Which row.
    pub id: Id,
    /// The bot.
    pub bot_id: Id,
    /// Its number among the versions of the bot, from 1.
    pub number: i64,
    /// Who uploaded it, while they have an account.
    pub account_id: Option<Id>,
    /// What its author says about it.
    pub note: String,
    /// The SHA-256 of all files with their names.
    pub source_hash: String,
    /// The bytes of all files.
    pub size_bytes: i64,
    /// How far it has come.
    pub state: VersionState,
    /// What was found, as JSON; empty before the first step, and when the sources were deleted.
    pub report: String,
    /// The compiler, with its version.
    pub compiler: Option<String>,
    /// The compiler's options.
    pub flags: Option<String>,
    /// Since when.
    pub created_ms: i64,
}

row!(BotVersion {
    id,
    bot_id,
    number,
    account_id,
    note,
    source_hash,
    size_bytes,
    state: String,
    report,
    compiler,
    flags,
    created_ms
});

/// How far a version has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum VersionState {
    /// It waits to be compiled.
    Waiting,
    /// It is being compiled.
    Compiling,
    /// It is being tried with questions.
    Checking,
    /// It plays its test games.
    Playing,
    /// It passed and can play.
    Ready,
    /// Something is wrong with it.
    Refused,
}

impl VersionState {
    /// The word for it, as in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Whether nothing more is tried.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Ready | Self::Refused)
    }
}

impl TryFrom<String> for VersionState {
    type Error = UnknownState;

    fn try_from(word: String) -> Result<Self, UnknownState> {
        word.parse().map_err(|_| UnknownState(word))
    }
}

/// A word that is no state of a version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no state of a version")]
pub struct UnknownState(String);

/// A version about to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewVersion<'a> {
    /// The bot.
    pub bot: Id,
    /// Who uploads it.
    pub account: Id,
    /// What its author says about it.
    pub note: &'a str,
    /// Its files, by name.
    pub files: &'a [(String, Vec<u8>)],
}

/// What came of adding a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It waits to be compiled.
    Version {
        /// Its row.
        id: Id,
        /// Its number.
        number: i64,
    },
    /// The bot has as many versions as it can have.
    TooMany,
    /// The sources of the account would be larger than they can be.
    TooLarge,
    /// As many versions of the account as can are waiting or being tried.
    TooBusy,
}

/// What a build came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built<'a> {
    /// [`VersionState::Ready`] or [`VersionState::Refused`].
    pub state: VersionState,
    /// What was found, as JSON.
    pub report: &'a str,
    /// The compiler, with its version.
    pub compiler: Option<&'a str>,
    /// The compiler's options.
    pub flags: Option<&'a str>,
}

/// The SHA-256 of all files with their names; their order does not matter.
#[must_use]
pub fn source_hash(files: &[(String, Vec<u8>)]) -> String {
    let mut lines: Vec<String> = files.iter().map(|(name, bytes)| format!("{} {name}\n", blob_hash(bytes))).collect();
    lines.sort_unstable();
    hex(&Sha256::digest(lines.concat()))
}

/// What the job is about that builds a version.
#[must_use]
pub fn build_subject(version: Id) -> String {
    format!("version {version}")
}

/// The job that builds a version of this account.
#[must_use]
pub fn build_job(version: Id, account: Id) -> NewJob {
    NewJob {
        subject: build_subject(version),
        kind: JobKind::Build,
        body: format!("{{\"version\":{version}}}"),
        priority: BUILD_PRIORITY,
        lane: account,
    }
}

macro_rules! select_version {
    ($rest:literal) => {
        concat!(
            "SELECT id, bot_id, number, account_id, note, source_hash, size_bytes, state, report, compiler, flags, \
             created_ms FROM bot_versions ",
            $rest
        )
    };
}

impl Store {
    /// Adds a version, and the job to build it.
    pub fn add_version<'a>(
        &'a self,
        new: &'a NewVersion<'_>,
        quotas: &'a Quotas,
        now_ms: i64,
    ) -> StoreFuture<'a, Added> {
        // Locks both rows: of several calls each counts the versions of those before it.
        const LOCK_ACCOUNT: &str = "UPDATE accounts SET role = role WHERE id = $1";
        const LOCK_BOT: &str = "UPDATE bots SET game = game WHERE id = $1";
        const VERSIONS: &str = "SELECT COUNT(*), COALESCE(MAX(number), 0) FROM bot_versions WHERE bot_id = $1";
        const BYTES: &str =
            "SELECT CAST(COALESCE(SUM(size_bytes), 0) AS BIGINT) FROM bot_versions WHERE account_id = $1";
        const BUILDS: &str =
            "SELECT COUNT(*) FROM jobs WHERE kind = 'build' AND lane = $1 AND state IN ('waiting', 'leased')";
        const INSERT: &str = "INSERT INTO bot_versions (id, bot_id, number, account_id, note, source_hash, size_bytes, \
                              state, report, created_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting', '', $8)";
        const FILE: &str = "INSERT INTO bot_files (version_id, name, hash) VALUES ($1, $2, $3)";
        Box::pin(async move {
            let id = new_id(now_ms);
            let size = new.files.iter().map(|(_, bytes)| bytes.len() as i64).sum::<i64>();
            transaction!(self, transaction => {
                sqlx::query(LOCK_ACCOUNT).bind(new.account).execute(&mut *transaction).await?;
                sqlx::query(LOCK_BOT).bind(new.bot).execute(&mut *transaction).await?;
                let builds: i64 = sqlx::query_scalar(BUILDS).bind(new.account).fetch_one(&mut *transaction).await?;
                if builds >= quotas.builds {
                    return Ok(Added::TooBusy);
                }
                let query = sqlx::query_as(VERSIONS).bind(new.bot);
                let (versions, last): (i64, i64) = query.fetch_one(&mut *transaction).await?;
                if versions >= quotas.versions {
                    return Ok(Added::TooMany);
                }
                let bytes: i64 = sqlx::query_scalar(BYTES).bind(new.account).fetch_one(&mut *transaction).await?;
                if bytes.saturating_add(size) > quotas.bytes {
                    return Ok(Added::TooLarge);
                }
                let number = last + 1;
                let query = sqlx::query(INSERT).bind(id).bind(new.bot).bind(number).bind(new.account).bind(new.note);
                query.bind(source_hash(new.files)).bind(size).bind(now_ms).execute(&mut *transaction).await?;
                for (name, bytes) in new.files {
                    let hash = put_blob!(transaction, bytes, now_ms);
                    sqlx::query(FILE).bind(id).bind(name).bind(hash).execute(&mut *transaction).await?;
                }
                insert_jobs!(transaction, &[build_job(id, new.account)], now_ms);
                Ok(Added::Version { id, number })
            })
        })
    }

    /// The versions of a bot, the newest first.
    pub async fn versions_of(&self, bot: Id) -> Result<Vec<BotVersion>, StoreError> {
        const QUERY: &str = select_version!("WHERE bot_id = $1 ORDER BY number DESC");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(bot).fetch_all(pool).await)?)
    }

    /// The version of a bot with this number.
    pub async fn version(&self, bot: Id, number: i64) -> Result<Option<BotVersion>, StoreError> {
        const QUERY: &str = select_version!("WHERE bot_id = $1 AND number = $2");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(bot).bind(number).fetch_optional(pool).await)?)
    }

    /// The version with this id.
    pub async fn version_by_id(&self, id: Id) -> Result<Option<BotVersion>, StoreError> {
        const QUERY: &str = select_version!("WHERE id = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(id).fetch_optional(pool).await)?)
    }

    /// The files of a version, by name; none when its sources were deleted.
    pub async fn version_files(&self, version: Id) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        const QUERY: &str = "SELECT f.name, b.bytes FROM bot_files f JOIN blobs b ON b.hash = f.hash \
                             WHERE f.version_id = $1 ORDER BY f.name";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(version).fetch_all(pool).await)?)
    }

    /// The hashes of all sources from which a program may be needed: those that are kept, and those that play in a run.
    pub async fn sources_in_use(&self) -> Result<HashSet<String>, StoreError> {
        const QUERY: &str = "SELECT DISTINCT source_hash FROM bot_versions v \
                             WHERE EXISTS (SELECT 1 FROM bot_files f WHERE f.version_id = v.id) \
                             OR EXISTS (SELECT 1 FROM run_players p JOIN runs r ON r.id = p.run_id \
                             WHERE p.version_id = v.id AND r.state IN ('playing', 'paused'))";
        let all: Vec<String> = with_pool!(self, pool => sqlx::query_scalar(QUERY).fetch_all(pool).await)?;
        Ok(all.into_iter().collect())
    }

    /// Notes how far a version has come. `false` if it has ended, or is gone.
    pub async fn note_version(&self, id: Id, state: VersionState, report: &str) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE bot_versions SET state = $1, report = $2 \
                             WHERE id = $3 AND state NOT IN ('ready', 'refused')";
        let _writer = self.writer().await?;
        let noted = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(state.word()).bind(report).bind(id).execute(pool).await?.rows_affected()
        });
        Ok(noted == 1)
    }

    /// Ends a build, and with it its job. A version that is ready becomes the active one, unless a later one is ready by now.
    /// `false` if it had ended before, or is gone: then only the job ends.
    pub fn end_build<'a>(&'a self, id: Id, built: &'a Built<'_>) -> StoreFuture<'a, bool> {
        const JOB: &str = "DELETE FROM jobs WHERE subject = $1";
        const END: &str = "UPDATE bot_versions SET state = $1, report = $2, compiler = $3, flags = $4 \
                           WHERE id = $5 AND state NOT IN ('ready', 'refused')";
        const ACTIVATE: &str = "UPDATE bots SET active_version_id = $1 WHERE withdrawn IS NULL \
                                AND id = (SELECT bot_id FROM bot_versions WHERE id = $1) AND NOT EXISTS \
                                (SELECT 1 FROM bot_versions later JOIN bot_versions own ON own.bot_id = later.bot_id \
                                WHERE own.id = $1 AND later.number > own.number AND later.state = 'ready')";
        Box::pin(async move {
            transaction!(self, transaction => {
                let query = sqlx::query(END).bind(built.state.word()).bind(built.report).bind(built.compiler);
                let ended = query.bind(built.flags).bind(id).execute(&mut *transaction).await?.rows_affected();
                if ended == 1 && built.state == VersionState::Ready {
                    sqlx::query(ACTIVATE).bind(id).execute(&mut *transaction).await?;
                }
                sqlx::query(JOB).bind(build_subject(id)).execute(&mut *transaction).await?;
                Ok(ended == 1)
            })
        })
    }

    /// Makes a version that is ready the active one of its bot. `false` if there is no such version.
    pub async fn activate_version(&self, bot: Id, number: i64) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE bots SET active_version_id = \
                             (SELECT id FROM bot_versions WHERE bot_id = $1 AND number = $2 AND state = 'ready') \
                             WHERE id = $1 AND withdrawn IS NULL AND EXISTS \
                             (SELECT 1 FROM bot_versions WHERE bot_id = $1 AND number = $2 AND state = 'ready')";
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(bot).bind(number).execute(pool).await?.rows_affected()
        });
        Ok(done == 1)
    }

    /// Deletes a version with its sources. `false` if it is the active or the newest one, has played in a run, is being
    /// tried, or does not exist.
    pub async fn delete_version(&self, bot: Id, number: i64) -> Result<bool, StoreError> {
        const QUERY: &str = "DELETE FROM bot_versions WHERE bot_id = $1 AND number = $2 \
                             AND state IN ('ready', 'refused') \
                             AND number < (SELECT MAX(other.number) FROM bot_versions other WHERE other.bot_id = $1) \
                             AND NOT EXISTS (SELECT 1 FROM bots b WHERE b.active_version_id = bot_versions.id) \
                             AND NOT EXISTS (SELECT 1 FROM run_players p WHERE p.version_id = bot_versions.id)";
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(bot).bind(number).execute(pool).await?.rows_affected()
        });
        Ok(done == 1)
    }
}
