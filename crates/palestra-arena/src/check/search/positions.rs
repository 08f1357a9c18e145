//! The positions that searches are compared at.

use palestra_games::GameKind;
use palestra_search::engine::States;
use palestra_search::rng::Rng;
use palestra_search::tree::any_move_values;

use super::super::question::{Question, random_question};
use super::{SEARCH_DEPTHS, SEARCHED_POSITIONS};

/// The seed of the random games from which positions are taken.
const SEED: u64 = 17;

/// Number of random games that are looked at in any case.
const MAX_GAMES: usize = 2_000;

/// A position is left out if the values of its moves need more nodes, at any of the depths: a program in a slow language
/// has to search it too.
const MAX_NODES: u64 = 30_000;

/// Positions of random games, one a game, the same on every run.
pub(super) fn positions(kind: &GameKind, evaluation: &str) -> Vec<Question> {
    let mut rng = Rng::new(SEED);
    let mut kept = vec![];
    for _ in 0..MAX_GAMES {
        let question = random_question(kind, &mut rng);
        if is_telling(&question, evaluation) {
            kept.push(question);
        }
        if kept.len() == SEARCHED_POSITIONS {
            break;
        }
    }
    kept
}

/// Whether a wrong search can be told from a right one here: at each depth some move is better than another.
fn is_telling(question: &Question, evaluation: &str) -> bool {
    SEARCH_DEPTHS.into_iter().all(|depth| {
        let values = any_move_values(&*question.position, &[], evaluation, depth, &mut States(MAX_NODES));
        values.is_ok_and(|values| values.iter().any(|known| known.value != values[0].value))
    })
}

#[cfg(test)]
mod tests {
    use palestra_games::{GAMES, Side, with_game};
    use palestra_search::Playable;

    use super::*;

    #[test]
    fn every_game_has_enough_positions_for_both_sides() {
        for kind in GAMES {
            let evaluation = with_game!(kind.id(), G => <G as Playable>::TEST).expect("a game of the list");
            let positions = positions(kind, evaluation);
            assert_eq!(positions.len(), SEARCHED_POSITIONS, "{}", kind.id());
            for side in Side::BOTH {
                let own = positions.iter().filter(|question| question.position.turn() == side).count();
                assert!(own >= SEARCHED_POSITIONS / 5, "{}: {own} of side {side}", kind.id());
            }
        }
    }
}
