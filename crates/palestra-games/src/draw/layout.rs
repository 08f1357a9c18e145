//! Where things are: cells, and the areas below them.

use super::{Id, Label};

/// A place on the drawing: x to the right, y down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Units to the right of the left edge.
    pub x: f32,
    /// Units below the top edge.
    pub y: f32,
}

/// Where the cells of a board are.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Layout {
    /// Width and height of the drawing; every cell lies inside; areas and ghosts may stick out.
    pub size: Point,
    /// Characters a unit of x, and lines a unit of y, for a board drawn as text: with it the centres of two cells
    /// never fall on the same place, and cells of one line are at least [`text_width`](Self::text_width) apart.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub text_scale: Point,
    /// Characters that a cell has in a text board.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub text_width: usize,
    /// The cells, in the order in which a screen reader goes through them.
    pub cells: Vec<Cell>,
    /// What is drawn below the cells, the lowest first: a plank, a panel, houses.
    pub areas: Vec<Area>,
    /// Whether the board may be drawn turned by half a circle, so that player 2 sits below.
    pub turns: bool,
}

/// A cell of a board.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cell {
    /// The id of the cell, unique in the layout.
    pub id: Id,
    /// Its looks, a word: `pit`, `water`, `safe`.
    pub kind: &'static str,
    /// What a text board shows where nothing lies.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub symbol: char,
    /// Where a text board has the cell, if not in its middle.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub text_place: Option<Point>,
    /// What a screen reader says.
    pub label: Label,
    /// The outline of the cell.
    pub polygon: Vec<Point>,
    /// Where the arrow keys lead.
    pub arrows: Arrows,
    /// Other places where the cell is drawn once more, as offsets: the far edges of a torus.
    pub ghosts: Vec<Point>,
    /// A short text at the cell where coordinates are shown: the number of a pit, a column, a square.
    pub tag: Option<String>,
    /// Cells of one lane take each other's clicks where the lane has one target: a column in which pieces fall.
    pub lane: Option<u16>,
}

/// The cells that the arrow keys lead to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Arrows {
    /// The cell above.
    pub up: Option<Id>,
    /// The cell below.
    pub down: Option<Id>,
    /// The cell to the left.
    pub left: Option<Id>,
    /// The cell to the right.
    pub right: Option<Id>,
}

/// A rectangle below the cells, with round corners.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Area {
    /// Its looks, a word: `plank`, `panel`, `house-red`.
    pub kind: &'static str,
    /// Where it lies.
    pub rect: Rect,
    /// The radius of its corners; half of a side makes it round.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::json::thousandths"))]
    pub radius: f32,
}

/// A rectangle: its upper left corner and its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Units to the right of the left edge.
    pub x: f32,
    /// Units below the top edge.
    pub y: f32,
    /// Units from left to right.
    pub width: f32,
    /// Units from top to bottom.
    pub height: f32,
}

impl Cell {
    /// The middle of the cell.
    #[must_use]
    pub fn middle(&self) -> Point {
        let corners = self.polygon.len().max(1) as f32;
        let sum = |of: fn(&Point) -> f32| self.polygon.iter().map(of).sum::<f32>();
        Point { x: sum(|point| point.x) / corners, y: sum(|point| point.y) / corners }
    }
}

impl Rect {
    /// The rectangle with this corner and this size.
    #[must_use]
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    /// The corners, clockwise.
    #[must_use]
    pub fn corners(self) -> Vec<Point> {
        let (right, bottom) = (self.x + self.width, self.y + self.height);
        [(self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom)].map(|(x, y)| Point { x, y }).to_vec()
    }
}
