//! Hand-ins: the archives of teams, as they came.

use crate::blob::put_blob;
use crate::db::{new_id, transaction, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError, StoreFuture};

/// A hand-in of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandIn {
    /// Which row.
    pub id: Id,
    /// The assignment.
    pub assignment_id: Id,
    /// The team.
    pub team_id: Id,
    /// The member who handed it in, while they have an account.
    pub account_id: Option<Id>,
    /// The hash of the archive.
    pub archive_hash: String,
    /// The name of the memo in the archive.
    pub memo_name: Option<String>,
    /// Its pages; none if they could not be counted.
    pub memo_pages: Option<i64>,
    /// What the server has to say about it: JSON.
    pub remarks: String,
    /// Whether it came after the deadline.
    pub is_late: bool,
    /// When it came.
    pub created_ms: i64,
}

row!(HandIn {
    id,
    assignment_id,
    team_id,
    account_id,
    archive_hash,
    memo_name,
    memo_pages,
    remarks,
    is_late,
    created_ms,
});

/// A hand-in about to be kept; see [`HandIn`].
#[derive(Clone, Debug)]
pub struct NewHandIn<'a> {
    /// The assignment.
    pub assignment: Id,
    /// The team.
    pub team: Id,
    /// The member who hands it in.
    pub account: Id,
    /// The archive.
    pub archive: &'a [u8],
    /// The name of the memo in the archive.
    pub memo_name: Option<&'a str>,
    /// Its pages.
    pub memo_pages: Option<i64>,
    /// What the server has to say about it: JSON.
    pub remarks: &'a str,
}

/// Maximum number of hand-ins of a team for an assignment. The newest counts, and all are kept.
pub const MAX_HAND_INS: i64 = 50;

macro_rules! select_hand_in {
    ($rest:literal) => {
        concat!(
            "SELECT h.id, h.assignment_id, h.team_id, h.account_id, h.archive_hash, h.memo_name, h.memo_pages, h.remarks, \
             h.is_late, h.created_ms FROM hand_ins h ",
            $rest
        )
    };
}

impl Store {
    /// Keeps a hand-in, and says whether it is late. `None` if the team has handed in as often as it can.
    pub fn add_hand_in<'a>(&'a self, new: &'a NewHandIn<'a>, now_ms: i64) -> StoreFuture<'a, Option<bool>> {
        // Locks the row: of several hand-ins of a team each counts those before it.
        const LOCK: &str = "UPDATE course_teams SET created_ms = created_ms WHERE id = $1";
        const COUNT: &str = "SELECT COUNT(*) FROM hand_ins WHERE assignment_id = $1 AND team_id = $2";
        const DUE: &str = "SELECT due_ms FROM assignments WHERE id = $1";
        const INSERT: &str = "INSERT INTO hand_ins (id, assignment_id, team_id, account_id, archive_hash, memo_name, \
                              memo_pages, remarks, is_late, created_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        Box::pin(async move {
            transaction!(self, transaction => {
                sqlx::query(LOCK).bind(new.team).execute(&mut *transaction).await?;
                let query = sqlx::query_scalar(COUNT).bind(new.assignment).bind(new.team);
                let count: i64 = query.fetch_one(&mut *transaction).await?;
                if count >= MAX_HAND_INS {
                    return Ok(None);
                }
                let due_ms: i64 = sqlx::query_scalar(DUE).bind(new.assignment).fetch_one(&mut *transaction).await?;
                let is_late = now_ms >= due_ms;
                let hash = put_blob!(transaction, new.archive, now_ms);
                let query = sqlx::query(INSERT).bind(new_id(now_ms)).bind(new.assignment).bind(new.team);
                let query = query.bind(new.account).bind(hash).bind(new.memo_name).bind(new.memo_pages);
                query.bind(new.remarks).bind(is_late).bind(now_ms).execute(&mut *transaction).await?;
                Ok(Some(is_late))
            })
        })
    }

    /// The hand-in with this id.
    pub async fn hand_in(&self, id: Id) -> Result<Option<HandIn>, StoreError> {
        const QUERY: &str = select_hand_in!("WHERE h.id = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(id).fetch_optional(pool).await)?)
    }

    /// All hand-ins of a team for an assignment, the newest first: that one counts.
    pub async fn hand_ins_of(&self, assignment: Id, team: Id) -> Result<Vec<HandIn>, StoreError> {
        const QUERY: &str = select_hand_in!("WHERE h.assignment_id = $1 AND h.team_id = $2 ORDER BY h.id DESC");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(assignment).bind(team).fetch_all(pool).await)?)
    }

    /// The hand-in of each team that counts: its newest.
    pub async fn counted_hand_ins(&self, assignment: Id) -> Result<Vec<HandIn>, StoreError> {
        const QUERY: &str = select_hand_in!(
            "WHERE h.assignment_id = $1 AND h.id = (SELECT MAX(o.id) FROM hand_ins o \
             WHERE o.assignment_id = h.assignment_id AND o.team_id = h.team_id) ORDER BY h.team_id"
        );
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(assignment).fetch_all(pool).await)?)
    }
}
