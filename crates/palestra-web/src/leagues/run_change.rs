//! What teachers do with runs: start one now, say that it counts or is the last, hold it, have a game played again,
//! publish results.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::RunState;
use serde::Deserialize;

use super::access::LeagueAccess;
use super::entries::reason;
use super::launch::{Wish, start};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// The address of a run.
type Address = Path<(String, String)>;

#[derive(Deserialize)]
pub(crate) struct StartNow {
    #[serde(default)]
    counted: String,
    #[serde(default, rename = "final")]
    last: String,
    reason: String,
}

/// Starts a run that is not on the schedule.
pub(crate) async fn start_now(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(form): Posted<StartNow>,
) -> Result<Response, Refused> {
    let access = LeagueAccess::find_taught(&app, &visitor, &code).await?;
    visitor.sends()?;
    app.limits.courses.check(Key::visitor(&visitor))?;
    let wish = Wish {
        is_counted: !form.counted.is_empty(),
        is_final: !form.last.is_empty(),
        reason: reason(&form.reason)?,
        account_id: Some(visitor.signed_in()?.id),
    };
    let run = start(&app, &access.league, &access.course, wish).await?;
    Ok(to(&access, run.number))
}

#[derive(Deserialize)]
pub(crate) struct Marks {
    #[serde(default)]
    counted: String,
    #[serde(default, rename = "final")]
    last: String,
}

/// Says whether a run counts for marks, and whether it is the last one.
pub(crate) async fn mark(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, number)): Address,
    Posted(form): Posted<Marks>,
) -> Result<Response, Refused> {
    let access = LeagueAccess::find_taught(&app, &visitor, &code).await?;
    let run = access.run(&app, &number).await?;
    visitor.sends()?;
    app.store.mark_run(run.id, !form.counted.is_empty(), !form.last.is_empty()).await?;
    Ok(to(&access, run.number))
}

#[derive(Deserialize)]
pub(crate) struct Publishing {
    #[serde(default)]
    published: String,
}

/// Shows or hides the standings after the final run.
pub(crate) async fn publish(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, number)): Address,
    Posted(form): Posted<Publishing>,
) -> Result<Response, Refused> {
    let access = LeagueAccess::find_taught(&app, &visitor, &code).await?;
    let run = access.run(&app, &number).await?;
    visitor.sends()?;
    if !run.is_final || run.state != RunState::Finished {
        return Err(Refused::bad("league.not_final"));
    }
    app.store.publish_run(run.id, !form.published.is_empty()).await?;
    Ok(to(&access, run.number))
}

#[derive(Deserialize)]
pub(crate) struct NewState {
    #[serde(rename = "do")]
    what: String,
    #[serde(default)]
    reason: String,
}

/// Pauses a run, lets it go on, or gives it up.
pub(crate) async fn set_state(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, number)): Address,
    Posted(form): Posted<NewState>,
) -> Result<Response, Refused> {
    let access = LeagueAccess::find_taught(&app, &visitor, &code).await?;
    let run = access.run(&app, &number).await?;
    visitor.sends()?;
    match form.what.as_str() {
        "pause" => drop(app.store.pause_run(run.id, &reason(&form.reason)?).await?),
        "resume" => {
            app.store.resume_run(run.id).await?;
            app.jobs.wake();
        }
        "give_up" => {
            app.store.give_up_run(run.id, &reason(&form.reason)?, now_ms()).await?;
            app.alarm.ring();
        }
        _ => return Err(Refused::bad("refused.form")),
    }
    Ok(to(&access, run.number))
}

#[derive(Deserialize)]
pub(crate) struct Void {
    game: i64,
    reason: String,
}

/// Declares a game void, and has it played again.
pub(crate) async fn void(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, number)): Address,
    Posted(form): Posted<Void>,
) -> Result<Response, Refused> {
    let access = LeagueAccess::find_taught(&app, &visitor, &code).await?;
    let run = access.run(&app, &number).await?;
    visitor.sends()?;
    let (account, reason) = (visitor.signed_in()?.id, reason(&form.reason)?);
    if !app.store.void_game((run.id, form.game), account, &reason, now_ms()).await? {
        return Err(Refused::bad("league.no_game"));
    }
    app.jobs.wake();
    Ok(to(&access, run.number))
}

/// To the page of a run.
fn to(access: &LeagueAccess, number: i64) -> Response {
    Redirect::to(&access.path(&format!("/runs/{number}"))).into_response()
}
