//! The exact value of each move, by alpha-beta with an open window: what other programs' searches are compared with.

use std::ops::ControlFlow;

use palestra_games::{AnyGame, Game, Side, with_game};

use super::request::{check_depth, root_after};
use super::{TreeError, evaluation_of};
use crate::engine::Stop;
use crate::order::{AsTaught, Watch};
use crate::score::INFINITE;
use crate::teach::Teacher;
use crate::{Guide, Playable, Score, Visitor};

/// A move, and its value for MAX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move.
    pub mv: String,
    /// Its value.
    pub value: Score,
}

/// What each legal move is worth in the position to which `moves` lead, `depth` plies being searched from there. MAX and the
/// evaluation are those of `position`. Within alpha-beta most moves are only known to be no better than another one; here
/// each is searched with an open window, so that its value is minimax's.
pub fn any_move_values(
    position: &dyn AnyGame,
    moves: &[String],
    evaluation: &str,
    depth: u32,
    stop: &mut dyn Stop,
) -> Result<Vec<MoveValue>, TreeError> {
    let id = position.kind().id();
    with_game!(id, G => match position.as_any().downcast_ref::<G>() {
        Some(position) => move_values(position, moves, evaluation, depth, stop),
        None => Err(TreeError::NotPlayed { game: id }),
    })
    .unwrap_or(Err(TreeError::NotPlayed { game: id }))
}

fn move_values<G: Playable>(
    position: &G,
    moves: &[String],
    evaluation: &str,
    depth: u32,
    stop: &mut dyn Stop,
) -> Result<Vec<MoveValue>, TreeError> {
    check_depth(depth)?;
    let evaluation = evaluation_of::<G>(evaluation)?;
    let root = root_after(position, moves)?;
    let values = Values { root: &root, max: Game::turn(position), depth, stop };
    G::with_guide(evaluation.name, position, values).expect("the evaluation was looked up")
}

/// Searches each move with the guide that the evaluation's name stands for.
struct Values<'a, G> {
    root: &'a G,
    max: Side,
    depth: u32,
    stop: &'a mut dyn Stop,
}

impl<G: Playable> Visitor<G> for Values<'_, G> {
    type Output = Result<Vec<MoveValue>, TreeError>;

    fn visit<E: Guide<G> + 'static>(self, guide: E) -> Self::Output {
        let Self { root, max, depth, stop } = self;
        let watch = Watch::new(AsTaught, stop);
        let mut teacher = Teacher::new(max, &guide, &watch);
        let mut values = Vec::new();
        let _ = root.each_move(|mv| {
            let mut child = root.clone();
            Game::play(&mut child, mv);
            let value = teacher.alpha_beta(&child, depth - 1, -INFINITE, INFINITE);
            values.push(MoveValue { mv: mv.to_string(), value });
            if watch.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if watch.is_stopped() { Err(TreeError::Stopped { nodes: teacher.nodes() }) } else { Ok(values) }
    }
}
