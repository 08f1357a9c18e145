//! Watching over a search: its limits, and the line that tells how far it is.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::Duration;

use palestra_search::engine::{Deadline, Stop};

use crate::cli::Budget;
use crate::clock::Stopwatch;
use crate::contest_setup::is_interrupted;
use crate::ui::progress::Progress;
use crate::ui::units::{rate, written_time};

/// How much CPU time a search has when nobody says otherwise.
const USUAL_CPU: Duration = Duration::from_secs(5);

/// Stops a search at the first limit it reaches, and remembers which it was.
pub(crate) struct Watch<'a> {
    budget: Budget,
    clock: Stopwatch,
    /// Knows how many positions fit between two looks at a clock.
    pace: Deadline<Box<dyn FnMut() -> Duration>>,
    live: &'a RefCell<Live>,
    reached: Option<Limit>,
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Cpu(Duration),
    Wall(Duration),
    States(u64),
    /// Nobody wants to know any more.
    Unwanted,
}

impl Budget {
    /// Five seconds of CPU time where there is no limit at all.
    pub(crate) fn or_usual(self) -> Self {
        match self {
            Self { cpu: None, wall: None, states: None, depth: None } => Self { cpu: Some(USUAL_CPU), ..self },
            _ => self,
        }
    }
}

impl<'a> Watch<'a> {
    pub(crate) fn new(budget: Budget, live: &'a RefCell<Live>) -> Self {
        let clock = Stopwatch::start();
        let pace = Deadline::new(Duration::MAX, Box::new(move || clock.wall()) as Box<dyn FnMut() -> Duration>);
        Self { budget, clock, pace, live, reached: None }
    }

    /// The limit that stopped the search, if one did.
    pub(crate) const fn reached(&self) -> Option<Limit> {
        self.reached
    }

    fn limit(&self, nodes: u64) -> Option<Limit> {
        let Budget { cpu, wall, states, .. } = self.budget;
        if self.live.borrow().unwanted || is_interrupted() {
            return Some(Limit::Unwanted);
        }
        states.filter(|&states| nodes >= states).map(Limit::States).or_else(|| {
            let cpu = cpu.filter(|&cpu| self.clock.cpu() >= cpu).map(Limit::Cpu);
            cpu.or_else(|| wall.filter(|&wall| self.clock.wall() >= wall).map(Limit::Wall))
        })
    }
}

impl Stop for Watch<'_> {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        self.live.borrow_mut().show(nodes, &self.clock);
        self.reached = self.limit(nodes);
        if self.reached.is_some() {
            return ControlFlow::Break(());
        }
        let more = self.pace.ask(nodes)?;
        let left = self.budget.states.map_or(u64::MAX, |states| states - nodes);
        ControlFlow::Continue(more.min(left))
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
