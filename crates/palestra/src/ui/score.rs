//! Scores as phrases.

use palestra_search::{Score, is_decided};

/// What a score means for the side to move, as a phrase.
pub(crate) fn outlook(score: Score, is_proven: bool) -> &'static str {
    let is_sure = is_proven || is_decided(score);
    match (is_sure, score.signum()) {
        (true, 1) => "you win",
        (true, -1) => "you lose",
        (true, _) => "a draw",
        (false, 1) => "you stand better",
        (false, -1) => "you stand worse",
        (false, _) => "even",
    }
}
