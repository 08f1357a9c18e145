//! Which finished games count: each number once, and only games between two players of the tournament.

use crate::Finished;

/// The games that statistics are made of, by number: of two with the same number the first counts; games of unknown
/// players, or of a player against itself, do not.
///
/// A job may run twice and a journal may have been written by another program: everything that looks at finished games
/// begins here. The order of the numbers also makes sums of fractions the same, in whatever order the games ended.
pub(crate) fn counted(players: usize, games: &[Finished]) -> Vec<&Finished> {
    let is_sound = |game: &&Finished| {
        let [a, b] = game.players;
        a < players && b < players && a != b && game.winner.is_none_or(|winner| winner < 2)
    };
    let mut counted: Vec<_> = games.iter().filter(is_sound).collect();
    counted.sort_by_key(|game| game.number);
    counted.dedup_by_key(|game| game.number);
    counted
}

/// A finished game for tests: side 1 won (1), a draw (0), side 2 won (-1).
#[cfg(test)]
pub(crate) fn game(number: u32, players: [usize; 2], result: i32) -> Finished {
    Finished {
        number,
        players,
        points: [24 + result, 24 - result],
        winner: [Some(1), None, Some(0)][usize::try_from(result + 1).expect("-1, 0 or 1")],
        charged_us: [100, 200],
        forfeit: None,
        plies: 40,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_counts_once_and_only_between_two_players_that_there_are() {
        let games =
            [game(3, [0, 1], 1), game(1, [1, 0], 0), game(3, [0, 1], -1), game(4, [0, 2], 1), game(5, [1, 1], 1)];
        assert_eq!(counted(2, &games), [&games[1], &games[0]]);
    }
}
