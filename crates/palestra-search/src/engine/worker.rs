//! One thread's search: fail-soft negamax alpha-beta as principal variation search (PVS, NegaScout).
//!
//! It computes plain minimax's value and nothing else; every shortcut only saves work. As in every negamax the value of a
//! position is the mover's; here beyond what is already banked. A move's value is what it banks plus what its child is
//! worth, negated when the opponent moves next, not when the ply is odd: the same side may move again.
//!
//! - The first move is searched with the whole window. The others are expected to be worse, and that is asked of them
//!   first: with a null window (`alpha..alpha + 1`, a scout search) the answer is cheap. Only a move that turns out
//!   better is searched again with the whole window.
//! - An entry of the transposition table counts only if it was made at exactly this depth, or is solved at a smaller one: so the
//!   table never changes a value. On the principal variation it only orders moves, so that the line is complete.
//! - At frontier nodes, one ply above the horizon, nothing is sorted or remembered: the children are evaluated on the spot.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use arrayvec::ArrayVec;
use palestra_games::{Game, MAX_MOVES, Side};

use super::busy::{BUSY_DEPTH, Busy};
use super::frame::{Frame, History, place};
use super::observer::{Leave, Observer};
use super::stop::Stop;
use super::transposition::{Bound, Entry, NO_MOVE, Table};
use crate::score::{INFINITE, nearer};
use crate::{Guide, Score, WIN};

/// What the threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) table: Option<&'a Table>,
    pub(super) busy: Option<Busy>,
    pub(super) shortcut: bool,
    /// How many threads there are.
    pub(super) threads: u64,
    /// All threads stop as soon as they see it.
    pub(super) stopped: AtomicBool,
    /// How many positions the first thread searches between two questions; the others look up as often.
    pub(super) interval: AtomicU64,
    /// The positions visited by the other threads.
    pub(super) nodes: AtomicU64,
}

/// The search of one thread.
pub(super) struct Worker<'a, G: Game, E, O> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) guide: &'a E,
    pub(super) observer: &'a mut O,
    /// The side to move at the root: MAX.
    pub(super) max: Side,
    /// The first thread asks the caller; the others look at the flag.
    pub(super) stop: Option<&'a mut dyn Stop>,
    pub(super) nodes: u64,
    /// Nodes of this thread that are already part of [`Shared::nodes`].
    reported: u64,
    pub(super) ask_at: u64,
    pub(super) stopped: bool,
    /// Goes up whenever a value rests on a guess. A search that left it alone is solved.
    pub(super) guesses: u64,
    pub(super) history: History,
    /// Kept apart from the worker's other parts while searching: a frame for each ply.
    pub(super) frames: Vec<Frame<G>>,
}

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove<G: Game> {
    pub(super) mv: G::Move,
    child: G,
    key: u64,
    gain: Score,
    again: bool,
    /// The principal variation that begins with this move.
    pub(super) line: Vec<G::Move>,
}

/// What a search of the root moves found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The place of the best move among those searched.
    pub(super) best: usize,
    pub(super) score: Score,
    /// Whether it rests on finished games alone.
    pub(super) solved: bool,
}

impl<'a, G: Game, E: Guide<G>, O: Observer<G>> Worker<'a, G, E, O> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        guide: &'a E,
        observer: &'a mut O,
        max: Side,
        stop: Option<&'a mut dyn Stop>,
    ) -> Self {
        Self {
            shared,
            guide,
            observer,
            max,
            stop,
            nodes: 0,
            reported: 0,
            ask_at: 0,
            stopped: false,
            guesses: 0,
            history: History::new(),
            frames: Vec::new(),
        }
    }

    /// The moves of the root, the most promising first.
    pub(super) fn root_moves(&self, position: &G) -> Vec<RootMove<G>> {
        let mut frame = Frame::new(position);
        frame.expand(position, NO_MOVE, self.guide, &self.history);
        let mut moves = Vec::new();
        while let Some(index) = frame.next() {
            let child = frame.make(index, position, self.guide);
            moves.push(RootMove {
                mv: child.mv(),
                key: self.key(&child.position),
                child: child.position.clone(),
                gain: child.gain,
                again: child.again,
                line: vec![child.mv()],
            });
        }
        moves
    }

    /// Searches moves of the root. `None` when it was stopped before the first move was done.
    pub(super) fn root(
        &mut self,
        moves: &mut [RootMove<G>],
        depth: u32,
        mut alpha: Score,
        beta: Score,
    ) -> Option<Found> {
        let position = &moves.first()?.child;
        let missing = (depth as usize + 1).saturating_sub(self.frames.len());
        self.frames.extend((0..missing).map(|_| Frame::new(position)));
        let mut frames = std::mem::take(&mut self.frames);
        let found = self.root_with(&mut frames, moves, depth, &mut alpha, beta);
        self.frames = frames;
        found
    }

    fn root_with(
        &mut self,
        frames: &mut [Frame<G>],
        moves: &mut [RootMove<G>],
        depth: u32,
        alpha: &mut Score,
        beta: Score,
    ) -> Option<Found> {
        let guesses = self.guesses;
        let mut found: Option<Found> = None;
        let mut late = Vec::new();
        let mut turn = 0..moves.len();
        let busy = self.busy(depth);
        loop {
            let (index, deferred) = match turn.next() {
                Some(index) if index > 0 && busy.is_some_and(|busy| busy.is(moves[index].key, depth)) => {
                    late.push(index);
                    continue;
                }
                Some(index) => (index, false),
                None if late.is_empty() => break,
                None => (late.remove(0), true),
            };
            if self.ask() {
                break;
            }
            let root = &mut moves[index];
            let edge = Edge { key: root.key, gain: root.gain, again: root.again, depth, ply: 0 };
            let mark = busy.filter(|_| !deferred).map(|busy| busy.begin(root.key, depth));
            let score = self.try_move(frames, &root.child, &edge, index == 0, *alpha, beta, true);
            drop(mark);
            if self.stopped {
                break;
            }
            if found.is_none_or(|found| score > found.score) {
                if score > *alpha || found.is_none() {
                    root.line.truncate(1);
                    root.line.extend_from_slice(&frames[0].line);
                }
                found = Some(Found { best: index, score, solved: false });
            }
            *alpha = score.max(*alpha);
            if score >= beta {
                break;
            }
        }
        let solved = self.guesses == guesses && !self.stopped;
        found.map(|found| Found { solved, ..found })
    }

    /// Visits a node below the root; `PV` if its window is not null.
    #[expect(clippy::too_many_arguments, reason = "the hottest call there is")]
    fn visit<const PV: bool>(
        &mut self,
        frames: &mut [Frame<G>],
        position: &G,
        key: u64,
        depth: u32,
        ply: u32,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.observer.enter(position, depth, (alpha, beta));
        let (score, why) = self.enter::<PV>(frames, position, key, depth, ply, alpha, beta);
        self.observer.leave(score, why);
        score
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the hottest call there is")]
    fn enter<const PV: bool>(
        &mut self,
        frames: &mut [Frame<G>],
        position: &G,
        key: u64,
        depth: u32,
        ply: u32,
        alpha: Score,
        beta: Score,
    ) -> (Score, Leave) {
        if PV {
            frames[0].line.clear();
        }
        if self.count() {
            return (0, Leave::Stopped);
        }
        let side = position.turn();
        if let Some(outcome) = position.outcome() {
            return (
                nearer(self.for_side(side, |max| self.guide.finished(position, outcome, max)), -(ply as i32)),
                Leave::Finished,
            );
        }
        if depth == 0 {
            self.guesses += 1;
            return (self.for_side(side, |max| self.guide.score(position, max)), Leave::Horizon);
        }
        if let Some(score) = self.guide.probe(position) {
            return (nearer(score, -(ply as i32)), Leave::Known);
        }
        if !PV && let Some((least, most)) = self.guide.bounds(position) {
            if least >= beta {
                return (least, Leave::Known);
            }
            if most <= alpha {
                return (most, Leave::Known);
            }
        }
        if depth == 1 && self.shared.shortcut {
            self.frontier::<PV>(frames, position, ply, alpha, beta)
        } else {
            self.interior::<PV>(frames, position, key, depth, ply, alpha, beta)
        }
    }

    /// A frontier node, one ply above the horizon: its children are evaluated on the spot.
    #[inline]
    fn frontier<const PV: bool>(
        &mut self,
        frames: &mut [Frame<G>],
        position: &G,
        ply: u32,
        mut alpha: Score,
        beta: Score,
    ) -> (Score, Leave) {
        let side = position.turn();
        let banked = self.guide.banked(position, side);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut tried = 0u8;
        let frame = &mut frames[0];
        let child = frame.scratch();
        let cut = position.each_move(|mv| {
            child.clone_from(position);
            child.play(mv);
            if self.count() {
                return ControlFlow::Break(());
            }
            tried += 1;
            let open = match child.outcome() {
                Some(outcome) => {
                    nearer(self.for_side(side, |max| self.guide.finished(child, outcome, max)), -(ply as i32 + 1))
                }
                None => {
                    self.guesses += 1;
                    self.for_side(side, |max| self.guide.score(child, max))
                }
            };
            let score = self.guide.banked(child, side) - banked + open;
            if score > best {
                best = score;
                if PV && score > alpha {
                    best_move = Some(mv);
                }
                alpha = alpha.max(score);
                if score >= beta {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        if PV && let Some(mv) = best_move {
            frame.set_line(mv, &[]);
        }
        match cut {
            _ if self.stopped => (0, Leave::Stopped),
            ControlFlow::Break(()) => (best, Leave::Cut(tried)),
            ControlFlow::Continue(()) => (best, Leave::Searched),
        }
    }

    /// An interior node: table lookup, move ordering, the loop over the moves, table store.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "the hottest call there is")]
    fn interior<const PV: bool>(
        &mut self,
        frames: &mut [Frame<G>],
        position: &G,
        key: u64,
        depth: u32,
        ply: u32,
        mut alpha: Score,
        beta: Score,
    ) -> (Score, Leave) {
        let table = self.table(depth);
        let known = table.and_then(|table| table.get(key));
        if !PV && let Some(entry) = known.filter(|entry| entry.holds_at(depth)) {
            let score = nearer(entry.score, -(ply as i32));
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if enough {
                self.guesses += u64::from(!entry.solved);
                return (score, Leave::Known);
            }
        }

        let (frame, deeper) = frames.split_first_mut().expect("a frame for each ply");
        frame.expand(position, known.map_or(NO_MOVE, |entry| entry.mv), self.guide, &self.history);
        self.look_ahead(frame, position, depth);

        let (first_guesses, first_alpha) = (self.guesses, alpha);
        let mut last_guesses = first_guesses;
        let (mut best, mut best_index) = (-INFINITE, 0);
        let mut tried = 0u8;
        let mut late = ArrayVec::<u8, MAX_MOVES>::new();
        let busy = self.busy(depth);
        loop {
            let (index, deferred) = match frame.next() {
                Some(index) if tried > 0 && busy.is_some_and(|busy| busy.is(frame.children[index].key, depth)) => {
                    late.push(index as u8);
                    continue;
                }
                Some(index) => (index, false),
                None if late.is_empty() => break,
                None => (usize::from(late.remove(0)), true),
            };
            last_guesses = self.guesses;
            let child = frame.make(index, position, self.guide);
            let edge = Edge { key: child.key, gain: child.gain, again: child.again, depth, ply };
            let mark = busy.filter(|_| !deferred).map(|busy| busy.begin(child.key, depth));
            let score = self.try_move(deeper, &child.position, &edge, tried == 0, alpha, beta, PV);
            drop(mark);
            if self.stopped {
                return (0, Leave::Stopped);
            }
            tried += 1;
            if score > best {
                (best, best_index) = (score, index);
                if score > alpha {
                    alpha = score;
                    if PV {
                        let mv = frame.children[index].mv();
                        frame.set_line(mv, &deeper[0].line);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        let cut = best >= beta;
        let mv = frame.children[best_index].mv();
        if cut && E::EXPERIENCE {
            // Killer and history heuristics.
            frame.remember_killer(mv);
            self.history.reward(position.turn(), mv, depth);
        }
        if let Some(table) = table {
            let (bound, guesses) = if cut {
                (Bound::Lower, last_guesses)
            } else if best > first_alpha {
                (Bound::Exact, first_guesses)
            } else {
                (Bound::Upper, first_guesses)
            };
            table.put(
                key,
                Entry {
                    score: nearer(best, ply as i32),
                    mv: if bound == Bound::Upper { known.map_or(NO_MOVE, |entry| entry.mv) } else { place(best_index) },
                    depth: depth as u8,
                    bound,
                    solved: self.guesses == guesses,
                },
            );
        }
        (best, if cut { Leave::Cut(tried) } else { Leave::Searched })
    }

    /// The value of a move by PVS: the first of a node with the whole window, the others with a null window first.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "what a move's search needs")]
    fn try_move(
        &mut self,
        frames: &mut [Frame<G>],
        child: &G,
        edge: &Edge,
        first: bool,
        alpha: Score,
        beta: Score,
        pv: bool,
    ) -> Score {
        if !pv {
            return self.descend::<false>(frames, child, edge, alpha, beta);
        }
        if !first {
            // A null-window search finds no principal variation.
            frames[0].line.clear();
            let score = self.descend::<false>(frames, child, edge, alpha, alpha + 1);
            if self.stopped || score <= alpha || score >= beta {
                return score;
            }
        }
        self.descend::<true>(frames, child, edge, alpha, beta)
    }

    /// The negamax step: the child's value with the window shifted by what the move banks, negated if the opponent moves.
    #[inline]
    fn descend<const PV: bool>(
        &mut self,
        frames: &mut [Frame<G>],
        child: &G,
        &Edge { key, gain, again, depth, ply }: &Edge,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let (depth, ply) = (depth - 1, ply + 1);
        if again {
            gain + self.visit::<PV>(frames, child, key, depth, ply, alpha - gain, beta - gain)
        } else {
            gain - self.visit::<PV>(frames, child, key, depth, ply, gain - beta, gain - alpha)
        }
    }

    /// Makes all children and asks for their lines of the table, where the table will be read.
    #[inline]
    fn look_ahead(&self, frame: &mut Frame<G>, position: &G, depth: u32) {
        let Some(table) = self.table(depth - 1) else { return };
        for index in frame.open() {
            let child = frame.make(index, position, self.guide);
            child.key = self.key(&child.position);
            table.prefetch(child.key);
            self.guide.prefetch(&child.position);
        }
    }

    /// The transposition table, where it pays: two plies above the horizon a search is as quick as a look at the table.
    #[inline]
    fn table(&self, depth: u32) -> Option<&'a Table> {
        let least = if self.shared.shortcut { 3 } else { 1 };
        self.shared.table.filter(|_| depth >= least)
    }

    /// The key in the transposition table. What a one-sided evaluation finds depends on whom the search is for, so that
    /// side is part of the key.
    #[inline]
    fn key(&self, position: &G) -> u64 {
        /// XORed into the keys of searches for player 2: an arbitrary odd word.
        const FOR_TWO: u64 = 0xa076_1d64_78bd_642f;
        let salt = if E::ANTISYMMETRIC || self.max == Side::One { 0 } else { FOR_TWO };
        position.key() ^ salt
    }

    /// The guide's score for this side; a one-sided evaluation is always asked for MAX.
    #[inline]
    fn for_side(&self, side: Side, guess: impl Fn(Side) -> Score) -> Score {
        if E::ANTISYMMETRIC {
            return guess(side);
        }
        let score = guess(self.max);
        if side == self.max { score } else { -score }
    }

    /// Counts a node. True when the search must stop.
    #[inline]
    fn count(&mut self) -> bool {
        if self.nodes >= self.ask_at && self.ask() {
            return true;
        }
        self.nodes += 1;
        false
    }

    /// Asks whether the search must stop.
    #[cold]
    fn ask(&mut self) -> bool {
        let interval = match &mut self.stop {
            Some(stop) => match stop.ask(self.nodes + self.shared.nodes.load(Relaxed)) {
                ControlFlow::Continue(nodes) => {
                    // This many nodes for all threads together.
                    let own = (nodes / self.shared.threads).max(1);
                    self.shared.interval.store(own, Relaxed);
                    own
                }
                ControlFlow::Break(()) => {
                    self.shared.stopped.store(true, Relaxed);
                    0
                }
            },
            None => {
                self.shared.nodes.fetch_add(self.nodes - self.reported, Relaxed);
                self.reported = self.nodes;
                self.shared.interval.load(Relaxed).clamp(1, 1024)
            }
        };
        self.stopped = self.shared.stopped.load(Relaxed);
        self.ask_at = self.nodes.saturating_add(interval);
        self.stopped
    }

    /// Nodes of this thread that are not yet part of [`Shared::nodes`].
    pub(super) fn uncounted(&self) -> u64 {
        self.nodes - self.reported
    }

    /// The positions visited by all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        self.nodes + self.shared.nodes.load(Relaxed)
    }

    /// The ABDADA table, if there are other threads and the depth is worth it.
    #[inline]
    fn busy(&self, depth: u32) -> Option<&'a Busy> {
        self.shared.busy.as_ref().filter(|_| depth > BUSY_DEPTH)
    }
}

/// A move, as seen from the position where it is made.
struct Edge {
    /// The key of the position after the move.
    key: u64,
    gain: Score,
    again: bool,
    /// The depth of the position before the move.
    depth: u32,
    ply: u32,
}

/// A win at the root is worth less than this.
const _: () = assert!(INFINITE > WIN);
