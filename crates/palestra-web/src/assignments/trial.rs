//! Trials: a team runs the rubric on its active version. What comes of it is provisional, and for the team alone.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Id, Role, Run, RunKind, RunState};
use serde::Deserialize;
use tokio::sync::Mutex;

use super::access::AssignmentAccess;
use super::explain::{ShownPart, total};
use super::rubric::rubric_of;
use super::run::{Examiners, opponents, start};
use super::sheet::Sheet;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::locale::Locale;
use crate::runs::LiveGame;
use crate::visitor::Visitor;

/// How many trials a team has a day.
pub(super) const TRIALS_A_DAY: usize = 3;

/// Held from counting the trials of a day until one more has begun: two requests at once do not begin a fourth.
static STARTING: Mutex<()> = Mutex::const_new(());

/// What a team's page says of its trials.
pub(super) struct TrialView {
    /// How many are left today.
    pub(super) left: usize,
    /// Whether a bot is entered that can play.
    pub(super) has_bot: bool,
    /// Whether the rubric has something to try.
    pub(super) is_tried: bool,
    /// Whether it has games to play.
    pub(super) has_games: bool,
    pub(super) last: Option<LastTrial>,
}

/// The last trial.
pub(super) struct LastTrial {
    pub(super) run: Run,
    pub(super) is_finished: bool,
    pub(super) played: i64,
    pub(super) of: i64,
    /// Searches that are still to be compared.
    pub(super) searches: i64,
    /// The games that are being played.
    pub(super) live: Vec<Arc<LiveGame>>,
    pub(super) total: Option<String>,
    pub(super) parts: Vec<ShownPart>,
}

impl TrialView {
    pub(super) async fn of(
        app: &App,
        found: &AssignmentAccess,
        sheet: &mut Sheet,
        team: Id,
        locale: Locale,
    ) -> Result<Self, Refused> {
        let used = today(app, found, team).await?;
        let trials = app.store.trials(team, 0).await?;
        let last = match trials.into_iter().find(|run| run.assignment_id == Some(found.assignment.id)) {
            Some(run) => LastTrial::of(app, sheet, run, team, locale).await?,
            None => None,
        };
        let has_bot = sheet.find(team).is_some_and(|row| row.has_bot);
        Ok(Self {
            left: TRIALS_A_DAY.saturating_sub(used),
            has_bot,
            is_tried: sheet.rubric.tries_bots(),
            has_games: !sheet.rubric.opponents().is_empty(),
            last,
        })
    }
}

impl LastTrial {
    async fn of(app: &App, sheet: &mut Sheet, run: Run, team: Id, locale: Locale) -> Result<Option<Self>, Refused> {
        let progress = app.store.run_progress(run.id).await?;
        let mut games = super::sheet::games_of(app, &run).await?;
        if !sheet.examine(team, games.remove(&team).unwrap_or_default()) {
            return Ok(None);
        }
        let Some(row) = sheet.find(team) else { return Ok(None) };
        Ok(Some(Self {
            is_finished: run.state == RunState::Finished,
            played: progress.played,
            of: progress.played + progress.left,
            searches: progress.searches,
            live: app.live_games.of_run(run.id),
            total: total(&row.mark),
            parts: row.parts(sheet, locale).into_iter().filter(|part| part.is_of_bot).collect(),
            run,
        }))
    }
}

/// How many trials a team has begun today, by the clocks of the course.
async fn today(app: &App, found: &AssignmentAccess, team: Id) -> Result<usize, Refused> {
    let date = found.zone.date(now_ms());
    let end_ms = found.zone.day_end_ms(&date).unwrap_or_else(now_ms);
    let local = found.zone.local(end_ms - 1);
    let begin_ms = local.start_of_day().map_or(end_ms, |begin| begin.timestamp().as_millisecond());
    Ok(app.store.trials(team, begin_ms).await?.len())
}

#[derive(Deserialize)]
pub(crate) struct Empty {}

/// Starts a trial.
pub(crate) async fn trial(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Empty {}): Posted<Empty>,
) -> Result<Response, Refused> {
    visitor.at_least(Role::Student)?;
    let found = AssignmentAccess::find(&app, &visitor, &code).await?;
    let team = found.team().ok_or(Refused::Forbidden)?;
    let course = &found.access.course;
    let rubric = rubric_of(&found.assignment)?;
    let _starting = STARTING.lock().await;
    if today(&app, &found, team).await? >= TRIALS_A_DAY {
        return Err(Refused::bad_with("marks.wrong.trials", TRIALS_A_DAY.to_string()));
    }
    let mut bots = app.store.team_entries(course.id, None).await?;
    bots.retain(|entry| entry.team_id == team && entry.version_id.is_some());
    if bots.is_empty() {
        return Err(Refused::bad("marks.wrong.no_bot"));
    }
    // Before the deadline a trial would tell how strong a hidden bot is.
    let is_over = found.assignment.is_over(now_ms());
    let examiners = Examiners { players: opponents(&app, course, &rubric, is_over).await?, rubric: &rubric };
    let account = visitor.signed_in()?.id;
    start(&app, (course, &found.assignment), (RunKind::Trial, Some(team)), bots, &examiners, (account, None)).await?;
    Ok(Redirect::to(&found.path("?saved=trial")).into_response())
}
