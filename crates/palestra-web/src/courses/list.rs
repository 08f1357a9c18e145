//! The list of a person's courses, and the form for a new one.

use askama::Template;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_games::GameKind;
use palestra_store::{Course, CourseEntry, CoursePart, Role};
use serde::Deserialize;

use super::form::{CourseFields, CourseForm, wrong};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "courses.html")]
struct CoursesPage {
    frame: Frame,
    courses: Vec<CourseEntry>,
    can_create: bool,
    /// Whether the visitor asked to join just now, and waits for a teacher.
    waits: bool,
}

impl CoursesPage {
    fn game<'a>(&self, course: &'a Course) -> &'a str {
        GameKind::find(&course.game).map_or(course.game.as_str(), |kind| kind.about.name)
    }
}

/// The courses of the visitor; for admins all.
pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
) -> Result<Response, Refused> {
    let account = visitor.signed_in()?;
    let mut courses = app.store.courses_of(account).await?;
    if account.role >= Role::Admin {
        let all = app.store.all_courses().await?;
        let others = all.into_iter().filter(|course| !courses.iter().any(|entry| entry.course.id == course.id));
        let others: Vec<_> = others.map(|course| CourseEntry { course, part: CoursePart::Admin }).collect();
        courses.extend(others);
    }
    let waits = query.as_deref() == Some("waiting");
    page(&CoursesPage { frame: Frame::new(&visitor), courses, can_create: account.role >= Role::Teacher, waits })
}

#[derive(Template)]
#[template(path = "course_new.html")]
struct NewCoursePage {
    frame: Frame,
    fields: CourseFields,
    wrong: Wrong,
}

impl NewCoursePage {
    fn new(frame: Frame, form: CourseForm, wrong: Wrong) -> Self {
        Self { fields: CourseFields::new(frame.clone(), form, wrong.clone()), frame, wrong }
    }
}

/// The form for a new course, filled in as the teacher's last course was.
pub(crate) async fn new(State(app): State<App>, visitor: Visitor) -> Result<Response, Refused> {
    let account = visitor.at_least(Role::Teacher)?;
    let courses = app.store.courses_of(account).await?;
    let last = courses.iter().find(|entry| entry.part == CoursePart::Teacher).map(|entry| &entry.course);
    let form = CourseForm::begin(last, visitor.locale, now_ms());
    page(&NewCoursePage::new(Frame::new(&visitor), form, Wrong::default()))
}

/// Makes a course.
pub(crate) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<CourseForm>,
) -> Result<Response, Refused> {
    visitor.at_least(Role::Teacher)?;
    match make(&app, &visitor, &form).await {
        Ok(code) => Ok(Redirect::to(&format!("/courses/{code}")).into_response()),
        Err(refused) => {
            let wrong = wrong(refused, visitor.locale)?;
            page_again(&NewCoursePage::new(Frame::returned(&visitor), form, wrong))
        }
    }
}

async fn make(app: &App, visitor: &Visitor, form: &CourseForm) -> Result<String, Refused> {
    let account = visitor.signed_in()?;
    visitor.sends()?;
    let new = form.checked(app, visitor, None).await?;
    app.limits.courses.check(Key::visitor(visitor))?;
    Ok(app.store.create_course(account.id, &new, now_ms()).await?)
}

#[derive(Deserialize)]
pub(crate) struct Claim {}

/// Takes the visitor's place on the roster of a course.
pub(crate) async fn claim(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Claim {}): Posted<Claim>,
) -> Result<Response, Refused> {
    let account = visitor.signed_in()?;
    let course = app.store.course(&code).await?.ok_or(Refused::NotFound)?;
    let is_claimed = app.store.claim_membership(course.id, account).await?;
    if is_claimed { Ok(Redirect::to(&format!("/courses/{code}")).into_response()) } else { Err(Refused::NotFound) }
}
