//! Plans of runs: who meets whom, and where the game begins.

use std::collections::HashMap;

use palestra_tournament::{Format, Pairing, Plan};
use serde::{Deserialize, Serialize};

/// The plan of a run, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunPlan {
    /// The rounds of a league.
    Rounds(Plan),
    /// The games of a marking or a trial: side 1, side 2. Where the same two play once more on the same sides, the game begins
    /// at another opening.
    Games(Vec<[usize; 2]>),
}

impl RunPlan {
    /// All games, by number.
    pub(crate) fn pairings(&self) -> Vec<Pairing> {
        match self {
            Self::Rounds(plan) => plan.open(&[]),
            Self::Games(games) => {
                let mut rounds: HashMap<[usize; 2], u32> = HashMap::new();
                let pairing = |(number, &players)| {
                    let next = rounds.entry(players).or_default();
                    let round = *next;
                    *next += 1;
                    Pairing { number, round, players, opening: round }
                };
                (0..).zip(games).map(pairing).collect()
            }
        }
    }

    /// Whether all games can be played, by this number of players, for any results.
    pub(crate) fn fits(&self, players: usize) -> bool {
        match self {
            // The rounds of a swiss tournament follow from the results of those before.
            Self::Rounds(plan) => plan.players() == players && plan.format() != Format::Swiss,
            Self::Games(games) => games.iter().all(|[one, two]| one != two && *one.max(two) < players),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_written_and_read() {
        let league = RunPlan::Rounds(Plan::new(3, Format::RoundRobin, 1, 7).unwrap());
        let marking = RunPlan::Games(vec![[0, 2], [2, 0]]);
        for plan in [league.clone(), marking.clone()] {
            let text = serde_json::to_string(&plan).unwrap();
            assert_eq!(serde_json::from_str::<RunPlan>(&text).unwrap(), plan);
        }
        assert_eq!(league.pairings().len(), 6);
        assert_eq!(marking.pairings()[1].players, [2, 0]);
        let again = RunPlan::Games(vec![[0, 2], [2, 0], [0, 2]]).pairings();
        assert_eq!(again.iter().map(|game| game.opening).collect::<Vec<_>>(), [0, 0, 1]);
    }

    #[test]
    fn a_plan_fits_its_players() {
        let swiss = RunPlan::Rounds(Plan::new(4, Format::Swiss, 2, 7).unwrap());
        assert!(!swiss.fits(4));
        let games = RunPlan::Games(vec![[0, 2]]);
        assert!(games.fits(3) && !games.fits(2));
        assert!(RunPlan::Games(vec![]).fits(3) && !RunPlan::Games(vec![[1, 1]]).fits(3));
    }
}
