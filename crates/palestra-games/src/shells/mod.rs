//! Shells: a small game that no list shows. It has everything that a game can have on a board (pieces that move, come and go,
//! and numbers), declares no looks, and so tries all code that is to know no game.
//!
//! Two walkers face each other at the ends of a row of nine cells, with shells on all cells between them, the middle one
//! worth three. In turn each goes one or two cells ahead, over the other if need be, takes the shell that lies there and
//! leaves a print on the cell where it stood. Nobody enters a cell with a print. Who cannot go on ends the game, and more
//! shells win.
//!
//! ```
//! use palestra_games::shells::Shells;
//! use palestra_games::{Game, NoOptions, Outcome, Side};
//!
//! let mut game = Shells::new(&NoOptions);
//! for mv in ["2", "2", "2", "1"] {
//!     game.play(mv.parse()?);
//! }
//! assert_eq!(game.to_string(), "1:_o_o12_o_:4-2");
//! assert_eq!(game.outcome(), Some(Outcome::Win(Side::One)));
//! # Ok::<(), palestra_games::ParseError>(())
//! ```

mod draw;
mod notation;

use std::ops::ControlFlow;

use crate::hash::fold;
use crate::{Game, NoOptions, Outcome, Side};

/// Cells of the row.
pub const CELLS: usize = 9;

/// The cell with the large shell, from 0.
const MIDDLE: usize = CELLS / 2;

/// What all shells are worth.
const ALL_POINTS: u32 = CELLS as u32 - 2 + 2;

/// What is on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// A side's walker.
    Walker(Side),
    /// A shell.
    Shell,
    /// A print: a walker has been here.
    Print,
}

/// A position of Shells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shells {
    cells: [Content; CELLS],
    points: [u8; 2],
    turn: Side,
}

/// A move: the number of cells to go ahead, 1 or 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Walk(u8);

impl Walk {
    const ALL: [Self; 2] = [Self(1), Self(2)];
}

impl Shells {
    /// What is on each cell, from player 1's end.
    #[must_use]
    pub const fn cells(&self) -> &[Content; CELLS] {
        &self.cells
    }

    fn walker(&self, side: Side) -> usize {
        let found = self.cells.iter().position(|&content| content == Content::Walker(side));
        found.expect("both walkers are always on the row")
    }

    /// Where a walk of the side to move ends, if it may go there.
    fn target(&self, mv: Walk) -> Option<usize> {
        let (from, length) = (self.walker(self.turn), usize::from(mv.0));
        let to = match self.turn {
            Side::One => from + length,
            Side::Two => from.checked_sub(length)?,
        };
        (self.cells.get(to) == Some(&Content::Shell)).then_some(to)
    }
}

/// What the shell of a cell is worth.
const fn worth(cell: usize) -> u8 {
    if cell == MIDDLE { 3 } else { 1 }
}

impl Game for Shells {
    type Move = Walk;
    type Options = NoOptions;

    fn new(_: &NoOptions) -> Self {
        let mut cells = [Content::Shell; CELLS];
        (cells[0], cells[CELLS - 1]) = (Content::Walker(Side::One), Content::Walker(Side::Two));
        Self { cells, points: [0, 0], turn: Side::One }
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn each_move<B>(&self, f: impl FnMut(Walk) -> ControlFlow<B>) -> ControlFlow<B> {
        Walk::ALL.into_iter().filter(|&mv| self.target(mv).is_some()).try_for_each(f)
    }

    fn play(&mut self, mv: Walk) {
        let Some(to) = self.target(mv) else { return };
        self.cells[self.walker(self.turn)] = Content::Print;
        self.cells[to] = Content::Walker(self.turn);
        self.points[self.turn.index()] += worth(to);
        self.turn = self.turn.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.count_moves() == 0).then(|| Outcome::by_points(self.points()))
    }

    fn points(&self) -> [i32; 2] {
        self.points.map(i32::from)
    }

    fn most_points(&self) -> i32 {
        ALL_POINTS as i32
    }

    fn key(&self) -> u64 {
        let digit = |content: &Content| match content {
            Content::Walker(side) => side.index() as u64,
            Content::Shell => 2,
            Content::Print => 3,
        };
        let cells = self.cells.iter().fold(0, |word, content| word << 2 | digit(content));
        fold(cells << 1 | self.turn.index() as u64, u64::from(u16::from_le_bytes(self.points)))
    }
}
