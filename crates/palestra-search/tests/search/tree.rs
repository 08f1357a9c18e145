//! Recorded trees against the teaching algorithms, and every window, value and cut-off against a recount from scratch.

use palestra_games::shells::Shells;
use palestra_games::{Game, NoOptions, Outcome, Side, with_game};
use palestra_search::engine::{Never, States};
use palestra_search::order::{AsTaught, Sorted};
use palestra_search::rng::Rng;
use palestra_search::teach::{Ascending, Order, Teacher};
use palestra_search::tree::{
    Algorithm, MAX_TREE_DEPTH, Met, MoveOrder, Nodes, OUTSIDE, Recording, Search, TreeError, TreeRequest, Why, any_tree,
};
use palestra_search::{Evaluation, Guide, Playable, Score, Visitor, WIN};

use crate::recount::{check_counts, check_line, checked, mancala, positions, search};
use crate::support::{Hashed, Toy, random_position};

/// On random trees whose sides do not alternate every value, window and cut-off is recounted from scratch.
#[test]
fn a_thousand_random_trees_name_the_ancestor_whose_bound_is_met() {
    let (mut trees, mut cuts) = (0, 0);
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
        cuts += whole.cutoffs;
        check_folded(&root, &guide, depth, &whole, &mut random);
        trees += 1;
        if trees == 1000 {
            break;
        }
    }
    assert!(cuts > 1000, "too few cut-offs to tell: {cuts}");
}

/// A tree with a limit is the upper part of the whole one, and what is missing can be asked for.
fn check_folded(root: &Toy, guide: &impl Guide<Toy>, depth: u32, whole: &Recording, random: &mut Rng) {
    let limit = 1 + random.below(whole.nodes.len());
    let question = search(Algorithm::AlphaBeta, root.turn(), depth);
    let part = checked(root, guide, Ascending, question, limit);
    assert_eq!((part.score, part.visited, part.cutoffs), (whole.score, whole.visited, whole.cutoffs));
    let all = positions(root, whole);
    let plies: Vec<u32> = (0..all.len()).map(|id| ply(&whole.nodes, id)).collect();
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
}

fn ply(nodes: &Nodes, mut id: usize) -> u32 {
    let mut ply = 0;
    while let Ok(parent) = usize::try_from(nodes.parent[id]) {
        (id, ply) = (parent, ply + 1);
    }
    ply
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

#[test]
fn requests_that_make_no_sense_are_refused() {
    let start = mancala("-");
    let good = TreeRequest::new(Algorithm::AlphaBeta, MoveOrder::Listed, "stores", 4);
    let error = |request: &TreeRequest<'_>| any_tree(&*start, request, &mut Never).expect_err("refused");
    for depth in [0, MAX_TREE_DEPTH + 1, u32::MAX] {
        assert_eq!(error(&TreeRequest { depth, ..good.clone() }), TreeError::Depth { depth });
    }
    let windows = [(Some(3), Some(3)), (Some(4), Some(3)), (Some(WIN + 1), None), (None, Some(Score::MAX))];
    for window in windows.into_iter().chain([(Some(Score::MIN), Some(0)), (Some(Score::MAX), Some(Score::MIN))]) {
        assert_eq!(error(&TreeRequest { window, ..good.clone() }), TreeError::Window);
    }
    let unknown = error(&TreeRequest { evaluation: "tset", ..good.clone() });
    assert_eq!(unknown.to_string(), "mancala has no evaluation 'tset'; it has stores, strong");
    let moves = ["4".to_owned(), "9".to_owned()];
    let wrong = error(&TreeRequest { moves: &moves, ..good.clone() });
    assert!(matches!(wrong, TreeError::Move { index: 1, .. }), "{wrong}");
    let over = mancala("1:24,0,0,0,0,0,0/24,0,0,0,0,0,0");
    assert_eq!(any_tree(&*over, &good, &mut Never), Err(TreeError::GameOver));
}

/// Windows beyond all scores, the least limits: nothing panics, and the root is always there.
#[test]
fn extreme_windows_and_limits_have_an_answer() {
    let start = mancala("-");
    let good = TreeRequest::new(Algorithm::AlphaBeta, MoveOrder::Best, "stores", 4);
    let bounds = [None, Some(-WIN), Some(1 - WIN), Some(0), Some(WIN - 1), Some(WIN)];
    for alpha in bounds {
        for beta in bounds {
            for limit in [0, 1, 7, usize::MAX] {
                let request = TreeRequest { window: (alpha, beta), limit, ..good.clone() };
                match any_tree(&*start, &request, &mut Never) {
                    Ok(tree) => assert!((1..=limit.max(1)).contains(&tree.recording.nodes.len())),
                    Err(error) => assert!(
                        alpha.is_some() && beta.is_some() && alpha >= beta && error == TreeError::Window,
                        "{error}"
                    ),
                }
            }
        }
    }
}

#[test]
fn a_search_without_time_says_so() {
    let start = mancala("-");
    let request = TreeRequest::new(Algorithm::Minimax, MoveOrder::Listed, "stores", 10);
    for states in [0, 1, 1000] {
        let stopped = any_tree(&*start, &request, &mut States(states));
        assert!(matches!(stopped, Err(TreeError::Stopped { nodes }) if nodes <= states + 1), "{stopped:?}");
    }
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
                let moves = moves_to(&whole, id);
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

fn moves_to(recording: &Recording, mut id: usize) -> Vec<String> {
    let mut moves = Vec::new();
    while let Ok(parent) = usize::try_from(recording.nodes.parent[id]) {
        moves.push(recording.texts[recording.nodes.mv[id] as usize].clone());
        id = parent;
    }
    moves.reverse();
    moves
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
        let Met::Ancestor(ancestor) = cut.met else { panic!("nobody outside of a whole tree") };
        assert_ne!(tree.is_max(ancestor), cut.is_max);
        let (moves, above) = (tree.recording.moves_to(id), tree.recording.moves_to(ancestor));
        assert!(moves.len() > above.len() && moves.starts_with(&above), "{moves:?} {above:?}");
    }
}
