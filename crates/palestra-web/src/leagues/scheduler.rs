//! Starts the runs of leagues when they are due.
//!
//! A league's row says when its next run is to start. A moment that has passed while the league still plays, or while the
//! server was down, stays there: the run is made up once, and the next moment is the first one of the schedule after that.

use std::time::Duration;

use palestra_store::{Audience, Course, Id, League, MailKind, StoreError};
use palestra_tournament::schedule::Schedule;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::launch::{Launch, Launched, launch};
use super::{moment_ms, timestamp};
use crate::app::{App, now_ms};
use crate::courses::mails::mail_members;
use crate::http::error::Refused;
use crate::time_zone::Zone;

/// Interval at which leagues are looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(60);

/// Wakes the scheduler: a league was changed, or a run is over.
#[derive(Default)]
pub(crate) struct Alarm(Notify);

impl Alarm {
    /// Leagues are looked at now.
    pub(crate) fn ring(&self) {
        self.0.notify_one();
    }
}

/// Starts runs that are due, for as long as it is polled.
pub(crate) async fn run(app: &App) {
    loop {
        if let Err(error) = start_due(app).await {
            // Counted and logged like any other fault of the store.
            drop(Refused::from(error));
        }
        // Who rings while leagues are looked at has them looked at again.
        let _ = timeout(wait(app).await, app.alarm.0.notified()).await;
    }
}

/// The time until the next run is due, at most the interval.
async fn wait(app: &App) -> Duration {
    let next = app.store.next_due_ms(now_ms()).await.ok().flatten();
    let wait_ms = next.map_or(i64::MAX, |due_ms| due_ms - now_ms());
    LOOK_INTERVAL.min(Duration::from_millis(wait_ms.max(0).unsigned_abs()))
}

/// Starts the runs that are due. One league that fails does not keep the others from playing.
async fn start_due(app: &App) -> Result<(), StoreError> {
    for league in app.store.due_leagues(now_ms()).await? {
        if let Err(refused) = start_one(app, &league).await {
            tracing::error!(league = league.code, refused = refused.word(), "a run could not be started");
        }
    }
    Ok(())
}

/// Starts the run of a league that is due, unless the one before is being played.
async fn start_one(app: &App, league: &League) -> Result<(), Refused> {
    let Some(course) = app.store.course_by_id(league.course_id).await? else { return Ok(()) };
    let Some(due_ms) = league.due_ms else { return Ok(()) };
    if course.ends_ms > now_ms() {
        if app.store.unfinished_run(league.id).await?.is_some() {
            return Ok(());
        }
        let how = Launch { due_ms, is_counted: false, is_final: false, reason: None, account_id: None };
        if let Launched::FewBots = launch(app, league, &course, how).await? {
            tracing::info!(league = league.code, "a run was left out: fewer than two bots");
        }
    }
    app.store.set_league_due(league.id, Some(due_ms), next_due(league, &course)).await?;
    Ok(())
}

/// The next moment of a league's schedule from now on, as long as its course goes on.
pub(super) fn next_due(league: &League, course: &Course) -> Option<i64> {
    let schedule = Schedule::read(&league.schedule).ok()?;
    let next = schedule.next(Zone::of(&course.time_zone).time_zone(), timestamp(now_ms()))?;
    Some(moment_ms(next)).filter(|&next| next < course.ends_ms)
}

/// A run is over: the next one may begin, and the members who want to know are told.
pub(crate) async fn tell_finished(app: App, run: Id) {
    app.alarm.ring();
    if let Err(refused) = send_mails(&app, run).await {
        tracing::error!(run, refused = refused.word(), "members could not be told that a run is over");
    }
}

async fn send_mails(app: &App, run: Id) -> Result<(), Refused> {
    let Some(run) = app.store.run_by_id(run).await? else { return Ok(()) };
    let Some(league) = run.league_id else { return Ok(()) };
    let Some(league) = app.store.league_by_id(league).await? else { return Ok(()) };
    let audience = league.group_id.map_or(Audience::Course(league.course_id), Audience::Group);
    // Who was told once need not be told of a game that was played again.
    if app.store.run_games(run.id).await?.iter().any(|game| game.voided_ms.is_some()) {
        return Ok(());
    }
    let path = format!("/leagues/{}/runs/{}", league.code, run.number);
    Ok(mail_members(app, audience, MailKind::RunFinished, &path).await?)
}
