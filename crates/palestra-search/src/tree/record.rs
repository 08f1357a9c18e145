//! Writing down what the observer of a teaching search hears.

use std::ops::ControlFlow;

use palestra_games::{Game, Outcome, Side};
use rustc_hash::FxHashMap;

use super::nodes::{Nodes, OUTSIDE, Recording, UNBOUNDED, Why};
use super::{Algorithm, TreeError};
use crate::engine::Stop;
use crate::order::Watch;
use crate::score::INFINITE;
use crate::teach::{Leave, Observer, Order, Teacher};
use crate::{Guide, Score};

/// What to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// MAX.
    pub max: Side,
    /// How many plies.
    pub depth: u32,
    /// The window of the root; `None` for a bound that is open. Minimax has no window.
    pub window: (Option<Score>, Option<Score>),
}

/// Searches an unfinished position and writes down at most `limit` nodes, but always the root: all nodes, or all down to
/// some ply.
pub fn record<G: Game, E: Guide<G>, O: Order<G>>(
    position: &G,
    guide: &E,
    order: O,
    search: &Search,
    limit: usize,
    stop: &mut dyn Stop,
) -> Result<Recording, TreeError> {
    let &Search { algorithm, max, depth, window } = search;
    let watch = Watch::new(order, stop);
    let recorder = Recorder::new(order, depth, limit);
    let mut teacher = Teacher::new(max, guide, &watch).observed_by(recorder);
    let score = match algorithm {
        Algorithm::Minimax => teacher.minimax(position, depth),
        Algorithm::AlphaBeta => {
            let (alpha, beta) = (window.0.unwrap_or(-INFINITE), window.1.unwrap_or(INFINITE));
            teacher.alpha_beta(position, depth, alpha, beta)
        }
    };
    let visited = teacher.nodes();
    if watch.is_stopped() {
        return Err(TreeError::Stopped { nodes: visited });
    }
    Ok(teacher.into_observer().finish(visited, score))
}

/// A node as it is written down at first: ancestors are known by their plies, so that nodes can be struck out again.
struct Entry<G: Game> {
    ply: u32,
    mv: Option<G::Move>,
    turn: Side,
    outcome: Option<Outcome>,
    key: u64,
    bounds: [Bound; 2],
    score: Score,
    leave: Leave,
    skipped: Box<[G::Move]>,
    below: u64,
}

/// Alpha or beta, and the ply of the ancestor whose bound it is.
#[derive(Clone, Copy)]
struct Bound {
    value: Score,
    from: Option<u32>,
}

/// A node that is not yet left.
struct Open<G> {
    /// Where it is written down, if it is; with the position, if it has moves.
    entry: Option<usize>,
    position: Option<G>,
    bounds: [Bound; 2],
    /// How many moves it has tried.
    tried: usize,
    /// How many nodes had been visited when it was entered, itself included.
    visited: u64,
}

struct Recorder<G: Game, O> {
    order: O,
    limit: usize,
    shown_plies: u32,
    is_whole: bool,
    visited: u64,
    cutoffs: u64,
    /// The move that is being tried.
    mv: Option<G::Move>,
    /// The nodes from the root to the one that is being searched, by ply.
    path: Vec<Open<G>>,
    entries: Vec<Entry<G>>,
}

impl<G: Game, O: Order<G>> Recorder<G, O> {
    fn new(order: O, depth: u32, limit: usize) -> Self {
        let (path, entries) = (Vec::new(), Vec::new());
        Self { order, limit, shown_plies: depth, is_whole: true, visited: 0, cutoffs: 0, mv: None, path, entries }
    }

    /// The bounds that a node is entered with. One that differs from what the node above was entered with is that node's.
    fn bounds(&self, window: (Score, Score)) -> [Bound; 2] {
        let values = [window.0, window.1];
        let Some(above) = self.path.last() else { return values.map(|value| Bound { value, from: None }) };
        let ply = self.path.len() as u32 - 1;
        [0, 1].map(|index| match above.bounds[index] {
            bound if bound.value == values[index] => bound,
            _ => Bound { value: values[index], from: Some(ply) },
        })
    }

    /// Strikes out the deepest plies until the rest is within the limit.
    fn fold(&mut self) {
        while self.entries.len() > self.limit && self.shown_plies > 0 {
            self.shown_plies -= 1;
            self.is_whole = false;
            self.entries.retain(|entry| entry.ply <= self.shown_plies);
        }
        // The nodes that are still open are the last of their plies.
        let mut end = self.entries.len();
        for (ply, open) in self.path.iter_mut().enumerate().rev() {
            open.entry = self.entries[..end].iter().rposition(|entry| entry.ply == ply as u32);
            end = open.entry.unwrap_or(end);
        }
    }

    /// The moves that a node has not tried.
    fn skipped(&self, position: &G, tried: usize) -> Box<[G::Move]> {
        let mut moves = Vec::new();
        let _ = self.order.each_move(position, |mv| {
            moves.push(mv);
            ControlFlow::<()>::Continue(())
        });
        moves[tried.min(moves.len())..].into()
    }
}

impl<G: Game, O: Order<G>> Observer<G> for Recorder<G, O> {
    fn enter(&mut self, position: &G, depth: u32, window: (Score, Score)) {
        self.visited += 1;
        let (ply, mv, bounds) = (self.path.len() as u32, self.mv.take(), self.bounds(window));
        let is_shown = ply <= self.shown_plies;
        let outcome = if is_shown { position.outcome() } else { None };
        let has_moves = is_shown && depth > 0 && outcome.is_none();
        self.path.push(Open {
            entry: is_shown.then_some(self.entries.len()),
            position: has_moves.then(|| position.clone()),
            bounds,
            tried: 0,
            visited: self.visited,
        });
        if is_shown {
            let (turn, key) = (position.turn(), position.key());
            let (score, leave, skipped, below) = (0, Leave::Leaf, Box::default(), 0);
            self.entries.push(Entry { ply, mv, turn, outcome, key, bounds, score, leave, skipped, below });
            if self.entries.len() > self.limit {
                self.fold();
            }
        }
    }

    fn tries(&mut self, mv: G::Move) {
        self.mv = Some(mv);
        if let Some(open) = self.path.last_mut() {
            open.tried += 1;
        }
    }

    fn leave(&mut self, score: Score, leave: Leave) {
        self.cutoffs += u64::from(leave == Leave::Cut);
        let Some(open) = self.path.pop() else { return };
        let Some(index) = open.entry else { return };
        let skipped = match &open.position {
            Some(position) if leave == Leave::Cut => self.skipped(position, open.tried),
            _ => Box::default(),
        };
        let entry = &mut self.entries[index];
        (entry.score, entry.leave, entry.skipped) = (score, leave, skipped);
        entry.below = self.visited - open.visited;
    }
}

impl<G: Game, O> Recorder<G, O> {
    fn finish(self, visited: u64, score: Score) -> Recording {
        let Self { cutoffs, is_whole, shown_plies, entries, .. } = self;
        let line = line(&entries);
        let mut texts = Texts { texts: Vec::new(), places: FxHashMap::default() };
        let mut nodes = Nodes::default();
        // The nodes from the root to the one that is being written, by ply.
        let mut path: Vec<i32> = Vec::new();
        for (id, entry) in entries.into_iter().enumerate() {
            path.truncate(entry.ply as usize);
            let is_folded = !is_whole && entry.ply == shown_plies;
            nodes.push(entry, &path, is_folded, &mut texts);
            path.push(id as i32);
        }
        Recording { visited, cutoffs, score, is_whole, shown_plies, texts: texts.texts, nodes, line }
    }
}

impl Nodes {
    fn push<G: Game>(&mut self, entry: Entry<G>, path: &[i32], is_folded: bool, texts: &mut Texts<G>) {
        let [alpha, beta] = entry.bounds;
        let from = |bound: Bound| bound.from.map_or(UNBOUNDED, |ply| path[ply as usize]);
        let is_open = |bound: Bound| bound.value.abs() >= INFINITE;
        self.parent.push(path.last().copied().unwrap_or(-1));
        self.mv.push(entry.mv.map_or(-1, |mv| texts.place(mv) as i32));
        self.turn.push(if entry.outcome.is_some() { None } else { Some(entry.turn.index() as u8) });
        self.alpha.push((!is_open(alpha)).then_some(alpha.value));
        self.beta.push((!is_open(beta)).then_some(beta.value));
        self.alpha_from.push(from(alpha));
        self.beta_from.push(from(beta));
        self.score.push(entry.score);
        self.why.push(match entry.leave {
            Leave::Leaf if entry.outcome.is_some() => Why::Finished,
            Leave::Leaf => Why::Horizon,
            _ if is_folded => Why::Folded,
            Leave::Searched => Why::Searched,
            Leave::Cut => Why::Cut,
        });
        // MAX closes the window by raising alpha to beta, MIN by lowering beta to alpha.
        let met = if entry.score >= beta.value { beta } else { alpha };
        self.cut_by.push(match entry.leave {
            Leave::Cut => met.from.map_or(OUTSIDE, |ply| path[ply as usize]),
            _ => -1,
        });
        self.skipped.push(entry.skipped.iter().map(|&mv| texts.place(mv)).collect());
        self.below.push(entry.below);
        self.keys.push(entry.key);
    }
}

/// The texts of moves, each once.
struct Texts<G: Game> {
    texts: Vec<String>,
    places: FxHashMap<G::Move, u32>,
}

impl<G: Game> Texts<G> {
    fn place(&mut self, mv: G::Move) -> u32 {
        *self.places.entry(mv).or_insert_with(|| {
            self.texts.push(mv.to_string());
            self.texts.len() as u32 - 1
        })
    }
}

/// The principal variation: from each node on to the first of those below it that has its value.
fn line<G: Game>(entries: &[Entry<G>]) -> Vec<u32> {
    let mut line = vec![0];
    let Entry { bounds: [alpha, beta], score, .. } = &entries[0];
    if *score <= alpha.value || *score >= beta.value {
        return line;
    }
    let mut id = 0;
    loop {
        let node = &entries[id];
        let below = entries[id + 1..].iter().take_while(|entry| entry.ply > node.ply);
        let mut next = below.enumerate().filter(|(_, entry)| entry.ply == node.ply + 1 && entry.score == *score);
        match next.next() {
            Some((offset, _)) => id += 1 + offset,
            None => return line,
        }
        line.push(id as u32);
    }
}
