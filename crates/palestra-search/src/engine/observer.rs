//! Watching a search from inside, for tree views and statistics.

use palestra_games::Game;

use crate::Score;

/// What a search tells while it runs. Scores are the mover's, beyond what is banked. The observer `()` costs nothing.
pub trait Observer<G: Game> {
    /// A position is entered, `depth` plies above the horizon, with this window.
    #[inline]
    fn enter(&mut self, _position: &G, _depth: u32, _window: (Score, Score)) {}

    /// The position entered last and not yet left is left, with this score.
    #[inline]
    fn leave(&mut self, _score: Score, _why: Leave) {}
}

/// Why a position was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// The game ends here.
    Finished,
    /// The horizon: the evaluation guessed.
    Horizon,
    /// The table or the guide knew enough about it.
    Known,
    /// A move was too good for the opponent to allow: the rest was not looked at. The number of moves tried.
    Cut(u8),
    /// All moves were tried.
    Searched,
    /// The search was stopped.
    Stopped,
}

impl<G: Game> Observer<G> for () {}
