//! Conecta-4 Boom, where four in a line win, and Desconecta-4 Boom, where they lose.
//!
//! One implementation serves both: [`Boom`] is generic over its [`Rules`]. Pieces are dropped into seven columns; from
//! time to time a piece is a bomb, which its owner may explode later.
//!
//! In Conecta-4 Boom a turn has two moves, except for the very first:
//!
//! ```
//! use palestra_games::boom::{Action, Conecta4Boom};
//! use palestra_games::{Game, NoOptions, Outcome, Side, perft};
//!
//! let mut game = Conecta4Boom::new(&NoOptions);
//! for mv in ["4", "1", "1"] {
//!     game.play(mv.parse()?);
//! }
//! assert_eq!(game.turn(), Side::One);
//! assert_eq!(game.to_string(), "4:7/7/7/7/7/o6/o2x3");
//! for column in [5, 6, 1, 2, 7] {
//!     game.play(Action::drop(column).unwrap());
//! }
//! assert_eq!(game.outcome(), Some(Outcome::Win(Side::One))); // columns 4 to 7
//! assert_eq!(perft(&Conecta4Boom::new(&NoOptions), 7).finished, 8_964);
//! # Ok::<(), palestra_games::ParseError>(())
//! ```
//!
//! In Desconecta-4 Boom players alternate, and an explosion takes one's own pieces:
//!
//! ```
//! use palestra_games::boom::{Action, Desconecta4Boom};
//! use palestra_games::{Game, Side};
//!
//! let mut game: Desconecta4Boom = "11:7/7/7/7/x6/O4xo/Xxxo1oo".parse()?;
//! assert_eq!(game.turn(), Side::One);
//! game.play(Action::BOOM); // two pieces go with the bomb, and column 1 falls
//! assert_eq!(game.to_string(), "12:7/7/7/7/7/x4xo/O2o1oo");
//! # Ok::<(), palestra_games::ParseError>(())
//! ```

pub mod bits;
mod draw;
mod look;
mod notation;
mod rules;

use std::marker::PhantomData;
use std::ops::ControlFlow;

use crate::hash::fold;
use crate::{Game, NoOptions, Outcome, Side};
use bits::{BOARD, BOTTOM, Blast, bit, completing, lines};

pub use rules::{Conecta, Desconecta, Rules};

/// Columns of the board.
pub const COLUMNS: usize = 7;

/// Rows of the board.
pub const ROWS: usize = 7;

/// The highest number a move has. A game that is longer, which no referee allows, repeats the numbers of the last
/// period: nothing but the number's place in the period decides what happens.
const LAST_NUMBER: u32 = 1_000_000;

/// Conecta-4 Boom.
pub type Conecta4Boom = Boom<Conecta>;

/// Desconecta-4 Boom.
pub type Desconecta4Boom = Boom<Desconecta>;

/// A position of Conecta-4 Boom or Desconecta-4 Boom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Boom<R> {
    /// The pieces of the player to move, bombs included.
    own: u64,
    /// The pieces of both.
    filled: u64,
    /// Those that are bombs.
    bombs: u64,
    /// The number of moves made, plus the one that player 1's first turn lacks.
    clock: u32,
    /// Follows from the rest, and is worked out when a move is played.
    outcome: Option<Outcome>,
    rules: PhantomData<R>,
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stone {
    /// Whose it is.
    pub owner: Side,
    /// Whether it is a bomb.
    pub bomb: bool,
}

/// A move: a drop into a column, or the explosion of the own bomb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u8);

impl Action {
    /// Explodes the own bomb.
    pub const BOOM: Self = Self(COLUMNS as u8);

    /// A drop into a column, 1 to 7.
    #[must_use]
    pub const fn drop(column: u8) -> Option<Self> {
        if column >= 1 && column as usize <= COLUMNS { Some(Self(column - 1)) } else { None }
    }

    /// The column of a drop, 1 to 7.
    #[must_use]
    pub const fn column(self) -> Option<u8> {
        if self.0 < Self::BOOM.0 { Some(self.0 + 1) } else { None }
    }

    /// The action with this id of the courses: 0 to 6 are the columns, 7 is boom.
    #[must_use]
    pub const fn from_id(id: u8) -> Option<Self> {
        if id <= Self::BOOM.0 { Some(Self(id)) } else { None }
    }

    /// Its id, 0 to 7.
    #[must_use]
    pub const fn id(self) -> u8 {
        self.0
    }
}

impl<R: Rules> Boom<R> {
    /// Moves after which everything comes round: who moves, how many moves are left in the turn, and bombs.
    const PERIOD: u32 = 2 * R::MOVES * R::BOMB_EVERY;

    /// What the clock shows before the first move.
    const START: u32 = R::MOVES - 1;

    /// The pieces of a player, bombs included, as a word: column c (from 0, the leftmost) is byte c, row r (from 0, the
    /// lowest) its bit r.
    #[must_use]
    #[inline]
    pub fn pieces(&self, side: Side) -> u64 {
        if side == self.turn() { self.own } else { self.filled ^ self.own }
    }

    /// The bomb of a player as a word like [`pieces`](Self::pieces), 0 if there is none.
    #[must_use]
    #[inline]
    pub fn bomb(&self, side: Side) -> u64 {
        self.pieces(side) & self.bombs
    }

    /// What lies on a cell; columns and rows count from 0, left to right and upwards.
    #[must_use]
    pub fn cell(&self, column: usize, row: usize) -> Option<Stone> {
        let cell = if column < COLUMNS && row < ROWS { bit(column, row) } else { 0 };
        let owner = Side::BOTH.into_iter().find(|&side| self.pieces(side) & cell != 0)?;
        Some(Stone { owner, bomb: self.bombs & cell != 0 })
    }

    /// The number of empty cells.
    #[must_use]
    #[inline]
    pub fn free_cells(&self) -> u32 {
        (BOARD & !self.filled).count_ones()
    }

    /// Whether no cell is empty.
    #[must_use]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.filled == BOARD
    }

    /// The number of the next move, from 1.
    #[must_use]
    #[inline]
    pub fn move_number(&self) -> u32 {
        self.clock - Self::START + 1
    }

    /// The number of the turn, from 1; both players have a turn of each number.
    #[must_use]
    #[inline]
    pub fn turn_number(&self) -> u32 {
        self.clock / (2 * R::MOVES) + 1
    }

    /// The moves left in this turn, the next one included.
    #[must_use]
    #[inline]
    pub fn moves_left(&self) -> u32 {
        R::MOVES - self.clock % R::MOVES
    }

    /// Whether a piece dropped now is a bomb.
    #[must_use]
    #[inline]
    pub fn next_drop_is_bomb(&self) -> bool {
        self.turn_number().is_multiple_of(R::BOMB_EVERY) && self.own & self.bombs == 0
    }

    /// The cells where dropped pieces come to rest, one for each column with room, as a word like
    /// [`pieces`](Self::pieces).
    #[must_use]
    #[inline]
    pub fn landings(&self) -> u64 {
        // In each column the carry runs up the pieces; out of a full one it leaves the board.
        (self.filled + BOTTOM) & BOARD
    }

    /// The pieces of both players, player 1's first, as the explosion of `side`'s bomb would leave them, whichever side
    /// is to move; `None` without such a bomb.
    #[must_use]
    #[inline]
    pub fn after_boom(&self, side: Side) -> Option<[u64; 2]> {
        let bomb = self.bomb(side);
        if bomb == 0 {
            return None;
        }
        let blast = Blast::new(bomb, R::taken(bomb, self.pieces(side), self.pieces(side.other())));
        Some(Side::BOTH.map(|side| blast.apply(self.pieces(side))))
    }

    /// An empty board before the move with this number.
    fn empty(number: u32) -> Self {
        let clock = Self::START + number - 1;
        Self { own: 0, filled: 0, bombs: 0, clock, outcome: None, rules: PhantomData }
    }

    /// The cell where a piece dropped into a column (from 0) comes to rest.
    #[inline]
    fn landing(&self, column: u8) -> u64 {
        // The carry runs up the column's pieces.
        self.filled.wrapping_add(1 << (8 * column)) & !self.filled
    }

    /// The legal moves, a bit in the byte of each action's id: the top cells of the columns, and one more for boom.
    #[inline]
    fn open(&self) -> u64 {
        if self.outcome.is_some() {
            return 0;
        }
        !self.filled & (BOTTOM << (ROWS - 1)) | u64::from(self.own & self.bombs != 0) << 56
    }

    /// What the explosion of the own bomb does.
    #[inline]
    fn blast(&self) -> Blast {
        let bomb = self.own & self.bombs;
        let other = self.filled ^ self.own;
        Blast::new(bomb, R::taken(bomb, self.own, other))
    }

    /// Makes the next move due.
    #[inline]
    fn tick(&mut self) {
        if self.moves_left() == 1 {
            self.own ^= self.filled;
        }
        let last = Self::START + LAST_NUMBER - 1;
        self.clock = if self.clock == last { last + 1 - Self::PERIOD } else { self.clock + 1 };
    }

    #[inline]
    fn drop(&mut self, landing: u64) {
        self.bombs |= if self.next_drop_is_bomb() { landing } else { 0 };
        self.own |= landing;
        self.filled |= landing;
    }

    /// The position after the explosion of the own bomb. By value: a reference would keep positions in memory, out of
    /// registers, even where nothing explodes.
    #[cold]
    fn exploded(mut self) -> Self {
        let blast = self.blast();
        self.own = blast.apply(self.own);
        self.filled = blast.apply(self.filled);
        self.bombs = blast.apply(self.bombs);
        self.tick();
        self.judged()
    }

    /// The position with its outcome worked out from the whole board.
    fn judged(mut self) -> Self {
        let lines = Side::BOTH.map(|side| lines(self.pieces(side)));
        self.outcome = if lines != [0, 0] {
            Some(R::by_lines(lines, side_at::<R>(self.clock + Self::PERIOD - 1)))
        } else if self.filled == BOARD {
            R::full_board(self.turn(), self.own & self.bombs != 0)
        } else {
            None
        };
        self
    }
}

impl<R: Rules> Game for Boom<R> {
    type Move = Action;
    type Options = NoOptions;

    fn new(_: &NoOptions) -> Self {
        Self::empty(1)
    }

    #[inline]
    fn turn(&self) -> Side {
        side_at::<R>(self.clock)
    }

    #[inline]
    fn each_move<B>(&self, mut f: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut open = self.open();
        while open != 0 {
            f(Action((open.trailing_zeros() / 8) as u8))?;
            open &= open - 1;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.open().count_ones() as usize
    }

    // Left to itself the compiler makes a call of it, which halves the speed of perft.
    #[inline(always)]
    fn play(&mut self, mv: Action) {
        if mv == Action::BOOM {
            *self = self.exploded();
            return;
        }
        let landing = self.landing(mv.0);
        // A drop makes lines for the mover only. Where they would be is the same for all drops of a position, so
        // that a caller who tries them all works it out once.
        let line = completing(self.own) & landing != 0;
        let line_outcome = R::own_line(self.turn());
        self.drop(landing);
        self.tick();
        if self.filled == BOARD {
            self.outcome = R::full_board(self.turn(), self.own & self.bombs != 0);
        }
        if line {
            self.outcome = Some(line_outcome);
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn points(&self) -> [i32; 2] {
        Side::BOTH.map(|side| i32::from(self.outcome == Some(Outcome::Win(side))))
    }

    #[inline]
    fn key(&self) -> u64 {
        // No set of cells uses the highest byte.
        fold(self.own | u64::from(self.clock % Self::PERIOD) << 56, fold(self.filled, self.bombs))
    }
}

/// Who moves when the clock shows this.
#[inline]
fn side_at<R: Rules>(clock: u32) -> Side {
    Side::from_index((clock / R::MOVES % 2) as usize)
}
