//! Assignments: what members of a course hand in, and how it is marked.

use crate::db::{new_id, transaction, with_pool};
use crate::row::row;
use crate::token::code;
use crate::{Id, Store, StoreError};

/// An assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Which row.
    pub id: Id,
    /// The unique word in its address.
    pub code: String,
    /// The course.
    pub course_id: Id,
    /// The title.
    pub title: String,
    /// The deadline: the end of its minute.
    pub due_ms: i64,
    /// The most pages of a memo.
    pub page_limit: i64,
    /// The name of a bundled rubric, or the text of one.
    pub rubric: String,
    /// The league whose run counts.
    pub league_id: Option<Id>,
    /// Which run of it; none: the one that the rubric names.
    pub counted_run_id: Option<Id>,
    /// The marking whose games count.
    pub marking_id: Option<Id>,
    /// Since when students see their marks.
    pub published_ms: Option<i64>,
    /// When the members were told that it is due tomorrow.
    pub reminded_ms: Option<i64>,
    /// Since when.
    pub created_ms: i64,
}

row!(Assignment {
    id,
    code,
    course_id,
    title,
    due_ms,
    page_limit,
    rubric,
    league_id,
    counted_run_id,
    marking_id,
    published_ms,
    reminded_ms,
    created_ms,
});

impl Assignment {
    /// Whether its deadline is over.
    #[must_use]
    pub const fn is_over(&self, now_ms: i64) -> bool {
        now_ms >= self.due_ms
    }
}

/// What a teacher says of an assignment; see [`Assignment`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAssignment {
    /// The title.
    pub title: String,
    /// The deadline.
    pub due_ms: i64,
    /// The most pages of a memo.
    pub page_limit: i64,
    /// The name of a bundled rubric, or the text of one.
    pub rubric: String,
    /// The league whose run counts.
    pub league_id: Option<Id>,
    /// Which run of it.
    pub counted_run_id: Option<Id>,
}

macro_rules! select_assignment {
    ($rest:literal) => {
        concat!(
            "SELECT id, code, course_id, title, due_ms, page_limit, rubric, league_id, counted_run_id, marking_id, \
             published_ms, reminded_ms, created_ms FROM assignments ",
            $rest
        )
    };
}

impl Store {
    /// Adds an assignment to a course, and returns its code.
    pub async fn create_assignment(&self, course: Id, new: &NewAssignment, now_ms: i64) -> Result<String, StoreError> {
        const QUERY: &str = "INSERT INTO assignments (id, code, course_id, title, due_ms, page_limit, rubric, league_id, \
                             counted_run_id, created_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        let code = code();
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(new_id(now_ms)).bind(&code).bind(course).bind(&new.title);
            let query = query.bind(new.due_ms).bind(new.page_limit).bind(&new.rubric).bind(new.league_id);
            query.bind(new.counted_run_id).bind(now_ms).execute(pool).await?;
        });
        Ok(code)
    }

    /// Changes what a teacher says of an assignment. Of a later deadline the members are told anew.
    pub async fn change_assignment(&self, assignment: Id, new: &NewAssignment) -> Result<(), StoreError> {
        const QUERY: &str = "UPDATE assignments SET title = $1, page_limit = $2, rubric = $3, league_id = $4, \
                             counted_run_id = $5, reminded_ms = CASE WHEN due_ms < $6 THEN NULL ELSE reminded_ms END, \
                             due_ms = $6 WHERE id = $7";
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(&new.title).bind(new.page_limit).bind(&new.rubric).bind(new.league_id);
            query.bind(new.counted_run_id).bind(new.due_ms).bind(assignment).execute(pool).await?;
        });
        Ok(())
    }

    /// The assignment with this code.
    pub async fn assignment(&self, code: &str) -> Result<Option<Assignment>, StoreError> {
        const QUERY: &str = select_assignment!("WHERE code = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(code).fetch_optional(pool).await)?)
    }

    /// The assignment with this id.
    pub async fn assignment_by_id(&self, id: Id) -> Result<Option<Assignment>, StoreError> {
        const QUERY: &str = select_assignment!("WHERE id = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(id).fetch_optional(pool).await)?)
    }

    /// The assignments of a course, the first deadline first.
    pub async fn assignments_of(&self, course: Id) -> Result<Vec<Assignment>, StoreError> {
        const QUERY: &str = select_assignment!("WHERE course_id = $1 ORDER BY due_ms, id");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).fetch_all(pool).await)?)
    }

    /// Deletes an assignment for which nothing was handed in, entered or played. `false` if there is something.
    pub async fn delete_assignment(&self, assignment: Id) -> Result<bool, StoreError> {
        const QUERY: &str = "DELETE FROM assignments WHERE id = $1 \
                             AND NOT EXISTS (SELECT 1 FROM hand_ins WHERE assignment_id = $1) \
                             AND NOT EXISTS (SELECT 1 FROM mark_entries WHERE assignment_id = $1) \
                             AND NOT EXISTS (SELECT 1 FROM runs WHERE assignment_id = $1)";
        let _writer = self.writer().await?;
        let deleted =
            with_pool!(self, pool => sqlx::query(QUERY).bind(assignment).execute(pool).await?.rows_affected());
        Ok(deleted > 0)
    }

    /// Says which marking counts. `false` if it is none of this assignment.
    pub async fn count_marking(&self, assignment: Id, marking: Id) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE assignments SET marking_id = $1 WHERE id = $2 \
                             AND EXISTS (SELECT 1 FROM runs WHERE id = $1 AND assignment_id = $2 AND kind = 'marking')";
        let _writer = self.writer().await?;
        let changed = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(marking).bind(assignment).execute(pool).await?.rows_affected()
        });
        Ok(changed > 0)
    }

    /// Shows students their marks since this moment, or no longer. `true` if that is new.
    pub async fn publish_marks(&self, assignment: Id, published_ms: Option<i64>) -> Result<bool, StoreError> {
        const SHOW: &str = "UPDATE assignments SET published_ms = $1 WHERE id = $2 AND published_ms IS NULL";
        const HIDE: &str = "UPDATE assignments SET published_ms = $1 WHERE id = $2 AND published_ms IS NOT NULL";
        let query = if published_ms.is_some() { SHOW } else { HIDE };
        let _writer = self.writer().await?;
        let changed = with_pool!(self, pool => {
            sqlx::query(query).bind(published_ms).bind(assignment).execute(pool).await?.rows_affected()
        });
        Ok(changed > 0)
    }

    /// The assignments that are due within a time and of which the members have not been told. Each is returned once: it
    /// counts as told from then on.
    pub async fn assignments_to_remind(&self, now_ms: i64, within_ms: i64) -> Result<Vec<Assignment>, StoreError> {
        const FIND: &str =
            select_assignment!("WHERE reminded_ms IS NULL AND due_ms > $1 AND due_ms <= $2 ORDER BY due_ms");
        const TOLD: &str = "UPDATE assignments SET reminded_ms = $1 WHERE id = $2 AND reminded_ms IS NULL";
        let query = with_pool!(self, pool => {
            sqlx::query_as(FIND).bind(now_ms).bind(now_ms.saturating_add(within_ms)).fetch_all(pool).await
        });
        let due: Vec<Assignment> = query?;
        if due.is_empty() {
            return Ok(due);
        }
        transaction!(self, transaction => {
            let mut told = vec![];
            for assignment in due {
                let done = sqlx::query(TOLD).bind(now_ms).bind(assignment.id).execute(&mut *transaction).await?;
                if done.rows_affected() > 0 {
                    told.push(assignment);
                }
            }
            Ok(told)
        })
    }
}
