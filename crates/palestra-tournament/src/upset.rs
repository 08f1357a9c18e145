//! Upsets: meetings that the lower ranked of the two won.

use std::cmp::{Ordering, Reverse};

use palestra_games::Side;

use crate::Finished;
use crate::cross_table::meetings;
use crate::unique_games::counted;

/// The half points of each in a meeting that nobody won.
const EVEN: usize = 2;

/// A meeting of two games that the lower ranked of the two players won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upset {
    /// The lower ranked player.
    pub winner: usize,
    /// The higher ranked player.
    pub loser: usize,
    /// By how many places the loser is ahead.
    pub places: usize,
    /// The numbers of both games.
    pub games: [u32; 2],
}

/// The upsets among some games, the largest first. `ranks` has each player's rank, and none of players outside the ranking.
#[must_use]
pub fn upsets(ranks: &[Option<usize>], games: &[Finished]) -> Vec<Upset> {
    let games = counted(ranks.len(), games);
    let mut upsets: Vec<Upset> =
        meetings(&games).into_iter().filter_map(|(first, second)| upset(ranks, first, second?)).collect();
    upsets.sort_by_key(|upset| (Reverse(upset.places), upset.games));
    upsets
}

fn upset(ranks: &[Option<usize>], first: &Finished, second: &Finished) -> Option<Upset> {
    let half_points = first.score(Side::One) as usize + second.score(Side::Two) as usize;
    let [a, b] = first.players;
    let (winner, loser) = match half_points.cmp(&EVEN) {
        Ordering::Less => (b, a),
        Ordering::Equal => return None,
        Ordering::Greater => (a, b),
    };
    let places = ranks[winner]?.checked_sub(ranks[loser]?).filter(|&places| places > 0)?;
    Some(Upset { winner, loser, places, games: [first.number, second.number] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unique_games::game;

    #[test]
    fn meetings_that_the_lower_ranked_won_are_upsets_the_largest_first() {
        let games = [
            // The second beats the first, a win and a draw.
            game(0, [0, 1], 0),
            game(1, [1, 0], 1),
            // The fourth beats the first twice.
            game(2, [0, 3], -1),
            game(3, [3, 0], 1),
            // One win each, and a meeting that went as expected.
            game(4, [1, 2], -1),
            game(5, [2, 1], -1),
            game(6, [1, 3], 1),
            game(7, [3, 1], -1),
            // A guest beats the first; half a meeting.
            game(8, [0, 4], -1),
            game(9, [4, 0], 1),
            game(10, [2, 3], -1),
        ];
        let upset = |winner, loser, places, games| Upset { winner, loser, places, games };
        let ranks = [Some(1), Some(2), Some(3), Some(4), None];
        assert_eq!(upsets(&ranks, &games), [upset(3, 0, 3, [2, 3]), upset(1, 0, 1, [0, 1])]);
        let equal = [Some(1); 5];
        assert_eq!(upsets(&equal, &games), [], "equal ranks have no upsets");
    }
}
