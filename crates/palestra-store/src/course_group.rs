//! Groups of courses, and the codes with which people join them.

use crate::course::course_columns;
use crate::db::{new_id, with_pool};
use crate::row::row;
use crate::token::code;
use crate::{Course, Id, Store, StoreError};

/// A group of a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Which row.
    pub id: Id,
    /// The course.
    pub course_id: Id,
    /// The short name, such as A1, unique in its course.
    pub code: String,
    /// The long name: degree and campus.
    pub name: String,
    /// The code with which people join; `None` if nobody can.
    pub join_code: Option<String>,
    /// Since when.
    pub created_ms: i64,
}

row!(Group { id, course_id, code, name, join_code, created_ms });

macro_rules! columns {
    () => {
        "g.id, g.course_id, g.code, g.name, g.join_code, g.created_ms"
    };
}

impl Store {
    /// Adds a group, which people can join. [`StoreError::Taken`] if the course has one with this code.
    pub async fn add_group(&self, course: Id, code: &str, name: &str, now_ms: i64) -> Result<Id, StoreError> {
        const QUERY: &str = "INSERT INTO course_groups (id, course_id, code, name, join_code, created_ms) \
                             VALUES ($1, $2, $3, $4, $5, $6)";
        let id = new_id(now_ms);
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(id).bind(course).bind(code).bind(name).bind(join_code()).bind(now_ms);
            query.execute(pool).await?;
        });
        Ok(id)
    }

    /// The groups of a course, by code.
    pub async fn groups(&self, course: Id) -> Result<Vec<Group>, StoreError> {
        const QUERY: &str =
            concat!("SELECT ", columns!(), " FROM course_groups g WHERE g.course_id = $1 ORDER BY g.code, g.id");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(course).fetch_all(pool).await)?)
    }

    /// The group that people join with this code, and its course. A course that has ended is joined no more.
    pub async fn group_to_join(&self, join_code: &str, now_ms: i64) -> Result<Option<(Course, Group)>, StoreError> {
        const GROUP: &str = concat!("SELECT ", columns!(), " FROM course_groups g WHERE g.join_code = $1");
        const COURSE: &str =
            concat!("SELECT ", course_columns!(), " FROM courses c WHERE c.id = $1 AND c.ends_ms > $2");
        let found = with_pool!(self, pool => sqlx::query_as(GROUP).bind(join_code).fetch_optional(pool).await);
        let Some(group): Option<Group> = found? else { return Ok(None) };
        let course = with_pool!(self, pool => {
            sqlx::query_as(COURSE).bind(group.course_id).bind(now_ms).fetch_optional(pool).await
        });
        let course: Option<Course> = course?;
        Ok(course.map(|course| (course, group)))
    }

    /// Gives a group of a course another code and name. `false` if the course has no such group, [`StoreError::Taken`] if
    /// another has the code.
    pub async fn change_group(&self, course: Id, group: Id, code: &str, name: &str) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE course_groups SET code = $1, name = $2 WHERE id = $3 AND course_id = $4";
        let _writer = self.writer().await?;
        let changed = with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(code).bind(name).bind(group).bind(course);
            query.execute(pool).await?.rows_affected()
        });
        Ok(changed > 0)
    }

    /// Gives a group of a course a new code with which people join; the one before leads nowhere any more.
    pub async fn renew_join_code(&self, course: Id, group: Id) -> Result<bool, StoreError> {
        self.set_join_code(course, group, Some(join_code())).await
    }

    /// Ends that people can join a group of a course.
    pub async fn close_group(&self, course: Id, group: Id) -> Result<bool, StoreError> {
        self.set_join_code(course, group, None).await
    }

    async fn set_join_code(&self, course: Id, group: Id, join_code: Option<String>) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE course_groups SET join_code = $1 WHERE id = $2 AND course_id = $3";
        let _writer = self.writer().await?;
        let changed = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(join_code).bind(group).bind(course).execute(pool).await?.rows_affected()
        });
        Ok(changed > 0)
    }

    /// Deletes a group of a course that has neither members nor leagues. `false` if it is not there, or is not empty.
    pub async fn delete_group(&self, course: Id, group: Id) -> Result<bool, StoreError> {
        const QUERY: &str = "DELETE FROM course_groups WHERE id = $1 AND course_id = $2 \
                             AND NOT EXISTS (SELECT 1 FROM course_teams WHERE group_id = $1) \
                             AND NOT EXISTS (SELECT 1 FROM leagues WHERE group_id = $1)";
        let _writer = self.writer().await?;
        let deleted = with_pool!(self, pool => {
            sqlx::query(QUERY).bind(group).bind(course).execute(pool).await?.rows_affected()
        });
        Ok(deleted > 0)
    }
}

/// 12 letters of 5 bits, in three parts that are read and typed with ease.
fn join_code() -> String {
    let letters = code();
    format!("{}-{}-{}", &letters[..4], &letters[4..8], &letters[8..])
}
