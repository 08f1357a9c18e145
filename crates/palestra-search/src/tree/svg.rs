//! A tree as a picture for slides: an SVG that needs nothing else, in the colours of a light page.

use super::ink::{legend_width, text_width, write_picture};
use super::layout::{Item, place};
use super::{Algorithm, Tree, Why};
use crate::Score;

/// The words of a picture, in the language of its readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The title, such as `Mancala, alphabeta to depth 3`.
    pub title: String,
    /// The node of the side for which the search is made.
    pub max: String,
    /// The node of the other side.
    pub min: String,
    /// The principal variation.
    pub best_line: String,
    /// A branch that was cut off.
    pub cut: String,
    /// The value of a position that MAX has won.
    pub won: String,
    /// The value of a position that MAX has lost.
    pub lost: String,
}

impl Words {
    /// In English.
    #[must_use]
    pub fn english(title: String) -> Self {
        let [max, min, best_line] = ["max", "min", "best line"].map(str::to_owned);
        let [cut, won, lost] = ["cut", "won", "lost"].map(str::to_owned);
        Self { title, max, min, best_line, cut, won, lost }
    }
}

pub(super) const MARGIN: f64 = 24.0;
/// Above the tree: the title, and below it the legend.
const HEAD: f64 = 92.0;
/// From one ply to the next.
const LEVEL: f64 = 130.0;
/// From a node to the moves that were cut off below it, which stand higher than those that were searched.
const CUT_LEVEL: f64 = 104.0;
const TRIANGLE_WIDTH: f64 = 78.0;
pub(super) const TRIANGLE_HEIGHT: f64 = 50.0;
const LEAF_WIDTH: f64 = 42.0;
pub(super) const LEAF_HEIGHT: f64 = 32.0;
pub(super) const CUT_HEIGHT: f64 = 28.0;
/// From the middle of a node to its window.
pub(super) const BESIDE: f64 = 32.0;
/// About how wide a character of the title is.
const TITLE_CHARACTER: f64 = 11.0;
/// At most this many of the moves that a cut-off skipped are drawn.
const CUT_MOVES: usize = 4;

/// The picture of the nodes that are at most this many plies below the root. No text in it is smaller than 14.
#[must_use]
pub fn picture(tree: &Tree, plies: u32, words: &Words) -> String {
    let mut glyphs = glyphs(tree, plies.min(tree.recording.shown_plies), words);
    let items: Vec<Item> = glyphs.iter().map(Glyph::item).collect();
    let (middles, tree_width) = place(&items);
    let title_width = words.title.chars().count() as f64 * TITLE_CHARACTER;
    let width = (tree_width.max(title_width).max(legend_width(words)) + 2.0 * MARGIN).ceil();
    for (glyph, middle) in glyphs.iter_mut().zip(middles) {
        glyph.x = middle + (width - tree_width) / 2.0;
    }
    let height = (glyphs.iter().map(Glyph::bottom).fold(0.0, f64::max) + MARGIN).ceil();
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = write_picture(&glyphs, words, width, height, &mut svg);
    svg
}

/// The drawing of a node, or of a move that was cut off, with its texts.
pub(super) struct Glyph {
    pub(super) shape: Shape,
    /// The value; the move, where it was cut off.
    pub(super) text: String,
    /// The window.
    pub(super) beside: String,
    /// The move that leads here.
    pub(super) mv: String,
    /// How many nodes below it are not drawn.
    pub(super) folded: u64,
    /// Whether it is on the principal variation.
    pub(super) is_best: bool,
    /// The glyph of the node above, and those of what is below.
    pub(super) above: Option<usize>,
    below: Vec<usize>,
    pub(super) x: f64,
    pub(super) y: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Max,
    Min,
    Leaf,
    Cut,
}

/// All glyphs: first those of the nodes, each before those below it, then those of the moves that were cut off.
fn glyphs(tree: &Tree, shown: u32, words: &Words) -> Vec<Glyph> {
    let nodes = &tree.recording.nodes;
    let plies = nodes.plies();
    let drawn: Vec<usize> = (0..nodes.len()).filter(|&id| plies[id] <= shown).collect();
    let mut places = vec![0; nodes.len()];
    let mut glyphs: Vec<Glyph> = Vec::new();
    for &id in &drawn {
        places[id] = glyphs.len();
        let above = usize::try_from(nodes.parent[id]).ok().map(|parent| places[parent]);
        glyphs.push(glyph(tree, id, HEAD + f64::from(plies[id]) * LEVEL, above, plies[id] == shown, words));
    }
    for &id in drawn.iter().filter(|&&id| plies[id] < shown) {
        let y = HEAD + f64::from(plies[id]) * LEVEL + CUT_LEVEL;
        glyphs.extend(cut_moves(tree, id).into_iter().map(|text| Glyph::cut(text, y, places[id])));
    }
    for index in 1..glyphs.len() {
        if let Some(above) = glyphs[index].above {
            glyphs[above].below.push(index);
        }
    }
    glyphs
}

fn glyph(tree: &Tree, id: usize, y: f64, above: Option<usize>, is_last: bool, words: &Words) -> Glyph {
    let nodes = &tree.recording.nodes;
    let written = |score: Score| tree.written(score, &words.won, &words.lost).replace('-', "\u{2212}");
    let bound = |score: Option<Score>, open: &str| score.map_or(open.to_owned(), written);
    let shape = match nodes.why[id] {
        Why::Finished | Why::Horizon => Shape::Leaf,
        _ if tree.is_max(id as u32) => Shape::Max,
        _ => Shape::Min,
    };
    let has_window = tree.algorithm == Algorithm::AlphaBeta && shape != Shape::Leaf;
    let window = || format!("[{}, {}]", bound(nodes.alpha[id], "\u{2212}∞"), bound(nodes.beta[id], "∞"));
    Glyph {
        shape,
        text: written(nodes.score[id]),
        beside: if has_window { window() } else { String::new() },
        mv: usize::try_from(nodes.mv[id]).map_or(String::new(), |place| tree.recording.texts[place].clone()),
        folded: if is_last { nodes.below[id] } else { 0 },
        is_best: tree.recording.line.contains(&(id as u32)),
        above,
        below: Vec::new(),
        x: 0.0,
        y,
    }
}

/// The moves that were not tried at a node. Where there are many, the first of them and how many more there are.
fn cut_moves(tree: &Tree, id: usize) -> Vec<String> {
    let skipped = &tree.recording.nodes.skipped[id];
    let named = if skipped.len() > CUT_MOVES { CUT_MOVES - 1 } else { skipped.len() };
    let mut texts: Vec<String> = skipped[..named].iter().map(|&mv| tree.recording.texts[mv as usize].clone()).collect();
    if named < skipped.len() {
        texts.push(format!("+{}", skipped.len() - named));
    }
    texts
}

impl Glyph {
    fn cut(text: String, y: f64, above: usize) -> Self {
        let (beside, mv) = (String::new(), String::new());
        let (shape, above, below) = (Shape::Cut, Some(above), Vec::new());
        Self { shape, text, beside, mv, folded: 0, is_best: false, above, below, x: 0.0, y }
    }

    /// Half the width of the shape.
    pub(super) fn half(&self) -> f64 {
        let text = text_width(&self.text);
        match self.shape {
            Shape::Max | Shape::Min => TRIANGLE_WIDTH.max(text * 2.2) / 2.0,
            Shape::Leaf => (text + 20.0).max(LEAF_WIDTH) / 2.0,
            Shape::Cut => (text + 12.0).max(CUT_HEIGHT) / 2.0,
        }
    }

    /// The room that it takes.
    fn item(&self) -> Item {
        let half = self.half();
        let beside = if self.beside.is_empty() { 0.0 } else { BESIDE + text_width(&self.beside) };
        // The text of a move stands in the middle of its edge: two of them must not meet.
        let left = (half + 6.0).max(text_width(&self.mv) / 2.0 + 8.0);
        Item { reach: (left, (half + 6.0).max(beside + 6.0).max(left.min(half + 40.0))), below: self.below.clone() }
    }

    fn bottom(&self) -> f64 {
        match self.shape {
            Shape::Leaf => self.y + LEAF_HEIGHT,
            Shape::Cut => self.y + CUT_HEIGHT,
            _ if self.folded > 0 => self.y + TRIANGLE_HEIGHT + 28.0,
            _ => self.y + TRIANGLE_HEIGHT,
        }
    }
}
