//! Plays a run of a league without a server.

use std::time::Duration;

use palestra_store::{League, Run, RunState};
use tokio::time::sleep;

use super::{OfflineError, open};
use crate::app::{App, now_ms};
use crate::config::Config;
use crate::data_folder::DataFolder;
use crate::jobs;
use crate::leagues::api::ListedRun;
use crate::leagues::{Wish, start};
use crate::server::StartError;

/// Which league is to play, and how.
#[derive(Clone, Debug)]
pub struct LeagueOrder {
    /// The code of the league.
    pub league: String,
    /// Whether only a new run will do; otherwise one that is not finished goes on.
    pub is_new: bool,
    /// Why a new run is played.
    pub reason: String,
    /// Whether a new run counts for marks.
    pub is_counted: bool,
    /// Whether a new run is the last one.
    pub is_final: bool,
}

/// How far a run is.
#[derive(Clone, Debug)]
pub struct LeagueProgress {
    /// The run.
    pub run: ListedRun,
    /// Why nothing can be played or stored now, if that is so.
    pub trouble: Option<String>,
}

/// How the playing of a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All games are played.
    Finished,
    /// It was interrupted, and goes on the next time.
    Interrupted,
    /// The games that are left cannot be played: the reason of one of them.
    SetAside(String),
}

/// How often progress is told.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// A database with a heartbeat that is not older has a server.
const SERVED_MS: i64 = 5000;

/// Plays a run of a league to its end, unless it is interrupted: the one that is not finished, or a new one.
pub(crate) async fn run_league(
    config: &Config,
    order: &LeagueOrder,
    interrupt: impl Future<Output = ()>,
    on_progress: &mut dyn FnMut(&LeagueProgress),
) -> Result<(ListedRun, RunEnd), OfflineError> {
    // Held as long as workers play: no server may start meanwhile.
    let _folder = DataFolder::open(&config.data).map_err(StartError::from)?;
    let app = open(config).await?;
    let result = play(&app, order, interrupt, on_progress).await;
    app.store.close().await;
    result
}

async fn play(
    app: &App,
    order: &LeagueOrder,
    interrupt: impl Future<Output = ()>,
    on_progress: &mut dyn FnMut(&LeagueProgress),
) -> Result<(ListedRun, RunEnd), OfflineError> {
    refuse_beside_a_server(app).await?;
    let league = app.store.league(&order.league).await?;
    let league = league.ok_or_else(|| OfflineError::NotFound("league", order.league.clone()))?;
    let run = begin(app, &league, order).await?;
    jobs::start(app).await?;
    let end = tokio::select! {
        end = follow(app, &league, &run, on_progress) => end,
        () = jobs::renew(app) => unreachable!("leases are renewed for ever"),
        () = interrupt => Ok(RunEnd::Interrupted),
    };
    jobs::stop(app).await;
    Ok((ListedRun::of(&app.store, &league, &run_of(app, &run).await?).await?, end?))
}

/// A database of its own may be served from another folder.
async fn refuse_beside_a_server(app: &App) -> Result<(), OfflineError> {
    let beat_ms = app.store.last_beat().await?.unwrap_or_default();
    let is_served = app.config.database.is_some() && now_ms().saturating_sub(beat_ms) < SERVED_MS;
    if is_served { Err(OfflineError::Served) } else { Ok(()) }
}

/// The run of the league that is not finished, or a new one.
async fn begin(app: &App, league: &League, order: &LeagueOrder) -> Result<Run, OfflineError> {
    let LeagueOrder { is_new, reason, is_counted, is_final, .. } = order.clone();
    if let Some(number) = app.store.unfinished_run(league.id).await?.filter(|_| !is_new)
        && let Some(run) = app.store.league_run(league.id, number).await?
    {
        let players = app.store.run_players(run.id).await?;
        if players.iter().any(|player| player.built_in.is_none()) {
            need_sandbox(app)?;
        }
        if run.state == RunState::Paused {
            app.store.resume_run(run.id).await?;
        }
        return Ok(run);
    }
    need_sandbox(app)?;
    let course = app.store.course_by_id(league.course_id).await?;
    let course = course.ok_or_else(|| OfflineError::NotFound("course of the league", league.code.clone()))?;
    Ok(start(app, league, &course, Wish { is_counted, is_final, reason, account_id: None }).await?)
}

/// Without a sandbox no uploaded program can play.
fn need_sandbox(app: &App) -> Result<(), OfflineError> {
    app.config.sandbox.as_ref().map(drop).map_err(|why| OfflineError::NoSandbox(why.clone()))
}

/// Tells the progress of a run until it ends.
async fn follow(
    app: &App,
    league: &League,
    run: &Run,
    on_progress: &mut dyn FnMut(&LeagueProgress),
) -> Result<RunEnd, OfflineError> {
    loop {
        let run = run_of(app, run).await?;
        let listed = ListedRun::of(&app.store, league, &run).await?;
        if !listed.goes_on() {
            return Ok(RunEnd::Finished);
        }
        if listed.failed > 0 && listed.played + listed.failed == listed.games {
            return Ok(RunEnd::SetAside(why_set_aside(app, &run).await?));
        }
        on_progress(&LeagueProgress { run: listed, trouble: app.jobs.trouble() });
        sleep(PROGRESS_INTERVAL).await;
    }
}

async fn run_of(app: &App, run: &Run) -> Result<Run, OfflineError> {
    let now = app.store.run_by_id(run.id).await?;
    now.ok_or_else(|| OfflineError::NotFound("run", run.code.clone()))
}

/// Why a game of a run was set aside.
async fn why_set_aside(app: &App, run: &Run) -> Result<String, OfflineError> {
    let jobs = app.store.failed_jobs(u32::MAX).await?;
    let subject = format!("run {} ", run.id);
    let job = jobs.into_iter().find(|job| job.subject.starts_with(&subject));
    Ok(job.and_then(|job| job.reason).unwrap_or_default())
}
