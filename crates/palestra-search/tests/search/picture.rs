//! Pictures of trees: well-formed, legible, and nothing left out.

use palestra_games::GAMES;
use palestra_search::engine::Never;
use palestra_search::tree::svg::{Words, picture};
use palestra_search::tree::{Algorithm, MoveOrder, Tree, TreeRequest, any_tree};

use crate::recount::mancala;

fn drawn(tree: &Tree, plies: u32) -> String {
    let svg = picture(tree, plies, &Words::english("A \"tree\" of <Mancala> & others".to_owned()));
    check_well_formed(&svg);
    check_legible(&svg);
    check_moves_are_on_top(&svg);
    svg
}

/// Every element is closed, in order, and no text holds what XML does not allow.
fn check_well_formed(svg: &str) {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some((text, tag)) = rest.split_once('<') {
        assert!(!text.contains('>'), "{text}");
        let (tag, after) = tag.split_once('>').expect("a tag has an end");
        let name = tag.split_whitespace().next().expect("a name");
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        rest = after;
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    assert!(!svg.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "").replace("&quot;", "").contains('&'));
}

/// No text is smaller than 14, and everything lies within the picture.
fn check_legible(svg: &str) {
    let number = |text: &str| -> f64 { text.split('"').next().expect("a value").parse().expect("a number") };
    assert!(svg.split("font-size=\"").skip(1).all(|text| number(text) >= 14.0));
    let [width, height] = ["width=\"", "height=\""].map(|name| number(svg.split_once(name).expect("a size").1));
    assert!(svg.split(" x=\"").skip(1).all(|text| (0.0..=width).contains(&number(text))));
    assert!(svg.split(" y=\"").skip(1).all(|text| (0.0..=height).contains(&number(text))));
}

/// No edge strikes out the text of a move.
fn check_moves_are_on_top(svg: &str) {
    let (edges, _) = svg.rsplit_once("fill=\"none\"").unwrap_or_default();
    assert!(!edges.contains("text-anchor=\"middle\" font-weight=\"600\""), "an edge is drawn after a move");
}

#[test]
fn pictures_of_all_games_are_well_formed() {
    for kind in GAMES {
        let start = (kind.start)("-").expect("the usual start");
        for algorithm in Algorithm::ALL {
            let evaluation =
                palestra_games::with_game!(kind.id(), G => <G as palestra_search::Playable>::EVALUATIONS[0]);
            let request = TreeRequest::new(algorithm, MoveOrder::Best, evaluation.expect("a game").name, 2);
            let tree = any_tree(&*start, &request, &mut Never).expect("a tree");
            for plies in 0..3 {
                let svg = drawn(&tree, plies);
                assert_eq!(svg.matches("stroke-linejoin").count() > 1, plies > 0, "a triangle for each inner node");
            }
        }
    }
}

/// All values, windows and moves, a dashed branch with a slash for each move that was cut off, and the legend.
#[test]
fn a_picture_shows_what_the_tree_holds() {
    let position = mancala("1:14,0,2,0,3,0,1/15,0,4,2,0,1,6");
    let request = TreeRequest::new(Algorithm::AlphaBeta, MoveOrder::Listed, "stores", 3);
    let tree = any_tree(&*position, &request, &mut Never).expect("a tree");
    let (nodes, svg) = (&tree.recording.nodes, drawn(&tree, 3));
    assert!(svg.contains("A &quot;tree&quot; of &lt;Mancala&gt; &amp; others"));
    let leaves = nodes.below.iter().filter(|&&below| below == 0).count();
    let legend = 4;
    assert_eq!(svg.matches("stroke-linejoin").count(), nodes.len() - leaves, "triangles");
    let skipped: usize = nodes.skipped.iter().map(Vec::len).sum();
    assert_eq!(svg.matches("stroke-linecap").count(), skipped + 1, "slashes, and one in the legend");
    assert_eq!(svg.matches("stroke-dasharray=\"3 3\"").count(), skipped);
    assert_eq!(
        svg.matches("stroke-width=\"4\"").count(),
        tree.recording.line.len() - 1 + 1,
        "the best line, and legend"
    );
    assert_eq!(svg.matches(", ∞]").count() + svg.matches(", 11]").count(), nodes.len() - leaves, "windows");
    let texts = svg.matches("<text").count();
    assert_eq!(texts, 1 + legend + nodes.len() + (nodes.len() - 1) + (nodes.len() - leaves) + skipped);
    // Minimax has no windows and cuts nothing.
    let plain = TreeRequest::new(Algorithm::Minimax, MoveOrder::Listed, "stores", 2);
    let plain = drawn(&any_tree(&*position, &plain, &mut Never).expect("a tree"), 2);
    assert!(!plain.contains('∞') && plain.matches("stroke-linecap").count() == 1);
}

/// Nodes below those that are drawn are counted.
#[test]
fn a_picture_says_how_much_it_leaves_out() {
    let request = TreeRequest::new(Algorithm::AlphaBeta, MoveOrder::Listed, "stores", 4);
    let tree = any_tree(&*mancala("-"), &request, &mut Never).expect("a tree");
    let svg = drawn(&tree, 1);
    for (id, ply) in tree.recording.nodes.plies().into_iter().enumerate() {
        let below = format!(">+{}<", tree.recording.nodes.below[id]);
        assert!(ply != 1 || svg.contains(&below), "{below}");
    }
}
