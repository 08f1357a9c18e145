//! Move ordering and the search stack: a frame for each ply of the current line, with the killer and history heuristics.
//!
//! Frames are made once and used again, so that the search itself allocates nothing.

use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;

use palestra_games::{Game, MAX_MOVES, Side};
use rustc_hash::FxBuildHasher;

use super::transposition::NO_MOVE;
use crate::{Guide, Score};

/// A ply of the search stack.
pub(super) struct Frame<G: Game> {
    /// The moves of the position at this ply, in the game's order, and what they lead to.
    pub(super) children: Vec<Child<G>>,
    /// Which children are still to be tried.
    open: u64,
    /// Which children are still to be made.
    unmade: u64,
    /// Killer heuristic: the last two moves that caused a cutoff in other positions of this ply.
    killers: [Option<G::Move>; 2],
    /// The principal variation from here.
    pub(super) line: Vec<G::Move>,
}

/// A move and the position after it.
pub(super) struct Child<G: Game> {
    pub(super) position: G,
    /// `None` until the frame is expanded for the first time.
    mv: Option<G::Move>,
    pub(super) key: u64,
    /// What the move banks for the mover.
    pub(super) gain: Score,
    /// Whether the mover moves again.
    pub(super) again: bool,
    /// The rank in move ordering; the highest is tried first.
    order: i64,
}

impl<G: Game> Child<G> {
    fn new(position: &G) -> Self {
        Self { position: position.clone(), mv: None, key: 0, gain: 0, again: false, order: 0 }
    }

    #[inline]
    pub(super) fn mv(&self) -> G::Move {
        self.mv.expect("children are handed out after they are written")
    }
}

/// What a killer adds to a move's rank: more than any history count.
const KILLER: i64 = 1 << 30;

/// What a unit of the guide's hint adds to a move's rank: more than killers and history together.
const HINT: i64 = 1 << 32;

impl<G: Game> Frame<G> {
    pub(super) fn new(position: &G) -> Self {
        let children = vec![Child::new(position)];
        Self { children, open: 0, unmade: 0, killers: [None; 2], line: Vec::new() }
    }

    /// A place for one position, for searches that need no more.
    #[inline]
    pub(super) fn scratch(&mut self) -> &mut G {
        &mut self.children[0].position
    }

    /// Lists the moves of a position and ranks them. The one at place `first` of the game's order, if
    /// there is one, comes first. What the moves lead to is not known yet: often one of them is enough.
    #[inline]
    pub(super) fn expand<E: Guide<G>>(&mut self, position: &G, first: u8, guide: &E, history: &History) {
        let side = position.turn();
        let mut count = 0;
        let _ = position.each_move(|mv| {
            if count == self.children.len() {
                self.children.push(Child::new(position));
            }
            let child = &mut self.children[count];
            child.mv = Some(mv);
            child.order = if count == usize::from(first) {
                i64::MAX
            } else if E::EXPERIENCE {
                let killer = if self.killers.contains(&Some(mv)) { KILLER } else { 0 };
                HINT * i64::from(guide.hint(position, mv)) + killer + i64::from(history.get(side, mv))
            } else {
                i64::from(guide.hint(position, mv))
            };
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        self.open = if count == MAX_MOVES { u64::MAX } else { (1 << count) - 1 };
        self.unmade = self.open;
    }

    /// Makes the child at this place, if it has not been made, and looks at it.
    #[inline]
    pub(super) fn make(&mut self, index: usize, position: &G, guide: &impl Guide<G>) -> &mut Child<G> {
        let child = &mut self.children[index];
        if self.unmade >> index & 1 == 1 {
            self.unmade ^= 1 << index;
            let side = position.turn();
            child.position.clone_from(position);
            child.position.play(child.mv());
            child.gain = guide.banked(&child.position, side) - guide.banked(position, side);
            child.again = child.position.turn() == side;
        }
        child
    }

    /// The places of the children not yet tried, in the game's order.
    #[inline]
    pub(super) fn open(&self) -> std::ops::Range<usize> {
        0..(u64::BITS - self.open.leading_zeros()) as usize
    }

    /// The place of the most promising child not yet tried; of equals, the first in the game's order.
    #[inline]
    pub(super) fn next(&mut self) -> Option<usize> {
        let mut rest = self.open;
        if rest == 0 {
            return None;
        }
        let mut best = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        while rest != 0 {
            let index = rest.trailing_zeros() as usize;
            if self.children[index].order > self.children[best].order {
                best = index;
            }
            rest &= rest - 1;
        }
        self.open &= !(1 << best);
        Some(best)
    }

    /// Killer heuristic: remembers a move that caused a cutoff.
    #[inline]
    pub(super) fn remember_killer(&mut self, mv: G::Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }

    /// Sets the principal variation: this move, then that of the next frame.
    pub(super) fn set_line(&mut self, mv: G::Move, rest: &[G::Move]) {
        self.line.clear();
        self.line.push(mv);
        self.line.extend_from_slice(rest);
    }
}

/// The place of a child as the table keeps it.
#[inline]
pub(super) fn place(index: usize) -> u8 {
    u8::try_from(index).unwrap_or(NO_MOVE)
}

/// History heuristic: how often moves caused cutoffs, by side and move, wherever they were made.
pub(super) struct History(Box<[[i32; SLOTS]; 2]>);

/// Slots a side: more than any game has moves. Two moves that share a slot do little harm.
const SLOTS: usize = 512;

/// The greatest history count: it must stay worth less than a killer.
const MAX_COUNT: i32 = 1 << 28;

impl History {
    pub(super) fn new() -> Self {
        Self(Box::new([[0; SLOTS]; 2]))
    }

    #[inline]
    fn slot(mv: impl Hash) -> usize {
        (FxBuildHasher.hash_one(mv) >> 32) as usize % SLOTS
    }

    #[inline]
    fn get(&self, side: Side, mv: impl Hash) -> i32 {
        self.0[side.index()][Self::slot(mv)]
    }

    /// Rewards a move that caused a cutoff `depth` plies above the horizon.
    #[inline]
    pub(super) fn reward(&mut self, side: Side, mv: impl Hash, depth: u32) {
        let count = &mut self.0[side.index()][Self::slot(mv)];
        *count = (*count + (depth * depth) as i32).min(MAX_COUNT);
    }

    /// Halves all counts, before the next iteration.
    pub(super) fn fade(&mut self) {
        self.0.iter_mut().flatten().for_each(|count| *count /= 2);
    }
}
