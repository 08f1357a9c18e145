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
//! # Watching
//!
//! An [`Observer`] hears each position that is entered, each move that is tried and each value that is returned, in the
//! order in which it happens: [`tree`](crate::tree) writes it down.
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

/// What a teaching search tells while it runs. The observer `()` hears nothing and costs nothing.
pub trait Observer<G: Game> {
    /// A position is entered, `depth` plies above the horizon, with this window of alpha and beta.
    ///
    /// Where a bound differs from the one that the position above was entered with, that position has raised alpha or
    /// lowered beta since. So the ancestor to whom a bound belongs is the nearest one for which that is so.
    #[inline]
    fn enter(&mut self, _position: &G, _depth: u32, _window: (Score, Score)) {}

    /// The position entered last and not yet left tries this move: what it leads to is entered next.
    #[inline]
    fn tries(&mut self, _mv: G::Move) {}

    /// The position entered last and not yet left returns this value, for MAX.
    #[inline]
    fn leave(&mut self, _value: Score, _why: Leave) {}
}

impl<G: Game> Observer<G> for () {}

/// How a position of a teaching search got its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// The evaluation gave it: the game is over, or the horizon is reached.
    Leaf,
    /// All moves were tried.
    Searched,
    /// After a move the window was closed: the other moves were not tried. The bound that the value met is beta, of an
    /// ancestor where MIN moves, if MAX moves here; alpha, of an ancestor where MAX moves, if MIN does.
    Cut,
}

/// The textbook's searches for one side, MAX, with one evaluation.
#[derive(Debug)]
pub struct Teacher<'a, E, O, W = ()> {
    max: Side,
    guide: &'a E,
    order: O,
    observer: W,
    nodes: u64,
}

impl<'a, E, O> Teacher<'a, E, O> {
    /// Searches for `max`.
    pub const fn new(max: Side, guide: &'a E, order: O) -> Self {
        Self { max, guide, order, observer: (), nodes: 0 }
    }

    /// The same teacher, with an observer of all its searches.
    pub fn observed_by<W>(self, observer: W) -> Teacher<'a, E, O, W> {
        let Self { max, guide, order, nodes, .. } = self;
        Teacher { max, guide, order, observer, nodes }
    }
}

impl<E, O, W> Teacher<'_, E, O, W> {
    /// How many positions were visited so far, roots and leaves included.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The observer, with what it has heard.
    pub fn into_observer(self) -> W {
        self.observer
    }

    /// The value of a position for MAX by plain minimax, `depth` plies deep.
    pub fn minimax<G: Game>(&mut self, position: &G, depth: u32) -> Score
    where
        E: Guide<G>,
        O: Order<G>,
        W: Observer<G>,
    {
        self.enter(position, depth, (-INFINITE, INFINITE));
        if depth == 0 || position.outcome().is_some() {
            return self.leave(self.guide.value(position, self.max), Leave::Leaf);
        }
        let maximising = position.turn() == self.max;
        let mut best = if maximising { -WIN } else { WIN };
        let mut child = position.clone();
        let _ = self.order.each_move(position, |mv| {
            child.clone_from(position);
            child.play(mv);
            self.observer.tries(mv);
            let value = self.minimax(&child, depth - 1);
            best = if maximising { best.max(value) } else { best.min(value) };
            ControlFlow::<()>::Continue(())
        });
        self.leave(best, Leave::Searched)
    }

    /// The minimax value where it lies within `alpha..beta`, by fail-hard alpha-beta.
    pub fn alpha_beta<G: Game>(&mut self, position: &G, depth: u32, mut alpha: Score, mut beta: Score) -> Score
    where
        E: Guide<G>,
        O: Order<G>,
        W: Observer<G>,
    {
        self.enter(position, depth, (alpha, beta));
        if depth == 0 || position.outcome().is_some() {
            return self.leave(self.guide.value(position, self.max), Leave::Leaf);
        }
        let maximising = position.turn() == self.max;
        let mut child = position.clone();
        let walk = self.order.each_move(position, |mv| {
            child.clone_from(position);
            child.play(mv);
            self.observer.tries(mv);
            let value = self.alpha_beta(&child, depth - 1, alpha, beta);
            if maximising {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let why = if walk.is_break() { Leave::Cut } else { Leave::Searched };
        self.leave(if maximising { alpha } else { beta }, why)
    }

    /// The best move and its value by minimax; `None` when the game is over or `depth` is 0.
    pub fn best_by_minimax<G: Game>(&mut self, position: &G, depth: u32) -> Option<(G::Move, Score)>
    where
        E: Guide<G>,
        O: Order<G>,
        W: Observer<G>,
    {
        self.best(position, depth, |teacher, child, _| teacher.minimax(child, depth - 1))
    }

    /// The best move and its value by alpha-beta: the same as minimax's.
    pub fn best_by_alpha_beta<G: Game>(&mut self, position: &G, depth: u32) -> Option<(G::Move, Score)>
    where
        E: Guide<G>,
        O: Order<G>,
        W: Observer<G>,
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
        W: Observer<G>,
    {
        debug_assert_eq!(position.turn(), self.max, "MAX is to move at the root");
        if depth == 0 {
            return None;
        }
        self.enter(position, depth, (-INFINITE, INFINITE));
        let mut best: Option<(G::Move, Score)> = None;
        let _ = self.order.each_move(position, |mv| {
            let mut child = position.clone();
            child.play(mv);
            self.observer.tries(mv);
            let found = value(self, &child, best.map(|(_, value)| value));
            if best.is_none_or(|(_, value)| found > value) {
                best = Some((mv, found));
            }
            ControlFlow::<()>::Continue(())
        });
        if let Some((_, value)) = best {
            self.leave(value, Leave::Searched);
        }
        best
    }

    /// Counts a position, and says that it is entered.
    #[inline]
    fn enter<G: Game>(&mut self, position: &G, depth: u32, window: (Score, Score))
    where
        W: Observer<G>,
    {
        self.nodes += 1;
        self.observer.enter(position, depth, window);
    }

    /// Says that the position is left with this value, and returns it.
    #[inline]
    fn leave<G: Game>(&mut self, value: Score, why: Leave) -> Score
    where
        W: Observer<G>,
    {
        self.observer.leave(value, why);
        value
    }
}
