//! The evaluation function of a game, and hints for move ordering: what a search needs beside the rules.

use palestra_games::{Game, Outcome, Side};

use crate::{Score, WIN};

/// An evaluation of a game's positions, and whatever else helps to search it. A new game writes only
/// [`score`](Guide::score); the rest have neutral defaults.
///
/// A guide may be made for one game in progress (a map, its flags) and hold what is computed once; it does not change
/// while a search runs.
pub trait Guide<G: Game>: Send + Sync {
    /// Whether [`score`](Guide::score) for a side is always the negative of the score for the other. If not, what a
    /// search remembers depends on who asked, and the search keeps the two apart.
    const ANTISYMMETRIC: bool;

    /// Whether moves with equal hints are ordered by the killer and history heuristics. If not, they are tried in the
    /// game's own order: right where hints say all there is to know.
    const EXPERIENCE: bool = true;

    /// How good an unfinished position looks for `side`, apart from what is [`banked`](Guide::banked).
    /// Strictly between `-WIN_BOUND` and `WIN_BOUND`.
    fn score(&self, position: &G, side: Side) -> Score;

    /// The part of the result that is already decided and that [`Game::key`] leaves out: Mancala's stores. The negative
    /// of the other side's. A guide that banks gives no wins in [`finished`](Guide::finished).
    #[inline]
    fn banked(&self, _position: &G, _side: Side) -> Score {
        0
    }

    /// What a finished position is worth for `side` beyond what is banked: [`WIN`], `-WIN`, 0 for a draw. Antisymmetric
    /// if the score is.
    #[inline]
    fn finished(&self, _position: &G, outcome: Outcome, side: Side) -> Score {
        match outcome {
            Outcome::Win(winner) if winner == side => WIN,
            Outcome::Win(_) => -WIN,
            Outcome::Draw => 0,
        }
    }

    /// How early to try a move; the highest first. Among equals the engine's own experience decides, so a hint need
    /// only say what it is sure of, and quickly: it is asked for every move, and many are never played.
    #[inline]
    fn hint(&self, _position: &G, _mv: G::Move) -> i32 {
        0
    }

    /// The least and the most that a search of any depth can find from here for the mover, beyond what is banked. For
    /// guides that give no wins.
    #[inline]
    fn bounds(&self, _position: &G) -> Option<(Score, Score)> {
        None
    }

    /// What is known for certain about the position for the mover, beyond what is banked; a win is counted from here. A
    /// guide that knows such things finds more than minimax does at the same depth, and lines end where it knows.
    #[inline]
    fn probe(&self, _position: &G) -> Option<Score> {
        None
    }

    /// Says that [`probe`](Guide::probe) will soon be asked about the position.
    #[inline]
    fn prefetch(&self, _position: &G) {}

    /// The whole worth of a position for `side`, finished or not: what the teaching algorithms ask at their leaves.
    #[inline]
    fn value(&self, position: &G, side: Side) -> Score {
        let open = match position.outcome() {
            Some(outcome) => self.finished(position, outcome, side),
            None => self.score(position, side),
        };
        self.banked(position, side) + open
    }
}

/// A reference to a guide is a guide.
impl<G: Game, E: Guide<G>> Guide<G> for &E {
    const ANTISYMMETRIC: bool = E::ANTISYMMETRIC;
    const EXPERIENCE: bool = E::EXPERIENCE;

    #[inline]
    fn score(&self, position: &G, side: Side) -> Score {
        (**self).score(position, side)
    }

    #[inline]
    fn banked(&self, position: &G, side: Side) -> Score {
        (**self).banked(position, side)
    }

    #[inline]
    fn finished(&self, position: &G, outcome: Outcome, side: Side) -> Score {
        (**self).finished(position, outcome, side)
    }

    #[inline]
    fn hint(&self, position: &G, mv: G::Move) -> i32 {
        (**self).hint(position, mv)
    }

    #[inline]
    fn bounds(&self, position: &G) -> Option<(Score, Score)> {
        (**self).bounds(position)
    }

    #[inline]
    fn probe(&self, position: &G) -> Option<Score> {
        (**self).probe(position)
    }

    #[inline]
    fn prefetch(&self, position: &G) {
        (**self).prefetch(position);
    }
}
