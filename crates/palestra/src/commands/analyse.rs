//! `palestra analyse`: an iterative deepening search, reported depth by depth.

use std::cell::RefCell;
use std::io::{self, Write};

use anyhow::{Result, anyhow};
use palestra_arena::Limit;
use palestra_games::{AnyGame, with_game};
use palestra_protocol::Budget;
use palestra_search::engine::{AnyReport, Engine, Limits, Settings, any_search};
use palestra_search::{Evaluation, Playable};

use crate::cli;
use crate::clock::{Stopwatch, check_memory, threads};
use crate::commands::show;
use crate::ui::error::HintExt;
use crate::ui::style::{HEADING, owner, paint};
use crate::ui::text::{hang, shortened, width};
use crate::ui::units::{rate, written_time};
use crate::ui::watch::{Live, Watch};

/// Searches the position, and writes a row per depth, then the best move and why the search ended.
pub(crate) fn run(args: &cli::Analyse, out: &mut impl Write) -> Result<()> {
    let reached = args.start.reach()?;
    let (position, kind) = (reached.position(), reached.kind());
    check_memory(args.memory)?;
    let evaluation =
        with_game!(kind.id(), G => find_evaluation::<G>(&args.eval)).expect("the game is one of the list")?;
    if position.outcome().is_some() {
        show::status(position, out)?;
        return Ok(writeln!(out, "The game is over.")?);
    }
    let side = show::name(position.turn());
    writeln!(out, "{}, {} to move", paint(HEADING, kind.about.name), paint(owner(Some(position.turn())), &side))?;
    let about = format!("Scores are {side}'s, by '{}': {}", evaluation.name, evaluation.summary);
    writeln!(out, "{}\n", hang(0, about.split(' '), width()))?;
    analyse(position, args, out)
}

/// The evaluation of a game with this name.
pub(crate) fn find_evaluation<G: Playable>(name: &str) -> Result<&'static Evaluation> {
    let found = G::EVALUATIONS.iter().find(|evaluation| evaluation.name == name);
    found.ok_or_else(|| anyhow!("{} has no evaluation '{name}'", G::ABOUT.name)).hint(|| {
        let names: Vec<&str> = G::EVALUATIONS.iter().map(|evaluation| evaluation.name).collect();
        format!("its evaluations are: {}", names.join(", "))
    })
}

fn analyse(position: &dyn AnyGame, args: &cli::Analyse, out: &mut impl Write) -> Result<()> {
    let budget = Budget::from(args.budget);
    let settings = Settings { memory: args.memory, threads: threads(args.threads)?, ..Settings::default() };
    let mut engine = Engine::new(settings).hint(|| "choose less, such as --memory 64MiB".to_owned())?;
    let limits = Limits { lines: usize::from(args.lines), ..limits(budget) };
    writeln!(out, "{}", paint(HEADING, row("depth", "score", "nodes", "nodes/s", "time", "line")))?;

    let live = RefCell::new(Live::new("depth 1".to_owned()));
    let clock = Stopwatch::start();
    let mut written = Ok(());
    let mut on_iteration = |report: &AnyReport| {
        live.borrow_mut().next(format!("depth {}", report.depth + 1));
        if written.is_ok() {
            written = write_report(report, &clock, out);
        }
        live.borrow_mut().is_cancelled = written.is_err();
    };
    let mut watch = Watch::new(budget, &live);
    let report = any_search(&mut engine, position, &args.eval, limits, &mut watch, &mut on_iteration);
    let reached = watch.reached();
    drop(live);
    written?;
    let report = report.expect("the game is not over");
    Ok(conclude(&report, reached, out)?)
}

/// The part of a budget that the engine keeps to by itself.
fn limits(budget: Budget) -> Limits {
    budget.depth.map_or(Limits::default(), |depth| Limits { depth, ..Limits::default() })
}

fn write_report(report: &AnyReport, clock: &Stopwatch, out: &mut impl Write) -> io::Result<()> {
    let time = clock.wall();
    let (depth, nodes) = (report.depth.to_string(), report.nodes.to_string());
    let mut rest = [depth, nodes, rate(report.nodes, time), format!("{:.2} s", time.as_secs_f64())];
    for line in &report.lines {
        let score = line.worth.to_string();
        let [depth, nodes, rate, time] = &rest;
        let short = shortened(&line.moves.join(" "), width().saturating_sub(LINE_COLUMN));
        writeln!(out, "{}", row(depth, &score, nodes, rate, time, &short))?;
        rest = Default::default();
    }
    out.flush()
}

/// Where the last column begins.
const LINE_COLUMN: usize = 52;

fn row(depth: &str, score: &str, nodes: &str, rate: &str, time: &str, line: &str) -> String {
    format!("{depth:>5}  {score:>11}  {nodes:>10}  {rate:>9}  {time:>7}  {line}")
}

/// Writes the best move with its line, and why the search ended.
fn conclude(report: &AnyReport, reached: Option<Limit>, out: &mut impl Write) -> io::Result<()> {
    let best = &report.lines[0];
    let score = best.worth.to_string();
    let score = match report.depth {
        0 => "not searched".to_owned(),
        _ if report.finished => score,
        depth => format!("{score}, depth {depth} not finished"),
    };
    writeln!(out, "\nBest move: {} ({score})", paint(HEADING, &best.moves[0]))?;
    writeln!(out, "Line: {}", hang(6, &best.moves, width()))?;
    let why = match reached {
        None if report.proven => "the result is proven".to_owned(),
        None => format!("depth {} reached", report.depth),
        Some(Limit::Cpu(time)) => format!("{} of CPU time used", written_time(time)),
        Some(Limit::Wall(time)) => format!("{} passed", written_time(time)),
        Some(Limit::States(1)) => "1 position visited".to_owned(),
        Some(Limit::States(states)) => format!("{states} positions visited"),
        Some(Limit::Quit) => "the output was closed".to_owned(),
    };
    writeln!(out, "Stopped: {why}")
}
