//! Recorded trees against the teaching algorithms, and every window, value and cut-off against a recount from scratch.

use palestra_games::mancala::Mancala;
use palestra_games::shells::Shells;
use palestra_games::{Game, NoOptions, Outcome, Side, with_game};
use palestra_search::engine::Never;
use palestra_search::mancala::Stores;
use palestra_search::order::{AsTaught, Sorted};
use palestra_search::rng::Rng;
use palestra_search::teach::{Ascending, Order, Teacher};
use palestra_search::tree::{
    Algorithm, MAX_TREE_NODES, Met, MoveOrder, Nodes, OUTSIDE, Recording, Search, TreeError, TreeRequest, Why, any_tree,
};
use palestra_search::{Evaluation, Guide, Playable, Score, Visitor};

use crate::recount::{check_counts, check_line, checked, mancala, positions, search};
use crate::support::{Hashed, Toy, random_position};

/// On random trees whose sides do not alternate every value, window and cut-off is recounted from scratch.
#[test]
fn a_thousand_random_trees_name_the_ancestor_whose_bound_is_met() {
    let (mut trees, mut cuts) = (0, Cuts::default());
    for seed in 0.. {
        let mut random = Rng::new(seed);
        let root = Toy::new(random.next(), random.next());
        if root.outcome().is_some() {
            continue;
        }
        let depth = 1 + random.below(5) as u32;
        let guide = Hashed::<false, true> { seed, values: [2, 6, 50][random.below(3)] };
        let max = root.turn();
        let whole = checked(&root, &guide, Ascending, search(Algorithm::AlphaBeta, max, depth), usize::MAX);
        let plain = checked(&root, &guide, Ascending, search(Algorithm::Minimax, max, depth), usize::MAX);
        assert_eq!(whole.score, plain.score);
        assert_eq!(plain.cutoffs, 0);
        cuts.count(&whole.nodes);
        cuts.outside += check_folded(&root, &guide, depth, &whole, &mut random);
        trees += 1;
        if trees == 1000 {
            break;
        }
    }
    assert!(cuts.all().iter().all(|&count| count > 100), "too few cut-offs of some kind to tell: {cuts:?}");
}

/// How many cut-offs of each kind there were, by the node whose bound was met.
#[derive(Debug, Default)]
struct Cuts {
    /// The node above.
    parent: usize,
    /// One further up, although the other side moves at the node above.
    deep: usize,
    /// One further up, because the same side moves at the node above: MAX below MAX or MIN below MIN.
    same_side: usize,
    /// None of the tree: the bound was given for a part of it.
    outside: usize,
}

impl Cuts {
    fn count(&mut self, nodes: &Nodes) {
        for (id, &by) in nodes.cut_by.iter().enumerate().filter(|&(_, &by)| by >= 0) {
            let parent = nodes.parent[id];
            match parent {
                _ if by == parent => self.parent += 1,
                _ if nodes.turn[parent as usize] == nodes.turn[id] => self.same_side += 1,
                _ => self.deep += 1,
            }
        }
    }

    fn all(&self) -> [usize; 4] {
        [self.parent, self.deep, self.same_side, self.outside]
    }
}

/// A tree with a limit is the upper part of the whole one, and what is missing can be asked for. Counts the cut-offs there by a bound
/// from outside.
fn check_folded(root: &Toy, guide: &impl Guide<Toy>, depth: u32, whole: &Recording, random: &mut Rng) -> usize {
    let limit = 1 + random.below(whole.nodes.len());
    let question = search(Algorithm::AlphaBeta, root.turn(), depth);
    let part = checked(root, guide, Ascending, question, limit);
    assert_eq!((part.score, part.visited, part.cutoffs), (whole.score, whole.visited, whole.cutoffs));
    let all = positions(root, whole);
    let plies = whole.nodes.plies();
    let fits = |plies_shown: u32| plies.iter().filter(|&&ply| ply <= plies_shown).count();
    if !part.is_whole {
        assert_eq!(part.nodes.len(), fits(part.shown_plies));
        assert!(part.shown_plies == 0 || part.nodes.len() <= limit);
        assert!(fits(part.shown_plies + 1) > limit, "one more ply would have been within the limit");
    }
    // A subtree on demand is what the whole tree has there.
    let inner: Vec<usize> =
        (0..all.len()).filter(|&id| matches!(whole.nodes.why[id], Why::Searched | Why::Cut)).collect();
    let id = inner[random.below(inner.len())];
    let window = (whole.nodes.alpha[id], whole.nodes.beta[id]);
    let question = Search { depth: depth - plies[id], window, ..question };
    let below = checked(&all[id], guide, Ascending, question, usize::MAX);
    assert_eq!(below.visited, 1 + whole.nodes.below[id]);
    let same = id..id + below.nodes.len();
    assert_eq!(below.nodes.score, whole.nodes.score[same.clone()]);
    assert_eq!(below.nodes.why, whole.nodes.why[same.clone()]);
    assert_eq!(below.nodes.alpha, whole.nodes.alpha[same.clone()]);
    assert_eq!(below.nodes.beta, whole.nodes.beta[same.clone()]);
    assert_eq!(below.nodes.below, whole.nodes.below[same.clone()]);
    for (cut_by, whole_by) in below.nodes.cut_by.iter().zip(&whole.nodes.cut_by[same]) {
        let expected = match *whole_by {
            -1 => -1,
            by if by >= id as i32 => by - id as i32,
            _ => OUTSIDE,
        };
        assert_eq!(*cut_by, expected);
    }
    below.nodes.cut_by.iter().filter(|&&by| by == OUTSIDE).count()
}

/// Checks the tree of a named evaluation against the teacher.
struct Compared<'a, G> {
    position: &'a G,
    evaluation: &'static Evaluation,
    depth: u32,
}

impl<G: Playable> Visitor<G> for Compared<'_, G> {
    type Output = ();

    fn visit<E: Guide<G> + 'static>(self, guide: E) {
        let Self { position, evaluation, depth } = self;
        compare(position, evaluation, depth, MoveOrder::Listed, &guide, AsTaught);
        compare(position, evaluation, depth, MoveOrder::Best, &guide, Sorted::best_first(&guide, AsTaught));
        compare(position, evaluation, depth, MoveOrder::Worst, &guide, Sorted::worst_first(&guide, AsTaught));
    }
}

fn compare<G: Playable>(
    position: &G,
    evaluation: &'static Evaluation,
    depth: u32,
    order: MoveOrder,
    guide: &impl Guide<G>,
    taught: impl Order<G>,
) {
    for algorithm in Algorithm::ALL {
        let request = TreeRequest::new(algorithm, order, evaluation.name, depth);
        let tree = any_tree(position, &request, &mut Never).expect("an unfinished position");
        let mut teacher = Teacher::new(Game::turn(position), guide, taught);
        let best = match algorithm {
            Algorithm::Minimax => teacher.best_by_minimax(position, depth),
            Algorithm::AlphaBeta => teacher.best_by_alpha_beta(position, depth),
        };
        let (mv, score) = best.expect("an unfinished position");
        let recording = &tree.recording;
        let place = format!("{algorithm} {order} {} of {position}", evaluation.name);
        assert_eq!((recording.visited, recording.score), (teacher.nodes(), score), "{place}");
        let first = recording.line.get(1).map(|&id| &recording.texts[recording.nodes.mv[id as usize] as usize]);
        assert_eq!(first, Some(&mv.to_string()), "the line begins with the move of the teacher: {place}");
        check_counts(recording, depth, request.limit);
        check_line(recording, search(algorithm, Game::turn(position), depth));
    }
}

/// Every game, evaluation, algorithm and order: as many nodes as the teaching algorithm visits, its value and its move.
#[test]
fn trees_of_all_games_are_those_of_the_teacher() {
    for kind in palestra_games::GAMES {
        with_game!(kind.id(), G => compare_game::<G>());
    }
}

fn compare_game<G: Playable>() {
    for seed in 0..3 {
        let mut random = Rng::new(seed);
        let plies = random.below(30);
        let position: G = random_position(&G::Options::default(), plies, &mut random);
        for evaluation in G::EVALUATIONS {
            let depth = 1 + random.below(3) as u32;
            let compared = Compared { position: &position, evaluation, depth };
            G::with_guide(evaluation.name, &position, compared).expect("an evaluation of the list");
        }
    }
}

/// Points, for the game that no list shows.
struct Points;

impl Guide<Shells> for Points {
    const ANTISYMMETRIC: bool = true;

    fn score(&self, position: &Shells, side: Side) -> Score {
        let points = position.points();
        points[side.index()] - points[side.other().index()]
    }

    fn finished(&self, position: &Shells, _: Outcome, side: Side) -> Score {
        self.score(position, side)
    }
}

#[test]
fn a_game_that_no_list_shows_has_trees_too() {
    let root = Shells::new(&NoOptions);
    for depth in 1..8 {
        let max = root.turn();
        let best = checked(
            &root,
            &Points,
            Sorted::best_first(&Points, Ascending),
            search(Algorithm::AlphaBeta, max, depth),
            1 << 20,
        );
        let worst = checked(
            &root,
            &Points,
            Sorted::worst_first(&Points, Ascending),
            search(Algorithm::AlphaBeta, max, depth),
            1 << 20,
        );
        let plain = checked(&root, &Points, Ascending, search(Algorithm::Minimax, max, depth), 1 << 20);
        assert!(best.visited <= plain.visited && worst.visited <= plain.visited);
        assert_eq!([best.score, worst.score], [plain.score; 2]);
    }
    let hidden = TreeRequest::new(Algorithm::Minimax, MoveOrder::Listed, "stores", 2);
    assert_eq!(any_tree(&root, &hidden, &mut Never), Err(TreeError::NotPlayed { game: "shells" }));
}

/// A part of a tree keeps the whole tree's MAX and its evaluation, which was made for the position at the whole tree's root.
#[test]
fn a_subtree_of_a_named_game_is_part_of_the_whole_tree() {
    for kind in palestra_games::GAMES {
        let start = (kind.start)("-").expect("the usual start");
        let evaluations = with_game!(kind.id(), G => G::EVALUATIONS).expect("a game of the list");
        for evaluation in evaluations {
            let request = TreeRequest::new(Algorithm::AlphaBeta, MoveOrder::Listed, evaluation.name, 3);
            let whole = any_tree(&*start, &request, &mut Never).expect("a tree").recording;
            let nodes = &whole.nodes;
            let inner = (1..nodes.len()).filter(|&id| matches!(nodes.why[id], Why::Searched | Why::Cut));
            for id in inner.step_by(7) {
                let moves: Vec<String> = whole.moves_to(id as u32).into_iter().map(str::to_owned).collect();
                let (window, depth) = ((nodes.alpha[id], nodes.beta[id]), 3 - moves.len() as u32);
                let part =
                    any_tree(&*start, &TreeRequest { moves: &moves, window, depth, ..request.clone() }, &mut Never);
                let part = part.expect("a tree").recording;
                assert_eq!(part.nodes.score, nodes.score[id..id + part.nodes.len()], "{} {moves:?}", evaluation.name);
                assert_eq!(part.visited, 1 + nodes.below[id]);
            }
        }
    }
}

/// More nodes than are written down: all are counted, and the upper plies are there, as many as fit.
#[test]
fn a_tree_of_more_than_100_000_nodes_is_folded() {
    let (start, depth) = (Mancala::new(&NoOptions), 8);
    let request = TreeRequest::new(Algorithm::Minimax, MoveOrder::Listed, "stores", depth);
    let recording = any_tree(&start, &request, &mut Never).expect("a tree").recording;
    let mut teacher = Teacher::new(Game::turn(&start), &Stores, AsTaught);
    assert_eq!(recording.score, teacher.minimax(&start, depth));
    assert_eq!(recording.visited, teacher.nodes());
    let nodes = &recording.nodes;
    assert!(!recording.is_whole && nodes.len() <= MAX_TREE_NODES, "{} nodes", nodes.len());
    let folded = (0..nodes.len()).filter(|&id| nodes.why[id] == Why::Folded);
    assert_eq!(nodes.len() as u64 + folded.map(|id| nodes.below[id]).sum::<u64>(), recording.visited);
    let whole = any_tree(&start, &TreeRequest { limit: usize::MAX, ..request }, &mut Never).expect("a tree").recording;
    let within = |ply: u32| whole.nodes.plies().into_iter().filter(|&it| it <= ply).count();
    assert_eq!(within(recording.shown_plies), nodes.len());
    assert!(within(recording.shown_plies + 1) > MAX_TREE_NODES, "one more ply would have been within the limit");
}

/// What the browser reads. The example has a cut-off: a change of the format shows here.
#[cfg(feature = "serde")]
#[test]
fn a_tree_is_json_of_parallel_arrays() {
    let position = mancala("1:20,0,0,0,0,1,2/21,0,0,0,1,2,1");
    let request = TreeRequest::new(Algorithm::AlphaBeta, MoveOrder::Listed, "stores", 2);
    let tree = any_tree(&*position, &request, &mut Never).expect("a tree");
    let json: serde_json::Value = serde_json::to_value(&tree).expect("JSON");
    let expected = serde_json::json!({
        "game": "mancala", "position": "1:20,0,0,0,0,1,2/21,0,0,0,1,2,1", "algorithm": "alphabeta", "order": "listed",
        "evaluation": "stores", "unit": 1, "decided": 8_388_608, "depth": 2, "max": 0, "visited": 7, "cutoffs": 1,
        "score": -3, "is_whole": true, "shown_plies": 2, "texts": ["5", "4", "6"],
        "nodes": {
            "parent": [-1, 0, 1, 1, 1, 0, 5], "move": [-1, 0, 1, 0, 2, 2, 1], "turn": [0, 1, 0, 0, 0, 1, 0],
            "alpha": [null, null, null, null, null, -3, -3], "beta": [null, null, null, -3, -3, null, null],
            "alpha_from": [-1, -1, -1, -1, -1, 0, 0], "beta_from": [-1, -1, -1, 1, 1, -1, -1],
            "score": [-3, -3, -3, -3, -1, -3, -3], "why": [2, 2, 1, 1, 1, 3, 1], "cut_by": [-1, -1, -1, -1, -1, 0, -1],
            "skipped": [[], [], [], [], [], [0, 2], []], "below": [6, 3, 0, 0, 0, 1, 0],
        },
        "line": [0, 1, 2],
    });
    assert_eq!(json, expected);
}

/// The cut-offs of a tree in the order in which they happen, each with all that a sentence about it needs.
#[test]
fn cuts_are_told_in_the_order_in_which_they_happen() {
    let request = TreeRequest::new(Algorithm::AlphaBeta, MoveOrder::Listed, "stores", 5);
    let tree = any_tree(&*mancala("-"), &request, &mut Never).expect("a tree");
    let cuts = tree.cuts();
    assert_eq!(cuts.len() as u64, tree.recording.cutoffs);
    let nodes = &tree.recording.nodes;
    // A node is left after the last one below it was entered, and before any other is.
    let left_before = |id: u32| u64::from(id) + nodes.below[id as usize];
    assert!(cuts.windows(2).all(|pair| {
        let [first, second] = [pair[0], pair[1]];
        left_before(first) < left_before(second) || (left_before(first) == left_before(second) && first > second)
    }));
    for id in 0..nodes.len() as u32 {
        let Some(cut) = tree.cut(id) else {
            assert!(!cuts.contains(&id));
            continue;
        };
        assert_eq!(cut.is_max, tree.is_max(id));
        assert!(if cut.is_max { cut.value >= cut.bound } else { cut.value <= cut.bound });
        let Met::Ancestor(ancestor) = cut.met else { panic!("a whole tree has no bound from outside") };
        assert_ne!(tree.is_max(ancestor), cut.is_max);
        let (moves, above) = (tree.recording.moves_to(id), tree.recording.moves_to(ancestor));
        assert!(moves.len() > above.len() && moves.starts_with(&above), "{moves:?} {above:?}");
    }
}
