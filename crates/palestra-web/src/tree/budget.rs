//! CPU time of trees: that of one search, and of several that share it.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_arena::BudgetStop;
use palestra_search::engine::Stop;

use crate::thinking::search_budget;

/// What stops a search that may take this much CPU time.
pub(super) fn within(cpu: Duration, quit: &AtomicBool) -> BudgetStop<'_> {
    BudgetStop::new(search_budget(cpu), quit)
}

/// The part of what is left that a search may take from those that follow.
const PART: u32 = 3;

/// What stops searches that follow each other: the one that has used a third of the time is stopped, the next one when it has used a
/// third of the rest.
pub(super) struct Portions<'a> {
    all: BudgetStop<'a>,
    cpu: Duration,
    until: Duration,
}

impl<'a> Portions<'a> {
    pub(super) fn new(cpu: Duration, quit: &'a AtomicBool) -> Self {
        Self { all: within(cpu, quit), cpu, until: cpu / PART }
    }
}

impl Stop for Portions<'_> {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        let more = self.all.ask(nodes)?;
        let used = self.all.cpu();
        if used < self.until {
            return ControlFlow::Continue(more);
        }
        self.until = used + self.cpu.saturating_sub(used) / PART;
        ControlFlow::Break(())
    }
}
