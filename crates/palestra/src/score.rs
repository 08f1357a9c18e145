//! Scores in words.

use palestra_search::{Score, plies_to_end};

/// What a score says: who wins in how many single moves, or a number in the evaluation's unit.
pub(crate) fn words(score: Score, is_proven: bool) -> String {
    match plies_to_end(score) {
        Some(plies) if score > 0 => format!("wins in {plies}"),
        Some(plies) => format!("loses in {plies}"),
        None if is_proven && score == 0 => "draw proven".to_owned(),
        None if is_proven => format!("{score:+} proven"),
        None if score == 0 => "0".to_owned(),
        None => format!("{score:+}"),
    }
}

#[cfg(test)]
mod tests {
    use palestra_search::WIN;

    use super::*;

    #[test]
    fn scores_are_told_in_words() {
        assert_eq!(words(8, false), "+8");
        assert_eq!(words(8, true), "+8 proven");
        assert_eq!(words(-3, false), "-3");
        assert_eq!(words(0, false), "0");
        assert_eq!(words(0, true), "draw proven");
        assert_eq!(words(WIN - 7, true), "wins in 7");
        assert_eq!(words(12 - WIN, false), "loses in 12");
    }
}
