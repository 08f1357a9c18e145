//! El Juego de la Bandera: evaluations and players.

mod boards;
mod flags;
mod greedy;
mod ground;
mod items;
mod races;
mod steps;
mod ways;
mod waytracking;

use palestra_games::bandera::{Bandera, BanderaOptions};

pub use flags::Flags;
pub use ground::{Ground, NO_WAY};
pub use races::{MAX_FLAGS, Races};
pub use steps::{Waytracking1, Waytracking2, Waytracking4};
pub use ways::{Way, WayTable, Ways};
pub use waytracking::Waytracking;

use crate::rng::Rng;
use crate::{Evaluation, Grade, Playable, Score, Visitor};

impl Playable for Bandera {
    type Strong = Races;

    const EVALUATIONS: &'static [Evaluation] = &[
        Evaluation {
            name: "waytracking",
            summary: "flags captured, then hops to the nearest flag that the other team does not reach before",
            // Its author deepened until the clock ran out; about this deep.
            depth: Some(6),
            unit: 1,
        },
        Evaluation {
            name: "waytracking1",
            summary: "its first step: flags captured, and how near the nearest flag is; a flag is worth too little",
            depth: None,
            unit: steps::THOUSANDTHS,
        },
        Evaluation {
            name: "waytracking2",
            summary: "its second step: flags captured, then hops to the nearest flag, even if the other team is nearer to it",
            depth: None,
            unit: 1,
        },
        Evaluation {
            name: "waytracking4",
            summary: "a step that was given up: as waytracking, and energy to save; it loses flags at small depth",
            depth: None,
            unit: steps::SIXTEENTHS,
        },
        Evaluation { name: "flags", summary: "own flags captured minus the other's", depth: None, unit: 1 },
        Evaluation {
            name: "strong",
            summary: "the rest of the game imagined as a race for each flag, with the energy it takes",
            depth: None,
            unit: races::FLAG,
        },
    ];

    const TEST: &'static str = "flags";
    const LEAD: Score = 600;

    const GRADES: [Grade; 4] = [
        Grade { evaluation: "waytracking", depth: 3, states: u64::MAX },
        Grade { evaluation: "strong", depth: 1, states: u64::MAX },
        Grade { evaluation: "strong", depth: 3, states: u64::MAX },
        Grade { evaluation: "strong", depth: 40, states: 30_000 },
    ];

    const BOARDS: usize = boards::PLANS.len();
    /// The evaluation is slow, and thinks ahead by itself.
    const OPENING_STATES: u64 = 20_000;
    /// Twelve plies are less than half of a game here: no game is decided by then.
    const UNDECIDED_STATES: u64 = 500_000;
    const OPENINGS: &'static str = include_str!("../../openings/bandera.txt");

    fn board(kind: usize, rng: &mut Rng) -> BanderaOptions {
        boards::board(boards::PLANS[kind], rng)
    }

    fn with_guide<V: Visitor<Self>>(name: &str, position: &Self, visitor: V) -> Option<V::Output> {
        match name {
            "waytracking" => Some(visitor.visit(Waytracking::new(position))),
            "waytracking1" => Some(visitor.visit(Waytracking1::new(position))),
            "waytracking2" => Some(visitor.visit(Waytracking2::new(position))),
            "waytracking4" => Some(visitor.visit(Waytracking4::new(position))),
            "flags" => Some(visitor.visit(Flags)),
            "strong" => Some(visitor.visit(Races::new(position))),
            _ => None,
        }
    }

    fn greedy(&self) -> Self::Move {
        greedy::greedy(self).expect("there is a legal move before the end")
    }
}
