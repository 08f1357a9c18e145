//! A built-in player, in this process.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use palestra_games::AnyGame;
use palestra_protocol::{Budget, GameEnd, Greeting};
use palestra_search::engine::{Deadline, States, Stop};
use palestra_search::player::AnyPlayer;

use super::{Said, Seat, Thought};
use crate::cpu::thread_cpu;
use crate::{Lapse, Referee};

/// A built-in player at the board. It answers within its budget, always.
pub struct BuiltIn {
    player: Box<dyn AnyPlayer>,
    asked: Option<(Box<dyn AnyGame>, Budget)>,
    /// What it will say next.
    said: Option<Said>,
    cpu: Duration,
}

impl BuiltIn {
    /// A player at the board.
    #[must_use]
    pub fn new(player: Box<dyn AnyPlayer>) -> Self {
        Self { player, asked: None, said: None, cpu: Duration::ZERO }
    }
}

impl Seat for BuiltIn {
    fn start(&mut self, greeting: &Greeting<'_>) {
        if let Some(depth) = greeting.budget.depth {
            self.player.hold_to(depth);
        }
        (self.said, self.asked, self.cpu) = (Some(Said::Ready), None, Duration::ZERO);
    }

    fn go(&mut self, referee: &Referee) -> Result<(), Lapse> {
        self.asked = Some((referee.position().boxed_clone(), referee.budget()));
        Ok(())
    }

    fn hear(&mut self, _: Duration, quit: &AtomicBool) -> Result<Option<Said>, Lapse> {
        if let Some(said) = self.said.take() {
            return Ok(Some(said));
        }
        let Some((position, budget)) = self.asked.take() else { return Ok(None) };
        let begun = thread_cpu();
        let choice = self.player.choose(&*position, &mut Within::new(budget, begun, quit));
        self.cpu = thread_cpu().saturating_sub(begun);
        let choice = choice.expect("a built-in player of the game has a move until it is over");
        self.said = Some(Said::Move(choice.mv));
        Ok(Some(Said::Info(Thought {
            depth: (choice.depth > 0).then_some(choice.depth),
            score: choice.score.map(f64::from),
            states: (choice.nodes > 0).then_some(choice.nodes),
            line: choice.line,
            text: None,
        })))
    }

    fn cpu(&mut self) -> Option<Duration> {
        Some(self.cpu)
    }

    fn used(&mut self, _: Option<Duration>, _: Duration) {
        self.cpu = Duration::ZERO;
    }

    fn end(&mut self, _: &GameEnd<'_>) {}
}

impl std::fmt::Debug for BuiltIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuiltIn").field("player", &self.player.name()).finish_non_exhaustive()
    }
}

/// Keeps a search within a budget, with a little of the time left for the answer itself.
struct Within<'a> {
    states: States,
    pace: Option<Deadline<Box<dyn FnMut() -> Duration>>>,
    quit: &'a AtomicBool,
}

/// A search is stopped so long before its time is up.
const MARGIN: Duration = Duration::from_millis(5);

/// Without a clock to look at, how many positions pass between two questions whether anybody still wants to know.
const BETWEEN: u64 = 1 << 16;

impl<'a> Within<'a> {
    fn new(budget: Budget, cpu_before: Duration, quit: &'a AtomicBool) -> Self {
        let Budget { cpu, wall, states, .. } = budget;
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
        Self { states: States(states.unwrap_or(u64::MAX)), pace, quit }
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
