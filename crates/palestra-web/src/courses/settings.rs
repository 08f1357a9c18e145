//! The settings of a course, and its teachers.

use askama::Template;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Account, Id, Role};
use serde::Deserialize;

use super::access::Access;
use super::form::{CourseFields, CourseForm, wrong};
use super::head::CourseHead;
use crate::app::App;
use crate::archive;
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "course_settings.html")]
struct SettingsPage {
    frame: Frame,
    head: CourseHead,
    access: Access,
    fields: CourseFields,
    teachers: Vec<Account>,
    /// What was typed to name another teacher.
    typed: String,
    is_saved: bool,
    wrong: Wrong,
}

impl SettingsPage {
    async fn new(app: &App, frame: Frame, access: Access, form: CourseForm, wrong: Wrong) -> Result<Self, Refused> {
        let teachers = app.store.course_teachers(access.course.id).await?;
        let head = CourseHead::new(&access, frame.locale, "/settings");
        let fields = CourseFields::new(frame.clone(), form, wrong.clone());
        Ok(Self { frame, head, access, fields, teachers, typed: String::new(), is_saved: false, wrong })
    }
}

/// The page.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    let form = CourseForm::of(&access.course);
    let is_saved = query.as_deref() == Some("saved");
    page(&SettingsPage {
        is_saved,
        ..SettingsPage::new(&app, Frame::new(&visitor), access, form, Wrong::default()).await?
    })
}

/// Changes the course.
pub(crate) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(form): Posted<CourseForm>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    match save(&app, &visitor, &access, &form).await {
        Ok(()) => Ok(Redirect::to(&access.path("/settings?saved")).into_response()),
        Err(refused) => {
            let wrong = wrong(refused, visitor.locale)?;
            page_again(&SettingsPage::new(&app, Frame::returned(&visitor), access, form, wrong).await?)
        }
    }
}

async fn save(app: &App, visitor: &Visitor, access: &Access, form: &CourseForm) -> Result<(), Refused> {
    visitor.sends()?;
    let new = form.checked(app, visitor, Some(&access.course)).await?;
    Ok(app.store.change_course(access.course.id, &new).await?)
}

/// The nickname or the address of a teacher.
#[derive(Deserialize)]
pub(crate) struct NewTeacher {
    teacher: String,
}

/// Names another teacher. Only accounts that are teachers already can be named, so that nobody learns which address has an
/// account of a student.
pub(crate) async fn add_teacher(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(NewTeacher { teacher }): Posted<NewTeacher>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    match name_teacher(&app, &visitor, &access, &teacher).await {
        Ok(()) => Ok(Redirect::to(&access.path("/settings")).into_response()),
        Err(refused @ Refused::Bad(..)) => {
            let wrong = Wrong::at("teacher", &refused, visitor.locale);
            let form = CourseForm::of(&access.course);
            let again = SettingsPage::new(&app, Frame::returned(&visitor), access, form, wrong).await?;
            page_again(&SettingsPage { typed: teacher, ..again })
        }
        Err(refused) => Err(refused),
    }
}

async fn name_teacher(app: &App, visitor: &Visitor, access: &Access, typed: &str) -> Result<(), Refused> {
    visitor.sends()?;
    app.limits.teachers.check(Key::visitor(visitor))?;
    let typed = typed.trim();
    let found = match typed.contains('@') {
        true => app.store.account_by_email(typed).await?,
        false => app.store.account_by_nickname(typed).await?,
    };
    let teacher = found.filter(|account| account.role >= Role::Teacher).ok_or(Refused::bad("course.wrong.teacher"))?;
    app.store.add_course_teacher(access.course.id, teacher.id).await?;
    Ok(())
}

/// Downloads all that the course holds.
pub(crate) async fn archive(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    app.limits.heavy.check(Key::visitor(&visitor))?;
    archive::response(app, access.course)
}

#[derive(Deserialize)]
pub(crate) struct OldTeacher {
    id: Id,
}

/// Removes a teacher, who may be the visitor; the last one stays.
pub(crate) async fn remove_teacher(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(OldTeacher { id }): Posted<OldTeacher>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    let teachers = app.store.course_teachers(access.course.id).await?;
    if !teachers.iter().any(|teacher| teacher.id == id) {
        return Err(Refused::NotFound);
    }
    if !app.store.remove_course_teacher(access.course.id, id).await? {
        return Err(Refused::bad("course.wrong.last_teacher"));
    }
    let is_own = visitor.signed_in()?.id == id;
    let to = if is_own { "/courses".to_owned() } else { access.path("/settings") };
    Ok(Redirect::to(&to).into_response())
}
