//! Notices of teachers to a course or a group.

use crate::db::{new_id, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError};

/// A notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Which row.
    pub id: Id,
    /// The group; `None` for the whole course.
    pub group_id: Option<Id>,
    /// The code of the group.
    pub group_code: Option<String>,
    /// The nickname of the teacher, while they have an account.
    pub nickname: Option<String>,
    /// What it says, with line breaks.
    pub text: String,
    /// When it was posted.
    pub created_ms: i64,
}

row!(Notice { id, group_id, group_code, nickname, text, created_ms });

/// Maximum number of notices in a list.
const MAX_NOTICES: i64 = 100;

impl Store {
    /// Posts a notice.
    pub async fn post_notice(
        &self,
        (course, group): (Id, Option<Id>),
        teacher: Id,
        text: &str,
        now_ms: i64,
    ) -> Result<Id, StoreError> {
        const QUERY: &str = "INSERT INTO notices (id, course_id, group_id, account_id, text, created_ms) \
                             VALUES ($1, $2, $3, $4, $5, $6)";
        let id = new_id(now_ms);
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(id).bind(course).bind(group).bind(teacher).bind(text).bind(now_ms);
            query.execute(pool).await?;
        });
        Ok(id)
    }

    /// The notices of a course, the latest first: those to everyone, and those to this group, or to all groups.
    pub async fn notices(&self, course: Id, group: Option<Id>) -> Result<Vec<Notice>, StoreError> {
        const QUERY: &str = "SELECT n.id, n.group_id, g.code AS group_code, a.nickname, n.text, n.created_ms \
                             FROM notices n LEFT JOIN course_groups g ON g.id = n.group_id \
                             LEFT JOIN accounts a ON a.id = n.account_id WHERE n.course_id = $1 \
                             AND ($2 OR n.group_id IS NULL OR n.group_id = $3) ORDER BY n.id DESC LIMIT $4";
        let found = with_pool!(self, pool => {
            let query = sqlx::query_as(QUERY).bind(course).bind(group.is_none()).bind(group);
            query.bind(MAX_NOTICES).fetch_all(pool).await
        });
        Ok(found?)
    }

    /// Deletes a notice of a course. `false` if there is none.
    pub async fn delete_notice(&self, course: Id, notice: Id) -> Result<bool, StoreError> {
        const QUERY: &str = "DELETE FROM notices WHERE id = $1 AND course_id = $2";
        let _writer = self.writer().await?;
        let deleted = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(notice).bind(course).execute(pool).await?.rows_affected()
        });
        Ok(deleted > 0)
    }
}
