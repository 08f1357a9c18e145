//! `palestra check`: runs the tests of a program, and writes a line for each that passes and each finding.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use palestra_arena::check::{Check, Difference, Finding, Limits, News, Place, SEARCH_DEPTHS, Searched, Summary, Test};
use palestra_arena::{Entrant, EntrantError, EntrantKind};
use palestra_protocol::{Dialect, shown};
use palestra_tournament::rubric::SearchResult;

use crate::contest_setup::{print_build_notice, quoted, with_hint, workshop};
use crate::ui::difference;
use crate::ui::error::HintExt;
use crate::ui::progress::{Progress, bar};
use crate::ui::style::{ERROR, GOOD, HEADING, HINT, paint};
use crate::ui::text::{hang, width};
use crate::ui::units::{counted, spent};
use crate::{cli, sandboxes};

/// Where the text of a line begins, after `ok`, `wrong` or `warn`.
const INDENT: usize = 7;

/// The longest part of a program's line that is shown, in characters.
const MAX_SHOWN_CHARS: usize = 300;

/// The number of last lines on stderr that are shown.
const MAX_STDERR_LINES: usize = 6;

/// Positions and lists of moves with more bytes are not shown.
const MAX_ROW_BYTES: usize = 200;

/// The interval at which the progress line is updated.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Tries the program, and fails if anything is wrong with it.
pub(crate) fn run(args: &cli::Check, out: &mut impl Write) -> Result<()> {
    let summary = thread::scope(|scope| {
        let (sender, receiver) = channel();
        let tried = thread::Builder::new().spawn_scoped(scope, move || try_out(args, &sender));
        let tried = tried.context("cannot start a thread")?;
        let mut page = Page { out, dialect: Dialect::One, test: None, searched: None, progress: Progress::new() };
        loop {
            match receiver.recv_timeout(PROGRESS_INTERVAL) {
                Ok(news) => page.write(args, news)?,
                Err(RecvTimeoutError::Timeout) => page.show_progress(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        drop(page);
        match tried.join() {
            Ok(summary) => summary,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    conclude(args, &summary, out)
}

/// A message from the thread that talks to the program.
enum Line {
    /// The program's protocol; and if it is sandboxed, the layers that the sandbox lacks.
    Found(Dialect, Option<String>),
    News(News),
    /// A search was compared: how many of how many are done.
    Searching(u32, u32),
    Searched(Searched),
}

/// Finds the program and talks to it, on a thread of its own: the main thread shows the progress.
fn try_out(args: &cli::Check, sender: &Sender<Line>) -> Result<Summary> {
    let mut on_notice = print_build_notice;
    let mut workshop = workshop(&mut on_notice).in_boxes(sandboxes::sandbox(args.sandbox)?);
    let entrant = Entrant::find(args.game.id(), &args.bot, &mut workshop).or_else(with_hint)?;
    let EntrantKind::Program(program) = &entrant.kind else {
        let error = anyhow!("{} is a built-in player", args.bot);
        return Err(error).hint(|| "name a program, such as ./mybot".to_owned());
    };
    let usual = Limits::default();
    let memory = if args.sandbox { sandboxes::USUAL_MEMORY } else { usual.memory };
    let check = Check { kind: args.game, program, limits: Limits { memory, ..usual } };
    // The receiver is gone only if the output could not be written, which is reported there.
    let _ = sender.send(Line::Found(program.dialect, entrant.box_lacks()));
    check_all(&check, args.search, &|line| drop(sender.send(line))).or_else(with_hint)
}

/// Runs all tests, and compares the search if that is wanted and nothing else is wrong.
fn check_all(check: &Check<'_>, with_search: bool, tell: &dyn Fn(Line)) -> Result<Summary, EntrantError> {
    let mut summary = check.run(&mut |news| tell(Line::News(news)))?;
    if with_search && summary.wrong == 0 {
        let searched = check.search(&mut |done, all| tell(Line::Searching(done, all)))?;
        summary.wrong += u32::from(searched.result() == SearchResult::Wrong);
        tell(Line::Searched(searched));
    }
    Ok(summary)
}

struct Page<'a, W> {
    out: &'a mut W,
    dialect: Dialect,
    test: Option<Test>,
    /// How many searches of how many were compared.
    searched: Option<(u32, u32)>,
    progress: Progress,
}

impl<W: Write> Page<'_, W> {
    fn write(&mut self, args: &cli::Check, line: Line) -> Result<()> {
        self.progress.erase();
        match line {
            Line::Found(dialect, lacks) => {
                self.dialect = dialect;
                let protocol = match dialect {
                    Dialect::One => "protocol 1",
                    Dialect::Course => "the protocol of the Mancala course of 2018",
                };
                let place = if lacks.is_some() { ", sandboxed" } else { "" };
                let heading =
                    format!("{}: {}, {protocol}{place}", args.game.about.name, shown(&args.bot, MAX_SHOWN_CHARS));
                writeln!(self.out, "{}", paint(HEADING, heading))?;
                sandboxes::warn_lacks(lacks.as_deref(), self.out)?;
            }
            Line::News(News::Begins(test)) => self.test = Some(test),
            Line::News(News::Passed(test)) => writeln!(self.out, "{}     {}", paint(GOOD, "ok"), test.title())?,
            Line::News(News::Played(..)) => {}
            Line::News(News::Found(finding)) => self.write_finding(&finding)?,
            Line::Searching(done, all) => self.searched = Some((done, all)),
            Line::Searched(searched) => self.write_searched(args, searched)?,
        }
        Ok(self.out.flush()?)
    }

    fn write_searched(&mut self, args: &cli::Check, searched: Searched) -> Result<()> {
        match searched {
            Searched::Untested(why) => {
                let why = format!("Its search is not tested, because {}.", difference::not_tested(why));
                writeln!(self.out, "{}   {}", paint(HINT, "none"), hang(INDENT, why.split(' '), width()))?;
            }
            Searched::Alike(searches) => {
                let depths = SEARCH_DEPTHS.map(|depth| depth.to_string()).join(" and ");
                let what = format!("searches as alpha-beta does: {searches} searches, {depths} plies deep");
                writeln!(self.out, "{}     {what}", paint(GOOD, "ok"))?;
            }
            Searched::Failed(finding) => self.write_finding(&finding)?,
            Searched::Differs(difference) => self.write_difference(args, &difference)?,
        }
        Ok(())
    }

    fn write_difference(&mut self, args: &cli::Check, difference: &Difference) -> Result<()> {
        writeln!(self.out, "{}  Its search does not find what alpha-beta finds.", paint(ERROR, "wrong"))?;
        let sentences = difference::sentences(difference);
        writeln!(self.out, "{:INDENT$}{}", "", hang(INDENT, sentences.split(' '), width()))?;
        let Difference { seen_at, position, moves, depth, evaluation, .. } = difference;
        let mut rows = vec![("position", position.clone())];
        if !moves.is_empty() {
            rows.insert(0, ("asked at", seen_at.clone()));
        }
        rows.push(("searched", counted((*depth).into(), "ply", "plies")));
        rows.extend(difference::answers(difference));
        for (name, text) in rows.into_iter().filter(|(_, text)| text.len() <= MAX_ROW_BYTES) {
            writeln!(self.out, "{:INDENT$}{name:12}{text}", "")?;
        }
        writeln!(self.out, "{:INDENT$}{}", "", difference::LEGEND)?;
        for line in difference::drawn(difference) {
            writeln!(self.out, "{:INDENT$}{line}", "")?;
        }
        let (game, position) = (args.game.id(), quoted(position));
        let command = format!("palestra tree {game} --position {position} --eval {evaluation} --depth {depth}");
        writeln!(self.out, "{:INDENT$}All windows and cut-offs: {command}", "")?;
        Ok(())
    }

    fn write_finding(&mut self, finding: &Finding) -> Result<()> {
        let (style, label) = if finding.kind.is_warning() { (HINT, "warn") } else { (ERROR, "wrong") };
        let gap = " ".repeat(INDENT - label.len());
        let sentence = finding.kind.sentence(self.dialect).split(' ');
        writeln!(self.out, "{}{gap}{}", paint(style, label), hang(INDENT, sentence, width()))?;
        let detail = shown(&finding.detail, MAX_SHOWN_CHARS).to_string();
        writeln!(self.out, "{:INDENT$}{}", "", hang(INDENT, detail.split(' '), width()))?;
        let mut row = |name: &str, text: &str| writeln!(self.out, "{:INDENT$}{name:10}{text}", "");
        if let Some(line) = &finding.line {
            row("it wrote", &shown(line, MAX_SHOWN_CHARS).to_string())?;
        }
        if let Some(Place { position, legal }) = &finding.place {
            for (name, text) in [("position", position), ("legal", &legal.join(" "))] {
                if text.len() <= MAX_ROW_BYTES {
                    row(name, text)?;
                }
            }
        }
        let lines: Vec<&str> = finding.stderr.lines().collect();
        for (index, line) in lines[lines.len().saturating_sub(MAX_STDERR_LINES)..].iter().enumerate() {
            row(if index == 0 { "stderr" } else { "" }, &shown(line, MAX_SHOWN_CHARS).to_string())?;
        }
        Ok(())
    }

    fn show_progress(&mut self) {
        if let Some((done, all)) = self.searched {
            self.progress.show(|| format!("{} {done} of {all} searches", bar(done, all)));
            return;
        }
        let all = Test::ALL.len() as u32;
        let done = self.test.and_then(|test| Test::ALL.iter().position(|&other| other == test)).unwrap_or(0) as u32;
        let what = self.test.map_or("detects the protocol", Test::title);
        self.progress.show(|| format!("{} {what}?", bar(done, all)));
    }
}

/// Writes the result, and the command to run next.
fn conclude(args: &cli::Check, summary: &Summary, out: &mut impl Write) -> Result<()> {
    let (bot, game) = (quoted(&args.bot), args.game.id());
    let place = if args.sandbox { " --sandbox" } else { "" };
    let search = if args.search { " --search" } else { "" };
    if summary.wrong == 0 {
        let slowest = spent(summary.slowest);
        writeln!(out, "\nNo problems found; its slowest move took {slowest}. Let it play:")?;
        writeln!(out, "  palestra match {game} {bot} ninja1 --games 10{place}")?;
        return Ok(());
    }
    out.flush()?;
    let count = match summary.wrong {
        1 => "1 problem found".to_owned(),
        count => format!("{count} problems found"),
    };
    let error = anyhow!("{count} in {}", shown(&args.bot, MAX_SHOWN_CHARS));
    Err(error).hint(|| {
        format!(
            "the protocol is described in docs/arena.md; check again with: palestra check {bot} --game {game}{search}{place}"
        )
    })
}
