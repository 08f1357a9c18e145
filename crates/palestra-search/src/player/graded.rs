//! The graded players (ninja1 to ninja3, maestro, house): the engine, limited in depth and nodes.

use palestra_games::Game;

use super::{Choice, Player, forced};
use crate::engine::{Engine, Limits, MAX_DEPTH, Report, Settings, States, Stop, TableError};
use crate::{Grade, Guide, Playable, Visitor};

/// Plays what the engine finds within the grade. The answer depends on the position alone, not on the game so far or
/// on the machine, unless the caller stops it earlier.
#[derive(Debug)]
pub(super) struct Graded {
    grade: Grade,
    engine: Engine,
}

impl Graded {
    pub(super) fn new(grade: Grade) -> Result<Self, TableError> {
        // The table is cleared before every move: a shallow search would spend its time on clearing a large one.
        let memory = if grade.depth <= MAX_SHALLOW_DEPTH { 1 << 20 } else { 16 << 20 };
        Ok(Self { grade, engine: Engine::new(Settings { memory, ..Settings::default() })? })
    }
}

/// Searches up to this depth, in plies, visit few positions and need a small table only.
const MAX_SHALLOW_DEPTH: u32 = 6;

impl<G: Playable> Player<G> for Graded {
    fn choose_with(
        &mut self,
        position: &G,
        stop: &mut dyn Stop,
        on_progress: &mut dyn FnMut(&Choice<G>),
    ) -> Option<Choice<G>> {
        if let Some(choice) = forced(position) {
            return choice;
        }
        let Grade { evaluation, depth, states } = self.grade;
        self.engine.forget();
        let limits = Limits { depth, lines: 1 };
        let mut on_iteration = |report: &Report<G>| on_progress(&report.clone().into());
        let search = Search {
            engine: &mut self.engine,
            position,
            limits,
            stop: &mut (stop, States(states)),
            on_iteration: &mut on_iteration,
        };
        let report = G::with_guide(evaluation, position, search).expect("a grade names an evaluation of its game")?;
        Some(report.into())
    }

    fn hold_to(&mut self, depth: u32) {
        self.grade.depth = self.grade.depth.min(depth.max(1));
    }
}

/// A search with whatever guide the evaluation's name stands for.
struct Search<'a, G: Game> {
    engine: &'a mut Engine,
    position: &'a G,
    limits: Limits,
    stop: &'a mut dyn Stop,
    on_iteration: &'a mut dyn FnMut(&Report<G>),
}

impl<G: Game> Visitor<G> for Search<'_, G> {
    type Output = Option<Report<G>>;

    fn visit<E: Guide<G> + 'static>(self, guide: E) -> Self::Output {
        let Self { engine, position, limits, stop, on_iteration } = self;
        engine.search_with(position, &guide, limits, stop, &mut (), on_iteration)
    }
}

/// How a grade plays, in a sentence.
pub(super) fn summary(grade: Grade) -> String {
    let mut limits = Vec::new();
    if grade.depth < MAX_DEPTH {
        limits.push(format!("{} {} deep", grade.depth, if grade.depth == 1 { "ply" } else { "plies" }));
    }
    if grade.states < u64::MAX {
        limits.push(format!("up to {} positions a move", grade.states));
    }
    format!("looks ahead with the evaluation {}, {}", grade.evaluation, limits.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grade_says_how_deep_it_looks() {
        let shown = |depth| summary(Grade { evaluation: "strong", depth, states: u64::MAX });
        assert_eq!(shown(1), "looks ahead with the evaluation strong, 1 ply deep");
        assert_eq!(shown(2), "looks ahead with the evaluation strong, 2 plies deep");
    }
}
