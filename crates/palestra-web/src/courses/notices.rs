//! Notices of teachers to a course or a group. A mail says that there is one, and not what it says.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Audience, Id, MailKind};
use serde::Deserialize;

use super::access::Access;
use super::mails::mail_members;
use super::show::CoursePage;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::ratelimit::Key;
use crate::text::clean;
use crate::visitor::Visitor;

/// The longest notice, in characters.
pub(super) const MAX_NOTICE: usize = 2000;

/// The most lines of a notice.
const MAX_LINES: usize = 60;

/// The form of a notice.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct NoticeForm {
    /// The id of a group; empty for the whole course.
    pub(super) group: String,
    pub(super) text: String,
}

impl NoticeForm {
    /// The text with its line breaks, without what cannot be seen.
    fn text(&self) -> Result<String, Refused> {
        let lines: Vec<String> = self.text.lines().map(|line| clean(line, MAX_NOTICE + 1)).collect();
        let text = lines.join("\n").trim().to_owned();
        let is_one = (1..=MAX_NOTICE).contains(&text.chars().count()) && text.lines().count() <= MAX_LINES;
        if is_one { Ok(text) } else { Err(Refused::bad_with("course.wrong.notice", MAX_NOTICE.to_string())) }
    }

    async fn group(&self, app: &App, course: Id) -> Result<Option<Id>, Refused> {
        if self.group.is_empty() {
            return Ok(None);
        }
        let group = super::id(&self.group)?;
        let groups = app.store.groups(course).await?;
        if groups.iter().any(|other| other.id == group) { Ok(Some(group)) } else { Err(Refused::NotFound) }
    }
}

/// Posts a notice, and tells those it is for.
pub(crate) async fn post(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(form): Posted<NoticeForm>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    match keep(&app, &visitor, &access, &form).await {
        Ok(()) => Ok(Redirect::to(&access.path("")).into_response()),
        Err(refused @ Refused::Bad(..)) => {
            let wrong = Wrong::at("text", &refused, visitor.locale);
            CoursePage::with_wrong_notice(&app, &visitor, access, form, wrong).await
        }
        Err(refused) => Err(refused),
    }
}

async fn keep(app: &App, visitor: &Visitor, access: &Access, form: &NoticeForm) -> Result<(), Refused> {
    visitor.sends()?;
    let (text, course) = (form.text()?, access.course.id);
    let group = form.group(app, course).await?;
    app.limits.notices.check(Key::visitor(visitor))?;
    app.store.post_notice((course, group), visitor.signed_in()?.id, &text, now_ms()).await?;
    let audience = group.map_or(Audience::Course(course), Audience::Group);
    mail_members(app, audience, MailKind::Notice, &access.path("")).await?;
    Ok(())
}

#[derive(Deserialize)]
pub(crate) struct Nothing {}

/// Deletes a notice.
pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, notice)): Path<(String, String)>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    let is_deleted = app.store.delete_notice(access.course.id, super::id(&notice)?).await?;
    if is_deleted { Ok(Redirect::to(&access.path("")).into_response()) } else { Err(Refused::NotFound) }
}
