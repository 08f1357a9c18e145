//! The speed of this machine, in positions that a player of the textbook visits in a turn.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use palestra_games::GameKind;
use palestra_protocol::Budget;
use palestra_search::player::any_player;

use crate::think;

/// The player whose positions are counted: alpha-beta as the courses teach it, which students write too.
pub const SPEED_PLAYER: &str = "alphabeta:8";

/// CPU time after which no further search is begun.
const MEASURED: Duration = Duration::from_millis(100);

/// Number of positions that [`SPEED_PLAYER`] visits in a turn of this length, from the usual start of a game, one core
/// computing. Measuring it takes about a tenth of a second.
#[must_use]
pub fn machine_speed(kind: &GameKind, turn: Duration) -> u64 {
    let (mut states, mut time, quit) = (0, Duration::ZERO, AtomicBool::new(false));
    let Ok(position) = (kind.start)("-") else { return 0 };
    let Ok(mut player) = any_player(kind.id(), SPEED_PLAYER, 0) else { return 0 };
    while time < MEASURED {
        // A search that is too deep for the game ends in time: what it has visited counts all the same.
        let budget = Budget { cpu: Some(MEASURED), ..Budget::INFINITE };
        let mut visited = 0;
        let mut on_thought = |thought: &palestra_protocol::Thought| visited = visited.max(thought.states.unwrap_or(0));
        let Some((choice, cpu)) = think(&mut *player, &*position, budget, &quit, &mut on_thought) else { return 0 };
        states += visited.max(choice.nodes);
        time += cpu.max(Duration::from_micros(1));
    }
    (states as f64 / time.as_secs_f64() * turn.as_secs_f64()) as u64
}

#[cfg(test)]
mod tests {
    use palestra_games::GAMES;

    use super::*;

    #[test]
    fn every_game_has_a_speed() {
        for kind in GAMES {
            let states = machine_speed(kind, Duration::from_secs(2));
            assert!(states > 1000, "{}: {states}", kind.id());
        }
    }
}
