//! Builds and tries a version: the compiler, the names that a course asks for, the questions of `check`, and test games.

use std::sync::Arc;
use std::time::{Duration, Instant};

use palestra_arena::check::{Check, Ended, Finding as Found, Limits, News, NotTested, Place, Searched, Test};
use palestra_arena::{Artefact, EntrantError, Misnamed, Program, Upload};
use palestra_games::{GameKind, Side};
use palestra_protocol::{Dialect, shown};
use palestra_sandbox::{BuildFailure, Sandbox, USUAL_MEMORY};
use palestra_store::{Bot, BotVersion, Built, Id, VersionState};
use serde::Deserialize;

use super::artefact::NoProgram;
use super::mail_refused;
use super::report::{Finding, Game, Note, Report, Step, StepKind, StepState};
use crate::jobs::{Done, Failure, Work};

/// The most characters of each text of a program in a report, and of a compiler's message.
const MAX_TEXT: usize = 2000;
const MAX_MESSAGE_BYTES: usize = 32 << 10;

/// Time for comparing the search of a version.
const SEARCHES: Duration = Duration::from_secs(120);

/// The most places in which standard streams are used that a report lists.
const MAX_STREAMS: usize = 20;

/// The body of a job.
#[derive(Deserialize)]
struct Body {
    version: Id,
}

/// Builds and tries the version that a job is about. One that has been is left alone.
pub(crate) fn build(work: &Work<'_>) -> Result<Done, Failure> {
    let Body { version } = work.body()?;
    let store = &work.app.store;
    let Some(version) = work.wait(store.version_by_id(version))? else { return Ok(Done::Stored) };
    let Some(bot) = work.wait(store.bot_by_id(version.bot_id))? else { return Ok(Done::Stored) };
    let files = work.wait(store.version_files(version.id))?;
    // With the sources went the wish to have them built.
    if version.state.has_ended() || files.is_empty() {
        return Ok(Done::Stored);
    }
    let kind = GameKind::find(&bot.game).ok_or_else(|| Failure::Failed(format!("no game {}", bot.game)))?;
    let sandbox = work.app.config.sandbox.clone().map_err(Failure::Failed)?;
    let upload = Upload::of_files(&bot.game, files).map_err(|error| Failure::Failed(error.to_string()))?;
    let mut trial =
        Trial { work, bot: &bot, version: &version, kind, report: Report::default(), begun: Instant::now() };
    let compiler = upload.compiler();
    let is_ready = trial.run(&upload, &sandbox)?;
    let state = if is_ready { VersionState::Ready } else { VersionState::Refused };
    let flags = trial.report.command.clone();
    let report = trial.report.to_text();
    let built = Built { state, report: &report, compiler: Some(&compiler), flags: Some(&flags) };
    let is_news = work.wait(store.end_build(version.id, &built))?;
    if is_news && !is_ready {
        work.wait(mail_refused(work.app, &bot, &version));
    }
    Ok(Done::Stored)
}

/// A version that is being tried.
struct Trial<'a> {
    work: &'a Work<'a>,
    bot: &'a Bot,
    version: &'a BotVersion,
    kind: &'static GameKind,
    report: Report,
    /// When the step began that is running.
    begun: Instant,
}

impl Trial<'_> {
    /// Takes one step after the other; whether the version passed all of them.
    fn run(&mut self, upload: &Upload, sandbox: &Arc<Sandbox>) -> Result<bool, Failure> {
        let Some(artefact) = self.compile(upload, sandbox)? else { return Ok(false) };
        let Some(program) = self.prepare(artefact, sandbox)? else { return Ok(false) };
        let check = check(self.kind, &program);
        self.streams(upload)?;
        if upload.is_of_mancala_course() && !self.names(upload, &check)? {
            return Ok(false);
        }
        if !self.questions(&check)? {
            return Ok(false);
        }
        self.search(&check)?;
        self.against_itself(&check)
    }

    fn compile(&mut self, upload: &Upload, sandbox: &Arc<Sandbox>) -> Result<Option<Artefact>, Failure> {
        self.report.command = upload.command();
        self.begin(StepKind::Compile, VersionState::Compiling)?;
        let note = match upload.compile(sandbox) {
            Ok(compiled) => {
                self.report.command = compiled.command;
                self.report.program_bytes = compiled.artefact.files.iter().map(|(_, file)| file.len() as u64).sum();
                let note = compiled.other_dialect.map(|name| Note::Dialect { name: name.to_owned() });
                self.end(note.into_iter().collect());
                return Ok(Some(compiled.artefact));
            }
            Err(BuildFailure::Compile { message }) => {
                self.report.message = beginning(&message);
                None
            }
            Err(BuildFailure::Slow { limit }) => Some(Note::Slow { seconds: limit.as_secs() }),
            Err(BuildFailure::Memory { limit }) => Some(Note::Memory { mib: limit >> 20 }),
            Err(BuildFailure::Refused(why)) => Some(Note::Unfit { why: text(&why) }),
            Err(error @ (BuildFailure::NoCompiler { .. } | BuildFailure::Sandbox(_))) => {
                return Err(Failure::Failed(error.to_string()));
            }
        };
        self.end(note.into_iter().collect());
        self.fail();
        Ok(None)
    }

    /// Keeps the program and starts it once.
    fn prepare(&mut self, artefact: Artefact, sandbox: &Arc<Sandbox>) -> Result<Option<Program>, Failure> {
        match self.work.app.artefacts.keep(self.version, &self.bot.game, artefact, sandbox) {
            Ok(program) => Ok(Some(program)),
            Err(NoProgram::Start(error)) if !matches!(error, EntrantError::Box { .. }) => {
                self.begin(StepKind::Start, VersionState::Checking)?;
                self.end(vec![Note::Unfit { why: text(&error.to_string()) }]);
                Ok(None)
            }
            Err(NoProgram::Store(error)) => Err(error.into()),
            Err(error) => Err(Failure::Failed(error.to_string())),
        }
    }

    /// Where a submission to a course uses the streams of its simulator: that is a warning.
    fn streams(&mut self, upload: &Upload) -> Result<(), Failure> {
        let uses = upload.stream_uses();
        if uses.is_empty() {
            return Ok(());
        }
        self.begin(StepKind::Streams, VersionState::Checking)?;
        let note =
            |it: palestra_arena::StreamUse| Note::Stream { file: it.file, line: it.line, name: it.name.to_owned() };
        self.end(uses.into_iter().take(MAX_STREAMS).map(note).collect());
        Ok(())
    }

    /// Whether class, files and the answer to GETNAME are called as the bot is.
    fn names(&mut self, upload: &Upload, check: &Check<'_>) -> Result<bool, Failure> {
        self.begin(StepKind::Names, VersionState::Checking)?;
        let note = |misnamed| match misnamed {
            Misnamed::Class(found) => Note::Class { found },
            Misnamed::Header(found) => Note::Header { found },
            Misnamed::Source(found) => Note::Source { found },
        };
        let mut notes: Vec<Note> = upload.misnamed(&self.bot.name).into_iter().map(note).collect();
        let own = check.own_name().map_err(|error| Failure::Failed(error.to_string()))?;
        // A program that says nothing is found out by the check.
        if let Some(own) = own.filter(|own| *own != self.bot.name) {
            notes.push(Note::Getname { found: text(&own) });
        }
        let is_right = notes.is_empty();
        self.end(notes);
        Ok(is_right)
    }

    /// What `palestra check` asks, with a game against `random` on each side.
    fn questions(&mut self, check: &Check<'_>) -> Result<bool, Failure> {
        let dialect = check.program.dialect;
        let mut trouble = None;
        let mut notes = vec![];
        let summary = check.run(&mut |news| match news {
            News::Begins(test) => {
                let state = if matches!(test, Test::Game(_)) { VersionState::Playing } else { VersionState::Checking };
                notes.clear();
                trouble = self.begin(step(test), state).err().or(trouble.take());
            }
            News::Found(found) => {
                notes.push(Note::Finding(finding(found, dialect)));
                self.end(notes.clone());
            }
            News::Played(side, ended) => self.played(side, ended),
            News::Passed(_) => self.end(vec![]),
        });
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let summary = summary.map_err(|error| Failure::Failed(error.to_string()))?;
        // A test that is left out after a failure may have begun nothing.
        self.report.steps.retain(|step| step.state != StepState::Running);
        Ok(summary.wrong == 0)
    }

    /// Compares its search with the teaching alpha-beta, if it answers the option. A difference refuses no version.
    fn search(&mut self, check: &Check<'_>) -> Result<(), Failure> {
        self.begin(StepKind::Search, VersionState::Checking)?;
        let searched = check.search(&mut |_, _| ()).map_err(|error| Failure::Failed(error.to_string()))?;
        self.report.search = Some(searched.result());
        match search_notes(searched, check.program.dialect) {
            Some(notes) => self.end(notes),
            None => drop(self.report.steps.pop()),
        }
        Ok(())
    }

    fn against_itself(&mut self, check: &Check<'_>) -> Result<bool, Failure> {
        self.begin(StepKind::Itself, VersionState::Playing)?;
        match check.against_itself().map_err(|error| Failure::Failed(error.to_string()))? {
            Ok(ended) => {
                self.played(Side::One, ended);
                self.end(vec![]);
                Ok(true)
            }
            Err(found) => {
                self.end(vec![Note::Finding(finding(*found, check.program.dialect))]);
                Ok(false)
            }
        }
    }

    /// Begins a step, and lets everyone who looks know.
    fn begin(&mut self, kind: StepKind, state: VersionState) -> Result<(), Failure> {
        if self.work.is_to_stop() {
            return Err(Failure::Quit);
        }
        self.begun = Instant::now();
        self.report.steps.push(Step { kind, state: StepState::Running, elapsed_ms: 0, notes: vec![], game: None });
        let noted = self.work.wait(self.work.app.store.note_version(self.version.id, state, &self.report.to_text()))?;
        // Another worker was faster, or the version is gone.
        if noted { Ok(()) } else { Err(Failure::Quit) }
    }

    /// Ends the step that is running.
    fn end(&mut self, notes: Vec<Note>) {
        let elapsed = self.begun.elapsed();
        let Some(step) = self.report.steps.last_mut() else { return };
        step.state = state_after(&notes);
        step.notes = notes;
        step.elapsed_ms = milliseconds(elapsed);
    }

    /// The last step failed for a reason that is not among its notes.
    fn fail(&mut self) {
        if let Some(step) = self.report.steps.last_mut() {
            step.state = StepState::Failed;
        }
    }

    fn played(&mut self, side: Side, ended: Ended) {
        let own = side.index();
        let game =
            Game { won: ended.winner.map(|winner| winner == side), points: [ended.points[own], ended.points[1 - own]] };
        if let Some(step) = self.report.steps.last_mut() {
            step.game = Some(game);
        }
    }
}

/// What a program is asked, within the limits of versions.
pub(super) fn check<'a>(kind: &'static GameKind, program: &'a Program) -> Check<'a> {
    Check { kind, program, limits: Limits { memory: USUAL_MEMORY, searches: SEARCHES, ..Limits::default() } }
}

/// What is said of comparing a search; nothing if the program does not answer the option.
pub(super) fn search_notes(searched: Searched, dialect: Dialect) -> Option<Vec<Note>> {
    Some(match searched {
        Searched::Untested(NotTested::Silent) => return None,
        Searched::Untested(NotTested::Slow(done)) => vec![Note::SearchSlow { done }],
        Searched::Alike(_) => vec![],
        Searched::Differs(difference) => vec![Note::Difference((*difference).into())],
        Searched::Failed(found) => vec![Note::Finding(Finding { is_warning: true, ..finding(*found, dialect) })],
    })
}

/// How a step has ended with these notes.
pub(super) fn state_after(notes: &[Note]) -> StepState {
    match () {
        () if notes.iter().any(Note::is_failure) => StepState::Failed,
        () if notes.is_empty() => StepState::Passed,
        () => StepState::Warned,
    }
}

const fn step(test: Test) -> StepKind {
    match test {
        Test::Start => StepKind::Start,
        Test::Positions(Side::One) => StepKind::PositionsFirst,
        Test::ExtraTurn => StepKind::ExtraTurn,
        Test::Positions(Side::Two) => StepKind::PositionsSecond,
        Test::Lines => StepKind::Lines,
        Test::End => StepKind::End,
        Test::Game(Side::One) => StepKind::GameFirst,
        Test::Game(Side::Two) => StepKind::GameSecond,
        Test::Time => StepKind::Time,
    }
}

fn finding(found: Found, dialect: Dialect) -> Finding {
    let Found { kind, detail, line, place, stderr } = found;
    let Place { position, legal } = place.unwrap_or(Place { position: String::new(), legal: vec![] });
    Finding {
        kind: kind.word().to_owned(),
        is_warning: kind.is_warning(),
        is_of_course: dialect == Dialect::Course,
        detail: text(&detail),
        line: text(&line.unwrap_or_default()),
        position: text(&position),
        legal: text(&legal.join(" ")),
        stderr: lines(&stderr),
    }
}

/// A line of a program, safe to be shown.
fn text(line: &str) -> String {
    shown(line, MAX_TEXT).to_string()
}

/// The last lines of what a program wrote on stderr.
fn lines(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.lines().collect();
    let last = &lines[lines.len().saturating_sub(6)..];
    last.iter().map(|line| text(line)).collect::<Vec<_>>().join("\n")
}

/// The beginning of a compiler's message, cut between lines.
fn beginning(message: &str) -> String {
    let mut kept = String::new();
    for line in message.lines() {
        if kept.len() + line.len() >= MAX_MESSAGE_BYTES {
            kept.push_str("...");
            break;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept.truncate(kept.trim_end().len());
    kept
}

pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
