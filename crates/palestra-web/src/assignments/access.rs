//! Who may see an assignment: teachers and members of its course. To all others it does not exist.

use palestra_store::{Assignment, Id};

use crate::app::App;
use crate::courses::access::Access;
use crate::http::error::Refused;
use crate::time_zone::Zone;
use crate::visitor::Visitor;

/// An assignment, and what the visitor is in its course.
pub(super) struct AssignmentAccess {
    pub(super) assignment: Assignment,
    pub(super) access: Access,
    pub(super) zone: Zone,
}

impl AssignmentAccess {
    /// The assignment with this code. Who is not signed in is told the same of every code.
    pub(super) async fn find(app: &App, visitor: &Visitor, code: &str) -> Result<Self, Refused> {
        visitor.signed_in()?;
        let assignment = app.store.assignment(code).await?.ok_or(Refused::NotFound)?;
        let course = app.store.course_by_id(assignment.course_id).await?.ok_or(Refused::NotFound)?;
        let access = Access::of(app, visitor, course).await?;
        let zone = Zone::of(&access.course.time_zone);
        Ok(Self { assignment, access, zone })
    }

    /// The assignment with this code, for teachers of its course.
    pub(super) async fn find_taught(app: &App, visitor: &Visitor, code: &str) -> Result<Self, Refused> {
        let found = Self::find(app, visitor, code).await?;
        if found.access.is_teacher() { Ok(found) } else { Err(Refused::Forbidden) }
    }

    /// The visitor's team.
    pub(super) fn team(&self) -> Option<Id> {
        self.access.member().map(|member| member.team_id)
    }

    /// The address of a page of the assignment.
    pub(super) fn path(&self, rest: &str) -> String {
        path(&self.assignment, rest)
    }
}

/// The address of a page of an assignment.
pub(super) fn path(assignment: &Assignment, rest: &str) -> String {
    format!("/assignments/{}{rest}", assignment.code)
}
