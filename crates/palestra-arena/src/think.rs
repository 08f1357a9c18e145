//! A built-in player's search for a move within a budget, and what it reports meanwhile.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_games::AnyGame;
use palestra_protocol::{Budget, Thought};
use palestra_search::player::{AnyChoice, AnyPlayer};

use crate::BudgetStop;

/// Lets a built-in player choose a move within a budget, and says what CPU time that took. While it searches, `on_thought` is
/// called with what it thinks so far: after each finished iteration, and in between with the number of positions visited.
/// `None` when the game is over or is not the player's.
pub fn think(
    player: &mut dyn AnyPlayer,
    position: &dyn AnyGame,
    budget: Budget,
    quit: &AtomicBool,
    on_thought: &mut dyn FnMut(&Thought),
) -> Option<(AnyChoice, Duration)> {
    if let Some(depth) = budget.depth {
        player.hold_to(depth);
    }
    // The search calls both callbacks, never one from within the other.
    let so_far = RefCell::new((Thought::default(), on_thought));
    let mut on_poll = |nodes| {
        let (thought, on_thought) = &mut *so_far.borrow_mut();
        thought.states = Some(nodes);
        on_thought(thought);
    };
    let mut on_progress = |choice: &AnyChoice| {
        let (thought, on_thought) = &mut *so_far.borrow_mut();
        *thought = thought_of(choice);
        on_thought(thought);
    };
    let mut stop = BudgetStop::new(budget, quit).on_poll(&mut on_poll);
    let choice = player.choose_with(position, &mut stop, &mut on_progress)?;
    Some((choice, stop.cpu()))
}

/// What a built-in player's choice says about its search.
#[must_use]
pub fn thought_of(choice: &AnyChoice) -> Thought {
    Thought {
        depth: (choice.depth > 0).then_some(choice.depth),
        score: choice.score.map(f64::from),
        states: (choice.nodes > 0).then_some(choice.nodes),
        line: choice.line.clone(),
        text: None,
    }
}

#[cfg(test)]
mod tests {
    use palestra_games::GameKind;
    use palestra_search::player::any_player;

    use super::*;

    /// What a player of Mancala thinks of the first move until it has visited this many positions, and its choice.
    fn thoughts(name: &str, states: u64) -> (Vec<Thought>, AnyChoice) {
        let position = (GameKind::find("mancala").expect("a game").start)("-").expect("the usual start");
        let mut player = any_player("mancala", name, 0).expect("a player");
        let budget = Budget { states: Some(states), wall: Some(Duration::from_secs(3600)), ..Budget::INFINITE };
        let (quit, mut thoughts) = (AtomicBool::new(false), vec![]);
        let mut on_thought = |thought: &Thought| thoughts.push(thought.clone());
        let chosen = think(&mut *player, &*position, budget, &quit, &mut on_thought);
        (thoughts, chosen.expect("there is a move").0)
    }

    #[test]
    fn depth_and_positions_grow_while_a_player_thinks() {
        let (thoughts, choice) = thoughts("maestro", 30_000);
        assert!(thoughts.is_sorted_by_key(|thought| (thought.depth, thought.states)), "{thoughts:?}");
        let (first, last) = (thoughts.first().expect("a thought"), thoughts.last().expect("a thought"));
        assert_eq!((first.depth, first.line.len()), (None, 0), "before the first iteration");
        assert!(last.depth.is_some_and(|depth| depth + 1 >= choice.depth), "{last:?}, then {choice:?}");
        assert!(last.score.is_some() && !last.line.is_empty(), "polls keep what the last iteration found: {last:?}");
    }

    #[test]
    fn a_textbook_player_tells_its_depth_long_before_it_has_a_value() {
        let (thoughts, choice) = thoughts("minimax:99:stores", 1000);
        let last = thoughts.last().expect("a thought");
        assert_eq!((last.depth, last.score, last.states), (Some(99), None, Some(1000)));
        assert_eq!(choice.depth, 0, "not one move was searched to that depth");
    }
}
