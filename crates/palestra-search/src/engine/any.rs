//! The engine for a game that is known only at run time.

use palestra_games::{AnyGame, with_game};

use super::{Engine, Limits, Report, Stop};
use crate::{Guide, Playable, Score, Visitor, Worth};

/// A [`Report`], written.
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

/// A [`Line`](super::Line), written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyLine {
    /// At least one.
    pub moves: Vec<String>,
    /// What the line is worth for the side to move.
    pub worth: Worth,
}

/// Searches a position of any game with the evaluation of this name, telling of each finished iteration; see
/// [`Engine::search_with`]. `None` when the game is over, or has no such evaluation.
pub fn any_search(
    engine: &mut Engine,
    position: &dyn AnyGame,
    evaluation: &str,
    limits: Limits,
    stop: &mut dyn Stop,
    told: &mut dyn FnMut(&AnyReport),
) -> Option<AnyReport> {
    with_game!(position.kind().id(), G => {
        let position = position.as_any().downcast_ref::<G>()?;
        let unit = G::EVALUATIONS.iter().find(|it| it.name == evaluation)?.unit;
        G::with_guide(evaluation, position, AnySearch { engine, position, unit, limits, stop, told })?
    })?
}

struct AnySearch<'a, G> {
    engine: &'a mut Engine,
    position: &'a G,
    unit: Score,
    limits: Limits,
    stop: &'a mut dyn Stop,
    told: &'a mut dyn FnMut(&AnyReport),
}

impl<G: Playable> Visitor<G> for AnySearch<'_, G> {
    type Output = Option<AnyReport>;

    fn visit<E: Guide<G> + 'static>(self, guide: E) -> Self::Output {
        let Self { engine, position, unit, limits, stop, told } = self;
        let mut each = |report: &Report<G>| told(&written(position, report, unit));
        let report = engine.search_with(position, &guide, limits, stop, &mut (), &mut each)?;
        Some(written(position, &report, unit))
    }
}

fn written<G: Playable>(position: &G, report: &Report<G>, unit: Score) -> AnyReport {
    let lines = report.lines.iter().map(|line| {
        let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
        let worth = Worth::of_line(position, &moves, line.score, report.proven, unit);
        AnyLine { moves, worth }
    });
    let &Report { depth, finished, proven, nodes, .. } = report;
    AnyReport { depth, finished, proven, lines: lines.collect(), nodes }
}
