//! The bots with which teams take part: members choose theirs, teachers change a choice with a reason.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Entered, Id, NewEntry};
use serde::Deserialize;

use crate::app::{App, now_ms};
use crate::courses::access::Access;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::text::clean;
use crate::visitor::Visitor;

/// The most characters of a reason.
pub(super) const MAX_REASON: usize = 200;

/// A choice.
#[derive(Deserialize)]
pub(crate) struct Choice {
    /// The name of the bot.
    bot: String,
    /// The team, if a teacher changes its choice.
    #[serde(default)]
    team: Option<Id>,
    #[serde(default)]
    reason: String,
}

/// A reason that a teacher gives, which is kept and shown.
pub(super) fn reason(typed: &str) -> Result<String, Refused> {
    let reason = clean(typed, MAX_REASON);
    if reason.is_empty() { Err(Refused::bad("league.reason_missing")) } else { Ok(reason) }
}

/// Enters a bot.
pub(crate) async fn enter(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(choice): Posted<Choice>,
) -> Result<Response, Refused> {
    let access = Access::find(&app, &visitor, &code).await?;
    let account = visitor.signed_in()?.id;
    let (team, reason) = match choice.team {
        Some(team) if access.is_teacher() => (team, Some(reason(&choice.reason)?)),
        Some(_) => return Err(Refused::Forbidden),
        None => (access.member().ok_or(Refused::Forbidden)?.team_id, None),
    };
    let is_here = app.store.team_entries(access.course.id, None).await?.iter().any(|entry| entry.team_id == team);
    let bot = app.store.bot(choice.bot.trim()).await?.filter(|_| is_here);
    let bot = bot.ok_or_else(|| Refused::bad("league.entry_theirs"))?.id;
    let entry = NewEntry { team, bot, account, reason: reason.as_deref() };
    match app.store.enter_bot(&entry, now_ms()).await? {
        Entered::Done => Ok(Redirect::to(&access.path("/leagues")).into_response()),
        Entered::Locked => Err(Refused::bad("league.entry_locked")),
        Entered::NotTheirs => Err(Refused::bad("league.entry_theirs")),
        Entered::OtherGame => Err(Refused::bad("league.entry_game")),
        Entered::OtherCourse => Err(Refused::bad("league.entry_course")),
    }
}
