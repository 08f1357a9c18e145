//! A built-in player, which searches in the driver's thread.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_games::AnyGame;
use palestra_protocol::{Budget, Fault, GameEnd, Greeting, PlayerEvent, Thought, Turn};
use palestra_search::player::AnyPlayer;

use super::Seat;
use crate::{think, thought_of};

/// A built-in player at the board. It answers within its budget, always.
pub struct BuiltIn {
    player: Box<dyn AnyPlayer>,
    asked: Option<(Box<dyn AnyGame>, Budget)>,
    /// The answer that [`Seat::hear`] gives next.
    answer: Option<PlayerEvent>,
    cpu: Duration,
    on_thought: Box<dyn FnMut(&Thought) + Send>,
}

impl BuiltIn {
    /// A player at the board.
    #[must_use]
    pub fn new(player: Box<dyn AnyPlayer>) -> Self {
        Self { player, asked: None, answer: None, cpu: Duration::ZERO, on_thought: Box::new(|_| ()) }
    }

    /// Sets a callback that is called during the search with what the player thinks so far; see [`think`].
    #[must_use]
    pub fn on_thought(self, on_thought: impl FnMut(&Thought) + Send + 'static) -> Self {
        Self { on_thought: Box::new(on_thought), ..self }
    }
}

impl Seat for BuiltIn {
    fn start(&mut self, _: &Greeting<'_>, _: Duration, _: Duration) {
        (self.answer, self.asked, self.cpu) = (Some(PlayerEvent::Ready), None, Duration::ZERO);
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        self.asked = Some((turn.position.boxed_clone(), turn.budget));
        Ok(())
    }

    fn hear(&mut self, _: Duration, quit: &AtomicBool) -> Result<Option<PlayerEvent>, Fault> {
        if let Some(answer) = self.answer.take() {
            return Ok(Some(answer));
        }
        let Some((position, budget)) = self.asked.take() else { return Ok(None) };
        let chosen = think(&mut *self.player, &*position, budget, quit, &mut self.on_thought);
        let (choice, cpu) = chosen.expect("a built-in player of the game has a move until it is over");
        self.cpu = cpu;
        let thought = thought_of(&choice);
        // The driver has the thought already.
        self.answer = Some(PlayerEvent::Move { text: choice.mv, thought: None });
        Ok(Some(PlayerEvent::Thought(thought)))
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

#[cfg(test)]
mod tests {
    use palestra_games::{GameKind, Record};
    use palestra_search::player::any_player;

    use super::*;

    #[test]
    fn the_cpu_time_of_a_search_is_reported_until_it_is_charged() {
        let record = Record::new(GameKind::find("mancala").expect("a game"), "-").expect("the usual start");
        let mut seat = BuiltIn::new(any_player("mancala", "alphabeta:7:stores", 0).expect("a player"));
        let (quit, wait) = (AtomicBool::new(false), Duration::ZERO);
        let turn = Turn { position: record.position(), history: &[], budget: Budget::INFINITE };
        seat.go(&turn).expect("it can be asked");
        let thought = seat.hear(wait, &quit).expect("no fault");
        assert!(matches!(&thought, Some(PlayerEvent::Thought(thought)) if thought.depth == Some(7)), "{thought:?}");
        assert!(seat.cpu() > Some(Duration::ZERO), "{:?}", seat.cpu());
        assert!(matches!(seat.hear(wait, &quit), Ok(Some(PlayerEvent::Move { .. }))));
        let cpu = seat.cpu();
        seat.used(cpu, wait);
        assert_eq!(seat.cpu(), Some(Duration::ZERO));
        assert_eq!(seat.hear(wait, &quit), Ok(None), "it answers once");
    }
}
