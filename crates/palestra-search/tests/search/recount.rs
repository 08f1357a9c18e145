//! An oracle for recorded trees: everything about each node, from its position and its children's values alone.

use palestra_games::{AnyGame, Game, GameKind, Side};
use palestra_search::engine::Never;
use palestra_search::teach::{Ascending, Order, Teacher};
use palestra_search::tree::{Algorithm, Nodes, OUTSIDE, Recording, Search, UNBOUNDED, Why, record};
use palestra_search::{Guide, Score, WIN};

/// Beyond every score: a bound that is open.
const BEYOND: Score = WIN + 1;

pub(crate) fn search(algorithm: Algorithm, max: Side, depth: u32) -> Search {
    Search { algorithm, max, depth, window: (None, None) }
}

/// What a node of a recording must be, found from its position and its children's scores alone.
struct Recount<'a, G: Game, E, O> {
    recording: &'a Recording,
    search: Search,
    guide: &'a E,
    order: O,
    positions: Vec<G>,
}

impl<G: Game, E: Guide<G>, O: Order<G>> Recount<'_, G, E, O> {
    fn nodes(&self) -> &Nodes {
        &self.recording.nodes
    }

    fn is_max(&self, id: usize) -> bool {
        self.positions[id].turn() == self.search.max
    }

    fn children(&self, id: usize) -> Vec<usize> {
        (0..self.nodes().len()).filter(|&child| self.nodes().parent[child] == id as i32).collect()
    }

    fn window(&self, id: usize) -> (Score, Score) {
        (self.nodes().alpha[id].unwrap_or(-BEYOND), self.nodes().beta[id].unwrap_or(BEYOND))
    }

    fn depth_left(&self, id: usize) -> u32 {
        let mut ply = 0;
        let mut at = id;
        while self.nodes().parent[at] >= 0 {
            at = self.nodes().parent[at] as usize;
            ply += 1;
        }
        self.search.depth - ply
    }

    /// The best that a node has seen from the children that were left before this node was entered; its own bound.
    fn best_before(&self, ancestor: usize, id: usize) -> Option<Score> {
        let mut on_path = id;
        while self.nodes().parent[on_path] != ancestor as i32 {
            on_path = usize::try_from(self.nodes().parent[on_path]).expect("an ancestor");
        }
        let scores = self.children(ancestor).into_iter().take_while(|&child| child < on_path);
        let scores = scores.map(|child| self.nodes().score[child]);
        if self.is_max(ancestor) { scores.max() } else { scores.min() }
    }

    fn check(&self) {
        for id in 0..self.nodes().len() {
            self.check_moves(id);
            self.check_window(id);
            self.check_score(id);
            self.check_cut(id);
        }
    }

    /// Children and skipped moves together are all moves, in order.
    fn check_moves(&self, id: usize) {
        let position = &self.positions[id];
        let text = |&place: &u32| self.recording.texts[place as usize].clone();
        let mut moves: Vec<String> =
            self.children(id).into_iter().map(|child| text(&(self.nodes().mv[child] as u32))).collect();
        moves.extend(self.nodes().skipped[id].iter().map(text));
        let is_leaf = self.depth_left(id) == 0 || position.outcome().is_some();
        let expected: Vec<String> =
            if is_leaf { Vec::new() } else { in_order(self.order, position).iter().map(ToString::to_string).collect() };
        if self.nodes().why[id] == Why::Folded {
            assert!(self.children(id).is_empty() && moves.len() < expected.len());
        } else {
            assert_eq!(moves, expected, "moves of {position}");
        }
        let turn = position.outcome().is_none().then(|| position.turn().index() as u8);
        assert_eq!(self.nodes().turn[id], turn);
        assert_eq!(self.nodes().keys[id], position.key());
    }

    fn check_window(&self, id: usize) {
        let Ok(parent) = usize::try_from(self.nodes().parent[id]) else {
            let expected = (self.search.window.0.unwrap_or(-BEYOND), self.search.window.1.unwrap_or(BEYOND));
            assert_eq!(self.window(id), expected);
            assert_eq!((self.nodes().alpha_from[id], self.nodes().beta_from[id]), (UNBOUNDED, UNBOUNDED));
            return;
        };
        let (mut alpha, mut beta) = self.window(parent);
        let (mut alpha_from, mut beta_from) = (self.nodes().alpha_from[parent], self.nodes().beta_from[parent]);
        let best = self.best_before(parent, id).filter(|_| self.search.algorithm == Algorithm::AlphaBeta);
        match best {
            Some(best) if self.is_max(parent) && best > alpha => (alpha, alpha_from) = (best, parent as i32),
            Some(best) if !self.is_max(parent) && best < beta => (beta, beta_from) = (best, parent as i32),
            _ => {}
        }
        assert_eq!(self.window(id), (alpha, beta));
        assert_eq!((self.nodes().alpha_from[id], self.nodes().beta_from[id]), (alpha_from, beta_from));
    }

    fn check_score(&self, id: usize) {
        let position = &self.positions[id];
        let score = self.nodes().score[id];
        let scores = self.children(id).into_iter().map(|child| self.nodes().score[child]);
        let (alpha, beta) = self.window(id);
        match self.nodes().why[id] {
            Why::Folded => {}
            why @ (Why::Finished | Why::Horizon) => {
                assert_eq!(why == Why::Finished, position.outcome().is_some());
                assert_eq!(score, self.guide.value(position, self.search.max));
            }
            Why::Searched | Why::Cut => {
                let is_max = self.is_max(id);
                let best = if is_max { scores.max() } else { scores.min() };
                let best = best.expect("a move was tried");
                let expected = match self.search.algorithm {
                    Algorithm::Minimax => best,
                    Algorithm::AlphaBeta if is_max => best.max(alpha),
                    Algorithm::AlphaBeta => best.min(beta),
                };
                assert_eq!(score, expected);
            }
        }
        // What alpha-beta says is true: exactly inside of the window, on the right side outside.
        let truth = Teacher::new(self.search.max, self.guide, Ascending).minimax(position, self.depth_left(id));
        match score {
            _ if score <= alpha => assert!(truth <= score),
            _ if score >= beta => assert!(truth >= score),
            _ => assert_eq!(score, truth),
        }
    }

    /// The ancestor that is named at a cut-off is one, of the other kind, and has seen what the value met.
    fn check_cut(&self, id: usize) {
        let (alpha, beta) = self.window(id);
        let score = self.nodes().score[id];
        let cut_by = self.nodes().cut_by[id];
        let is_leaf = matches!(self.nodes().why[id], Why::Finished | Why::Horizon);
        if self.search.algorithm == Algorithm::Minimax || is_leaf {
            assert_eq!(cut_by, -1);
            return;
        }
        let (is_closed, bound) = if self.is_max(id) { (score >= beta, beta) } else { (score <= alpha, alpha) };
        assert_eq!(is_closed, cut_by != -1, "cut exactly where the window is closed");
        if self.nodes().why[id] != Why::Folded {
            assert_eq!(is_closed, self.nodes().why[id] == Why::Cut);
        }
        if let Ok(ancestor) = usize::try_from(cut_by) {
            assert_ne!(self.is_max(ancestor), self.is_max(id), "an ancestor of the other kind");
            assert_eq!(self.best_before(ancestor, id), Some(bound), "its best so far is the bound");
        } else if is_closed {
            assert_eq!(cut_by, OUTSIDE);
            let given = if self.is_max(id) { self.search.window.1 } else { self.search.window.0 };
            assert_eq!(given, Some(bound));
        }
    }
}

fn in_order<G: Game>(order: impl Order<G>, position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    let _ = order.each_move(position, |mv| {
        moves.push(mv);
        std::ops::ControlFlow::<()>::Continue(())
    });
    moves
}

/// The positions of all nodes.
pub(crate) fn positions<G: Game>(root: &G, recording: &Recording) -> Vec<G> {
    let mut positions = vec![root.clone()];
    for id in 1..recording.nodes.len() {
        let text = &recording.texts[recording.nodes.mv[id] as usize];
        let mut position = positions[recording.nodes.parent[id] as usize].clone();
        let mv = position.moves().into_iter().find(|mv| mv.to_string() == *text).expect("a legal move");
        position.play(mv);
        positions.push(position);
    }
    positions
}

/// Records a tree and checks everything about it.
pub(crate) fn checked<G: Game>(
    root: &G,
    guide: &impl Guide<G>,
    order: impl Order<G>,
    search: Search,
    limit: usize,
) -> Recording {
    let recording = record(root, guide, order, &search, limit, &mut Never).expect("nothing stops it");
    let positions = positions(root, &recording);
    Recount { recording: &recording, search, guide, order, positions }.check();
    check_counts(&recording, search.depth, limit);
    check_line(&recording, search);
    recording
}

pub(crate) fn check_counts(recording: &Recording, depth: u32, limit: usize) {
    let nodes = &recording.nodes;
    assert!(nodes.len() <= limit.max(1));
    assert_eq!(recording.is_whole, nodes.len() as u64 == recording.visited);
    assert_eq!(recording.is_whole, !nodes.why.contains(&Why::Folded));
    assert!(recording.is_whole || recording.shown_plies < depth);
    assert_eq!(nodes.below[0] + 1, recording.visited);
    let children = |id: usize| (id + 1..nodes.len()).filter(move |&child| nodes.parent[child] == id as i32);
    for id in 0..nodes.len() {
        let below: u64 = children(id).map(|child| 1 + nodes.below[child]).sum();
        if nodes.why[id] == Why::Folded {
            assert!(nodes.below[id] > 0);
        } else {
            assert_eq!(nodes.below[id], below);
        }
    }
    if recording.is_whole {
        let cuts = nodes.why.iter().filter(|&&why| why == Why::Cut).count() as u64;
        assert_eq!(recording.cutoffs, cuts);
    }
}

/// The line leads on from node to node with the value of the root, as deep as there are nodes.
pub(crate) fn check_line(recording: &Recording, search: Search) {
    let (nodes, line) = (&recording.nodes, &recording.line);
    assert_eq!(line[0], 0);
    assert!(line.windows(2).all(|pair| nodes.parent[pair[1] as usize] == pair[0] as i32));
    assert!(line.iter().all(|&id| nodes.score[id as usize] == recording.score));
    let is_inside = search.window.0.is_none_or(|alpha| recording.score > alpha)
        && search.window.1.is_none_or(|beta| recording.score < beta);
    let end = *line.last().expect("the root is there") as usize;
    if is_inside {
        assert!(matches!(nodes.why[end], Why::Finished | Why::Horizon | Why::Folded), "the line ends too soon");
    } else {
        assert_eq!(line.len(), 1);
    }
}

/// A position of Mancala; `-` for its start.
pub(crate) fn mancala(position: &str) -> Box<dyn AnyGame> {
    let kind = GameKind::find("mancala").expect("Mancala is there");
    if position == "-" { (kind.start)("-") } else { (kind.parse)(position) }.expect("a position")
}
