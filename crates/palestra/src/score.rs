//! Scores in words.

use palestra_games::{AnyGame, with_game};
use palestra_search::{Evaluation, Playable, Score, is_decided, plies_to_end};

/// What a score says for the side to move: who wins in how many single moves, or a number. A proven number is told in the
/// game's own points, others in the evaluation's unit.
pub(crate) fn told(position: &dyn AnyGame, line: &[String], score: Score, is_proven: bool, unit: Score) -> String {
    let margin = (is_proven && !is_decided(score)).then(|| margin(position, line)).flatten();
    margin.map_or_else(|| words(score, is_proven, unit), |margin| words(margin, is_proven, 1))
}

/// The unit of the evaluation that the strongest players use.
pub(crate) fn strong_unit(game: &str) -> Score {
    let strong = |evaluations: &[Evaluation]| evaluations.iter().find(|it| it.name == "strong").map(|it| it.unit);
    with_game!(game, G => strong(G::EVALUATIONS)).flatten().unwrap_or(1)
}

/// By how many points the side to move is ahead when the game has gone as the line says; `None` if it goes on.
fn margin(position: &dyn AnyGame, line: &[String]) -> Option<Score> {
    let mut end = position.boxed_clone();
    line.iter().try_for_each(|mv| end.play(mv).map(|_| ())).ok()?;
    end.outcome()?;
    let (side, points) = (position.turn(), end.points());
    Some(points[side.index()] - points[side.other().index()])
}

/// From here on an evaluation says that the game is decided, and the margin is no matter.
const SETTLED: Score = 1 << 23;

/// See [`told`].
pub(crate) fn words(score: Score, is_proven: bool, unit: Score) -> String {
    let number = if unit > 1 { format!("{:+.2}", f64::from(score) / f64::from(unit)) } else { format!("{score:+}") };
    match plies_to_end(score) {
        Some(plies) if score > 0 => format!("wins in {plies}"),
        Some(plies) => format!("loses in {plies}"),
        None if is_proven && score == 0 => "draw proven".to_owned(),
        None if is_proven => format!("{number} proven"),
        None if score >= SETTLED => "winning".to_owned(),
        None if score <= -SETTLED => "losing".to_owned(),
        None if score == 0 => "0".to_owned(),
        None => number,
    }
}

/// What a score means to whoever moves, for those who do not read numbers.
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

#[cfg(test)]
mod tests {
    use palestra_games::GameKind;
    use palestra_search::WIN;

    use super::*;

    #[test]
    fn scores_are_told_in_words() {
        assert_eq!(words(8, false, 1), "+8");
        assert_eq!(words(8, true, 1), "+8 proven");
        assert_eq!(words(-3, false, 1), "-3");
        assert_eq!(words(0, false, 1), "0");
        assert_eq!(words(0, true, 1), "draw proven");
        assert_eq!(words(WIN - 7, true, 1), "wins in 7");
        assert_eq!(words(12 - WIN, false, 1), "loses in 12");
        assert_eq!(words(48, false, 32), "+1.50");
        assert_eq!(words(-1, false, 32), "-0.03");
    }

    #[test]
    fn a_proven_score_is_told_in_points_of_the_game() {
        let kind = GameKind::find("mancala").expect("Mancala is there");
        let position = (kind.parse)("2:24,1,0,0,0,0,0/22,1,0,0,0,0,0").expect("a position");
        let line = ["1".to_owned()];
        assert_eq!(told(&*position, &line, -64, true, 32), "-2 proven");
        assert_eq!(told(&*position, &line, -64, false, 32), "-2.00");
        assert_eq!(told(&*position, &[], -64, true, 32), "-2.00 proven", "the line does not end the game");
        assert_eq!(told(&*position, &line, WIN - 1, true, 32), "wins in 1");
    }
}
