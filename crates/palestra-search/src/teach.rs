//! Minimax and alpha-beta as courses teach them: to be read first, and to check everything else against.
//!
//! # Minimax
//!
//! Two players pull a number in opposite directions: MAX, for whom we search, wants it high, MIN wants it low. From a
//! position MAX would go to the child with the greatest value and MIN to the one with the least; what those children
//! are worth is the same question one ply further down. It ends where the game ends, or where we have had enough
//! (`depth` plies): there an evaluation guesses. The guess is always MAX's view, so it need not be a fair one.
//!
//! Most books let the players alternate and call a "max" and a "min" function in turn. Here a player may move again
//! (an extra turn, two moves a turn), so each position is asked whose turn it is.
//!
//! # Alpha-beta
//!
//! Most of that tree cannot matter. Suppose MAX has already found a move worth 5 (*alpha*), and in trying another one
//! sees a reply that holds it to 3: how bad the other replies are is of no interest, MAX will not go there. The same
//! holds for MIN with the least it has been promised (*beta*). So the search carries the window `alpha..beta` of values
//! that could still change its mind, and leaves a position as soon as the window is closed. The value at the root is
//! the same as minimax's; with good luck in the order of the moves only about the square root of the positions is
//! visited, so that twice the depth can be reached in the same time.
//!
//! This version is *fail-hard*: of a value outside the window it only learns on which side it lies.
//!
//! # At the root
//!
//! A player wants a move, not a number. Moves are tried in a fixed order and only a strictly better one replaces the
//! choice, so the first of several equals is played. The courses differ in the [`Order`].
//!
//! ```
//! use palestra_games::{Game, NoOptions, mancala::Mancala};
//! use palestra_search::teach::{Ascending, Teacher};
//!
//! let start = Mancala::new(&NoOptions);
//! let mut teacher = Teacher::new(start.turn(), &palestra_search::mancala::Stores, Ascending);
//! let slow = teacher.minimax(&start, 7);
//! let visited = teacher.nodes();
//! let (mv, fast) = teacher.best_by_alpha_beta(&start, 7).unwrap();
//! assert_eq!(slow, fast);
//! assert!(teacher.nodes() - visited < visited / 10);
//! println!("pit {mv} wins {fast} seeds within seven plies");
//! ```

use std::ops::ControlFlow;

use palestra_games::{Game, Side, parchis};

use crate::score::INFINITE;
use crate::{Guide, Score, WIN};

/// The order in which moves are tried.
pub trait Order<G: Game>: Copy {
    /// Calls `f` with each legal move until it breaks.
    fn each_move<B>(self, position: &G, f: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B>;
}

/// The order of [`Game::each_move`].
#[derive(Clone, Copy, Debug)]
pub struct Ascending;

impl<G: Game> Order<G> for Ascending {
    #[inline]
    fn each_move<B>(self, position: &G, f: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        position.each_move(f)
    }
}

/// The other order of the Parchís course: the greatest die first.
#[derive(Clone, Copy, Debug)]
pub struct Descending;

impl Order<parchis::Parchis> for Descending {
    #[inline]
    fn each_move<B>(
        self,
        position: &parchis::Parchis,
        f: impl FnMut(parchis::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        position.each_move_descending(f)
    }
}

/// The textbook's searches for one side, MAX, with one evaluation.
#[derive(Debug)]
pub struct Teacher<'a, E, O> {
    max: Side,
    guide: &'a E,
    order: O,
    nodes: u64,
}

impl<'a, E, O> Teacher<'a, E, O> {
    /// Searches for `max`.
    pub const fn new(max: Side, guide: &'a E, order: O) -> Self {
        Self { max, guide, order, nodes: 0 }
    }

    /// How many positions were visited so far, roots and leaves included.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position for MAX by plain minimax, `depth` plies deep.
    pub fn minimax<G: Game>(&mut self, position: &G, depth: u32) -> Score
    where
        E: Guide<G>,
        O: Order<G>,
    {
        self.nodes += 1;
        if depth == 0 || position.outcome().is_some() {
            return self.guide.value(position, self.max);
        }
        let maximising = position.turn() == self.max;
        let mut best = if maximising { -WIN } else { WIN };
        let mut child = position.clone();
        let _ = self.order.each_move(position, |mv| {
            child.clone_from(position);
            child.play(mv);
            let value = self.minimax(&child, depth - 1);
            best = if maximising { best.max(value) } else { best.min(value) };
            ControlFlow::<()>::Continue(())
        });
        best
    }

    /// The minimax value where it lies within `alpha..beta`, by fail-hard alpha-beta.
    pub fn alpha_beta<G: Game>(&mut self, position: &G, depth: u32, mut alpha: Score, mut beta: Score) -> Score
    where
        E: Guide<G>,
        O: Order<G>,
    {
        self.nodes += 1;
        if depth == 0 || position.outcome().is_some() {
            return self.guide.value(position, self.max);
        }
        let maximising = position.turn() == self.max;
        let mut child = position.clone();
        let _ = self.order.each_move(position, |mv| {
            child.clone_from(position);
            child.play(mv);
            let value = self.alpha_beta(&child, depth - 1, alpha, beta);
            if maximising {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if maximising { alpha } else { beta }
    }

    /// The best move and its value by minimax; `None` when the game is over or `depth` is 0.
    pub fn best_by_minimax<G: Game>(&mut self, position: &G, depth: u32) -> Option<(G::Move, Score)>
    where
        E: Guide<G>,
        O: Order<G>,
    {
        self.best(position, depth, |teacher, child, _| teacher.minimax(child, depth - 1))
    }

    /// The best move and its value by alpha-beta: the same as minimax's.
    pub fn best_by_alpha_beta<G: Game>(&mut self, position: &G, depth: u32) -> Option<(G::Move, Score)>
    where
        E: Guide<G>,
        O: Order<G>,
    {
        self.best(position, depth, |teacher, child, best| {
            // A move that does not beat the best so far comes out equal to it, and is not taken.
            let alpha = best.unwrap_or(-INFINITE);
            teacher.alpha_beta(child, depth - 1, alpha, INFINITE)
        })
    }

    /// The first of the best moves for MAX, who must be to move. `value` is given the best value so far.
    fn best<G: Game>(
        &mut self,
        position: &G,
        depth: u32,
        mut value: impl FnMut(&mut Self, &G, Option<Score>) -> Score,
    ) -> Option<(G::Move, Score)>
    where
        E: Guide<G>,
        O: Order<G>,
    {
        debug_assert_eq!(position.turn(), self.max, "MAX is to move at the root");
        if depth == 0 {
            return None;
        }
        self.nodes += 1;
        let mut best: Option<(G::Move, Score)> = None;
        let _ = self.order.each_move(position, |mv| {
            let mut child = position.clone();
            child.play(mv);
            let found = value(self, &child, best.map(|(_, value)| value));
            if best.is_none_or(|(_, value)| found > value) {
                best = Some((mv, found));
            }
            ControlFlow::<()>::Continue(())
        });
        best
    }
}
