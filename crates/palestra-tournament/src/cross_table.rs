//! How each player did against each other.

use palestra_games::Side;

use crate::unique_games::counted;
use crate::{Finished, Tally, Wdl};

/// A table with a row and a column for each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cross {
    players: usize,
    cells: Vec<Tally>,
}

impl Cross {
    /// The table of these games. Two games with neighbouring numbers are the two of a meeting, as plans number them.
    #[must_use]
    pub fn new(players: usize, games: &[Finished]) -> Self {
        let mut cross = Self { players, cells: vec![Tally::default(); players * players] };
        let games = counted(players, games);
        games.iter().for_each(|game| cross.count(game));
        for (first, second) in meetings(&games) {
            if let Some(second) = second {
                cross.count_pair(first, second);
            }
        }
        cross
    }

    /// How many players there are.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// How a player did against another: the games of both at once, the pairs of games when both are over.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn cell(&self, player: usize, opponent: usize) -> &Tally {
        assert!(player < self.players && opponent < self.players, "no such player: {player} or {opponent}");
        &self.cells[player * self.players + opponent]
    }

    fn cell_mut(&mut self, [player, opponent]: [usize; 2]) -> &mut Tally {
        &mut self.cells[player * self.players + opponent]
    }

    fn count(&mut self, game: &Finished) {
        let [a, b] = game.players;
        for (side, cell) in [(Side::One, [a, b]), (Side::Two, [b, a])] {
            let tally = self.cell_mut(cell);
            match game.score(side) {
                Wdl::Win => tally.wins += 1,
                Wdl::Draw => tally.draws += 1,
                Wdl::Loss => tally.losses += 1,
            }
        }
    }

    fn count_pair(&mut self, first: &Finished, second: &Finished) {
        let half_points = first.score(Side::One) as usize + second.score(Side::Two) as usize;
        let [a, b] = first.players;
        self.cell_mut([a, b]).pairs[half_points] += 1;
        self.cell_mut([b, a]).pairs[4 - half_points] += 1;
    }
}

/// The games of each meeting: two with the sides changed, or one if the other is not over.
pub(crate) fn meetings<'a>(games: &[&'a Finished]) -> Vec<(&'a Finished, Option<&'a Finished>)> {
    let mut meetings: Vec<(&Finished, Option<&Finished>)> = Vec::with_capacity(games.len() / 2 + 1);
    for &game in games {
        match meetings.last_mut() {
            Some((first, second @ None)) if is_return(first, game) => *second = Some(game),
            _ => meetings.push((game, None)),
        }
    }
    meetings
}

fn is_return(first: &Finished, second: &Finished) -> bool {
    let [a, b] = first.players;
    first.number / 2 == second.number / 2 && second.players == [b, a]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unique_games::game;

    #[test]
    fn every_game_is_in_two_cells_and_every_pair_too() {
        let games = [
            game(0, [0, 1], 1),
            game(1, [1, 0], 0),
            game(2, [2, 0], 1),
            // Its return game is not over yet.
            game(5, [1, 2], -1),
            game(6, [0, 1], 1),
            game(7, [1, 0], -1),
        ];
        let cross = Cross::new(3, &games);
        assert_eq!(*cross.cell(0, 1), Tally { wins: 3, draws: 1, losses: 0, pairs: [0, 0, 0, 1, 1], repeats: 0 });
        assert_eq!(*cross.cell(1, 0), Tally { wins: 0, draws: 1, losses: 3, pairs: [1, 1, 0, 0, 0], repeats: 0 });
        assert_eq!(*cross.cell(2, 1), Tally { wins: 1, ..Tally::default() });
        assert_eq!(*cross.cell(0, 2), Tally { losses: 1, ..Tally::default() });
        assert_eq!(*cross.cell(1, 1), Tally::default());
    }

    #[test]
    fn the_tally_of_a_match_is_that_of_its_pairs() {
        use Wdl::{Draw, Loss, Win};
        let mut tally = Tally::default();
        [[Win, Loss], [Draw, Win], [Loss, Loss]].into_iter().for_each(|pair| tally.add(pair));
        // Results are those of side 1: the second game of a pair is seen from the other player.
        let games = [[1, 1], [0, -1], [-1, 1]].into_iter().enumerate().flat_map(|(meeting, [here, there])| {
            let number = 2 * meeting as u32;
            [game(number, [0, 1], here), game(number + 1, [1, 0], there)]
        });
        assert_eq!(*Cross::new(2, &games.collect::<Vec<_>>()).cell(0, 1), tally);
    }
}
