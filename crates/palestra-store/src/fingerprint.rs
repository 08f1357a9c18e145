//! Fingerprints of sources that outlive them, for the report on similar sources of later years.

use std::ops::RangeInclusive;

use crate::db::{transaction, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError, StoreFuture};

/// The fingerprint of sources that are gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFingerprint {
    /// Which row.
    pub id: Id,
    /// The course in which the sources were.
    pub course_id: Option<Id>,
    /// The bot, if it was one.
    pub bot_id: Option<Id>,
    /// The year of the course.
    pub year: String,
    /// The name of the bot, or the name under which its results stand; what else was compared is called as its teacher or
    /// assignment called it.
    pub label: String,
    /// Whether a teacher had added the sources.
    pub is_foreign: bool,
}

row!(KeptFingerprint { id, course_id, bot_id, year, label, is_foreign });

/// A fingerprint about to be kept; see [`KeptFingerprint`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFingerprint {
    /// The version of a bot whose sources go.
    pub version: Option<Id>,
    /// What it is called.
    pub label: String,
    /// Whether a teacher had added the sources.
    pub is_foreign: bool,
    /// The fingerprint as bytes, of which the store knows nothing.
    pub hashes: Vec<u8>,
}

/// In a transaction: keeps fingerprints of a course that wants them kept. A bot has one.
macro_rules! keep_fingerprints {
    ($transaction:ident, $course:expr, $prints:expr, $now_ms:expr) => {
        const REPLACE: &str = "DELETE FROM fingerprints WHERE course_id = $1 AND version_id IN \
                               (SELECT v.id FROM bot_versions v JOIN bot_versions own ON own.bot_id = v.bot_id \
                               WHERE own.id = $2)";
        const INSERT: &str = "INSERT INTO fingerprints (id, course_id, version_id, game, year, label, is_foreign, hashes, \
                              created_ms) SELECT $1, c.id, $2, c.game, c.year, $3, $4, $5, $6 FROM courses c \
                              WHERE c.id = $7 AND c.keeps_fingerprints";
        for print in $prints {
            let print: &$crate::NewFingerprint = print;
            sqlx::query(REPLACE).bind($course).bind(print.version).execute(&mut *$transaction).await?;
            let query = sqlx::query(INSERT).bind($crate::db::new_id($now_ms)).bind(print.version).bind(&print.label);
            let query = query.bind(print.is_foreign).bind(&print.hashes).bind($now_ms).bind($course);
            query.execute(&mut *$transaction).await?;
        }
    };
}
pub(crate) use keep_fingerprints;

/// A condition on fingerprints `f` of a game `$1`: their sources are gone.
macro_rules! is_kept {
    ($rest:literal) => {
        concat!("f.game = $1 AND NOT EXISTS (SELECT 1 FROM bot_files b WHERE b.version_id = f.version_id) ", $rest)
    };
}

impl Store {
    /// Keeps fingerprints of sources that are about to be deleted, if the course says so.
    pub fn keep_fingerprints<'a>(
        &'a self,
        course: Id,
        prints: &'a [NewFingerprint],
        now_ms: i64,
    ) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            transaction!(self, transaction => {
                keep_fingerprints!(transaction, course, prints, now_ms);
                Ok(())
            })
        })
    }

    /// The newest fingerprints for a game whose sources are gone, without the fingerprints themselves; the newest first.
    pub async fn kept_fingerprints(&self, game: &str) -> Result<Vec<KeptFingerprint>, StoreError> {
        const QUERY: &str = concat!(
            "SELECT f.id, f.course_id, v.bot_id, f.year, f.label, f.is_foreign FROM fingerprints f \
             LEFT JOIN bot_versions v ON v.id = f.version_id WHERE ",
            is_kept!("ORDER BY f.id DESC LIMIT 1000")
        );
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(game).fetch_all(pool).await)?)
    }

    /// The fingerprints themselves, from one row to another, each with its row.
    pub async fn fingerprint_hashes(
        &self,
        game: &str,
        rows: RangeInclusive<Id>,
    ) -> Result<Vec<(Id, Vec<u8>)>, StoreError> {
        const QUERY: &str = concat!(
            "SELECT f.id, f.hashes FROM fingerprints f WHERE ",
            is_kept!("AND f.id BETWEEN $2 AND $3 ORDER BY f.id DESC")
        );
        let found = with_pool!(self, pool => {
            sqlx::query_as(QUERY).bind(game).bind(*rows.start()).bind(*rows.end()).fetch_all(pool).await
        });
        Ok(found?)
    }
}
