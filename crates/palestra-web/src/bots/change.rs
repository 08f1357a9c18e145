//! What an owner does with versions: makes one active, deletes one, has one tried again, compares two.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{JobState, NewComparison, VersionState, build_job, build_subject};
use serde::Deserialize;

use super::access::{Access, browsing};
use super::show;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::jobs;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// A version, by its number.
#[derive(Deserialize)]
pub(crate) struct Numbered {
    number: i64,
}

/// Makes a version active.
pub(crate) async fn activate(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    Posted(Numbered { number }): Posted<Numbered>,
) -> Result<Response, Refused> {
    let access = Access::find_own(&app, browsing(&visitor)?, &name).await?;
    let is_done = app.store.activate_version(access.bot.id, number).await?;
    if is_done { Ok(to(&access, number)) } else { Err(Refused::bad_with("bots.not_ready", number.to_string())) }
}

/// Deletes a version and its sources.
pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    Posted(Numbered { number }): Posted<Numbered>,
) -> Result<Response, Refused> {
    let access = Access::find_own(&app, browsing(&visitor)?, &name).await?;
    let is_done = app.store.delete_version(access.bot.id, number).await?;
    if !is_done {
        return Err(Refused::bad_with("bots.not_deleted", number.to_string()));
    }
    Ok(Redirect::to(&format!("/bots/{}", access.bot.name)).into_response())
}

/// Has a version tried whose job was given up.
pub(crate) async fn retry(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    Posted(Numbered { number }): Posted<Numbered>,
) -> Result<Response, Refused> {
    let account = browsing(&visitor)?;
    app.limits.bot_uploads.check(Key::Account(account.id))?;
    let access = Access::find_own(&app, account, &name).await?;
    let version = access.version(&app, number).await?;
    if !version.state.has_ended() {
        let subject = build_subject(version.id);
        if matches!(app.store.job_place(&subject).await?, Some((JobState::Failed, _))) {
            app.store.retry_job(&subject).await?;
        }
        jobs::add(&app, build_job(version.id, account.id)).await?;
    }
    Ok(to(&access, number))
}

/// Two versions.
#[derive(Deserialize)]
pub(crate) struct Compared {
    number: i64,
    other: i64,
}

/// Compares a version with another one.
pub(crate) async fn begin_comparison(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    Posted(compared): Posted<Compared>,
) -> Result<Response, Refused> {
    let account = browsing(&visitor)?;
    let access = Access::find_own(&app, account, &name).await?;
    match add_comparison(&app, account.id, &access, &compared).await {
        Ok(()) => Ok(to(&access, compared.number)),
        Err(refused @ Refused::Bad(..)) => show::again(&app, &visitor, access, "other", &refused).await,
        Err(refused) => Err(refused),
    }
}

async fn add_comparison(
    app: &App,
    account: palestra_store::Id,
    access: &Access,
    &Compared { number, other }: &Compared,
) -> Result<(), Refused> {
    let [version, other] = [access.version(app, number).await?, access.version(app, other).await?];
    if version.id == other.id {
        return Err(Refused::bad("bots.compare.same"));
    }
    if let Some(unready) = [&version, &other].into_iter().find(|version| version.state != VersionState::Ready) {
        return Err(Refused::bad_with("bots.not_ready", unready.number.to_string()));
    }
    app.limits.comparisons.check(Key::Account(account))?;
    let new = NewComparison { version: version.id, other: other.id, account };
    let is_new = app.store.add_comparison(new, now_ms()).await?.is_some();
    app.jobs.wake();
    if is_new { Ok(()) } else { Err(Refused::bad("bots.compare.busy")) }
}

fn to(access: &Access, number: i64) -> Response {
    Redirect::to(&format!("/bots/{}?version={number}", access.bot.name)).into_response()
}
