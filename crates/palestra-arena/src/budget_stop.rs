//! Thinking within a budget, in this thread.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use palestra_games::AnyGame;
use palestra_protocol::Budget;
use palestra_search::engine::{Deadline, States, Stop};
use palestra_search::player::{AnyChoice, AnyPlayer};

use palestra_sandbox::cpu::thread_cpu;

/// Lets a built-in player choose a move within a budget, and says what CPU time that took. `None` when the game is over
/// or is not the player's.
pub fn think(
    player: &mut dyn AnyPlayer,
    position: &dyn AnyGame,
    budget: Budget,
    quit: &AtomicBool,
) -> Option<(AnyChoice, Duration)> {
    if let Some(depth) = budget.depth {
        player.hold_to(depth);
    }
    let mut within = Within::new(budget, quit);
    let choice = player.choose(position, &mut within)?;
    Some((choice, within.cpu()))
}

/// Keeps a search of the calling thread within a budget, with a little of the time left for the answer itself.
pub struct Within<'a> {
    states: States,
    pace: Option<Deadline<Box<dyn FnMut() -> Duration>>>,
    cpu_before: Duration,
    quit: &'a AtomicBool,
}

/// A search is stopped so long before its time is up.
const MARGIN: Duration = Duration::from_millis(5);

/// Without a clock to look at, how many positions pass between two questions whether anybody still wants to know.
const BETWEEN: u64 = 1 << 16;

impl<'a> Within<'a> {
    /// From now on, and until nobody wants to know any more.
    #[must_use]
    pub fn new(budget: Budget, quit: &'a AtomicBool) -> Self {
        let Budget { cpu, wall, states, .. } = budget;
        let cpu_before = thread_cpu();
        let [cpu_limit, wall_limit] =
            [cpu, wall].map(|limit| limit.map_or(Duration::MAX, |limit| limit.saturating_sub(MARGIN)));
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
        Self { states: States(states.unwrap_or(u64::MAX)), pace, cpu_before, quit }
    }

    /// The CPU time used so far.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        thread_cpu().saturating_sub(self.cpu_before)
    }
}

impl Stop for Within<'_> {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        if self.quit.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        let states = self.states.ask(nodes)?;
        let pace = self.pace.as_mut().map_or(ControlFlow::Continue(BETWEEN), |pace| pace.ask(nodes))?;
        ControlFlow::Continue(states.min(pace))
    }
}

impl std::fmt::Debug for Within<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Within").field("states", &self.states).finish_non_exhaustive()
    }
}
