//! The engine: iterative deepening with aspiration windows over principal variation search (PVS), exact and fast.
//!
//! It finds what plain minimax finds at the same depth, at every depth in turn, until it is stopped or the result is
//! proven. [`teach`](crate::teach) has the algorithms in their simplest form; this is the same value with everything
//! that saves time:
//!
//! | technique | where |
//! |---|---|
//! | iterative deepening, aspiration windows | this file |
//! | negamax alpha-beta, PVS with null windows (scout) | `worker.rs` |
//! | transposition table, lock-free by XOR of key and data | `transposition.rs` |
//! | move ordering: table move, hints of the guide, killer and history heuristics | `frame.rs` |
//! | parallel search by ABDADA | `busy.rs` |
//!
//! There is no quiescence search, no null-move pruning and no late move reduction: each would find another value than
//! minimax. Evaluations that need quiet positions look ahead by themselves.
//!
//! ```
//! use palestra_games::{Game, NoOptions, mancala::Mancala};
//! use palestra_search::engine::{Engine, Limits, Never, Settings};
//! use palestra_search::mancala::Stores;
//!
//! let mut engine = Engine::new(Settings::default())?;
//! let start = Mancala::new(&NoOptions);
//! let report = engine.search(&start, &Stores, Limits { depth: 10, lines: 1 }, &mut Never).unwrap();
//! println!("pit {} is worth {}", report.best(), report.lines[0].score);
//! assert_eq!(report.depth, 10);
//! # Ok::<(), palestra_search::engine::TableError>(())
//! ```

mod any;
mod busy;
mod frame;
mod memory;
mod observer;
mod stop;
mod transposition;
mod worker;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use palestra_games::Game;

use crate::score::INFINITE;
use crate::{Guide, Score, is_decided};
pub use any::{AnyLine, AnyReport, any_search};
use busy::Busy;
pub use observer::{Leave, Observer};
pub use stop::{Deadline, Never, States, Stop};
use transposition::Table;
pub use transposition::TableError;
use worker::{Found, RootMove, Shared, Worker};

/// The deepest the engine searches.
pub const MAX_DEPTH: u32 = 250;

/// How an engine is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Bytes for the transposition table; 0 for none.
    pub memory: usize,
    /// How many threads search. One finds the same on every machine, node for node.
    pub threads: usize,
    /// Whether positions one ply above the horizon are searched without table and sorting. It changes no value.
    pub shortcut: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { memory: 64 << 20, threads: 1, shortcut: true }
    }
}

/// How far to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// At most this many plies.
    pub depth: u32,
    /// How many of the best moves to tell about. More than one takes longer.
    pub lines: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: MAX_DEPTH, lines: 1 }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<G: Game> {
    /// How deep: plies of the last iteration that counts. 0 when there was no time for any.
    pub depth: u32,
    /// Whether that iteration was finished; if not, moves that were not reached may be better.
    pub finished: bool,
    /// Whether the scores are game-theoretic: they hold for the whole game, not only for the plies searched.
    pub proven: bool,
    /// The best moves and what follows, the best first.
    pub lines: Vec<Line<G>>,
    /// Positions visited so far, by all threads.
    pub nodes: u64,
}

impl<G: Game> Report<G> {
    /// The move to play.
    #[must_use]
    pub fn best(&self) -> G::Move {
        self.lines[0].moves[0]
    }
}

/// A principal variation: a move, and what both sides would play after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<G: Game> {
    /// The principal variation: at least one move.
    pub moves: Vec<G::Move>,
    /// The score for the side to move, what it has banked included. 0 before the first iteration is done.
    pub score: Score,
}

/// The engine with its transposition table: what one search stores makes the next search of the same game faster.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    table: Option<Table>,
}

impl Engine {
    /// An engine with an empty table.
    pub fn new(settings: Settings) -> Result<Self, TableError> {
        let table = if settings.memory == 0 { None } else { Some(Table::new(settings.memory)?) };
        Ok(Self { settings, table })
    }

    /// Empties the transposition table: the next search goes as on a new engine. To be called whenever the game or the
    /// guide changes.
    pub fn forget(&mut self) {
        if let Some(table) = &mut self.table {
            table.forget();
        }
    }

    /// Searches until the depth is reached, the result is proven or `stop` says so. `None` when the game is over.
    pub fn search<G: Game, E: Guide<G>>(
        &mut self,
        position: &G,
        guide: &E,
        limits: Limits,
        stop: &mut dyn Stop,
    ) -> Option<Report<G>> {
        self.search_with(position, guide, limits, stop, &mut (), &mut |_| {})
    }

    /// Searches as [`search`](Self::search) does. `observer` sees the tree of the first thread; `on_iteration` is called after
    /// each finished iteration.
    pub fn search_with<G: Game, E: Guide<G>, O: Observer<G>>(
        &mut self,
        position: &G,
        guide: &E,
        limits: Limits,
        stop: &mut dyn Stop,
        observer: &mut O,
        on_iteration: &mut dyn FnMut(&Report<G>),
    ) -> Option<Report<G>> {
        if let Some(table) = &mut self.table {
            table.grow_older();
        }
        let shared = Shared {
            table: self.table.as_ref(),
            busy: (self.settings.threads > 1 && self.table.is_some()).then(Busy::new),
            shortcut: self.settings.shortcut,
            threads: self.settings.threads.max(1) as u64,
            stopped: AtomicBool::new(false),
            interval: AtomicU64::new(1),
            nodes: AtomicU64::new(0),
        };
        thread::scope(|scope| {
            // However this ends, by a panic too, the other threads must not search on.
            let _stop = StopOnDrop(&shared.stopped);
            for _ in 1..self.settings.threads {
                let help = || {
                    let mut unobserved = ();
                    let worker = Worker::new(&shared, guide, &mut unobserved, position.turn(), None);
                    if let Some(mut deepening) = Deepening::new(worker, position, limits) {
                        deepening.run(&mut |_| {});
                        shared.nodes.fetch_add(deepening.worker.uncounted(), Relaxed);
                    }
                };
                // A system that gives no more threads gives none for a reason: the search does with those it has.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            let worker = Worker::new(&shared, guide, observer, position.turn(), Some(stop));
            let mut deepening = Deepening::new(worker, position, limits)?;
            Some(deepening.run(on_iteration))
        })
    }
}

/// Sets the stop flag of all threads when it is dropped.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Iterative deepening: each depth in turn, the principal variation of the last one first.
struct Deepening<'a, G: Game, E, O> {
    worker: Worker<'a, G, E, O>,
    moves: Vec<RootMove<G>>,
    limits: Limits,
    /// What the side to move at the root has banked.
    banked: Score,
    report: Report<G>,
}

impl<'a, G: Game, E: Guide<G>, O: Observer<G>> Deepening<'a, G, E, O> {
    fn new(worker: Worker<'a, G, E, O>, position: &G, limits: Limits) -> Option<Self> {
        let moves = worker.root_moves(position);
        let banked = worker.guide.banked(position, position.turn());
        let lines = limits.lines.clamp(1, moves.len().max(1));
        let limits = Limits { depth: limits.depth.min(MAX_DEPTH), lines };
        let first = moves.first()?;
        let line = Line { moves: vec![first.mv], score: 0 };
        let report = Report { depth: 0, finished: true, proven: false, lines: vec![line], nodes: 0 };
        Some(Self { worker, moves, limits, banked, report })
    }

    fn run(&mut self, on_iteration: &mut dyn FnMut(&Report<G>)) -> Report<G> {
        for depth in 1..=self.limits.depth {
            self.iterate(depth);
            self.report.nodes = self.worker.all_nodes();
            if self.worker.stopped {
                break;
            }
            on_iteration(&self.report);
            if self.report.proven {
                break;
            }
            self.worker.history.fade();
        }
        self.report.nodes = self.worker.all_nodes();
        self.report.clone()
    }

    /// Searches to one depth, line by line: the second line is the best without the first line's move, and so on.
    fn iterate(&mut self, depth: u32) {
        let mut lines: Vec<Line<G>> = Vec::new();
        let mut proven = true;
        for number in 0..self.limits.lines {
            let found = self.line(number, depth);
            if let Some(found) = found {
                // Later moves keep their order: it is the order in which they were found worse.
                self.moves[number..=number + found.best].rotate_right(1);
                let best = &self.moves[number];
                lines.push(Line { moves: best.line.clone(), score: self.banked + found.score });
                proven &= found.solved || is_decided(found.score);
            }
            if self.worker.stopped {
                break;
            }
        }
        let finished = !self.worker.stopped;
        if finished || !lines.is_empty() {
            // Lines that were not reached stay as the last iteration left them.
            let missing = self.report.lines.iter().filter(|line| lines.iter().all(|new| new.moves[0] != line.moves[0]));
            let missing: Vec<Line<G>> = missing.take(self.limits.lines - lines.len()).cloned().collect();
            lines.extend(missing);
            self.report = Report { depth, finished, proven: proven && finished, lines, nodes: 0 };
        }
    }

    /// The best of the moves from `number` on, by aspiration windows: first a narrow window around the score of the last
    /// iteration, then wider ones on the side where the search failed.
    fn line(&mut self, number: usize, depth: u32) -> Option<Found> {
        let expected = self.report.lines.get(number).filter(|_| depth > 1).map(|line| line.score - self.banked);
        let (mut alpha, mut beta) = match expected {
            Some(score) if !is_decided(score) => (score - ASPIRATION_WINDOW, score + ASPIRATION_WINDOW),
            _ => (-INFINITE, INFINITE),
        };
        let mut width = ASPIRATION_WINDOW;
        let mut kept: Option<Found> = None;
        loop {
            let found = self.worker.root(&mut self.moves[number..], depth, alpha, beta);
            let Some(found) = found.filter(|found| !self.worker.stopped || found.score > alpha) else {
                // Stopped: a move that was better than expected is still the best known.
                return kept;
            };
            width = width.saturating_mul(4);
            if found.score <= alpha && alpha > -INFINITE {
                alpha = if width > MAX_ASPIRATION_WINDOW { -INFINITE } else { found.score - width };
            } else if found.score >= beta && beta < INFINITE {
                beta = if width > MAX_ASPIRATION_WINDOW { INFINITE } else { found.score + width };
                self.moves[number..=number + found.best].rotate_right(1);
                kept = Some(Found { best: 0, ..found });
            } else {
                return Some(found);
            }
            if self.worker.stopped {
                return kept;
            }
        }
    }
}

/// Half the width of the first aspiration window, in units of score.
const ASPIRATION_WINDOW: Score = 2;

/// The widest aspiration window, in units of score: a search that fails beyond it has an open window next.
const MAX_ASPIRATION_WINDOW: Score = 1 << 12;
