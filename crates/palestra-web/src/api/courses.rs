//! Courses, for programs of their teachers, such as `palestra course`.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use palestra_store::{Course, CoursePart, MemberState, Role, Scope, Store, StoreError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Page, Paging};
use crate::app::App;
use crate::archive;
use crate::courses::access::Access;
use crate::http::error::Refused;
use crate::leagues::api::ListedLeague;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// A course, with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListedCourse {
    /// The code in its address, `/courses/CODE`.
    pub code: String,
    /// The name.
    pub name: String,
    /// The year, such as `2026/27`.
    pub year: String,
    /// The id of its game.
    pub game: String,
    /// When it ends.
    pub ends_ms: i64,
    /// The short codes of its groups.
    pub groups: Vec<String>,
    /// How many have joined.
    pub members: usize,
    /// Its leagues.
    pub leagues: Vec<ListedLeague>,
    /// Its assignments.
    pub assignments: Vec<ListedAssignment>,
}

/// An assignment of a course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListedAssignment {
    /// The code in its address, `/assignments/CODE`.
    pub code: String,
    /// The title.
    pub title: String,
    /// The deadline.
    pub due_ms: i64,
}

impl ListedCourse {
    /// What is listed of a course.
    pub(crate) async fn of(store: &Store, course: &Course) -> Result<Self, StoreError> {
        let groups = store.groups(course.id).await?.into_iter().map(|group| group.code).collect();
        let members = store.members(course.id).await?;
        let leagues = store.leagues_of_course(course.id).await?.into_iter().map(ListedLeague::from).collect();
        let assignments = store.assignments_of(course.id).await?.into_iter().map(|assignment| ListedAssignment {
            code: assignment.code,
            title: assignment.title,
            due_ms: assignment.due_ms,
        });
        let Course { code, name, year, game, ends_ms, .. } = course.clone();
        let members = members.iter().filter(|member| member.state == MemberState::Member).count();
        Ok(Self { code, name, year, game, ends_ms, groups, members, leagues, assignments: assignments.collect() })
    }
}

/// Lists the courses that the token's owner teaches.
///
/// An admin sees all courses. The latest comes first.
#[utoipa::path(
    get, path = "/courses", operation_id = "courses", params(super::Asked), security(("token" = ["course"])),
    responses((status = 200, body = Page<ListedCourse>))
)]
pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    paging: Paging,
) -> Result<Json<Page<ListedCourse>>, Refused> {
    let account = visitor.may(Scope::Course)?;
    let taught = match account.role {
        Role::Admin => app.store.all_courses().await?,
        _ => {
            let all = app.store.courses_of(account).await?.into_iter();
            all.filter(|entry| entry.part == CoursePart::Teacher).map(|entry| entry.course).collect()
        }
    };
    let mut found = vec![];
    for course in paging.cut(taught, |course| course.code.clone()) {
        found.push(ListedCourse::of(&app.store, &course).await?);
    }
    Ok(Json(paging.page(found, |course| course.code.clone(), |course| course)))
}

/// Downloads all that a course holds as a ZIP.
///
/// The roster, the sources of the bots, the runs with their games and standings, what was handed in, and the marks.
#[utoipa::path(
    get, path = "/courses/{code}/archive", operation_id = "archive",
    params(("code" = String, Path, description = "The code of the course.")), security(("token" = ["course"])),
    responses((status = 200, body = [u8], content_type = "application/zip"))
)]
pub(crate) async fn archive(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    visitor.may(Scope::Course)?;
    let access = Access::find_taught(&app, &visitor, &code).await?;
    app.limits.heavy.check(Key::visitor(&visitor))?;
    archive::response(app, access.course)
}
