//! Runs of leagues, for programs of teachers, such as `palestra course run-league`.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use palestra_store::{League, Run, Scope, Store, StoreError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::LeagueAccess;
use super::entries::reason;
use super::launch::{Wish, start};
use crate::app::App;
use crate::http::error::Refused;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// A league of a course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListedLeague {
    /// The code in its address, `/leagues/CODE`.
    pub code: String,
    /// The name.
    pub name: String,
    /// The short code of its group; null if it is of the whole course.
    pub group: Option<String>,
    /// When its next run is due; null if none is scheduled.
    pub due_ms: Option<i64>,
}

impl From<League> for ListedLeague {
    fn from(league: League) -> Self {
        let League { code, name, group_code, due_ms, is_open, .. } = league;
        Self { code, name, group: group_code, due_ms: due_ms.filter(|_| is_open) }
    }
}

/// A run of a league, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListedRun {
    /// The code of the league.
    pub league: String,
    /// The number of the run, which counts up from 1.
    pub number: i64,
    /// `playing`, `paused`, `finished` or `given up`.
    pub state: String,
    /// Games that were played.
    pub played: i64,
    /// Games in all.
    pub games: i64,
    /// Games that were set aside, since they could not be played.
    pub failed: i64,
    /// The address of its page on the server.
    pub path: String,
}

impl ListedRun {
    pub(crate) async fn of(store: &Store, league: &League, run: &Run) -> Result<Self, StoreError> {
        let progress = store.run_progress(run.id).await?;
        Ok(Self {
            league: league.code.clone(),
            number: run.number,
            state: run.state.word().to_owned(),
            played: progress.played,
            games: progress.played + progress.left,
            failed: progress.failed,
            path: format!("/leagues/{}/runs/{}", league.code, run.number),
        })
    }

    /// Whether games are still to be played.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        ["playing", "paused"].contains(&self.state.as_str())
    }
}

/// A run to be started.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct WantedRun {
    /// Why it is played: the members of the course see it.
    reason: String,
    /// Whether it counts for marks.
    #[serde(default)]
    is_counted: bool,
    /// Whether it is the last one.
    #[serde(default)]
    is_final: bool,
}

/// Starts a run of a league that is not on its schedule.
///
/// For the teachers of its course. One run of a league is played at a time.
#[utoipa::path(
    post, path = "/leagues/{code}/runs", operation_id = "startRun", request_body = WantedRun,
    params(("code" = String, Path, description = "The code of the league.")), security(("token" = ["course"])),
    responses((status = 201, body = ListedRun))
)]
pub(crate) async fn start_run(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    wanted: Result<Json<WantedRun>, JsonRejection>,
) -> Result<(StatusCode, Json<ListedRun>), Refused> {
    let account = visitor.may(Scope::Course)?.id;
    let access = LeagueAccess::find_taught(&app, &visitor, &code).await?;
    let Json(WantedRun { reason: typed, is_counted, is_final }) = wanted.map_err(|_| Refused::bad("refused.form"))?;
    app.limits.courses.check(Key::visitor(&visitor))?;
    let wish = Wish { is_counted, is_final, reason: reason(&typed)?, account_id: Some(account) };
    let run = start(&app, &access.league, &access.course, wish).await?;
    Ok((StatusCode::CREATED, Json(ListedRun::of(&app.store, &access.league, &run).await?)))
}

/// Tells how far a run of a league is.
///
/// For the teachers of its course.
#[utoipa::path(
    get, path = "/leagues/{code}/runs/{number}", operation_id = "run",
    params(
        ("code" = String, Path, description = "The code of the league."),
        ("number" = i64, Path, description = "The number of the run."),
    ),
    security(("token" = ["course"])), responses((status = 200, body = ListedRun))
)]
pub(crate) async fn run(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, number)): Path<(String, String)>,
) -> Result<Json<ListedRun>, Refused> {
    visitor.may(Scope::Course)?;
    let access = LeagueAccess::find_taught(&app, &visitor, &code).await?;
    let run = access.run(&app, &number).await?;
    Ok(Json(ListedRun::of(&app.store, &access.league, &run).await?))
}
