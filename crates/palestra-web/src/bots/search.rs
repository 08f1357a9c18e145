//! Compares the search of a version that was tried before that was a step.

use std::time::Instant;

use palestra_games::GameKind;
use palestra_store::BotVersion;
use palestra_tournament::rubric::SearchResult;

use super::artefact::NoProgram;
use super::build::{check, milliseconds, search_notes, state_after};
use super::report::{Report, Step, StepKind};
use crate::jobs::{Failure, Work};

/// The report of a version, with what is found about its search.
pub(crate) fn searched(work: &Work<'_>, version: &BotVersion) -> Result<Report, Failure> {
    let mut report = Report::read(&version.report);
    if report.search.is_some() {
        return Ok(report);
    }
    let program = match work.wait(work.app.artefacts.program(work.app, version.id)) {
        Ok(program) => program,
        // Nobody will know any more.
        Err(NoProgram::NoVersion | NoProgram::NoSources) => {
            report.search = Some(SearchResult::Untested);
            return Ok(report);
        }
        Err(NoProgram::Stopping) => return Err(Failure::Quit),
        Err(NoProgram::Store(error)) => return Err(error.into()),
        Err(error) => return Err(Failure::Failed(error.to_string())),
    };
    let Some(bot) = work.wait(work.app.store.bot_by_id(version.bot_id))? else { return Ok(report) };
    let kind = GameKind::find(&bot.game).ok_or_else(|| Failure::Failed(format!("no game {}", bot.game)))?;
    let begun = Instant::now();
    let searched = check(kind, &program).search(&mut |_, _| ()).map_err(|error| Failure::Failed(error.to_string()))?;
    report.search = Some(searched.result());
    if let Some(notes) = search_notes(searched, program.dialect) {
        let (state, elapsed_ms) = (state_after(&notes), milliseconds(begun.elapsed()));
        let at = report.steps.iter().position(|step| step.kind == StepKind::Itself).unwrap_or(report.steps.len());
        report.steps.insert(at, Step { kind: StepKind::Search, state, elapsed_ms, notes, game: None });
    }
    Ok(report)
}
