//! The end of courses: the teachers are warned, then what is personal is deleted.

use crate::bot::forget_sources;
use crate::course::course_columns;
use crate::db::{transaction, with_pool};
use crate::fingerprint::keep_fingerprints;
use crate::{Course, Id, NewFingerprint, Store, StoreError, StoreFuture};

const DAY_MS: i64 = 24 * 3600 * 1000;

/// How long before the end of a course its teachers are warned.
pub const WARNINGS_MS: [i64; 2] = [30 * DAY_MS, 7 * DAY_MS];

impl Store {
    /// The courses whose teachers are to be warned of the end now.
    pub async fn courses_to_warn(&self, now_ms: i64) -> Result<Vec<Course>, StoreError> {
        // A warning is due from its moment on, until one was sent after it.
        const QUERY: &str = concat!(
            "SELECT ",
            course_columns!(),
            " FROM courses c WHERE c.purged_ms IS NULL AND c.ends_ms > $1 AND \
             ((c.ends_ms - $2 <= $1 AND COALESCE(c.warned_ms, 0) < c.ends_ms - $2) \
             OR (c.ends_ms - $3 <= $1 AND COALESCE(c.warned_ms, 0) < c.ends_ms - $3)) ORDER BY c.id"
        );
        let [first, second] = WARNINGS_MS;
        let found = with_pool!(self, pool => {
            sqlx::query_as(QUERY).bind(now_ms).bind(first).bind(second).fetch_all(pool).await
        });
        Ok(found?)
    }

    /// Notes that the teachers of a course were warned. `false` if another process has done so since.
    pub async fn note_warning(&self, course: &Course, now_ms: i64) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE courses SET warned_ms = $1 WHERE id = $2 AND COALESCE(warned_ms, 0) = $3";
        let _writer = self.writer().await?;
        let noted = with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(now_ms).bind(course.id).bind(course.warned_ms.unwrap_or(0));
            query.execute(pool).await?.rows_affected()
        });
        Ok(noted > 0)
    }

    /// The courses that have ended and still hold what is to be deleted then.
    pub async fn courses_to_purge(&self, now_ms: i64) -> Result<Vec<Course>, StoreError> {
        const QUERY: &str = concat!(
            "SELECT ",
            course_columns!(),
            " FROM courses c WHERE c.purged_ms IS NULL AND c.ends_ms <= $1 ORDER BY c.id"
        );
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(now_ms).fetch_all(pool).await)?)
    }

    /// Deletes what ends with a course: names, addresses and ID numbers, notices, hand-ins, entered marks, sources of bots
    /// entered in it, and what programs wrote in its games. Members, standings and games stay, and these fingerprints of
    /// the sources if the course says so.
    pub fn purge_course<'a>(&'a self, course: Id, prints: &'a [NewFingerprint], now_ms: i64) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            const DELETIONS: [&str; 9] = [
                "DELETE FROM course_members WHERE course_id = $1 AND account_id IS NULL AND state <> 'withdrawn'",
                "UPDATE course_members SET name = NULL, email = NULL, id_number = NULL WHERE course_id = $1",
                "DELETE FROM notices WHERE course_id = $1",
                "DELETE FROM hand_ins WHERE assignment_id IN (SELECT id FROM assignments WHERE course_id = $1)",
                "DELETE FROM mark_entries WHERE assignment_id IN (SELECT id FROM assignments WHERE course_id = $1)",
                "DELETE FROM game_traces WHERE run_id IN (SELECT r.id FROM runs r \
                 LEFT JOIN leagues l ON l.id = r.league_id LEFT JOIN assignments a ON a.id = r.assignment_id \
                 WHERE l.course_id = $1 OR a.course_id = $1)",
                "DELETE FROM fingerprints WHERE course_id = $1 \
                 AND NOT (SELECT keeps_fingerprints FROM courses WHERE id = $1)",
                "DELETE FROM added_sources WHERE course_id = $1",
                "UPDATE course_groups SET join_code = NULL WHERE course_id = $1",
            ];
            transaction!(self, transaction => {
                keep_fingerprints!(transaction, course, prints, now_ms);
                forget_sources!(transaction, "b.course_id = $1", course);
                for query in DELETIONS {
                    sqlx::query(query).bind(course).execute(&mut *transaction).await?;
                }
                let query = sqlx::query("UPDATE courses SET purged_ms = $1 WHERE id = $2").bind(now_ms).bind(course);
                query.execute(&mut *transaction).await?;
                Ok(())
            })
        })
    }
}
