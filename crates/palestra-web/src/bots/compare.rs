//! Compares two versions of a bot: games at a tenth of a second a move, until it is known which one is better.

use std::ops::ControlFlow;
use std::time::Duration;

use palestra_arena::{Contest, Entrant, EntrantKind, Entrants, PlayedGame, Rules, Starts, Task, TimeControl};
use palestra_games::{GameKind, Side};
use palestra_sandbox::USUAL_MEMORY;
use palestra_search::openings::Book;
use palestra_store::{Comparison, ComparisonState, Id};
use palestra_tournament::{Scored, fingerprint};
use serde::Deserialize;

use super::artefact::NoProgram;
use super::compared::Compared;
use crate::jobs::{Done, Failure, Work};

/// CPU time of a move.
const MOVE: Duration = Duration::from_millis(100);

/// The body of a job.
#[derive(Deserialize)]
struct Body {
    comparison: Id,
}

/// Plays the games of a comparison that are missing.
pub(crate) fn compare(work: &Work<'_>) -> Result<Done, Failure> {
    let Body { comparison } = work.body()?;
    let store = &work.app.store;
    let Some(comparison) = work.wait(store.comparison(comparison))? else { return Ok(Done::Stored) };
    if comparison.state.has_ended() {
        return Ok(Done::Stored);
    }
    let mut compared = Compared::read(&comparison.report);
    let state = match contest(work, &comparison)? {
        Ok(contest) => {
            play(work, &contest, comparison.id, &mut compared)?;
            ComparisonState::Finished
        }
        Err(trouble) => {
            compared.trouble = trouble;
            ComparisonState::Failed
        }
    };
    work.wait(store.end_comparison(comparison.id, state, &compared.to_text()))?;
    Ok(Done::Stored)
}

/// Both versions at the start; the inner error is why one of them cannot play.
fn contest(work: &Work<'_>, comparison: &Comparison) -> Result<Result<Contest, String>, Failure> {
    let store = &work.app.store;
    let Some(version) = work.wait(store.version_by_id(comparison.version_id))? else { return Ok(Err(String::new())) };
    let Some(bot) = work.wait(store.bot_by_id(version.bot_id))? else { return Ok(Err(String::new())) };
    let Some(kind) = GameKind::find(&bot.game) else { return Ok(Err(bot.game)) };
    let mut entrants = vec![];
    for (version, number) in [(comparison.version_id, comparison.number), (comparison.other_id, comparison.other)] {
        match work.wait(work.app.artefacts.program(work.app, version)) {
            Ok(program) => entrants.push(Entrant { name: format!("v{number}"), kind: EntrantKind::Program(program) }),
            Err(NoProgram::Store(error)) => return Err(error.into()),
            Err(NoProgram::Stopping) => return Err(Failure::Quit),
            Err(error) => return Ok(Err(error.to_string())),
        }
    }
    let entrants = Entrants::new(entrants).map_err(|error| Failure::Failed(error.to_string()))?;
    let seed = comparison.id.unsigned_abs();
    let book = Book::new(kind.id(), seed).map_err(|error| Failure::Failed(error.to_string()))?;
    let rules = Rules { time: TimeControl::cpu(MOVE), cap: kind.about.move_cap, ..Rules::default() };
    let starts = Starts::Openings(book);
    Ok(Ok(Contest { kind, entrants, rules, starts, memory: Some(USUAL_MEMORY), seed }))
}

/// Plays one game after the other; each is noted, so that another worker can go on from there.
fn play(work: &Work<'_>, contest: &Contest, id: Id, compared: &mut Compared) -> Result<(), Failure> {
    while compared.is_open() {
        let task = task(compared.games());
        let (mut next, mut played) = (Some(task), None);
        let mut done = |_, game| {
            played = Some(game);
            ControlFlow::Break(())
        };
        let result = contest.play(1, work.quit, &|_, _, _| (), &mut || next.take(), &mut done);
        result.map_err(|error| Failure::Failed(error.to_string()))?;
        let Some(played) = played else { return Err(Failure::Quit) };
        compared.add(scored(&task, &played));
        if !work.wait(work.app.store.note_comparison(id, &compared.to_text()))? {
            return Err(Failure::Quit);
        }
    }
    Ok(())
}

/// Two games from each opening, with the sides changed.
const fn task(number: u32) -> Task {
    let players = if number.is_multiple_of(2) { [0, 1] } else { [1, 0] };
    Task { number, players, opening: number as usize / 2 }
}

fn scored(task: &Task, played: &PlayedGame) -> Scored {
    let side = if task.players[0] == 0 { Side::One } else { Side::Two };
    let moves: Vec<&str> = played.record.moves().iter().map(|mv| mv.text.as_str()).collect();
    Scored { result: played.verdict.result(side), fingerprint: fingerprint((moves, played.verdict.winner)) }
}
