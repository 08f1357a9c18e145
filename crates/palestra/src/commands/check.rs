//! Trying a program: a line for all that it can do, and a sentence for all that is wrong with it.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use palestra_arena::check::{Check, Finding, Limits, News, Place, Summary, Test};
use palestra_arena::{Entrant, EntrantError, EntrantKind};
use palestra_protocol::{Dialect, shown};

use crate::contest_setup::{quoted, told_build, with_hint, workshop};
use crate::ui::error::HintExt;
use crate::ui::progress::{Progress, bar};
use crate::ui::style::{ERROR, GOOD, HEADING, HINT, paint};
use crate::ui::text::{hang, width};
use crate::ui::units::spent;
use crate::{boxes, cli};

/// Where the text of a line begins, after `ok`, `wrong` or `warn`.
const INDENT: usize = 7;

/// How much of what a program wrote is shown.
const SHOWN: usize = 300;
const STDERR_LINES: usize = 6;

/// Positions and lists of moves longer than this are not shown.
const LONG: usize = 200;

/// How often the line that tells how far it is looks anew.
const BETWEEN: Duration = Duration::from_millis(100);

/// Tries the program, and fails if anything is wrong with it.
pub(crate) fn run(args: &cli::Check, out: &mut impl Write) -> Result<()> {
    let summary = thread::scope(|scope| {
        let (tell, told) = channel();
        let tried = thread::Builder::new().spawn_scoped(scope, move || try_out(args, &tell));
        let tried = tried.context("cannot start a thread")?;
        let mut page = Page { out, dialect: Dialect::One, test: None, progress: Progress::new() };
        loop {
            match told.recv_timeout(BETWEEN) {
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

/// What the thread that talks with the program tells.
enum Line {
    /// Its language; and if it runs in boxes, what they lack.
    Found(Dialect, Option<String>),
    News(News),
}

/// Finds the program and talks with it, on a thread of its own: the other shows how far it is.
fn try_out(args: &cli::Check, tell: &Sender<Line>) -> Result<Summary> {
    let mut told = told_build;
    let mut workshop = workshop(&mut told).in_boxes(boxes::sandbox(args.sandbox)?);
    let entrant = Entrant::find(args.game.id(), &args.bot, &mut workshop).or_else(with_hint)?;
    let EntrantKind::Program(program) = &entrant.kind else {
        let error = anyhow!("{} is a built-in player, and they are all well", args.bot);
        return Err(error).hint(|| "give the path of a program of yours, such as ./mybot".to_owned());
    };
    let usual = Limits::default();
    let memory = if args.sandbox { boxes::USUAL_MEMORY } else { usual.memory };
    let check = Check { kind: args.game, program, limits: Limits { memory, ..usual } };
    // When nobody listens any more, the output could not be written, and that is told elsewhere.
    let _ = tell.send(Line::Found(program.dialect, entrant.box_lacks()));
    let summary = check.run(&mut |news| drop(tell.send(Line::News(news))));
    summary.or_else(|error: EntrantError| with_hint(error))
}

struct Page<'a, W> {
    out: &'a mut W,
    dialect: Dialect,
    test: Option<Test>,
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
                let place = if lacks.is_some() { ", in boxes" } else { "" };
                let heading = format!("{}: {}, {protocol}{place}", args.game.about.name, shown(&args.bot, SHOWN));
                writeln!(self.out, "{}", paint(HEADING, heading))?;
                boxes::warn_of(lacks.as_deref(), self.out)?;
            }
            Line::News(News::Begins(test)) => self.test = Some(test),
            Line::News(News::Passed(test)) => writeln!(self.out, "{}     {}", paint(GOOD, "ok"), test.title())?,
            Line::News(News::Found(finding)) => self.write_finding(&finding)?,
        }
        Ok(self.out.flush()?)
    }

    fn write_finding(&mut self, finding: &Finding) -> Result<()> {
        let (style, label) = if finding.kind.is_warning() { (HINT, "warn") } else { (ERROR, "wrong") };
        let gap = " ".repeat(INDENT - label.len());
        let sentence = finding.kind.sentence(self.dialect).split(' ');
        writeln!(self.out, "{}{gap}{}", paint(style, label), hang(INDENT, sentence, width()))?;
        let detail = shown(&finding.detail, SHOWN).to_string();
        writeln!(self.out, "{:INDENT$}{}", "", hang(INDENT, detail.split(' '), width()))?;
        let mut row = |name: &str, text: &str| writeln!(self.out, "{:INDENT$}{name:10}{text}", "");
        if let Some(line) = &finding.line {
            row("it wrote", &shown(line, SHOWN).to_string())?;
        }
        if let Some(Place { position, legal }) = &finding.place {
            for (name, text) in [("position", position), ("legal", &legal.join(" "))] {
                if text.len() <= LONG {
                    row(name, text)?;
                }
            }
        }
        let lines: Vec<&str> = finding.stderr.lines().collect();
        for (index, line) in lines[lines.len().saturating_sub(STDERR_LINES)..].iter().enumerate() {
            row(if index == 0 { "stderr" } else { "" }, &shown(line, SHOWN).to_string())?;
        }
        Ok(())
    }

    fn show_progress(&mut self) {
        let all = Test::ALL.len() as u32;
        let done = self.test.and_then(|test| Test::ALL.iter().position(|&other| other == test)).unwrap_or(0) as u32;
        let what = self.test.map_or("looks which protocol it speaks", Test::title);
        self.progress.show(|| format!("{} {what}?", bar(done, all)));
    }
}

/// A last sentence, and what to type next.
fn conclude(args: &cli::Check, summary: &Summary, out: &mut impl Write) -> Result<()> {
    let (bot, game) = (quoted(&args.bot), args.game.id());
    let place = if args.sandbox { " --sandbox" } else { "" };
    if summary.wrong == 0 {
        let slowest = spent(summary.slowest);
        writeln!(out, "\nNothing is wrong with it; its slowest move took {slowest}. Now let it play:")?;
        writeln!(out, "  palestra match {game} {bot} ninja1 --games 10{place}")?;
        return Ok(());
    }
    out.flush()?;
    let count = match summary.wrong {
        1 => "one thing is wrong".to_owned(),
        count => format!("{count} things are wrong"),
    };
    let error = anyhow!("{count} with {}", shown(&args.bot, SHOWN));
    Err(error).hint(|| {
        format!("docs/arena.md tells how programs talk; then again: palestra check {bot} --game {game}{place}")
    })
}
