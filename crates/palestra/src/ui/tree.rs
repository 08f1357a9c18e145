//! The tree of a search, drawn with lines, and tables that compare searches.

use std::fmt::Write as _;

use palestra_search::tree::{Algorithm, Cut, Met, MoveOrder, Row, Tree, Why};
use palestra_search::{Score, Worth};

use crate::ui::style::{BAD, GOOD, HEADING, paint};
use crate::ui::text::{hang, width};
use crate::ui::units::counted;

/// At most this many of the moves that a cut-off skipped are named.
const NAMED_MOVES: usize = 6;

/// What is below a comparison.
const ABOUT_COMPARED: &str = "branching: the number of children of each node in an even tree of this depth with as many nodes. Iterative \
    deepening is the engine's: its nodes are those of all depths together, and it tries the moves first that were best at the \
    depth before. The table is its transposition table.";

/// An algorithm, in words.
pub(crate) const fn algorithm(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Minimax => "minimax",
        Algorithm::AlphaBeta => "alpha-beta",
    }
}

/// An order of moves, in words.
pub(crate) const fn order(order: MoveOrder) -> &'static str {
    match order {
        MoveOrder::Listed => "moves as listed",
        MoveOrder::Best => "best moves first",
        MoveOrder::Worst => "worst moves first",
    }
}

/// How large the tree is, its value, and its principal variation.
pub(crate) fn summary(tree: &Tree) -> String {
    let recording = &tree.recording;
    let (nodes, cuts) =
        (counted(recording.visited, "node", "nodes"), counted(recording.cutoffs, "cut-off", "cut-offs"));
    let end = *recording.line.last().expect("the root is on the line");
    // Of a tree that is not written down as a whole, the line is not known to its end.
    let dots = if recording.nodes.why[end as usize] == Why::Folded { " ..." } else { "" };
    let line = recording.moves_to(end).join(" ");
    let words = format!("{nodes}, {cuts}, value {}, best line {line}{dots}", written(tree, recording.score));
    hang(0, words.split(' '), width())
}

/// The nodes at most this many plies below the root, a line each.
pub(crate) fn drawn(tree: &Tree, plies: u32) -> String {
    let nodes = &tree.recording.nodes;
    let (depths, children) = (nodes.plies(), nodes.children());
    let is_on_line = |id: u32| tree.recording.line.contains(&id);
    let mut text = String::new();
    // Whether more of the siblings of the nodes from the root to this one are to come, by ply.
    let mut has_more: Vec<bool> = Vec::new();
    for id in 0..nodes.len() as u32 {
        let ply = depths[id as usize];
        if ply > plies {
            continue;
        }
        has_more.truncate((ply as usize).saturating_sub(1));
        if let Ok(parent) = usize::try_from(nodes.parent[id as usize]) {
            let is_last = children[parent].last() == Some(&id);
            has_more.push(!is_last);
            text.push_str(&branches(&has_more));
        }
        let is_folded = ply == plies && nodes.below[id as usize] > 0;
        let line = node(tree, id, is_folded);
        let star = if is_on_line(id) { " *" } else { "" };
        let line = format!("{line}{star}");
        let line = if is_on_line(id) { paint(HEADING, line) } else { line };
        let _ = writeln!(text, "{line}{}", cut_off(tree, id));
    }
    text
}

/// The lines that lead to a node from those above it.
pub(crate) fn branches(has_more: &[bool]) -> String {
    let (last, above) = has_more.split_last().expect("a node below the root");
    let mut text: String = above.iter().map(|&more| if more { "│  " } else { "   " }).collect();
    text.push_str(if *last { "├─ " } else { "└─ " });
    text
}

/// The move that leads to a node, its value, its window, and what is below it but not shown.
fn node(tree: &Tree, id: u32, is_folded: bool) -> String {
    let nodes = &tree.recording.nodes;
    let index = id as usize;
    let mv = usize::try_from(nodes.mv[index]).map_or("", |place| tree.recording.texts[place].as_str());
    let gap = if mv.is_empty() { "" } else { "  " };
    let value = written(tree, nodes.score[index]);
    let kind = if tree.is_max(id) { "▲ " } else { "▼ " };
    match nodes.why[index] {
        Why::Finished => format!("{mv}{gap}{value} end"),
        Why::Horizon => format!("{mv}{gap}{value}"),
        _ => {
            let below = if is_folded { format!("  +{} below", nodes.below[index]) } else { String::new() };
            format!("{mv}{gap}{kind}{value}{}{below}", window(tree, index))
        }
    }
}

/// The window of a node. Minimax has none.
fn window(tree: &Tree, index: usize) -> String {
    let nodes = &tree.recording.nodes;
    let bound = |value: Option<Score>, open: &str| value.map_or(open.to_owned(), |value| written(tree, value));
    match tree.algorithm {
        Algorithm::Minimax => String::new(),
        Algorithm::AlphaBeta => {
            format!("  [{}, {}]", bound(nodes.alpha[index], "-∞"), bound(nodes.beta[index], "∞"))
        }
    }
}

/// Why a node was cut off, if it was.
fn cut_off(tree: &Tree, id: u32) -> String {
    let Some(cut) = tree.cut(id) else { return String::new() };
    format!("  {}", paint(BAD, sentence(tree, &cut)))
}

/// `cut: -1 <= 2, sure for MAX at the root; skips 3 5 6`.
fn sentence(tree: &Tree, cut: &Cut<'_>) -> String {
    let (sign, other) = if cut.is_max { (">=", "MIN") } else { ("<=", "MAX") };
    let place = match cut.met {
        Met::Outside => "above".to_owned(),
        Met::Ancestor(0) => "at the root".to_owned(),
        Met::Ancestor(ancestor) => format!("after {}", tree.recording.moves_to(ancestor).join(" ")),
    };
    let (value, bound) = (written(tree, cut.value), written(tree, cut.bound));
    format!("cut: {value} {sign} {bound}, sure for {other} {place}; {}", skipped(tree, cut))
}

/// The moves that a cut-off skipped. It may come after the last move, and then skips none.
fn skipped(tree: &Tree, cut: &Cut<'_>) -> String {
    let text = |&mv: &u32| tree.recording.texts[mv as usize].as_str();
    let named: Vec<&str> = cut.skipped.iter().take(NAMED_MOVES).map(text).collect();
    match cut.skipped.len() - named.len() {
        _ if named.is_empty() => "skips nothing".to_owned(),
        0 => format!("skips {}", named.join(" ")),
        more => format!("skips {} and {more} more", named.join(" ")),
    }
}

fn written(tree: &Tree, score: Score) -> String {
    tree.written(score, "won", "lost")
}

/// What searches need for the same value, a row each, the least nodes in colour; and which searches these are.
pub(crate) fn compared(rows: &[Row], unit: Score) -> String {
    let columns = |name: &str, nodes: &str, cuts: &str, branching: &str, value: &str| {
        format!("{name:<34}  {nodes:>12}  {cuts:>10}  {branching:>9}  {value:>8}")
    };
    let mut text = paint(HEADING, columns("search", "nodes", "cut-offs", "branching", "value")) + "\n";
    for row in rows {
        let is_least = rows.iter().all(|other| other.is_stopped || row.nodes <= other.nodes) && !row.is_stopped;
        // A search that was stopped has needed more than it has counted.
        let more = if row.is_stopped { ">" } else { "" };
        let value = row.score.map_or("stopped".to_owned(), |score| Worth::new(score, false, unit).to_string());
        let [nodes, cuts] = [row.nodes, row.cutoffs].map(|count| format!("{more}{count}"));
        let line = columns(named(row.name), &nodes, &cuts, &format!("{more}{:.2}", row.branching), &value);
        let _ = writeln!(text, "{}", if is_least { paint(GOOD, line) } else { line });
    }
    let _ = writeln!(text, "\n{}", hang(0, ABOUT_COMPARED.split(' '), width()));
    text
}

/// A search of a comparison, in words.
fn named(name: &str) -> &str {
    match name {
        "minimax" => "minimax",
        "alphabeta-worst" => "alpha-beta, worst moves first",
        "alphabeta-listed" => "alpha-beta, moves as listed",
        "alphabeta-best" => "alpha-beta, best moves first",
        "deepening" => "iterative deepening",
        "deepening-table" => "iterative deepening with a table",
        other => other,
    }
}
