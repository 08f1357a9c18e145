//! The page on which admins see the queue: what waits, how old and how fast it is, what was set aside.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{CourseBytes, FailedJob, JobCount, JobKind, JobState, Role};
use serde::Deserialize;

use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

/// Path of the page.
const PATH: &str = "/admin/jobs";

/// Maximum number of jobs that were set aside on the page.
const MAX_LISTED_JOBS: u32 = 100;

/// Minutes over which the speed is measured.
const MINUTES: i64 = 10;

#[derive(Template)]
#[template(path = "jobs.html")]
struct JobsPage {
    frame: Frame,
    kinds: Vec<Kind>,
    failed: Vec<FailedJob>,
    courses: Vec<CourseBytes>,
    /// Jobs that are being done, up to a limit at the same time.
    busy: usize,
    slots: usize,
    /// Games a minute.
    speed: String,
    trouble: Option<String>,
    boxes: Boxes,
}

/// What this machine has for programs of users.
enum Boxes {
    Whole,
    Lacking(String),
    None(String),
}

/// The jobs of a kind, by state.
struct Kind {
    name: &'static str,
    waiting: i64,
    leased: i64,
    held: i64,
    failed: i64,
    /// When the oldest one that waits was added.
    oldest_ms: Option<i64>,
}

/// The queue.
pub(crate) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response, Refused> {
    visitor.at_least(Role::Admin)?;
    let counts = app.store.job_counts().await?;
    let games = app.store.run_games_since(now_ms() - MINUTES * 60_000).await?;
    let kinds = [
        ("jobs.builds", JobKind::Build),
        ("jobs.games", JobKind::Game),
        ("jobs.searches", JobKind::Search),
        ("jobs.comparisons", JobKind::Compare),
    ];
    page(&JobsPage {
        frame: Frame::new(&visitor),
        kinds: kinds.map(|(name, kind)| Kind::of(name, kind, &counts)).into(),
        failed: app.store.failed_jobs(MAX_LISTED_JOBS).await?,
        courses: app.store.course_bytes().await?,
        busy: app.jobs.under_way().len(),
        slots: app.jobs.slots.most(),
        speed: format!("{:.1}", games as f64 / MINUTES as f64),
        trouble: app.jobs.trouble(),
        boxes: boxes(&app),
    })
}

fn boxes(app: &App) -> Boxes {
    match &app.config.sandbox {
        Err(why) => Boxes::None(why.clone()),
        Ok(sandbox) => match sandbox.lacks() {
            lacks if lacks.is_empty() => Boxes::Whole,
            lacks => Boxes::Lacking(lacks),
        },
    }
}

impl Kind {
    fn of(name: &'static str, kind: JobKind, counts: &[JobCount]) -> Self {
        let find = |state| counts.iter().find(move |count| count.kind == kind && count.state == state);
        let count = |state| find(state).map_or(0, |count| count.count);
        Self {
            name,
            waiting: count(JobState::Waiting),
            leased: count(JobState::Leased),
            held: count(JobState::Held),
            failed: count(JobState::Failed),
            oldest_ms: find(JobState::Waiting).map(|count| count.oldest_ms),
        }
    }
}

/// Bytes as people say them.
fn size(bytes: &i64) -> String {
    const KIB: i64 = 1 << 10;
    const MIB: i64 = 1 << 20;
    match *bytes {
        bytes if bytes >= 10 * MIB => format!("{} MiB", bytes / MIB),
        bytes => format!("{} KiB", (bytes + KIB - 1) / KIB),
    }
}

#[derive(Deserialize)]
pub(crate) struct Which {
    subject: String,
}

/// Lets a job that was set aside be tried again.
pub(crate) async fn retry(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<Which>,
) -> Result<Response, Refused> {
    let admin = visitor.at_least(Role::Admin)?;
    if !app.store.retry_job(&form.subject).await? {
        return Err(Refused::NotFound);
    }
    tracing::info!(by = admin.id, job = form.subject, "a job is tried again");
    app.jobs.wake();
    Ok(Redirect::to(PATH).into_response())
}

/// Drops a job that was set aside.
pub(crate) async fn drop_job(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<Which>,
) -> Result<Response, Refused> {
    let admin = visitor.at_least(Role::Admin)?;
    if !app.store.drop_job(&form.subject).await? {
        return Err(Refused::NotFound);
    }
    tracing::info!(by = admin.id, job = form.subject, "a job is dropped");
    Ok(Redirect::to(PATH).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_round_numbers() {
        assert_eq!(
            [0, 1, 1024, 5_000_000, 50 << 20].map(|bytes| size(&bytes)),
            ["0 KiB", "1 KiB", "1 KiB", "4883 KiB", "50 MiB"]
        );
    }
}
