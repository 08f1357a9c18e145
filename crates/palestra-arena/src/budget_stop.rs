//! The budget of a search as its stop condition: CPU time, wall-clock time and states.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use palestra_protocol::Budget;
use palestra_search::engine::{Deadline, Stop};

use palestra_sandbox::cpu::thread_cpu;

/// Stops a search at the first limit of its budget that it reaches, and remembers which it was.
pub struct BudgetStop<'a> {
    budget: Budget,
    begun: Instant,
    cpu_clock: CpuClock,
    cpu_before: Duration,
    /// Knows how many positions fit between two looks at a clock.
    pace: Deadline<Box<dyn FnMut() -> Duration>>,
    quit: &'a AtomicBool,
    on_poll: Option<&'a mut dyn FnMut(u64)>,
    reached: Option<Limit>,
}

/// A limit that a search has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The limit on CPU time was reached.
    Cpu(Duration),
    /// The limit on wall-clock time was reached.
    Wall(Duration),
    /// The limit on visited positions was reached.
    States(u64),
    /// The caller asked the search to stop.
    Quit,
}

/// Whose CPU time a search is charged.
#[derive(Clone, Copy, Debug)]
enum CpuClock {
    /// The calling thread's, which never uses more CPU time than passes by the clock.
    Thread,
    /// The CPU clock of a search with several threads: a function that reads it.
    Shared(fn() -> Duration),
}

impl CpuClock {
    fn now(self) -> Duration {
        match self {
            Self::Thread => thread_cpu(),
            Self::Shared(read) => read(),
        }
    }
}

/// How long before its time is up the search of a player is stopped: the answer itself takes time too.
const ANSWER_MARGIN: Duration = Duration::from_millis(5);

/// Without a clock to look at, how many positions pass between two polls.
const POLL_NODES: u64 = 1 << 16;

impl<'a> BudgetStop<'a> {
    /// For a player that searches in the calling thread: counts from now on, and stops a little early. The limit is
    /// also reached when `quit` is set.
    #[must_use]
    pub fn new(budget: Budget, quit: &'a AtomicBool) -> Self {
        let [cpu, wall] = [budget.cpu, budget.wall].map(|limit| Some(limit?.saturating_sub(ANSWER_MARGIN)));
        Self::counting(Budget { cpu, wall, ..budget }, CpuClock::Thread, quit)
    }

    /// For a search with several threads, whose CPU time together is what `cpu_clock` reads: exactly at the budget.
    #[must_use]
    pub fn shared(budget: Budget, cpu_clock: fn() -> Duration, quit: &'a AtomicBool) -> Self {
        Self::counting(budget, CpuClock::Shared(cpu_clock), quit)
    }

    fn counting(budget: Budget, cpu_clock: CpuClock, quit: &'a AtomicBool) -> Self {
        let begun = Instant::now();
        let pace = Deadline::new(Duration::MAX, Box::new(move || begun.elapsed()) as Box<dyn FnMut() -> Duration>);
        Self { budget, begun, cpu_clock, cpu_before: cpu_clock.now(), pace, quit, on_poll: None, reached: None }
    }

    /// Sets a callback that gets the number of visited positions with each poll of the search.
    #[must_use]
    pub fn on_poll(self, on_poll: &'a mut dyn FnMut(u64)) -> Self {
        Self { on_poll: Some(on_poll), ..self }
    }

    /// The CPU time used so far.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        self.cpu_clock.now().saturating_sub(self.cpu_before)
    }

    /// The limit that stopped the search, if one did.
    #[must_use]
    pub const fn reached(&self) -> Option<Limit> {
        self.reached
    }

    fn limit(&self, nodes: u64) -> Option<Limit> {
        let Budget { cpu, wall, states, .. } = self.budget;
        if self.quit.load(Ordering::Relaxed) {
            return Some(Limit::Quit);
        }
        if let Some(states) = states.filter(|&states| nodes >= states) {
            return Some(Limit::States(states));
        }
        if cpu.is_none() && wall.is_none() {
            return None;
        }
        let passed = self.begun.elapsed();
        let is_used = |cpu: &Duration| match self.cpu_clock {
            // Reading CPU time costs far more than looking at the clock.
            CpuClock::Thread => passed >= *cpu && self.cpu() >= *cpu,
            CpuClock::Shared(_) => self.cpu() >= *cpu,
        };
        let used = cpu.filter(is_used).map(Limit::Cpu);
        used.or_else(|| wall.filter(|&wall| passed >= wall).map(Limit::Wall))
    }
}

impl Stop for BudgetStop<'_> {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        if let Some(on_poll) = &mut self.on_poll {
            on_poll(nodes);
        }
        self.reached = self.limit(nodes);
        if self.reached.is_some() {
            return ControlFlow::Break(());
        }
        let Budget { cpu, wall, states, .. } = self.budget;
        let is_timed = cpu.is_some() || wall.is_some();
        let more = if is_timed { self.pace.ask(nodes)? } else { POLL_NODES };
        ControlFlow::Continue(states.map_or(more, |states| more.min(states - nodes)))
    }
}

impl std::fmt::Debug for BudgetStop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BudgetStop")
            .field("budget", &self.budget)
            .field("reached", &self.reached)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn no_cpu() -> Duration {
        Duration::ZERO
    }

    /// What is answered to a search that has visited this many positions, and the limit it has reached.
    fn asked(mut stop: BudgetStop<'_>, nodes: u64) -> (ControlFlow<(), u64>, Option<Limit>) {
        (stop.ask(nodes), stop.reached())
    }

    #[test]
    fn states_are_exact() {
        let (quit, budget) = (AtomicBool::new(false), Budget { states: Some(100), ..Budget::INFINITE });
        assert_eq!(asked(BudgetStop::new(budget, &quit), 99), (ControlFlow::Continue(1), None));
        let reached = Some(Limit::States(100));
        assert_eq!(asked(BudgetStop::new(budget, &quit), 100), (ControlFlow::Break(()), reached));
        assert_eq!(asked(BudgetStop::new(budget, &quit), 101), (ControlFlow::Break(()), reached));
    }

    #[test]
    fn a_search_that_is_quit_stops_before_any_limit() {
        let (quit, budget) = (AtomicBool::new(true), Budget { states: Some(1), ..Budget::INFINITE });
        assert_eq!(asked(BudgetStop::new(budget, &quit), 5), (ControlFlow::Break(()), Some(Limit::Quit)));
    }

    #[test]
    fn a_player_is_stopped_before_its_time_is_up_and_an_analysis_when_it_is() {
        let quit = AtomicBool::new(false);
        let wall = |wall| Budget { wall: Some(wall), ..Budget::INFINITE };
        let (flow, reached) = asked(BudgetStop::new(wall(ANSWER_MARGIN), &quit), 1);
        assert_eq!((flow, reached), (ControlFlow::Break(()), Some(Limit::Wall(Duration::ZERO))));
        let (_, reached) = asked(BudgetStop::new(wall(SECOND * 3600), &quit), 1);
        assert_eq!(reached, None);
        let (_, reached) = asked(BudgetStop::shared(wall(SECOND * 3600), no_cpu, &quit), 1);
        assert_eq!(reached, None);
    }

    #[test]
    fn cpu_time_of_several_threads_counts_by_their_clock() {
        let quit = AtomicBool::new(false);
        let cpu = |cpu| Budget { cpu: Some(cpu), ..Budget::INFINITE };
        assert_eq!(asked(BudgetStop::shared(cpu(SECOND), no_cpu, &quit), 1).1, None, "none is used");
        let reached = asked(BudgetStop::shared(cpu(Duration::ZERO), no_cpu, &quit), 1).1;
        assert_eq!(reached, Some(Limit::Cpu(Duration::ZERO)));
    }

    #[test]
    fn time_that_passes_counts_and_cpu_time_only_when_it_is_used() {
        let (quit, short) = (AtomicBool::new(false), Duration::from_millis(20));
        let mut by_wall = BudgetStop::shared(Budget { wall: Some(short), ..Budget::INFINITE }, no_cpu, &quit);
        let mut by_cpu = BudgetStop::new(Budget { cpu: Some(short), ..Budget::INFINITE }, &quit);
        // Nothing is computed meanwhile.
        std::thread::sleep(short);
        assert_eq!((by_wall.ask(1), by_wall.reached()), (ControlFlow::Break(()), Some(Limit::Wall(short))));
        assert!(by_cpu.ask(1).is_continue(), "{:?} after {:?}", by_cpu.reached(), by_cpu.cpu());
    }

    #[test]
    fn each_poll_is_reported() {
        let (quit, mut polled) = (AtomicBool::new(false), vec![]);
        let mut on_poll = |nodes| polled.push(nodes);
        let mut stop = BudgetStop::new(Budget::INFINITE, &quit).on_poll(&mut on_poll);
        assert_eq!((stop.ask(3), stop.ask(7)), (ControlFlow::Continue(POLL_NODES), ControlFlow::Continue(POLL_NODES)));
        assert_eq!(polled, [3, 7]);
    }
}
