//! What teachers enter and decide about marks. The newest row of each part counts, and all are kept.

use crate::db::{new_id, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError};

/// What a teacher has entered about a part of a team's mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkEntry {
    /// Which row.
    pub id: Id,
    /// The team.
    pub team_id: Id,
    /// The key of the part, or `total` or `copy`.
    pub part: String,
    /// The points in hundredths; none: what was entered before no longer counts.
    pub hundredths: Option<i64>,
    /// The reason, or a remark.
    pub reason: String,
    /// The current nickname of the teacher.
    pub nickname: Option<String>,
    /// When.
    pub created_ms: i64,
}

row!(MarkEntry { id, team_id, part, hundredths, reason, nickname, created_ms });

/// What a teacher enters; see [`MarkEntry`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMarkEntry {
    /// The assignment.
    pub assignment: Id,
    /// The team.
    pub team: Id,
    /// The key of the part, or `total` or `copy`.
    pub part: String,
    /// The points in hundredths.
    pub hundredths: Option<i64>,
    /// Why.
    pub reason: String,
    /// The teacher.
    pub account: Id,
}

macro_rules! select_entry {
    ($rest:literal) => {
        concat!(
            "SELECT e.id, e.team_id, e.part, e.hundredths, e.reason, a.nickname, e.created_ms FROM mark_entries e \
             LEFT JOIN accounts a ON a.id = e.account_id ",
            $rest
        )
    };
}

impl Store {
    /// Enters something about marks: all of it, or nothing.
    pub async fn add_mark_entries(&self, entries: &[NewMarkEntry], now_ms: i64) -> Result<(), StoreError> {
        const INSERT: &str = "INSERT INTO mark_entries (id, assignment_id, team_id, part, hundredths, reason, account_id, \
                              created_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        crate::db::transaction!(self, transaction => {
            for entry in entries {
                let query = sqlx::query(INSERT).bind(new_id(now_ms)).bind(entry.assignment).bind(entry.team);
                let query = query.bind(&entry.part).bind(entry.hundredths).bind(&entry.reason).bind(entry.account);
                query.bind(now_ms).execute(&mut *transaction).await?;
            }
            Ok(())
        })
    }

    /// All that was entered about the marks of an assignment, the oldest first.
    pub async fn mark_entries(&self, assignment: Id) -> Result<Vec<MarkEntry>, StoreError> {
        const QUERY: &str = select_entry!("WHERE e.assignment_id = $1 ORDER BY e.created_ms, e.id");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(assignment).fetch_all(pool).await)?)
    }

    /// All that was entered about the mark of a team, the oldest first.
    pub async fn mark_entries_of(&self, assignment: Id, team: Id) -> Result<Vec<MarkEntry>, StoreError> {
        const QUERY: &str = select_entry!("WHERE e.assignment_id = $1 AND e.team_id = $2 ORDER BY e.created_ms, e.id");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(assignment).bind(team).fetch_all(pool).await)?)
    }
}
