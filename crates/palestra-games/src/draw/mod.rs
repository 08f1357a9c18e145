//! Boards as data, so that any front end can draw, click, speak and animate a game without knowing its rules.
//!
//! A [`Layout`] is sent once: where the cells are. A [`Scene`] is what lies on them in one position, and what a person
//! may click. A [`Step`] is a part of the way from one scene to the next. A [`Look`] has the shapes and colours of all
//! that, and [`Wording`] its texts.
//!
//! Cells, pieces, counters and controls share one space of ids. The ids of a scene are a function of the position
//! alone, so that a scene can be made at any point of a game; where a game does not tell its pieces apart, a moving
//! piece takes on a new id ([`Change::Move::becomes`]).

#[cfg(feature = "serde")]
mod json;
mod label;
mod layout;
mod look;
mod paint;
mod scene;
mod step;

use crate::{Game, Side};

pub use label::{Label, Wording};
pub use layout::{Area, Arrows, Cell, Layout, Point, Rect};
pub use look::{Colour, Ink, Look, Part, Shape};
pub use paint::{AreaLook, CellLook, Depth, Paint, Texture};
pub use scene::{Choice, Control, Counter, Piece, Preview, Scene};
pub use step::{Change, Step};

/// A name within a layout and its scenes.
pub type Id = String;

/// A game that can be drawn.
pub trait Draw: Game {
    /// What the list of games says about it.
    const ABOUT: About;

    /// Colours, shapes of pieces, paint of cells.
    const LOOK: Look = Look::PLAIN;

    /// The texts of all labels.
    const LABELS: &'static [Wording];

    /// The cells of the board. The same for every position of one game.
    fn layout(&self) -> Layout;

    /// What lies on the board, and what can be clicked: a choice for each legal move, in their order. `last` is the move
    /// that led here, and who made it.
    fn scene(&self, last: Option<(Side, Self::Move)>) -> Scene;

    /// How a legal move changes the scene, in order.
    fn steps(&self, mv: Self::Move) -> Vec<Step>;

    /// The scene, with a preview of each move made of its steps.
    fn scene_with_previews(&self, last: Option<(Side, Self::Move)>) -> Scene {
        let mut scene = self.scene(last);
        let previews: Vec<Preview> = self
            .moves()
            .into_iter()
            .zip(&scene.choices)
            .map(|(mv, choice)| Preview::of(&self.steps(mv), &scene, &choice.clicks))
            .collect();
        for (choice, preview) in scene.choices.iter_mut().zip(previews) {
            choice.preview = preview;
        }
        scene
    }
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
