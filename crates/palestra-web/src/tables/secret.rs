//! Anti-cheating: positions near a rated game in progress, which the engine does not analyse.
//!
//! An analysis of the next positions tells which move is best, and one of an earlier position shows what it expects
//! from here, so all of them are barred. Positions are compared by key: equal keys have equal futures.

use std::collections::HashSet;
use std::sync::Arc;

use palestra_games::{AnyGame, Record};

use super::table::Table;

/// Number of past plies whose positions are barred. Earlier positions, such as the start of the game, are not.
const PAST_PLIES: usize = 8;

/// Positions after two plies are barred too unless there are more than this: listing them must stay cheap.
const MAX_SECOND_PLY: usize = 2000;

/// The keys of the positions near a rated game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Secret {
    /// Which game of the table, and after how many moves.
    at: (u32, usize),
    keys: Arc<HashSet<u64>>,
}

impl Secret {
    /// The positions near the game that goes on, if it is a rated one. What was found before is taken over if the game
    /// is where it was then.
    pub(super) fn of(table: &Table, earlier: Option<&Self>) -> Option<Self> {
        let referee = table.referee().filter(|_| table.setup().is_rated)?;
        let record = referee.record();
        let at = (table.number, record.moves().len());
        let known = earlier.filter(|secret| secret.at == at);
        Some(known.cloned().unwrap_or_else(|| Self { at, keys: Arc::new(near(record)) }))
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.keys.contains(&key)
    }
}

fn near(record: &Record) -> HashSet<u64> {
    let position = record.position();
    let mut keys: HashSet<u64> = past(record).into_iter().collect();
    keys.insert(position.key());
    let next = children(position);
    let second_ply: usize = next.iter().map(|child| child.moves().len()).sum();
    if second_ply <= MAX_SECOND_PLY {
        keys.extend(next.iter().flat_map(|child| children(&**child)).map(|grandchild| grandchild.key()));
    }
    keys.extend(next.iter().map(|child| child.key()));
    keys
}

/// The keys of the last positions before the one on the board.
fn past(record: &Record) -> Vec<u64> {
    let mut position = record.start().boxed_clone();
    let mut keys = vec![];
    for mv in record.moves() {
        keys.push(position.key());
        if position.play(&mv.text).is_err() {
            break;
        }
    }
    keys.split_off(keys.len().saturating_sub(PAST_PLIES))
}

/// All positions after one move.
fn children(position: &dyn AnyGame) -> Vec<Box<dyn AnyGame>> {
    let after = |mv: &String| {
        let mut child = position.boxed_clone();
        child.play(mv).is_ok().then_some(child)
    };
    position.moves().iter().filter_map(after).collect()
}

#[cfg(test)]
mod tests {
    use palestra_games::GAMES;

    use super::*;

    #[test]
    fn positions_near_the_board_are_barred_in_every_game() {
        for kind in GAMES {
            let mut record = Record::new(kind, kind.about.options.first().map_or("-", |(word, _)| word)).unwrap();
            let mut earlier = vec![];
            for ply in 0..=PAST_PLIES {
                earlier.push(record.position().key());
                let moves = record.position().moves();
                record.play(&moves[(3 * ply + 1) % moves.len()]).unwrap();
            }
            let keys = near(&record);
            assert!(keys.contains(&record.position().key()), "{}", kind.id());
            for child in children(record.position()) {
                assert!(keys.contains(&child.key()), "{}: {}", kind.id(), child.notation());
            }
            for key in &earlier[earlier.len() - PAST_PLIES..] {
                assert!(keys.contains(key), "{}", kind.id());
            }
            assert!(!keys.contains(&earlier[0]), "{}: the start is everybody's again", kind.id());
            assert!(keys.len() <= MAX_SECOND_PLY + 1000, "{}: {}", kind.id(), keys.len());
        }
    }
}
