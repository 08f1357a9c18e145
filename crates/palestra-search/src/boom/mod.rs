//! Conecta-4 Boom and Desconecta-4 Boom: evaluations and players.

mod avoid4;
mod lines;
#[cfg(test)]
mod random;
mod tempo;
mod threats;
mod valoracion_test;

use palestra_games::boom::bits::BOTTOM;
use palestra_games::boom::{Action, Boom, Conecta4Boom, Desconecta4Boom, Rules};
use palestra_games::{Game, Outcome};

use crate::engine::MAX_DEPTH;
use crate::{Evaluation, Grade, Guide, Playable, Score, Visitor};

pub use avoid4::Avoid4;
pub use tempo::Tempo;
pub use threats::Threats;
pub use valoracion_test::Test;

const TEST: Evaluation = Evaluation {
    name: "test",
    summary: "ValoracionTest: own pieces, the more the nearer they are to the middle column",
    depth: Some(8),
    unit: 1,
};

const AVOID4: Evaluation = Evaluation {
    name: "avoid4",
    summary: "a student's: own pieces should touch the other's, and not each other",
    depth: Some(8),
    unit: 1,
};

impl Playable for Conecta4Boom {
    type Strong = Threats;

    const EVALUATIONS: &'static [Evaluation] = &[
        TEST,
        Evaluation {
            name: "strong",
            summary: "open lines, those that one turn of two moves completes, and bombs",
            depth: None,
            unit: 1,
        },
    ];

    const LEAD: Score = 100;
    const GRADES: [Grade; 4] = [
        Grade { evaluation: "strong", depth: 1, states: u64::MAX },
        Grade { evaluation: "strong", depth: 3, states: u64::MAX },
        Grade { evaluation: "strong", depth: 7, states: u64::MAX },
        Grade { evaluation: "strong", depth: MAX_DEPTH, states: 2_000_000 },
    ];
    const OPENINGS: &'static str = include_str!("../../openings/conecta4boom.txt");

    fn with_guide<V: Visitor<Self>>(name: &str, _: &Self, visitor: V) -> Option<V::Output> {
        match name {
            "test" => Some(visitor.visit(Test)),
            "strong" => Some(visitor.visit(Threats::default())),
            _ => None,
        }
    }

    fn greedy(&self) -> Action {
        best_after_one_move(self, &Test)
    }
}

const DESCONECTA_GRADES: [Grade; 4] = [
    Grade { evaluation: "test", depth: 2, states: u64::MAX },
    Grade { evaluation: "avoid4", depth: 4, states: u64::MAX },
    Grade { evaluation: "strong", depth: 10, states: 70_000 },
    Grade { evaluation: "strong", depth: 40, states: 1_200_000 },
];

impl Playable for Desconecta4Boom {
    type Strong = Tempo;

    const EVALUATIONS: &'static [Evaluation] = &[
        TEST,
        AVOID4,
        Evaluation {
            name: "strong",
            summary: "few own pieces, bombs that clear them away, and moves that complete no own line",
            depth: None,
            unit: 1,
        },
    ];

    const LEAD: Score = 600;
    const GRADES: [Grade; 4] = DESCONECTA_GRADES;
    const OPENINGS: &'static str = include_str!("../../openings/desconecta4boom.txt");

    fn with_guide<V: Visitor<Self>>(name: &str, _: &Self, visitor: V) -> Option<V::Output> {
        match name {
            "test" => Some(visitor.visit(Test)),
            "avoid4" => Some(visitor.visit(Avoid4)),
            "strong" => Some(visitor.visit(Tempo::default())),
            _ => None,
        }
    }

    fn greedy(&self) -> Action {
        best_after_one_move(self, &Test)
    }
}

/// The first of the moves after which the position is worth most to the mover, so a win before all else.
fn best_after_one_move<R: Rules>(position: &Boom<R>, guide: &impl Guide<Boom<R>>) -> Action {
    let value = |mv: Action| -> Score {
        let mut child = *position;
        child.play(mv);
        guide.value(&child, position.turn())
    };
    // The last of the equals that `max_by_key` finds is the first from the other end.
    position.moves().into_iter().rev().max_by_key(|&mv| value(mv)).unwrap_or(Action::BOOM)
}

/// For the order of moves: one that wins first, one that loses last. This alone saves a search of seven plies a quarter
/// of its positions in Conecta-4 Boom and two thirds in Desconecta-4 Boom.
#[inline]
fn hint_by_outcome<R: Rules>(position: &Boom<R>, mv: Action) -> i32 {
    let mut child = *position;
    child.play(mv);
    match child.outcome() {
        Some(Outcome::Win(winner)) if winner == position.turn() => 1,
        Some(Outcome::Win(_)) => -1,
        _ => 0,
    }
}

/// The whole row of a bomb; no cell where there is no bomb.
#[inline]
const fn row_of(bomb: u64) -> u64 {
    if bomb == 0 { 0 } else { BOTTOM << (bomb.trailing_zeros() % 8) }
}

/// How many cells are in a set.
#[inline]
const fn size(set: u64) -> Score {
    set.count_ones() as Score
}

#[cfg(test)]
mod tests {
    use palestra_games::boom::{Conecta, Desconecta};
    use palestra_games::{NoOptions, Side};

    use super::random::{after, mirrored, positions};
    use super::*;

    #[test]
    fn left_and_right_are_the_same_to_every_evaluation() {
        check_mirror::<Conecta>(&Test);
        check_mirror::<Conecta>(&Threats::default());
        check_mirror::<Desconecta>(&Test);
        check_mirror::<Desconecta>(&Avoid4);
        check_mirror::<Desconecta>(&Tempo::default());
    }

    fn check_mirror<R: Rules>(guide: &impl Guide<Boom<R>>) {
        for position in positions::<R>(60).iter().filter(|position| position.outcome().is_none()) {
            for side in Side::BOTH {
                assert_eq!(
                    guide.score(position, side),
                    guide.score(&mirrored(position), side),
                    "{position} for {side}"
                );
            }
        }
    }

    #[test]
    fn greedy_takes_a_win_and_refuses_a_loss() {
        check_greedy::<Conecta>(Conecta4Boom::greedy);
        check_greedy::<Desconecta>(Desconecta4Boom::greedy);
    }

    fn check_greedy<R: Rules>(greedy: impl Fn(&Boom<R>) -> Action) {
        for position in positions::<R>(60).iter().filter(|position| position.outcome().is_none()) {
            let rank = |mv| match after(position, mv).outcome() {
                Some(Outcome::Win(side)) if side == position.turn() => 2,
                Some(Outcome::Win(_)) => 0,
                _ => 1,
            };
            let best = position.moves().into_iter().map(rank).max();
            assert_eq!(Some(rank(greedy(position))), best, "{position}");
        }
    }

    #[test]
    fn a_full_board_that_is_not_the_end_is_worth_nothing_to_the_test_evaluation() {
        let full: Vec<Conecta4Boom> = positions(400).into_iter().filter(|position| position.is_full()).collect();
        let open: Vec<_> = full.iter().filter(|position| position.outcome().is_none()).collect();
        assert!(!open.is_empty(), "no full board with a bomb among {}", full.len());
        for position in open {
            assert_eq!(Side::BOTH.map(|side| Test.value(position, side)), [0, 0], "{position}");
        }
    }

    #[test]
    fn grades_and_lists_name_evaluations_that_exist() {
        check_names::<Conecta4Boom>();
        check_names::<Desconecta4Boom>();
    }

    fn check_names<G: Playable<Options = NoOptions>>() {
        struct Found;
        impl<G: Game> Visitor<G> for Found {
            type Output = ();
            fn visit<E: Guide<G> + 'static>(self, _: E) {}
        }
        let start = G::new(&NoOptions);
        let listed = G::EVALUATIONS.iter().map(|evaluation| evaluation.name);
        for name in listed.chain(G::GRADES.iter().map(|grade| grade.evaluation)) {
            assert_eq!(G::with_guide(name, &start, Found), Some(()), "{name}");
        }
        assert_eq!(G::with_guide("none", &start, Found), None);
    }
}
