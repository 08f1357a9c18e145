//! Publishing marks: from then on each student sees their own and how it came about.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Audience, MailKind};
use serde::Deserialize;

use super::access::AssignmentAccess;
use crate::app::{App, now_ms};
use crate::courses::mails::mail_members;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::visitor::Visitor;

#[derive(Deserialize)]
pub(crate) struct Empty {}

/// Publishes the marks, and tells the members.
pub(crate) async fn publish(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Empty {}): Posted<Empty>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    if app.store.publish_marks(found.assignment.id, Some(now_ms())).await? {
        tracing::info!(by = visitor.signed_in()?.id, assignment = code, "marks are published");
        let audience = Audience::Course(found.access.course.id);
        mail_members(&app, audience, MailKind::MarksPublished, &found.path("")).await?;
    }
    Ok(Redirect::to(&found.path("/marks")).into_response())
}

/// Hides the marks again.
pub(crate) async fn hide(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Empty {}): Posted<Empty>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    if app.store.publish_marks(found.assignment.id, None).await? {
        tracing::info!(by = visitor.signed_in()?.id, assignment = code, "marks are hidden");
    }
    Ok(Redirect::to(&found.path("/marks")).into_response())
}
