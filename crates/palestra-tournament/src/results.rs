//! The results of a match as its games come in, and which of them are evidence.
//!
//! Players that always answer the same play the same game again when they come to the same position again. A repeated
//! game is scored like any other, but it says nothing new, and to count it would make any interval too narrow. So a pair
//! of games counts as a sample only if at least one of its two games was not played before in the same match.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher};

use crate::{Tally, Wdl};

/// A finished game, as far as the statistics of a match need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// What it was for the first player.
    pub result: Wdl,
    /// What is equal for equal games: see [`fingerprint`].
    pub fingerprint: u64,
}

/// A number that is the same for the same game (its start, its moves, how it ended) and differs otherwise: two of ten
/// million games look the same by accident with a probability of about one in 400,000.
#[must_use]
pub fn fingerprint(game: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.hash(&mut hasher);
    hasher.finish()
}

/// The results of a match. What they say depends on which games there are, not on the order in which they came in.
#[derive(Debug, Default)]
pub struct Results {
    /// All pairs before the first of which a game is missing.
    settled: Standing,
    /// The number of that pair.
    next: u32,
    /// The games of this pair and of later ones.
    open: BTreeMap<u32, [Option<Scored>; 2]>,
    /// The settled games.
    seen: HashSet<(usize, u64)>,
}

/// How a match stands after some of its pairs.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    tally: Tally,
    /// How many pairs there were since the last that counts.
    repeats_in_a_row: u32,
}

impl Results {
    /// Adds a game. Games `2 n` and `2 n + 1` are a pair; the first player has side 1 in the first of them.
    pub fn add(&mut self, number: u32, game: Scored) {
        self.open.entry(number / 2).or_default()[number as usize % 2] = Some(game);
        while let Some(&[Some(one), Some(two)]) = self.open.get(&self.next) {
            self.open.remove(&self.next);
            self.next += 1;
            let is_repeat = both(&[one, two], |game| !self.seen.insert(game));
            self.settled.add([one, two], is_repeat);
        }
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u32 {
        let open: usize = self.open.values().map(|games| games.iter().flatten().count()).sum();
        self.settled.tally.games() + open as u32
    }

    /// The pairs of which both games are there: the samples of a test.
    #[must_use]
    pub fn whole_pairs(&self) -> Tally {
        self.standing().tally
    }

    /// The whole pairs, and the games whose other half is missing.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = self.whole_pairs();
        let is_half = |games: &&[Option<Scored>; 2]| games.iter().flatten().count() == 1;
        for games in self.open.values().filter(is_half) {
            for (side, game) in games.iter().enumerate() {
                match game {
                    Some(game) if self.seen.contains(&(side, game.fingerprint)) => tally.add_repeat(game.result),
                    Some(game) => tally.add_single(game.result),
                    None => {}
                }
            }
        }
        tally
    }

    /// How many of the last pairs, one after the other, only repeat games.
    #[must_use]
    pub fn repeats_in_a_row(&self) -> u32 {
        self.standing().repeats_in_a_row
    }

    fn standing(&self) -> Standing {
        let mut standing = self.settled;
        let mut seen = HashSet::new();
        for games in self.open.values() {
            if let &[Some(one), Some(two)] = games {
                let is_repeat = both(&[one, two], |game| self.seen.contains(&game) || !seen.insert(game));
                standing.add([one, two], is_repeat);
            }
        }
        standing
    }
}

/// Whether both games of a pair were seen. Both are asked about: the question also marks them as seen.
fn both(games: &[Scored; 2], mut is_seen: impl FnMut((usize, u64)) -> bool) -> bool {
    let [one, two] = [0, 1].map(|side| is_seen((side, games[side].fingerprint)));
    one && two
}

impl Standing {
    fn add(&mut self, games: [Scored; 2], is_repeat: bool) {
        if is_repeat {
            games.iter().for_each(|game| self.tally.add_repeat(game.result));
            self.repeats_in_a_row += 1;
        } else {
            self.tally.add(games.map(|game| game.result));
            self.repeats_in_a_row = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Wdl::{Draw, Loss, Win};
    use super::*;

    fn game(result: Wdl, fingerprint: u64) -> Scored {
        Scored { result, fingerprint }
    }

    /// The results of pairs of games that were all won, with these fingerprints.
    fn won(pairs: &[[u64; 2]]) -> Results {
        let mut results = Results::default();
        for (number, fingerprint) in (0..).zip(pairs.iter().flatten()) {
            results.add(number, game(Win, *fingerprint));
        }
        results
    }

    #[test]
    fn a_repeated_pair_is_scored_and_no_sample() {
        let results = won(&[[1, 2], [3, 4], [1, 2], [1, 2]]);
        let tally = results.tally();
        assert_eq!((tally.wins, tally.games(), tally.repeats, tally.pairs), (8, 8, 4, [0, 0, 0, 0, 2]));
        assert_eq!(tally, results.whole_pairs());
        assert_eq!(tally.interval(), won(&[[1, 2], [3, 4]]).tally().interval());
        assert_eq!(results.repeats_in_a_row(), 2);
    }

    #[test]
    fn a_pair_with_one_new_game_is_a_sample() {
        let results = won(&[[1, 2], [1, 3], [4, 2], [4, 3]]);
        assert_eq!((results.tally().pairs, results.tally().repeats), ([0, 0, 0, 0, 3], 2));
        assert_eq!(results.repeats_in_a_row(), 1);
    }

    #[test]
    fn the_same_moves_on_the_other_side_are_another_game() {
        assert_eq!(won(&[[1, 2], [2, 1]]).tally().repeats, 0);
    }

    #[test]
    fn the_order_in_which_games_come_in_does_not_matter() {
        let games: Vec<(u32, Scored)> =
            (0..).zip([1, 2, 3, 4, 1, 4, 1, 2, 5, 2].map(|fingerprint| game(Draw, fingerprint))).collect();
        let tally = |order: &[usize]| {
            let mut results = Results::default();
            order.iter().for_each(|&index| results.add(games[index].0, games[index].1));
            (results.tally(), results.repeats_in_a_row())
        };
        let forth = tally(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!((forth.0.pairs, forth.0.repeats, forth.1), ([0, 0, 3, 0, 0], 4, 0));
        assert_eq!(tally(&[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]), forth);
        assert_eq!(tally(&[4, 5, 0, 9, 3, 6, 7, 1, 8, 2]), forth);
        let unfinished = tally(&[0, 1, 4, 5, 6, 7]);
        assert_eq!((unfinished.0.pairs, unfinished.0.repeats), ([0, 0, 2, 0, 0], 2), "game 3 is not there");
    }

    #[test]
    fn a_game_whose_other_half_is_missing_is_half_a_pair_or_a_repeat() {
        let mut results = won(&[[1, 2]]);
        results.add(2, game(Loss, 3));
        assert_eq!((results.games(), results.whole_pairs().games()), (3, 2));
        assert_eq!((results.tally().pairs, results.tally().repeats), ([1, 0, 0, 0, 1], 0));
        let mut results = won(&[[1, 2]]);
        results.add(3, game(Win, 2));
        assert_eq!((results.tally().pairs, results.tally().repeats, results.tally().games()), ([0, 0, 0, 0, 1], 1, 3));
    }
}
