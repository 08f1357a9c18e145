//! A search limit for built-in players: CPU time, wall-clock time and states, in the calling thread.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use palestra_games::AnyGame;
use palestra_protocol::Budget;
use palestra_search::engine::{Deadline, States, Stop};
use palestra_search::player::{AnyChoice, AnyPlayer};

use palestra_sandbox::cpu::thread_cpu;

/// Lets a built-in player choose a move within a budget, and says what CPU time that took. While it searches, `on_poll` is
/// called from time to time with the number of positions visited. `None` when the game is over
/// or is not the player's.
pub fn think(
    player: &mut dyn AnyPlayer,
    position: &dyn AnyGame,
    budget: Budget,
    quit: &AtomicBool,
    on_poll: &mut dyn FnMut(u64),
) -> Option<(AnyChoice, Duration)> {
    if let Some(depth) = budget.depth {
        player.hold_to(depth);
    }
    let mut stop = BudgetStop::new(budget, quit).on_poll(on_poll);
    let choice = player.choose(position, &mut stop)?;
    Some((choice, stop.cpu()))
}

/// Stops a search of the calling thread at its budget, a little early: the answer itself takes time too.
pub struct BudgetStop<'a> {
    states: States,
    pace: Option<Deadline<Box<dyn FnMut() -> Duration>>>,
    cpu_before: Duration,
    quit: &'a AtomicBool,
    on_poll: Option<&'a mut dyn FnMut(u64)>,
}

/// How long before its time is up a search is stopped.
const ANSWER_MARGIN: Duration = Duration::from_millis(5);

/// Without a clock to look at, how many positions pass between two polls.
const POLL_NODES: u64 = 1 << 16;

impl<'a> BudgetStop<'a> {
    /// A limit that counts from now on. It is also reached when `quit` is set.
    #[must_use]
    pub fn new(budget: Budget, quit: &'a AtomicBool) -> Self {
        let Budget { cpu, wall, states, .. } = budget;
        let cpu_before = thread_cpu();
        let [cpu_limit, wall_limit] =
            [cpu, wall].map(|limit| limit.map_or(Duration::MAX, |limit| limit.saturating_sub(ANSWER_MARGIN)));
        let pace = (cpu.is_some() || wall.is_some()).then(|| {
            let begun = Instant::now();
            let clock = move || {
                let wall = begun.elapsed();
                // One thread cannot use more CPU time than time; asking for it costs far more than looking at the clock.
                let is_late =
                    wall >= wall_limit || (wall >= cpu_limit && thread_cpu().saturating_sub(cpu_before) >= cpu_limit);
                if is_late { Duration::MAX } else { wall }
            };
            Deadline::new(Duration::MAX, Box::new(clock) as Box<dyn FnMut() -> Duration>)
        });
        Self { states: States(states.unwrap_or(u64::MAX)), pace, cpu_before, quit, on_poll: None }
    }

    /// The same limit; with each poll of the search, this is called with the number of positions visited.
    #[must_use]
    pub fn on_poll(self, on_poll: &'a mut dyn FnMut(u64)) -> Self {
        Self { on_poll: Some(on_poll), ..self }
    }

    /// The CPU time used so far.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        thread_cpu().saturating_sub(self.cpu_before)
    }
}

impl Stop for BudgetStop<'_> {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        if self.quit.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        if let Some(on_poll) = &mut self.on_poll {
            on_poll(nodes);
        }
        let states = self.states.ask(nodes)?;
        let pace = self.pace.as_mut().map_or(ControlFlow::Continue(POLL_NODES), |pace| pace.ask(nodes))?;
        ControlFlow::Continue(states.min(pace))
    }
}

impl std::fmt::Debug for BudgetStop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BudgetStop").field("states", &self.states).finish_non_exhaustive()
    }
}
