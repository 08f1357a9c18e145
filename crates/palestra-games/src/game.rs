//! The trait of all games: sides, legal moves, outcome, and a Zobrist-like key.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::ops::ControlFlow;
use std::str::FromStr;

use arrayvec::ArrayVec;

use crate::{ParseError, phrase};

/// The most moves any position of any game offers.
pub const MAX_MOVES: usize = 64;

/// The legal moves of a position, in the game's fixed order.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// One of the two players, teams or partnerships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Player 1.
    One,
    /// Player 2.
    Two,
}

impl Side {
    /// Both sides, player 1 first.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The opponent.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// 0 for player 1, 1 for player 2.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side with this index: 0 is player 1, anything else player 2.
    #[must_use]
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        if index == 0 { Self::One } else { Self::Two }
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "1",
            Self::Two => "2",
        })
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A win of this side.
    Win(Side),
    /// The game is drawn.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Win(side) => Some(side),
            Self::Draw => None,
        }
    }

    /// More points win, equal points draw.
    #[must_use]
    pub const fn by_points(points: [i32; 2]) -> Self {
        if points[0] > points[1] {
            Self::Win(Side::One)
        } else if points[0] < points[1] {
            Self::Win(Side::Two)
        } else {
            Self::Draw
        }
    }
}

/// A move that the position does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move is not legal in this position")]
pub struct IllegalMove;

/// A position of a two-sided game of perfect information.
///
/// `Display` and `FromStr` are the position notation: one line without spaces that holds everything `Eq` compares, so
/// that `position.to_string().parse()` gives an equal position with an equal key. A value of the type is always a
/// valid position; whatever cannot be is refused by the parser.
///
/// Turns need not alternate. Only [`turn`](Game::turn) says who moves.
pub trait Game: Clone + Eq + Hash + Debug + Display + FromStr<Err = ParseError> + Send + Sync + 'static {
    /// A move; `Display` and `FromStr` are its notation.
    type Move: Copy + Eq + Ord + Hash + Debug + Display + FromStr<Err = ParseError> + Send + Sync + 'static;

    /// What can be chosen before the game: a board, a map. `Display` and `FromStr` are one word without spaces.
    type Options: Clone + Default + PartialEq + Debug + Display + FromStr<Err = ParseError> + Send + Sync;

    /// Whether a side that cannot act is passed over. In such a game sides alternate strictly otherwise, and records
    /// write `pass` where a turn was skipped.
    const PASSES: bool = false;

    /// The start of a game.
    fn new(options: &Self::Options) -> Self;

    /// Who moves now; after the end, who would.
    fn turn(&self) -> Side;

    /// Calls `f` with each legal move, in a fixed order, until it breaks. No move after the end, at least one before
    /// it, at most [`MAX_MOVES`].
    fn each_move<B>(&self, f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Plays a legal move. With any other move the position that follows is unspecified (but nothing panics that is
    /// not a bug); use [`try_play`](Game::try_play) for moves from outside.
    fn play(&mut self, mv: Self::Move);

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The points of both sides as the game counts them: seeds in store, flags, pieces in goal, a win.
    fn points(&self) -> [i32; 2];

    /// The most points that a side can have: what is given to the other side of one that loses by its own fault.
    fn most_points(&self) -> i32 {
        1
    }

    /// The key of the position in transposition tables, used as Zobrist keys are: a 64-bit hash of all that decides the
    /// future or that an evaluation of ours reads. It leaves out what is already banked (Mancala's stores) and mere
    /// counters, so that equal keys have equal futures.
    fn key(&self) -> u64;

    /// Whether the move can be played.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.each_move(|legal| if legal == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }).is_break()
    }

    /// How many legal moves there are.
    #[inline]
    fn count_moves(&self) -> usize {
        let mut count = 0;
        let _ = self.each_move(|_| {
            count += 1;
            ControlFlow::<()>::Continue(())
        });
        count
    }

    /// The legal moves as a list.
    fn moves(&self) -> MoveList<Self::Move> {
        let mut list = MoveList::new();
        let _ = self.each_move(|mv| {
            list.push(mv);
            ControlFlow::<()>::Continue(())
        });
        list
    }

    /// Plays a move that comes from outside. Most games refuse an illegal one and stay as they were; Mancala takes
    /// the choice of an empty pit as the loss it is.
    fn try_play(&mut self, mv: Self::Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove);
        }
        self.play(mv);
        Ok(())
    }
}

/// The options of a game that has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoOptions;

impl Display for NoOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("-")
    }
}

impl FromStr for NoOptions {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "-" => Ok(Self),
            _ => Err(ParseError::new("options", 0, phrase!("options.none", "this game has no options, write -"))),
        }
    }
}
