//! Parchís: evaluations and players.

mod lookup;
mod myheuristic1;
mod race;
mod ring;
mod valoracion_test;

use std::ops::ControlFlow;

use palestra_games::parchis::{Board, Colour, Move, Parchis};
use palestra_games::{Game, Outcome};

use crate::engine::MAX_DEPTH;
use crate::rng::Rng;
use crate::{Evaluation, Grade, Playable, Score, Visitor, WIN};

pub use myheuristic1::MyHeuristic1;
pub use race::Race;
pub use valoracion_test::Test;

impl Playable for Parchis {
    type Strong = Race;

    const EVALUATIONS: &'static [Evaluation] = &[
        Evaluation {
            name: "test",
            summary: "ValoracionTest: pieces on safe squares and in the goal",
            depth: None,
            unit: 1,
        },
        Evaluation {
            name: "myheuristic1",
            summary: "a student's: safe squares, walls, goal, queue and home, and what the last move ate",
            depth: Some(6),
            unit: 1,
        },
        Evaluation {
            name: "strong",
            summary: "the race to the goal, the leading colour first, and who may eat whom",
            depth: None,
            unit: race::STEP,
        },
    ];

    const LEAD: Score = 2816;

    const GRADES: [Grade; 4] = [
        Grade { evaluation: "test", depth: 3, states: u64::MAX },
        Grade { evaluation: "myheuristic1", depth: 3, states: u64::MAX },
        Grade { evaluation: "strong", depth: 4, states: u64::MAX },
        Grade { evaluation: "strong", depth: MAX_DEPTH, states: 40_000 },
    ];

    const BOARDS: usize = 2;
    /// No piece gets home within twelve plies: a short search is enough.
    const UNDECIDED_STATES: u64 = 200_000;
    const OPENINGS: &'static str = include_str!("../../openings/parchis.txt");

    /// The student's document says so.
    const RUNGS: &'static [(&'static str, &'static str)] = &[("alphabeta:6:myheuristic1", "ninja1")];

    fn board(kind: usize, _: &mut Rng) -> Board {
        [Board::Grouped, Board::Alterned][kind]
    }

    fn with_guide<V: Visitor<Self>>(name: &str, _: &Self, visitor: V) -> Option<V::Output> {
        match name {
            "test" => Some(visitor.visit(Test)),
            "myheuristic1" => Some(visitor.visit(MyHeuristic1)),
            "strong" => Some(visitor.visit(Race::default())),
            _ => None,
        }
    }

    /// The greatest die first, as the student's program does.
    #[inline]
    fn each_move_as_taught<B>(&self, f: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.each_move_descending(f)
    }

    /// The move that brings the player furthest, counting what the opponent loses and the bonus that is won.
    fn greedy(&self) -> Move {
        let gain = |&mv: &Move| {
            let mut child = *self;
            child.play(mv);
            lead(&child, mv.colour())
        };
        // `max_by_key` would take the last of several equals.
        let moves = self.moves();
        moves.iter().copied().rev().max_by_key(gain).expect("a position to move in")
    }
}

/// How many steps the player of `mover`, who has just moved, is ahead.
fn lead(position: &Parchis, mover: Colour) -> Score {
    match position.outcome() {
        Some(Outcome::Win(side)) if side == mover.side() => return WIN,
        Some(_) => return -WIN,
        None => {}
    }
    let way = |colour: Colour| {
        let steps: Score =
            position.places(colour).into_iter().map(|place| Score::from(place.distance_to_goal(colour))).sum();
        if colour.side() == mover.side() { -steps } else { steps }
    };
    let bonus = match (position.ate(), position.reached_goal()) {
        (true, _) => 20,
        (_, true) => 10,
        _ => 0,
    };
    Colour::ALL.into_iter().map(way).sum::<Score>() + bonus
}
