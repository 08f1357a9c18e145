//! The engine for a game that is known only at run time.

use palestra_games::{AnyGame, with_game};

use super::{Engine, Limits, Report, Stop};
use crate::{Guide, Playable, Score, Visitor, Worth};

/// A [`Report`] with moves as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyReport {
    /// See [`Report::depth`].
    pub depth: u32,
    /// See [`Report::finished`].
    pub finished: bool,
    /// See [`Report::proven`].
    pub proven: bool,
    /// See [`Report::lines`].
    pub lines: Vec<AnyLine>,
    /// See [`Report::nodes`].
    pub nodes: u64,
}

/// A [`Line`](super::Line) with moves as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyLine {
    /// The principal variation: at least one move.
    pub moves: Vec<String>,
    /// See [`Line::score`](super::Line::score).
    pub score: Score,
    /// What the line is worth for the side to move.
    pub worth: Worth,
}

/// Searches a position of any game with the evaluation of this name, and calls `on_iteration` after each finished
/// iteration; see [`Engine::search_with`]. `None` when the game is over, or has no such evaluation.
pub fn any_search(
    engine: &mut Engine,
    position: &dyn AnyGame,
    evaluation: &str,
    limits: Limits,
    stop: &mut dyn Stop,
    on_iteration: &mut dyn FnMut(&AnyReport),
) -> Option<AnyReport> {
    with_game!(position.kind().id(), G => {
        let position = position.as_any().downcast_ref::<G>()?;
        let unit = G::EVALUATIONS.iter().find(|it| it.name == evaluation)?.unit;
        G::with_guide(evaluation, position, AnySearch { engine, position, unit, limits, stop, on_iteration })?
    })?
}

struct AnySearch<'a, G> {
    engine: &'a mut Engine,
    position: &'a G,
    unit: Score,
    limits: Limits,
    stop: &'a mut dyn Stop,
    on_iteration: &'a mut dyn FnMut(&AnyReport),
}

impl<G: Playable> Visitor<G> for AnySearch<'_, G> {
    type Output = Option<AnyReport>;

    fn visit<E: Guide<G> + 'static>(self, guide: E) -> Self::Output {
        let Self { engine, position, unit, limits, stop, on_iteration } = self;
        let mut each = |report: &Report<G>| on_iteration(&written(position, report, unit));
        let report = engine.search_with(position, &guide, limits, stop, &mut (), &mut each)?;
        Some(written(position, &report, unit))
    }
}

fn written<G: Playable>(position: &G, report: &Report<G>, unit: Score) -> AnyReport {
    let lines = report.lines.iter().map(|line| {
        let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
        let worth = Worth::of_line(position, &moves, line.score, report.proven, unit);
        AnyLine { moves, score: line.score, worth }
    });
    let &Report { depth, finished, proven, nodes, .. } = report;
    AnyReport { depth, finished, proven, lines: lines.collect(), nodes }
}
