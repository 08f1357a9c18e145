//! What lies on the board in one position.

use super::{Id, Label};
use crate::Side;

/// What lies on the board, and what can be clicked.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Scene {
    /// The pieces, in the order they are drawn.
    pub pieces: Vec<Piece>,
    /// The numbers on the board and beside it.
    pub counters: Vec<Counter>,
    /// What can be clicked beside cells and pieces.
    pub controls: Vec<Control>,
    /// The legal moves and their clicks.
    pub choices: Vec<Choice>,
    /// Cells to mark as the last move.
    pub last: Vec<Id>,
    /// The cells of the line that won or lost the game.
    pub line: Vec<Id>,
}

/// Something that lies on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Piece {
    /// Its name in this scene.
    pub id: Id,
    /// The side that owns it, if any.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::json::side"))]
    pub owner: Option<Side>,
    /// Its looks, a word: `stone`, `bomb`, `flag`.
    pub kind: &'static str,
    /// What a text board shows: a character or two.
    pub symbol: String,
    /// Where it lies.
    pub cell: Id,
    /// What a screen reader says.
    pub label: Label,
}

/// A number shown, on a cell or beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Counter {
    /// The id of the counter, unique in the scene.
    pub id: Id,
    /// The side that owns it, if any.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::json::side"))]
    pub owner: Option<Side>,
    /// The cell on which it stands, if any.
    pub cell: Option<Id>,
    /// The piece that it belongs to, if any.
    pub piece: Option<Id>,
    /// The value that fills a bar, if it is shown as one.
    pub max: Option<i32>,
    /// What is counted.
    pub label: Label,
    /// The number.
    pub value: i32,
}

/// A button beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Control {
    /// The id of the button, unique in the scene.
    pub id: Id,
    /// Its looks, a word.
    pub kind: &'static str,
    /// What it says.
    pub label: Label,
}

/// A legal move, and what a person clicks to make it. No choice's clicks begin with another's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Choice {
    /// The move's notation.
    pub text: String,
    /// The ids of cells, pieces and controls, in order.
    pub clicks: Vec<Id>,
}
