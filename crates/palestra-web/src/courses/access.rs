//! Who may see a course: its teachers, its members and admins. To all others it does not exist.

use palestra_store::{Account, Course, Id, Member, MemberState, Role, StoreError};

use crate::app::App;
use crate::http::error::Refused;
use crate::visitor::Visitor;

/// A course and what the visitor is in it.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) course: Course,
    is_teacher: bool,
    member: Option<Member>,
}

impl Access {
    /// The course with this code, for those who may see it. Who is not signed in is told the same of every code.
    pub(crate) async fn find(app: &App, visitor: &Visitor, code: &str) -> Result<Self, Refused> {
        visitor.signed_in()?;
        let course = app.store.course(code).await?.ok_or(Refused::NotFound)?;
        Self::of(app, visitor, course).await
    }

    /// The course with this code, for its teachers.
    pub(crate) async fn find_taught(app: &App, visitor: &Visitor, code: &str) -> Result<Self, Refused> {
        let access = Self::find(app, visitor, code).await?;
        if access.is_teacher { Ok(access) } else { Err(Refused::Forbidden) }
    }

    /// This course, for those who may see it.
    pub(crate) async fn of(app: &App, visitor: &Visitor, course: Course) -> Result<Self, Refused> {
        let account = visitor.signed_in()?;
        let is_teacher = teaches(app, account, course.id).await?;
        let member = app.store.member_of(course.id, account.id).await?;
        let member = member.filter(|member| member.state == MemberState::Member);
        if !is_teacher && member.is_none() {
            return Err(Refused::NotFound);
        }
        Ok(Self { course, is_teacher, member })
    }

    /// Whether the visitor teaches the course, or is an admin.
    pub(crate) const fn is_teacher(&self) -> bool {
        self.is_teacher
    }

    /// The visitor's row in the list of members, if they have joined.
    pub(crate) const fn member(&self) -> Option<&Member> {
        self.member.as_ref()
    }

    /// The address of a page of the course.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/courses/{}{rest}", self.course.code)
    }
}

/// Whether an account teaches a course; admins teach them all.
pub(crate) async fn teaches(app: &App, account: &Account, course: Id) -> Result<bool, StoreError> {
    Ok(account.role == Role::Admin || app.store.is_course_teacher(course, account.id).await?)
}
