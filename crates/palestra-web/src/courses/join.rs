//! Joining a group of a course by its code.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Account, Course, Group, Member, MemberState, StoreError};
use serde::Deserialize;

use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "join.html")]
struct JoinPage<'a> {
    frame: Frame,
    course: Course,
    group: Group,
    /// Who is signed in.
    account: Option<&'a Account>,
    /// The group in which the roster has them.
    roster_group: Option<String>,
    /// Whether a teacher has to accept them.
    waits: bool,
}

/// The code in the form of the page of courses.
#[derive(Deserialize)]
pub(crate) struct Typed {
    code: String,
}

/// Leads to the page of a code that was typed.
pub(crate) async fn enter(typed: Result<Query<Typed>, QueryRejection>) -> Response {
    let code = typed.map(|Query(Typed { code })| normal(&code)).unwrap_or_default();
    Redirect::to(&if code.is_empty() { "/courses".to_owned() } else { format!("/join/{code}") }).into_response()
}

/// A code as it is stored, however it was typed: letters in any case, with or without the hyphens.
fn normal(typed: &str) -> String {
    // People paste whole links.
    let typed = typed.rsplit('/').next().unwrap_or(typed);
    let letters: Vec<char> =
        typed.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).take(40).collect();
    letters.chunks(4).map(|part| part.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// Says which group the code leads to and what its teachers will see, and asks whether to join.
pub(crate) async fn form(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let (course, group) = find(&app, &visitor, &code).await?;
    let (mut roster_group, mut waits) = (None, false);
    let account = visitor.account.as_ref();
    if let Some(account) = account {
        match app.store.member_of(course.id, account.id).await?.map(|member| member.state) {
            Some(MemberState::Waiting) => return Ok(Redirect::to("/courses?waiting").into_response()),
            Some(_) => return Ok(Redirect::to(&format!("/courses/{}", course.code)).into_response()),
            None => {}
        }
        let pending = app.store.pending_member(course.id, &account.email).await?;
        waits = pending.is_none() && !course.allows(&account.email);
        roster_group = roster_group_of(&app, &course, pending).await?;
    }
    page(&JoinPage { frame: Frame::new(&visitor), course, group, account, roster_group, waits })
}

async fn roster_group_of(app: &App, course: &Course, pending: Option<Member>) -> Result<Option<String>, Refused> {
    let Some(pending) = pending else { return Ok(None) };
    let groups = app.store.groups(course.id).await?;
    Ok(groups.into_iter().find(|group| group.id == pending.group_id).map(|group| group.code))
}

#[derive(Deserialize)]
pub(crate) struct Join {}

/// Joins, or waits for a teacher: who stands on the roster or has an address of an allowed domain need not wait.
pub(crate) async fn join(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Join {}): Posted<Join>,
) -> Result<Response, Refused> {
    let account = visitor.signed_in()?;
    let (course, group) = find(&app, &visitor, &code).await?;
    let state = if course.allows(&account.email) { MemberState::Member } else { MemberState::Waiting };
    let joined = app.store.join_course((course.id, group.id), account, state, now_ms()).await;
    let to = match joined {
        Ok(MemberState::Waiting) => "/courses?waiting".to_owned(),
        // The second of two clicks finds what the first has done.
        Ok(_) | Err(StoreError::Taken) => format!("/courses/{}", course.code),
        Err(error) => return Err(error.into()),
    };
    Ok(Redirect::to(&to).into_response())
}

/// The group to which a code leads. Wrong codes are rate-limited.
async fn find(app: &App, visitor: &Visitor, code: &str) -> Result<(Course, Group), Refused> {
    let found = app.store.group_to_join(&normal(code), now_ms()).await?;
    app.limits.found(visitor, found, Refused::bad("course.wrong.join_code"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        for typed in ["abcd-efgh-2345", "ABCDEFGH2345", " abcd efgh 2345 ", "https://x.example/join/abcd-efgh-2345"] {
            assert_eq!(normal(typed), "abcd-efgh-2345", "{typed}");
        }
        assert_eq!(normal("../%"), "");
        assert!(normal(&"x".repeat(1000)).len() < 60);
    }
}
