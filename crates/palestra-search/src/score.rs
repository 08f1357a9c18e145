//! Scores: what a position is worth, as a number, and wins counted in plies.

/// The worth of a position for one side. Evaluations choose their unit; wins are far beyond anything they give.
pub type Score = i32;

/// A win that has happened. A win in `n` plies is worth `WIN - n`, so that the nearer one is preferred.
pub const WIN: Score = 1 << 30;

/// Any score at least this far from zero is a win or a loss. Evaluations stay below it.
pub const WIN_BOUND: Score = WIN - MAX_PLIES;

/// Beyond every score.
pub(crate) const INFINITE: Score = WIN + 1;

/// The longest way to a win that a score can tell, in plies.
const MAX_PLIES: i32 = 4096;

/// In how many plies a won or lost position ends; `None` when the score says neither.
#[must_use]
pub const fn plies_to_end(score: Score) -> Option<u32> {
    if is_decided(score) { Some((WIN - score.abs()) as u32) } else { None }
}

/// Whether the score says that a side wins.
#[must_use]
#[inline]
pub const fn is_decided(score: Score) -> bool {
    score >= WIN_BOUND || score <= -WIN_BOUND
}

/// A score seen `plies` later or, if negative, earlier: wins and losses are that much nearer. Others stay.
#[must_use]
#[inline]
pub(crate) const fn nearer(score: Score, plies: i32) -> Score {
    if score >= WIN_BOUND {
        score + plies
    } else if score <= -WIN_BOUND {
        score - plies
    } else {
        score
    }
}
