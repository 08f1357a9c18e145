//! Analysis of a position by the engine.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use palestra_arena::BudgetStop;
use palestra_games::AnyGame;
use palestra_protocol::Budget;
use palestra_search::engine::{AnyReport, Engine, Limits, MAX_DEPTH, Settings, any_search};

/// Maximum number of lines of an analysis.
pub(crate) const MAX_LINES: usize = 5;

/// The evaluation that every game has.
const EVALUATION: &str = "strong";

/// Size of the transposition table of an analysis: that of the strongest built-in player.
const TABLE_BYTES: usize = 16 << 20;

/// A request for an analysis.
pub(crate) struct AnalysisQuestion {
    /// Not the end of a game.
    pub(crate) position: Box<dyn AnyGame>,
    /// Number of best moves to report.
    pub(crate) lines: usize,
    /// The CPU time that it may take.
    pub(crate) cpu: Duration,
    /// Stop after this number of positions, or at this depth.
    pub(crate) states: Option<u64>,
    pub(crate) depth: Option<u32>,
}

/// By how much the time by the clock may exceed the CPU time on a busy machine.
const MAX_SLOWDOWN: u32 = 4;

/// The budget of a search for a visitor who may have this much CPU time.
pub(crate) fn search_budget(cpu: Duration) -> Budget {
    Budget { cpu: Some(cpu), wall: Some(cpu * MAX_SLOWDOWN), ..Budget::INFINITE }
}

/// The result of an analysis.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) report: AnyReport,
    pub(crate) ms: u64,
}

/// Searches, and calls `on_iteration` after each depth. `None` when the game is over, or the memory is not to be had.
pub(crate) fn analyse(
    question: &AnalysisQuestion,
    quit: &AtomicBool,
    on_iteration: &mut dyn FnMut(&AnyReport),
) -> Option<Analysis> {
    let AnalysisQuestion { position, lines, cpu, states, depth } = question;
    let budget = Budget { states: *states, depth: *depth, ..search_budget(*cpu) };
    let begun = Instant::now();
    let mut engine = Engine::new(Settings { memory: TABLE_BYTES, ..Settings::default() }).ok()?;
    let limits = Limits { depth: budget.depth.unwrap_or(MAX_DEPTH), lines: *lines };
    let mut within = BudgetStop::new(budget, quit);
    let report = any_search(&mut engine, &**position, EVALUATION, limits, &mut within, on_iteration)?;
    metrics::histogram!("palestra_thinking_seconds", "for" => "analysis").record(within.cpu());
    Some(Analysis { report, ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX) })
}
