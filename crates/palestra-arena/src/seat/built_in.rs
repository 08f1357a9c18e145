//! A built-in player, in this process.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_games::AnyGame;
use palestra_protocol::{Budget, Fault, GameEnd, Greeting};
use palestra_search::player::AnyPlayer;

use super::{Said, Seat, Thought};
use crate::{Referee, think};

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

    fn go(&mut self, referee: &Referee) -> Result<(), Fault> {
        self.asked = Some((referee.position().boxed_clone(), referee.budget()));
        Ok(())
    }

    fn hear(&mut self, _: Duration, quit: &AtomicBool) -> Result<Option<Said>, Fault> {
        if let Some(said) = self.said.take() {
            return Ok(Some(said));
        }
        let Some((position, budget)) = self.asked.take() else { return Ok(None) };
        let thought = think(&mut *self.player, &*position, budget, quit);
        let (choice, cpu) = thought.expect("a built-in player of the game has a move until it is over");
        self.cpu = cpu;
        let thought = Thought::from(&choice);
        self.said = Some(Said::Move(choice.mv));
        Ok(Some(Said::Info(thought)))
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
