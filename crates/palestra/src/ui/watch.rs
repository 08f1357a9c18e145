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
        if self.live.borrow().unwanted { Some(Limit::Quit) } else { self.stop.reached() }
    }
}

impl Stop for Watch<'_> {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        self.live.borrow_mut().show(nodes, &self.clock);
        if self.live.borrow().unwanted {
            return ControlFlow::Break(());
        }
        self.stop.ask(nodes)
    }
}

/// What the search and those who hear of its iterations share: the live line.
#[derive(Debug)]
pub(crate) struct Live {
    progress: Progress,
    /// What goes on.
    what: String,
    /// Whether the search may as well stop.
    pub(crate) unwanted: bool,
}

impl Live {
    pub(crate) fn new(what: String) -> Self {
        Self { progress: Progress::new(), what, unwanted: false }
    }

    fn show(&mut self, nodes: u64, clock: &Stopwatch) {
        self.progress.show(|| {
            let time = clock.wall();
            let seconds = Duration::from_secs(time.as_secs());
            format!("{}, {nodes} nodes, {}, {}", self.what, rate(nodes, time), written_time(seconds))
        });
    }

    /// A part is done; another begins.
    pub(crate) fn next(&mut self, what: String) {
        self.progress.erase();
        self.what = what;
    }
}
