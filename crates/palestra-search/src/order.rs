//! Orders in which a teaching search can try moves, beside those of [`teach`](crate::teach).

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use palestra_games::{Game, MAX_MOVES};

use crate::engine::Stop;
use crate::teach::Order;
use crate::{Guide, Playable, Score};

/// The order in which the course's own programs try moves.
#[derive(Clone, Copy, Debug)]
pub struct AsTaught;

impl<G: Playable> Order<G> for AsTaught {
    #[inline]
    fn each_move<B>(self, position: &G, f: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        position.each_move_as_taught(f)
    }
}

/// Moves by what the evaluation says about the positions after them, seen by the side that moves. Of equals the one that
/// `order` has first stays first.
#[derive(Debug)]
pub struct Sorted<'a, E, O> {
    guide: &'a E,
    order: O,
    is_best_first: bool,
}

impl<'a, E, O> Sorted<'a, E, O> {
    /// The best move first: the best order there is without searching.
    pub const fn best_first(guide: &'a E, order: O) -> Self {
        Self { guide, order, is_best_first: true }
    }

    /// The worst move first: how little alpha-beta is worth without luck.
    pub const fn worst_first(guide: &'a E, order: O) -> Self {
        Self { guide, order, is_best_first: false }
    }
}

/// By hand, because the guide need not be copied.
impl<E, O: Copy> Clone for Sorted<'_, E, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, O: Copy> Copy for Sorted<'_, E, O> {}

impl<G: Game, E: Guide<G>, O: Order<G>> Order<G> for Sorted<'_, E, O> {
    fn each_move<B>(self, position: &G, mut f: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut moves = ArrayVec::<(Score, G::Move), MAX_MOVES>::new();
        let mut child = position.clone();
        let _ = self.order.each_move(position, |mv| {
            child.clone_from(position);
            child.play(mv);
            moves.push((self.guide.value(&child, position.turn()), mv));
            ControlFlow::<()>::Continue(())
        });
        if self.is_best_first {
            moves.sort_by_key(|&(value, _)| Reverse(value));
        } else {
            moves.sort_by_key(|&(value, _)| value);
        }
        moves.into_iter().try_for_each(|(_, mv)| f(mv))
    }
}

/// Another order, until it is time to stop.
///
/// The textbook knows no clock, and should not. So the question whether to stop is asked by the order in which moves
/// are tried: once it is answered with yes, no position offers any more moves and the search collapses. What it then
/// says is worthless.
pub(crate) struct Watch<'a, O> {
    order: O,
    stop: RefCell<&'a mut dyn Stop>,
    is_stopped: Cell<bool>,
    nodes: Cell<u64>,
    /// When to ask again.
    ask_at: Cell<u64>,
}

impl<'a, O> Watch<'a, O> {
    pub(crate) fn new(order: O, stop: &'a mut dyn Stop) -> Self {
        let stop = RefCell::new(stop);
        Self { order, stop, is_stopped: Cell::new(false), nodes: Cell::new(0), ask_at: Cell::new(0) }
    }

    /// Whether the answer was yes.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.get()
    }

    /// Counts a position, and asks if it is time to.
    fn step(&self) -> ControlFlow<()> {
        self.nodes.set(self.nodes.get() + 1);
        if self.nodes.get() >= self.ask_at.get() && !self.is_stopped.get() {
            match self.stop.borrow_mut().ask(self.nodes.get()) {
                ControlFlow::Break(()) => self.is_stopped.set(true),
                ControlFlow::Continue(more) => self.ask_at.set(self.nodes.get().saturating_add(more)),
            }
        }
        if self.is_stopped.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<G: Game, O: Order<G>> Order<G> for &Watch<'_, O> {
    #[inline]
    fn each_move<B>(self, position: &G, mut f: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let walk = self.order.each_move(position, |mv| match self.step() {
            ControlFlow::Continue(()) => f(mv).map_break(Some),
            ControlFlow::Break(()) => ControlFlow::Break(None),
        });
        match walk {
            ControlFlow::Break(Some(broken)) => ControlFlow::Break(broken),
            _ => ControlFlow::Continue(()),
        }
    }
}
