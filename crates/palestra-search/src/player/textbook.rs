//! The courses' algorithms as players: exactly what [`teach`](crate::teach) finds, unless there is no time for it.
//!
//! When a search is stopped, what it says about the root's move in hand is worthless and thrown away; the moves before it
//! count.

use std::ops::ControlFlow;

use palestra_games::Game;

use super::{Choice, Player, forced};
use crate::engine::Stop;
use crate::order::{AsTaught, Watch};
use crate::score::INFINITE;
use crate::teach::Teacher;
use crate::tree::Algorithm;
use crate::{Guide, Playable, Score, Visitor};

/// A textbook search to a fixed depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Textbook {
    pub(super) algorithm: Algorithm,
    pub(super) depth: u32,
    /// The name of one of the game's evaluations.
    pub(super) evaluation: &'static str,
}

impl<G: Playable> Player<G> for Textbook {
    fn choose_with(
        &mut self,
        position: &G,
        stop: &mut dyn Stop,
        on_progress: &mut dyn FnMut(&Choice<G>),
    ) -> Option<Choice<G>> {
        if let Some(choice) = forced(position) {
            return choice;
        }
        let lesson = Lesson { textbook: *self, position, watch: &Watch::new(AsTaught, stop), on_progress };
        Some(G::with_guide(self.evaluation, position, lesson).expect("the evaluation was looked up"))
    }

    fn hold_to(&mut self, depth: u32) {
        self.depth = self.depth.min(depth.max(1));
    }
}

/// A textbook search with whatever guide the evaluation's name stands for.
struct Lesson<'a, G: Game> {
    textbook: Textbook,
    position: &'a G,
    watch: &'a Watch<'a, AsTaught>,
    on_progress: &'a mut dyn FnMut(&Choice<G>),
}

impl<G: Playable> Visitor<G> for Lesson<'_, G> {
    type Output = Choice<G>;

    /// The loop over the root's moves, as in [`Teacher`], but without the one that was interrupted.
    fn visit<E: Guide<G> + 'static>(self, guide: E) -> Choice<G> {
        let Self { textbook: Textbook { algorithm, depth, .. }, position, watch, on_progress } = self;
        let searched = |mv, score, nodes| Choice { mv, score, depth, nodes, line: vec![mv], proven: false };
        let mut teacher = Teacher::new(position.turn(), &guide, watch);
        let mut best: Option<(G::Move, Score)> = None;
        let mut first = None;
        let _ = position.each_move_as_taught(|mv| {
            if first.is_none() {
                first = Some(mv);
                on_progress(&searched(mv, None, 0));
            }
            let mut child = position.clone();
            child.play(mv);
            let alpha = best.map_or(-INFINITE, |(_, value)| value);
            let found = match algorithm {
                Algorithm::Minimax => teacher.minimax(&child, depth - 1),
                Algorithm::AlphaBeta => teacher.alpha_beta(&child, depth - 1, alpha, INFINITE),
            };
            if watch.is_stopped() {
                return ControlFlow::Break(());
            }
            if best.is_none_or(|(_, value)| found > value) {
                best = Some((mv, found));
                on_progress(&searched(mv, Some(found), teacher.nodes() + 1));
            }
            ControlFlow::Continue(())
        });
        let nodes = teacher.nodes() + 1;
        match best {
            Some((mv, score)) => searched(mv, Some(score), nodes),
            None => Choice { nodes, ..Choice::unsearched(first.expect("a position to move in")) },
        }
    }
}
