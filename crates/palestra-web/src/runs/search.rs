//! Compares the search of a player of a run with the teaching alpha-beta: that of a version that was tried before this was a
//! part of it.

use palestra_store::{FoundSearch, Id};
use serde::Deserialize;

use super::RunSettings;
use crate::app::now_ms;
use crate::bots::{Report, searched};
use crate::jobs::{Done, Failure, Work};

/// The body of a job.
#[derive(Deserialize)]
struct Task {
    run: Id,
    player: usize,
}

/// Compares the search that a job is about, unless another job has done so meanwhile.
pub(crate) fn search(work: &Work<'_>) -> Result<Done, Failure> {
    let task: Task = work.body()?;
    let store = &work.app.store;
    let version = work.wait(store.run_players(task.run))?.get(task.player).and_then(|player| player.version_id);
    let version = match version {
        Some(id) => work.wait(store.version_by_id(id))?,
        None => None,
    };
    let report = version.as_ref().map(|version| searched(work, version)).transpose()?.unwrap_or_default();
    let text = report.to_text();
    loop {
        // With the run went the wish to know it.
        let Some(run) = work.wait(store.run_by_id(task.run))? else { return Ok(Done::Stored) };
        let settings = with_search(&run.settings, task.player, &report)?;
        let found = FoundSearch {
            run_id: run.id,
            player: task.player as i64,
            settings: [&run.settings, &settings],
            report: version.as_ref().map(|version| (version.id, [version.report.as_str(), &text])),
        };
        // Another search of the run may have ended at the same time.
        if work.wait(store.finish_search(&found, now_ms()))? {
            return Ok(Done::Stored);
        }
    }
}

/// The settings of a run, with what was found about the search of a player.
fn with_search(settings: &str, player: usize, report: &Report) -> Result<String, Failure> {
    let unreadable = |error: serde_json::Error| Failure::Failed(format!("the settings of the run: {error}"));
    let mut settings: RunSettings = serde_json::from_str(settings).map_err(unreadable)?;
    settings.searches.insert(player, report.search.unwrap_or_default());
    serde_json::to_string(&settings).map_err(unreadable)
}
