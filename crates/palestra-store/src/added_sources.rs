//! Sources that teachers add to the report on similar sources of a course.

use crate::blob::put_blob;
use crate::db::{new_id, transaction, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError, StoreFuture};

/// Sources that a teacher has added to a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedSources {
    /// Which row.
    pub id: Id,
    /// What the teacher calls them.
    pub name: String,
    /// The hash of the ZIP.
    pub archive_hash: String,
    /// Whether it is code that was given to all, and does not count. If not, it is compared with.
    pub is_given: bool,
    /// Since when.
    pub created_ms: i64,
}

row!(AddedSources { id, name, archive_hash, is_given, created_ms });

/// Sources about to be added; see [`AddedSources`].
#[derive(Clone, Copy, Debug)]
pub struct NewAddedSources<'a> {
    /// What the teacher calls them.
    pub name: &'a str,
    /// The ZIP.
    pub archive: &'a [u8],
    /// Whether it is code that was given to all.
    pub is_given: bool,
}

/// How many ZIPs can be added to a course.
pub const MAX_ADDED_SOURCES: i64 = 5;

impl Store {
    /// Adds sources to a course. `false` if it has as many as it can have.
    pub fn add_sources<'a>(&'a self, course: Id, new: &'a NewAddedSources<'_>, now_ms: i64) -> StoreFuture<'a, bool> {
        // Locks the row: of several calls for one course each counts what those before it have added.
        const LOCK: &str = "UPDATE courses SET name = name WHERE id = $1";
        const COUNT: &str = "SELECT COUNT(*) FROM added_sources WHERE course_id = $1";
        const INSERT: &str = "INSERT INTO added_sources (id, course_id, name, archive_hash, is_given, created_ms) \
                              VALUES ($1, $2, $3, $4, $5, $6)";
        Box::pin(async move {
            transaction!(self, transaction => {
                sqlx::query(LOCK).bind(course).execute(&mut *transaction).await?;
                let count: i64 = sqlx::query_scalar(COUNT).bind(course).fetch_one(&mut *transaction).await?;
                if count >= MAX_ADDED_SOURCES {
                    return Ok(false);
                }
                let hash = put_blob!(transaction, new.archive, now_ms);
                let query = sqlx::query(INSERT).bind(new_id(now_ms)).bind(course).bind(new.name).bind(hash);
                query.bind(new.is_given).bind(now_ms).execute(&mut *transaction).await?;
                Ok(true)
            })
        })
    }

    /// The sources that were added to a course, the first ones first.
    pub async fn added_sources(&self, course: Id) -> Result<Vec<AddedSources>, StoreError> {
        const QUERY: &str = "SELECT id, name, archive_hash, is_given, created_ms FROM added_sources \
                             WHERE course_id = $1 ORDER BY id";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).fetch_all(pool).await)?)
    }

    /// Removes sources that were added to a course. `false` if there are none.
    pub async fn remove_added_sources(&self, course: Id, id: Id) -> Result<bool, StoreError> {
        const QUERY: &str = "DELETE FROM added_sources WHERE course_id = $1 AND id = $2";
        let _writer = self.writer().await?;
        let removed =
            with_pool!(self, pool => sqlx::query(QUERY).bind(course).bind(id).execute(pool).await?.rows_affected());
        Ok(removed > 0)
    }
}
