//! The ladder: who must beat whom, and by how much, for the players' names to mean what they say.

use palestra_games::with_game;
use palestra_search::Playable;
use palestra_search::player::{GRADE_NAMES, PlayerError};
use palestra_tournament::Tally;

/// A match of the ladder, and what is asked of the first player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The players.
    pub players: [String; 2],
    /// What the first must reach.
    pub demand: Demand,
}

/// What is asked of the first player of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Three points in four, and surely more than 65 %.
    Beats,
    /// No more than one point in four.
    Yields,
}

impl Demand {
    /// Whether it is met.
    #[must_use]
    pub fn is_met(self, tally: &Tally) -> bool {
        match self {
            Self::Beats => tally.share() >= 0.75 && tally.interval().0 > 0.65,
            Self::Yields => tally.share() <= 0.25,
        }
    }
}

/// The ladder of a game.
pub fn rungs(game: &str) -> Result<Vec<Rung>, PlayerError> {
    with_game!(game, G => rungs_of::<G>()).ok_or_else(|| PlayerError::UnknownGame(game.to_owned()))
}

/// Each grade against the one below, the students against the third, and what else the game asks for.
fn rungs_of<G: Playable>() -> Vec<Rung> {
    let [ninja1, ninja2, ninja3, maestro] = GRADE_NAMES;
    let mut rungs = Vec::new();
    let mut rung = |first: &str, second: &str, demand| {
        rungs.push(Rung { players: [first, second].map(str::to_owned), demand });
    };
    rung(ninja1, "greedy", Demand::Beats);
    rung(ninja2, ninja1, Demand::Beats);
    rung(ninja3, ninja2, Demand::Beats);
    rung(maestro, ninja3, Demand::Beats);
    for evaluation in G::EVALUATIONS {
        if let Some(depth) = evaluation.depth {
            rung(&format!("alphabeta:{depth}:{}", evaluation.name), ninja3, Demand::Yields);
        }
    }
    for (first, second) in G::RUNGS {
        rung(first, second, Demand::Beats);
    }
    rungs
}

#[cfg(test)]
mod tests {
    use palestra_games::GAMES;
    use palestra_tournament::Wdl::{Loss, Win};

    use super::*;
    use crate::duel::Match;

    #[test]
    fn every_game_has_a_ladder_of_players_that_there_are() {
        for kind in GAMES {
            let rungs = rungs(kind.id()).expect("a game of the list");
            assert!(rungs.len() >= 4 && rungs[3].players == ["maestro", "ninja3"], "{}: {rungs:?}", kind.id());
            for rung in rungs {
                let [first, second] = &rung.players;
                let contest = Match::between(kind.id(), [first, second], 1);
                assert!(contest.is_ok(), "{}: {rung:?}: {contest:?}", kind.id());
            }
        }
        assert!(rungs("chess").is_err());
    }

    #[test]
    fn demands_ask_for_points_and_for_certainty() {
        let tally = |won: u32, lost: u32| {
            let mut tally = Tally::default();
            (0..won).for_each(|_| tally.add([Win, Win]));
            (0..lost).for_each(|_| tally.add([Loss, Loss]));
            tally
        };
        assert!(Demand::Beats.is_met(&tally(80, 20)));
        assert!(!Demand::Beats.is_met(&tally(74, 26)));
        assert!(!Demand::Beats.is_met(&tally(4, 1)), "too few games to be sure");
        assert!(Demand::Yields.is_met(&tally(25, 75)));
        assert!(!Demand::Yields.is_met(&tally(26, 74)));
    }

    #[test]
    fn a_pair_depends_on_its_number_alone() {
        let contest = Match::between("mancala", ["random", "greedy"], 5).expect("players");
        let forth: Vec<_> = (0..10).map(|index| contest.pair(index)).collect();
        let mut back: Vec<_> = (0..10).rev().map(|index| contest.pair(index)).collect();
        back.reverse();
        assert_eq!(forth, back);
    }
}
