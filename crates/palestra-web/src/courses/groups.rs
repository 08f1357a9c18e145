//! Groups of a course: added, renamed, opened and closed by its teachers.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Id, StoreError};
use serde::Deserialize;

use super::access::Access;
use super::checked_name;
use super::show::CoursePage;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// The longest code of a group, in characters.
pub(super) const MAX_CODE: usize = 12;

/// The longest name of a group, in characters.
pub(super) const MAX_GROUP_NAME: usize = 80;

/// The form of a group.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct GroupForm {
    pub(super) code: String,
    pub(super) name: String,
}

impl GroupForm {
    /// Code and name of a group that may stand beside the others of a course.
    async fn checked(&self, app: &App, course: Id, own: Option<Id>) -> Result<(String, String), Refused> {
        let code = self.code.trim().to_owned();
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        if !(1..=MAX_CODE).contains(&code.len()) || !code.chars().all(is_letter) {
            return Err(Refused::bad_with("course.wrong.group_code", MAX_CODE.to_string()));
        }
        let name = match self.name.trim() {
            "" => String::new(),
            name => checked_name(name, MAX_GROUP_NAME, "course.wrong.group_name")?,
        };
        let groups = app.store.groups(course).await?;
        // A roster writes codes in any case.
        let is_taken = groups.iter().any(|group| Some(group.id) != own && group.code.eq_ignore_ascii_case(&code));
        if is_taken { Err(taken(&code)) } else { Ok((code, name)) }
    }
}

fn taken(code: &str) -> Refused {
    Refused::bad_with("course.wrong.group_taken", code.to_owned())
}

/// What the store says if another group has the code by now.
fn from_store(error: StoreError, code: &str) -> Refused {
    match error {
        StoreError::Taken => taken(code),
        other => other.into(),
    }
}

/// Adds a group.
pub(crate) async fn add(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(form): Posted<GroupForm>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    match make(&app, &visitor, &access, &form).await {
        Ok(()) => Ok(to(&access)),
        Err(refused @ Refused::Bad(key, _)) => {
            let field = if key == "course.wrong.group_name" { "name" } else { "code" };
            let wrong = Wrong::at(field, &refused, visitor.locale);
            CoursePage::with_wrong_group(&app, &visitor, access, form, wrong).await
        }
        Err(refused) => Err(refused),
    }
}

async fn make(app: &App, visitor: &Visitor, access: &Access, form: &GroupForm) -> Result<(), Refused> {
    visitor.sends()?;
    let course = access.course.id;
    let (code, name) = form.checked(app, course, None).await?;
    app.limits.courses.check(Key::visitor(visitor))?;
    app.store.add_group(course, &code, &name, now_ms()).await.map_err(|error| from_store(error, &code))?;
    Ok(())
}

/// Gives a group another code and name.
pub(crate) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, group)): Path<(String, String)>,
    Posted(form): Posted<GroupForm>,
) -> Result<Response, Refused> {
    let (access, group) = find(&app, &visitor, &code, &group).await?;
    let course = access.course.id;
    let (code, name) = form.checked(&app, course, Some(group)).await?;
    let changed = app.store.change_group(course, group, &code, &name).await;
    done(&access, changed.map_err(|error| from_store(error, &code))?)
}

#[derive(Deserialize)]
pub(crate) struct Nothing {}

/// Opens a group to those who have its new code; the one before leads nowhere any more.
pub(crate) async fn renew(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, group)): Path<(String, String)>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let (access, group) = find(&app, &visitor, &code, &group).await?;
    done(&access, app.store.renew_join_code(access.course.id, group).await?)
}

/// Closes a group: no code leads to it.
pub(crate) async fn close(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, group)): Path<(String, String)>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let (access, group) = find(&app, &visitor, &code, &group).await?;
    done(&access, app.store.close_group(access.course.id, group).await?)
}

/// Deletes an empty group.
pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, group)): Path<(String, String)>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let (access, group) = find(&app, &visitor, &code, &group).await?;
    if !app.store.groups(access.course.id).await?.iter().any(|other| other.id == group) {
        return Err(Refused::NotFound);
    }
    let is_deleted = app.store.delete_group(access.course.id, group).await?;
    if is_deleted { Ok(to(&access)) } else { Err(Refused::bad("course.wrong.group_in_use")) }
}

async fn find(app: &App, visitor: &Visitor, code: &str, group: &str) -> Result<(Access, Id), Refused> {
    Ok((Access::find_taught(app, visitor, code).await?, super::id(group)?))
}

fn done(access: &Access, is_done: bool) -> Result<Response, Refused> {
    if is_done { Ok(to(access)) } else { Err(Refused::NotFound) }
}

fn to(access: &Access) -> Response {
    Redirect::to(&access.path("")).into_response()
}
