//! An analysis in progress: its limits, and the progress line that shows how far it is.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::Duration;

use palestra_arena::{BudgetStop, Limit};
use palestra_protocol::Budget;
use palestra_search::engine::Stop;

use crate::cli::BudgetOptions;
use crate::clock::{Stopwatch, process_cpu};
use crate::contest_setup::interrupt_flag;
use crate::ui::progress::Progress;
use crate::ui::units::{rate, written_time};

/// The CPU time of a search without any limit.
const DEFAULT_CPU: Duration = Duration::from_secs(5);

/// The budget of a command line; five seconds of CPU time where it has no limit at all.
impl From<BudgetOptions> for Budget {
    fn from(options: BudgetOptions) -> Self {
        let BudgetOptions { cpu, wall, states, depth } = options;
        match (Self { cpu, wall, states, depth }) {
            Self::INFINITE => Self { cpu: Some(DEFAULT_CPU), ..Self::INFINITE },
            budget => budget,
        }
    }
}

/// Stops a search at its budget, and shows meanwhile how far it is.
pub(crate) struct Watch<'a> {
    stop: BudgetStop<'a>,
    clock: Stopwatch,
    live: &'a RefCell<Live>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(budget: Budget, live: &'a RefCell<Live>) -> Self {
        let stop = BudgetStop::shared(budget, process_cpu, interrupt_flag());
        Self { stop, clock: Stopwatch::start(), live }
    }

    /// The limit that stopped the search, if one did.
    pub(crate) fn reached(&self) -> Option<Limit> {
        if self.live.borrow().is_cancelled { Some(Limit::Quit) } else { self.stop.reached() }
    }
}

impl Stop for Watch<'_> {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        self.live.borrow_mut().show(nodes, &self.clock);
        if self.live.borrow().is_cancelled {
            return ControlFlow::Break(());
        }
        self.stop.ask(nodes)
    }
}

/// The progress line of a search, shared with the callback that hears of its iterations.
#[derive(Debug)]
pub(crate) struct Live {
    progress: Progress,
    /// The part of the search in progress, such as `depth 7`.
    part: String,
    /// Set to stop the search.
    pub(crate) is_cancelled: bool,
}

impl Live {
    pub(crate) fn new(part: String) -> Self {
        Self { progress: Progress::new(), part, is_cancelled: false }
    }

    fn show(&mut self, nodes: u64, clock: &Stopwatch) {
        self.progress.show(|| {
            let time = clock.wall();
            let seconds = Duration::from_secs(time.as_secs());
            format!("{}, {nodes} nodes, {}, {}", self.part, rate(nodes, time), written_time(seconds))
        });
    }

    /// Goes on to the next part of the search.
    pub(crate) fn next(&mut self, part: String) {
        self.progress.erase();
        self.part = part;
    }
}
