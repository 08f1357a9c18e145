//! Boards as data, so that any front end can draw, click, speak and animate a game without knowing its rules.
//!
//! A [`Layout`] is sent once: where the cells are. A [`Scene`] is what lies on them in one position, and what a person
//! may click. A [`Step`] is a part of the way from one scene to the next.
//!
//! Cells, pieces, counters and controls share one space of ids. The ids of a scene are a function of the position
//! alone, so that a scene can be made at any point of a game; where a game does not tell its pieces apart, a moving
//! piece takes on a new id ([`Change::Move::becomes`]).

use crate::{Game, Side};

/// A name within a layout and its scenes.
pub type Id = String;

/// A game that can be drawn.
pub trait Draw: Game {
    /// What the list of games says about it.
    const ABOUT: About;

    /// The cells of the board. The same for every position of one game.
    fn layout(&self) -> Layout;

    /// What lies on the board, and what can be clicked. `last` is the move that led here, and who
    /// made it.
    fn scene(&self, last: Option<(Side, Self::Move)>) -> Scene;

    /// How a legal move changes the scene, in order.
    fn steps(&self, mv: Self::Move) -> Vec<Step>;
}

/// What the list of games says about a game.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name in commands, files and addresses.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// The game in one line.
    pub summary: &'static str,
    /// The rules in short, a paragraph an entry.
    pub rules: &'static [&'static str],
    /// What `--options` takes: a word and its meaning, the default first. Empty if there is nothing to choose.
    pub options: &'static [(&'static str, &'static str)],
    /// How a move is written.
    pub move_notation: &'static str,
    /// How a position is written.
    pub position_notation: &'static str,
    /// What a move did that is not legal and yet can be played, and so loses: `chose an empty pit`. `None` where every
    /// illegal move is refused.
    pub losing_choice: Option<&'static str>,
    /// The referee calls the game a draw after this many moves. Not a rule of the game: search and perft know nothing
    /// of it. `None` where every game ends by itself.
    pub move_cap: Option<u32>,
}

/// A text that a front end puts into a person's language: a key and its arguments. The keys are plain English words,
/// so that key and arguments joined by spaces can be read as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The text to translate.
    pub key: &'static str,
    /// The values that the text shows.
    pub args: Vec<String>,
}

impl Label {
    /// A label; `args` are shown after the key.
    #[must_use]
    pub fn new<const N: usize>(key: &'static str, args: [&dyn std::fmt::Display; N]) -> Self {
        Self { key, args: args.iter().map(ToString::to_string).collect() }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.key)?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

/// A place on the drawing: x to the right, y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Units to the right of the left edge.
    pub x: f32,
    /// Units below the top edge.
    pub y: f32,
}

/// Where the cells of a board are.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Width and height of the drawing; every cell lies inside, ghosts may stick out.
    pub size: Point,
    /// Characters a unit of x, and lines a unit of y, for a board drawn as text: with it the centres of two cells
    /// never fall on the same place, and cells of one line are at least [`text_width`](Self::text_width) apart.
    pub text_scale: Point,
    /// Characters that a cell has in a text board.
    pub text_width: usize,
    /// The cells, in the order in which a screen reader goes through them.
    pub cells: Vec<Cell>,
}

/// A cell of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The id of the cell, unique in the layout.
    pub id: Id,
    /// Its looks, a word: `pit`, `water`, `safe`.
    pub kind: &'static str,
    /// What a text board shows where nothing lies.
    pub symbol: char,
    /// What a screen reader says.
    pub label: Label,
    /// The outline of the cell.
    pub polygon: Vec<Point>,
    /// Where the arrow keys lead.
    pub arrows: Arrows,
    /// Other places where the cell is drawn once more, as offsets: the far edges of a torus.
    pub ghosts: Vec<Point>,
}

/// The cells that the arrow keys lead to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

/// What lies on the board, and what can be clicked.
#[derive(Clone, Debug, Default, PartialEq)]
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
}

/// Something that lies on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its name in this scene.
    pub id: Id,
    /// The side that owns it, if any.
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
pub struct Counter {
    /// The id of the counter, unique in the scene.
    pub id: Id,
    /// The side that owns it, if any.
    pub owner: Option<Side>,
    /// The cell on which it stands, if any.
    pub cell: Option<Id>,
    /// What is counted.
    pub label: Label,
    /// The number.
    pub value: i32,
}

/// A button beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
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
pub struct Choice {
    /// The move's notation.
    pub text: String,
    /// The ids of cells, pieces and controls, in order.
    pub clicks: Vec<Id>,
}

/// A part of the way from one scene to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Steps of one beat happen at once; beats count up from 0.
    pub beat: u16,
    /// The change to the scene.
    pub change: Change,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A piece goes to another cell.
    Move {
        /// The id of the piece.
        piece: Id,
        /// Its new cell.
        to: Id,
        /// Its id from now on, often the same.
        becomes: Id,
    },
    /// A piece appears.
    Add(Piece),
    /// A piece goes away.
    Remove {
        /// The id of the piece.
        piece: Id,
        /// The looks of its going, a word: `taken`, `blown`, `used`.
        how: &'static str,
    },
    /// A counter changes.
    Count {
        /// The id of the counter.
        counter: Id,
        /// Its new value.
        value: i32,
    },
}

impl Scene {
    /// Applies steps to pieces and counters. An id that is not there, or there already, is an error that names it.
    pub fn apply(&mut self, steps: &[Step]) -> Result<(), String> {
        steps.iter().try_for_each(|step| self.apply_one(&step.change))
    }

    fn apply_one(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::Move { piece, to, becomes } => {
                let found = self.pieces.iter_mut().find(|p| p.id == *piece);
                let found = found.ok_or_else(|| format!("no piece {piece} to move"))?;
                found.cell.clone_from(to);
                found.id.clone_from(becomes);
            }
            Change::Add(piece) => {
                if self.pieces.iter().any(|p| p.id == piece.id) {
                    return Err(format!("piece {} is there already", piece.id));
                }
                self.pieces.push(piece.clone());
            }
            Change::Remove { piece, .. } => {
                let index = self.pieces.iter().position(|p| p.id == *piece);
                self.pieces.remove(index.ok_or_else(|| format!("no piece {piece} to remove"))?);
            }
            Change::Count { counter, value } => {
                let found = self.counters.iter_mut().find(|c| c.id == *counter);
                found.ok_or_else(|| format!("no counter {counter}"))?.value = *value;
            }
        }
        Ok(())
    }
}

/// A rectangle's outline.
pub(crate) fn rectangle(x: f32, y: f32, width: f32, height: f32) -> Vec<Point> {
    [(x, y), (x + width, y), (x + width, y + height), (x, y + height)].map(|(x, y)| Point { x, y }).to_vec()
}
