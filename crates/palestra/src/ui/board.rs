//! Any board as text, from its layout and scene alone.
//!
//! A cell is written around its centre, so that squares come out as a grid and the columns of a hex board half a row
//! apart. Wide cells are framed; narrow ones have no room for it. Where a click on a cell makes a move, the move is
//! written above or below the board, in the cell's column.

use std::collections::HashMap;

use anstyle::Style;
use palestra_games::Side;
use palestra_games::draw::{Cell, Layout, Piece, Point, Scene};

use crate::ui::style;

/// Cells of at least this many characters are framed: two for the frame, two for what lies inside.
const FRAMED_WIDTH: usize = 4;

const BLANK: Glyph = Glyph { symbol: ' ', style: Style::new() };

/// A character and its colours.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Glyph {
    symbol: char,
    style: Style,
}

/// The board's lines, with colours.
pub(crate) fn draw(layout: &Layout, scene: &Scene) -> Vec<String> {
    let contents = contents(scene);
    let places = places(layout);
    let height = places.iter().map(|place| place.1 + 1).max().unwrap_or(0);
    let mut canvas = vec![Vec::new(); height];
    for (cell, &(column, line)) in layout.cells.iter().zip(&places) {
        let inside = contents.get(cell.id.as_str()).map_or(Vec::new(), |things| summary(things, layout.text_width));
        let glyphs = glyphs(cell, &inside, layout.text_width, scene.last.contains(&cell.id));
        put(&mut canvas[line], column, &glyphs);
    }
    if let Some((is_above, row)) = moves(layout, scene, &places) {
        canvas.insert(if is_above { 0 } else { canvas.len() }, row);
    }
    canvas.iter().map(|row| painted(row)).collect()
}

/// The column and the line where each cell begins.
fn places(layout: &Layout) -> Vec<(usize, usize)> {
    let centres: Vec<(i64, i64)> = layout.cells.iter().map(|cell| centre(cell, layout.text_scale)).collect();
    let left = centres.iter().map(|centre| centre.0).min().unwrap_or(0);
    let top = centres.iter().map(|centre| centre.1).min().unwrap_or(0);
    centres.iter().map(|(column, line)| ((column - left) as usize, (line - top) as usize)).collect()
}

/// The moves that a click on a cell makes, as a row above the board if all those cells are at its top, else below it.
/// There is none where a move is too long or two would have the same place.
fn moves(layout: &Layout, scene: &Scene, places: &[(usize, usize)]) -> Option<(bool, Vec<Glyph>)> {
    let mut row = Vec::new();
    let mut is_above = true;
    for choice in &scene.choices {
        let [click] = choice.clicks.as_slice() else { continue };
        let Some(index) = layout.cells.iter().position(|cell| cell.id == *click) else { continue };
        let (column, line) = places[index];
        let style = Style::new().dimmed();
        let text = middle(choice.text.chars().map(|symbol| Glyph { symbol, style }).collect(), layout.text_width);
        let is_taken = row.iter().skip(column).take(text.len()).any(|glyph| *glyph != BLANK);
        if is_taken || choice.text.chars().count() > layout.text_width {
            return None;
        }
        put(&mut row, column, &text);
        is_above &= line == 0;
    }
    (!row.is_empty()).then_some((is_above, row))
}

/// What lies on each cell: its counters, then its pieces, owned ones before neutral ones.
fn contents(scene: &Scene) -> HashMap<&str, Vec<Vec<Glyph>>> {
    let mut contents: HashMap<&str, Vec<Vec<Glyph>>> = HashMap::new();
    for counter in &scene.counters {
        if let Some(cell) = &counter.cell {
            contents.entry(cell).or_default().push(written(&counter.value.to_string(), counter.owner));
        }
    }
    let mut pieces: Vec<&Piece> = scene.pieces.iter().collect();
    pieces.sort_by_key(|piece| piece.owner.is_none());
    for piece in pieces {
        contents.entry(&piece.cell).or_default().push(glyphs_of(&piece.symbol, piece_style(piece)));
    }
    contents
}

/// A piece's own colour, or else its owner's.
fn piece_style(piece: &Piece) -> Style {
    let own = style::of_kind(piece.kind).or_else(|| style::of_kind(colour_of_die(piece)?));
    match (own, piece.owner) {
        (Some(own), Some(_)) => own.bold(),
        (Some(own), None) => own,
        (None, owner) => style::owner(owner),
    }
}

/// The colour whose die a Parchís die is.
fn colour_of_die(piece: &Piece) -> Option<&'static str> {
    match (piece.label.key, piece.label.args.first()?.as_str()) {
        ("die", "Y") => Some("yellow"),
        ("die", "B") => Some("blue"),
        ("die", "R") => Some("red"),
        ("die", "G") => Some("green"),
        _ => None,
    }
}

fn written(text: &str, owner: Option<Side>) -> Vec<Glyph> {
    glyphs_of(text, style::owner(owner))
}

fn glyphs_of(text: &str, style: Style) -> Vec<Glyph> {
    text.chars().map(|symbol| Glyph { symbol, style }).collect()
}

/// All things if there is room for them, else the first and how many more there are.
fn summary(things: &[Vec<Glyph>], width: usize) -> Vec<Glyph> {
    match things {
        [first, rest @ ..] if things.iter().map(Vec::len).sum::<usize>() > width && !rest.is_empty() => {
            [first.clone(), written(&format!("+{}", rest.len()), None)].concat()
        }
        _ => things.concat(),
    }
}

/// The column and the line of a cell's centre.
fn centre(cell: &Cell, scale: Point) -> (i64, i64) {
    let Point { x, y } = cell.text_place.unwrap_or_else(|| cell.middle());
    ((x * scale.x).round() as i64, (y * scale.y).round() as i64)
}

/// A cell of `width` characters: what lies on it or else its own symbol.
fn glyphs(cell: &Cell, inside: &[Glyph], width: usize, is_last: bool) -> Vec<Glyph> {
    let own = [Glyph { symbol: cell.symbol, style: style::of_kind(cell.kind).unwrap_or_default() }];
    let inside = if inside.is_empty() { &own } else { inside };
    let is_framed = width >= FRAMED_WIDTH && inside.len() + 2 <= width;
    let mut glyphs = middle(inside.to_vec(), width);
    if is_framed {
        glyphs[0].symbol = '[';
        glyphs[width - 1].symbol = ']';
    }
    if is_last {
        glyphs.iter_mut().for_each(|glyph| glyph.style = glyph.style.invert());
    }
    glyphs
}

/// Exactly `width` characters, the given ones in the middle; a `+` stands for characters that do not fit.
fn middle(mut inside: Vec<Glyph>, width: usize) -> Vec<Glyph> {
    if inside.len() > width {
        inside.truncate(width.saturating_sub(1));
        inside.push(Glyph { symbol: '+', ..BLANK });
    }
    let mut glyphs = vec![BLANK; width.saturating_sub(inside.len()).div_ceil(2)];
    glyphs.extend(inside);
    glyphs.resize(width, BLANK);
    glyphs
}

/// Puts glyphs at a place; the row grows as it must.
fn put(row: &mut Vec<Glyph>, column: usize, glyphs: &[Glyph]) {
    let end = column + glyphs.len();
    row.resize(row.len().max(end), BLANK);
    row[column..end].copy_from_slice(glyphs);
}

/// A row as text: a style is written once for all neighbours that share it, blanks at the end are not.
fn painted(row: &[Glyph]) -> String {
    let end = row.iter().rposition(|glyph| *glyph != BLANK).map_or(0, |last| last + 1);
    let runs = row[..end].chunk_by(|a, b| a.style == b.style);
    runs.map(|run| style::paint(run[0].style, run.iter().map(|glyph| glyph.symbol).collect::<String>())).collect()
}

#[cfg(test)]
mod tests {
    use palestra_games::draw::{Choice, Counter, Id, Label};
    use proptest::prelude::*;

    use super::*;

    /// Square cells of side 1 with their upper left corners at these places, named by their number.
    fn layout(corners: &[(f32, f32)], text_scale: Point, text_width: usize, symbol: char) -> Layout {
        let cell = |(number, &(x, y)): (usize, &(f32, f32))| Cell {
            id: number.to_string(),
            kind: "square",
            symbol,
            label: Label::new("square", [&number]),
            polygon: [(x, y), (x + 1.0, y), (x + 1.0, y + 1.0), (x, y + 1.0)].map(|(x, y)| Point { x, y }).to_vec(),
            ..Cell::default()
        };
        let cells = corners.iter().enumerate().map(cell).collect();
        Layout { size: Point { x: 100.0, y: 100.0 }, text_scale, text_width, cells, ..Layout::default() }
    }

    fn piece(id: &str, owner: Option<Side>, symbol: char, cell: &str) -> Piece {
        let (label, symbol) = (Label::new("piece", []), symbol.to_string());
        Piece { id: id.to_owned(), owner, kind: "piece", symbol, cell: cell.to_owned(), label }
    }

    fn counter(cell: &str, value: i32) -> Counter {
        let label = Label::new("count", []);
        let id = format!("count{cell}");
        Counter { id, kind: "", owner: None, cell: Some(cell.to_owned()), piece: None, max: None, label, value }
    }

    #[test]
    fn wide_cells_are_framed_and_show_their_counters() {
        let layout = layout(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], Point { x: 5.0, y: 1.0 }, 4, ' ');
        let scene = Scene { counters: vec![counter("0", 4), counter("1", 12)], ..Scene::default() };
        assert_eq!(draw(&layout, &scene), ["[ 4] [12]", "[  ]"]);
        let scene = Scene { counters: vec![counter("0", 123), counter("1", 12_345)], ..Scene::default() };
        assert_eq!(draw(&layout, &scene), [" 123 123+", "[  ]"]);
    }

    #[test]
    fn columns_of_hexes_are_half_a_row_apart() {
        let corners = [(0.0, 0.0), (1.0, 0.5), (2.0, 0.0), (0.0, 1.0), (1.0, 1.5), (2.0, 1.0)];
        let layout = layout(&corners, Point { x: 2.0, y: 2.0 }, 3, '.');
        let pieces = vec![piece("a", None, 'A', "1"), piece("b", None, 'B', "3"), piece("c", None, 'C', "3")];
        let scene = Scene { pieces, ..Scene::default() };
        assert_eq!(draw(&layout, &scene), [" .   .", "   A", " BC  .", "   ."]);
    }

    #[test]
    fn moves_of_one_click_stand_in_the_columns_of_their_cells() {
        let layout = layout(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)], Point { x: 3.0, y: 1.0 }, 3, '.');
        let drawn = |moves: &[&[&str]]| {
            let clicks = moves.iter().map(|clicks| clicks.iter().map(|&click| click.to_owned()).collect());
            let choices = clicks.map(|clicks: Vec<Id>| Choice::new(clicks.concat(), clicks)).collect();
            let text = draw(&layout, &Scene { choices, ..Scene::default() }).join("\n");
            anstream::adapter::strip_str(&text).to_string()
        };
        assert_eq!(drawn(&[&["0"], &["1"]]), " 0  1\n .  .\n .  .");
        assert_eq!(drawn(&[&["0"], &["3"], &["button"]]), " .  .\n .  .\n 0  3");
        assert_eq!(drawn(&[&["0"], &["2"]]), " .  .\n .  .", "two moves in one column");
        assert_eq!(drawn(&[&["0", "1"]]), " .  .\n .  .", "a move of two clicks");
    }

    #[test]
    fn pieces_have_their_owners_colours_and_the_last_move_is_inverted() {
        let layout = layout(&[(0.0, 0.0), (1.0, 0.0)], Point { x: 3.0, y: 1.0 }, 3, '.');
        let pieces = vec![piece("x", Some(Side::One), 'x', "0"), piece("o", Some(Side::Two), 'o', "0")];
        let scene = Scene { pieces, last: vec!["1".to_owned()], ..Scene::default() };
        let (one, two) = (style::owner(Some(Side::One)), style::owner(Some(Side::Two)));
        let last = style::paint(Style::new().invert(), " . ");
        assert_eq!(draw(&layout, &scene), [format!(" {}{}{last}", style::paint(one, "x"), style::paint(two, "o"))]);
    }

    proptest! {
        #[test]
        fn every_board_is_drawn_and_every_cell_is_seen(
            corners in prop::collection::btree_set((-40..40i8, -40..40i8), 0..40),
            crowd in 0..9usize,
            width in 0..7usize,
        ) {
            let corners: Vec<(f32, f32)> = corners.into_iter().map(|(x, y)| (f32::from(x), f32::from(y))).collect();
            let layout = layout(&corners, Point { x: width as f32, y: 1.0 }, width, '.');
            let pieces = (0..crowd).map(|number| piece(&number.to_string(), None, 'p', "0")).collect();
            let text = draw(&layout, &Scene { pieces, ..Scene::default() }).join("\n");
            let shown = |symbol: char| text.chars().filter(|&c| c == symbol).count();
            let empty = if crowd == 0 { corners.len() } else { corners.len().saturating_sub(1) };
            prop_assert!(width == 0 || shown('.') == empty);
            let fits = if crowd > width { usize::from(width > 1) } else { crowd };
            prop_assert!(width == 0 || corners.is_empty() || shown('p') == fits);
        }
    }
}
