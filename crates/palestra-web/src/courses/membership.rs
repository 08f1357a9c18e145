//! What members do about their own membership: ask for another group, and leave.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::Member;
use serde::Deserialize;

use super::access::Access;
use crate::app::App;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::visitor::Visitor;

/// The form of a wish: the id of a group, or nothing to withdraw the wish.
#[derive(Deserialize)]
pub(crate) struct Wish {
    group: String,
}

/// Asks to be moved to another group, until the first run that counts.
pub(crate) async fn ask(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Wish { group }): Posted<Wish>,
) -> Result<Response, Refused> {
    let (access, member) = own(&app, &visitor, &code).await?;
    let group = if group.is_empty() { None } else { Some(super::id(&group)?) };
    if group.is_some() && app.store.has_counted_run(access.course.id).await? {
        return Err(Refused::bad("course.wrong.counted"));
    }
    let is_asked = app.store.ask_for_group(access.course.id, member.team_id, group).await?;
    if is_asked { Ok(Redirect::to(&access.path("")).into_response()) } else { Err(Refused::NotFound) }
}

#[derive(Deserialize)]
pub(crate) struct Leave {}

/// Leaves the course. Results stay, without a name.
pub(crate) async fn leave(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Leave {}): Posted<Leave>,
) -> Result<Response, Refused> {
    let (access, member) = own(&app, &visitor, &code).await?;
    app.store.remove_member(access.course.id, member.id).await?;
    Ok(Redirect::to("/courses").into_response())
}

/// The visitor's own membership; teachers have none.
async fn own(app: &App, visitor: &Visitor, code: &str) -> Result<(Access, Member), Refused> {
    let access = Access::find(app, visitor, code).await?;
    let member = access.member().ok_or(Refused::Forbidden)?.clone();
    Ok((access, member))
}
