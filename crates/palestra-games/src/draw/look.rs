//! The looks of a game: its colours, the shapes of its pieces, the paint of its cells. Data that the game declares, so
//! that a front end needs no line for a new game; what is not declared has the plain looks of the front end.

use super::{AreaLook, CellLook};

/// The looks of a game.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The colours that the game names.
    pub palette: &'static [Colour],
    /// The shapes of its kinds of pieces. A kind without a shape is a pawn with the last character of its symbol.
    pub shapes: &'static [Shape],
    /// The looks of its kinds of cells, in the order in which they count: a kind `queue-red` also has the looks of
    /// `queue`, and those that stand later win.
    pub cells: &'static [CellLook],
    /// The looks of its kinds of areas.
    pub areas: &'static [AreaLook],
    /// The colours of marks and numbers, where those of the front end would not be seen.
    pub inks: &'static [(Ink, &'static str)],
    /// Whether holes and marks of cells are round, inscribed in the cell, or have the cell's outline.
    pub is_round: bool,
}

impl Look {
    /// The looks of a game that declares none.
    pub const PLAIN: Self = Self { palette: &[], shapes: &[], cells: &[], areas: &[], inks: &[], is_round: false };

    /// The colours that every front end brings, beside a game's own: those of the piece's owner, of text, and of the
    /// ground below it.
    pub const COMMON: [&'static str; 5] = ["owner", "owner-deep", "owner-light", "ink", "paper"];
}

/// A named colour, as CSS writes it.
#[derive(Clone, Copy, Debug)]
pub struct Colour {
    /// The name: small letters and dashes.
    pub name: &'static str,
    /// The colour on light pages.
    pub light: &'static str,
    /// The colour on dark pages.
    pub dark: &'static str,
}

impl Colour {
    /// A colour with two values.
    #[must_use]
    pub const fn new(name: &'static str, light: &'static str, dark: &'static str) -> Self {
        Self { name, light, dark }
    }

    /// A colour that is the same on light and dark pages.
    #[must_use]
    pub const fn same(name: &'static str, value: &'static str) -> Self {
        Self { name, light: value, dark: value }
    }
}

/// The shape of a kind of pieces.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The kind of the pieces.
    pub kind: &'static str,
    /// Its parts, the lowest first, in a square from -1 to 1 around the middle of the cell.
    pub parts: &'static [Part],
}

impl Shape {
    /// The shape of a kind.
    #[must_use]
    pub const fn new(kind: &'static str, parts: &'static [Part]) -> Self {
        Self { kind, parts }
    }
}

/// A part of a shape. Lines have round ends and corners.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// An SVG path.
    Path {
        /// The path's data.
        path: &'static str,
        /// The colour inside.
        fill: Option<&'static str>,
        /// The colour of the line.
        stroke: Option<&'static str>,
        /// The width of the line.
        width: f32,
    },
    /// Text of the piece's symbol, in the middle.
    Symbol {
        /// `whole`, or `last` for its last character alone.
        symbol: &'static str,
        /// The size of the font.
        size: f32,
        /// The colour of the text.
        fill: &'static str,
    },
}

impl Part {
    /// A filled outline.
    #[must_use]
    pub const fn fill(path: &'static str, fill: &'static str) -> Self {
        Self::Path { path, fill: Some(fill), stroke: None, width: 0.0 }
    }

    /// A line.
    #[must_use]
    pub const fn line(path: &'static str, stroke: &'static str, width: f32) -> Self {
        Self::Path { path, fill: None, stroke: Some(stroke), width }
    }

    /// A filled outline with an edge.
    #[must_use]
    pub const fn edged(path: &'static str, fill: &'static str, stroke: &'static str, width: f32) -> Self {
        Self::Path { path, fill: Some(fill), stroke: Some(stroke), width }
    }

    /// The last character of the symbol: a pawn's number.
    #[must_use]
    pub const fn last(size: f32, fill: &'static str) -> Self {
        Self::Symbol { symbol: "last", size, fill }
    }

    /// The whole symbol.
    #[must_use]
    pub const fn symbol(size: f32, fill: &'static str) -> Self {
        Self::Symbol { symbol: "whole", size, fill }
    }

    /// The colours that it names.
    pub fn colours(&self) -> impl Iterator<Item = &'static str> {
        match *self {
            Self::Path { fill, stroke, .. } => [fill, stroke],
            Self::Symbol { fill, .. } => [Some(fill), None],
        }
        .into_iter()
        .flatten()
    }
}

/// What is written or marked on the board by the front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The mark of what may be clicked.
    Next,
    /// The mark of the last move.
    Last,
    /// The mark of what was clicked.
    Chosen,
    /// Numbers outside of cells, and tags.
    Number,
    /// Numbers in a long cell.
    Deep,
    /// The line that won or lost the game.
    Line,
}
