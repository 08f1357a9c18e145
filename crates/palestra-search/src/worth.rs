//! Scores for readers: wins in N moves, proven results, amounts in the unit of the evaluation.

use std::fmt;

use palestra_games::{AnyGame, Side, with_game};

use crate::{Evaluation, Guide, Playable, Score, Visitor, is_decided, plies_to_end};

/// What a position is worth for the side to move, as it is shown to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// The side to move wins in this number of plies.
    WinsIn(u32),
    /// The side to move loses in this number of plies.
    LosesIn(u32),
    /// Perfect play leads to a draw.
    Draw,
    /// Perfect play leads to this result.
    Proven(Amount),
    /// The evaluation says that the side to move wins; the margin means nothing.
    Winning,
    /// The evaluation says that the side to move loses; the margin means nothing.
    Losing,
    /// What the evaluation guesses.
    Guess(Amount),
}

/// A score, and how much of it is one of the things that the evaluation counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    score: Score,
    unit: Score,
}

/// The least score by which an evaluation says that the game is decided.
pub(crate) const DECIDED_SCORE: Score = 1 << 23;

impl Worth {
    /// What a score in this unit says.
    #[must_use]
    pub fn new(score: Score, is_proven: bool, unit: Score) -> Self {
        let amount = Amount { score, unit };
        match plies_to_end(score) {
            Some(plies) if score > 0 => Self::WinsIn(plies),
            Some(plies) => Self::LosesIn(plies),
            None if is_proven && score == 0 => Self::Draw,
            None if is_proven => Self::Proven(amount),
            None if score >= DECIDED_SCORE => Self::Winning,
            None if score <= -DECIDED_SCORE => Self::Losing,
            None => Self::Guess(amount),
        }
    }

    /// What a score with the moves that lead to it says. If it is proven, in the game's own points.
    #[must_use]
    pub fn of_line(position: &dyn AnyGame, line: &[String], score: Score, is_proven: bool, unit: Score) -> Self {
        let margin = (is_proven && !is_decided(score)).then(|| margin(position, line)).flatten();
        margin.map_or_else(|| Self::new(score, is_proven, unit), |margin| Self::new(margin, is_proven, 1))
    }

    /// What the score says for the side that does not move.
    #[must_use]
    pub fn of_other(self) -> Self {
        let turned = |Amount { score, unit }| Amount { score: -score, unit };
        match self {
            Self::WinsIn(plies) => Self::LosesIn(plies),
            Self::LosesIn(plies) => Self::WinsIn(plies),
            Self::Draw => Self::Draw,
            Self::Proven(amount) => Self::Proven(turned(amount)),
            Self::Winning => Self::Losing,
            Self::Losing => Self::Winning,
            Self::Guess(amount) => Self::Guess(turned(amount)),
        }
    }

    /// The number, where there is one.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Draw => Some(0.0),
            Self::Proven(amount) | Self::Guess(amount) => Some(amount.number()),
            _ => None,
        }
    }
}

/// By how many points the side to move is ahead when the game has gone as the line says; `None` if it goes on.
fn margin(position: &dyn AnyGame, line: &[String]) -> Option<Score> {
    let mut end = position.boxed_clone();
    line.iter().try_for_each(|mv| end.play(mv).map(|_| ())).ok()?;
    end.outcome()?;
    let (side, points) = (position.turn(), end.points());
    Some(points[side.index()] - points[side.other().index()])
}

impl Amount {
    /// As a number in the unit.
    #[must_use]
    pub fn number(self) -> f64 {
        f64::from(self.score) / f64::from(self.unit)
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WinsIn(0) => f.write_str("won"),
            Self::LosesIn(0) => f.write_str("lost"),
            Self::WinsIn(plies) => write!(f, "wins in {plies}"),
            Self::LosesIn(plies) => write!(f, "loses in {plies}"),
            Self::Draw => f.write_str("draw proven"),
            Self::Proven(amount) => write!(f, "{amount} proven"),
            Self::Winning => f.write_str("winning"),
            Self::Losing => f.write_str("losing"),
            Self::Guess(amount) => amount.fmt(f),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { score: 0, .. } => f.write_str("0"),
            Self { score, unit: ..=1 } => write!(f, "{score:+}"),
            _ => write!(f, "{:+.2}", self.number()),
        }
    }
}

/// The unit of the evaluation that the strongest players use.
#[must_use]
pub fn strong_unit(game: &str) -> Score {
    let strong = |evaluations: &[Evaluation]| evaluations.iter().find(|it| it.name == "strong").map(|it| it.unit);
    with_game!(game, G => strong(G::EVALUATIONS)).flatten().unwrap_or(1)
}

/// The lead by the strong evaluation with which about three games in four are won.
#[must_use]
pub fn strong_lead(game: &str) -> Score {
    with_game!(game, G => G::LEAD).unwrap_or(1)
}

/// What the evaluation of this name says of a position for `side`, finished or not, without any search. `None` if the game has no such
/// evaluation.
#[must_use]
pub fn any_value(position: &dyn AnyGame, evaluation: &str, side: Side) -> Option<Score> {
    with_game!(position.kind().id(), G => {
        let position = position.as_any().downcast_ref::<G>()?;
        G::with_guide(evaluation, position, Value { position, side })
    })?
}

struct Value<'a, G> {
    position: &'a G,
    side: Side,
}

impl<G: Playable> Visitor<G> for Value<'_, G> {
    type Output = Score;

    fn visit<E: Guide<G> + 'static>(self, guide: E) -> Score {
        guide.value(self.position, self.side)
    }
}

#[cfg(test)]
mod tests {
    use palestra_games::GameKind;

    use super::*;
    use crate::WIN;

    fn words(score: Score, is_proven: bool, unit: Score) -> String {
        Worth::new(score, is_proven, unit).to_string()
    }

    #[test]
    fn scores_are_shown_in_words() {
        assert_eq!(words(8, false, 1), "+8");
        assert_eq!(words(8, true, 1), "+8 proven");
        assert_eq!(words(-3, false, 1), "-3");
        assert_eq!(words(0, false, 1), "0");
        assert_eq!(words(0, true, 1), "draw proven");
        assert_eq!(words(WIN - 7, true, 1), "wins in 7");
        assert_eq!(words(12 - WIN, false, 1), "loses in 12");
        assert_eq!([words(WIN, true, 1), words(-WIN, true, 1)], ["won", "lost"]);
        assert_eq!(words(48, false, 32), "+1.50");
        assert_eq!(words(-1, false, 32), "-0.03");
        assert_eq!(Worth::new(48, false, 32).number(), Some(1.5));
        assert_eq!(Worth::new(WIN - 7, true, 1).number(), None);
    }

    #[test]
    fn what_is_good_for_one_side_is_bad_for_the_other() {
        for score in [WIN - 7, 7 - WIN, 0, 48, -48, DECIDED_SCORE] {
            for is_proven in [false, true] {
                assert_eq!(Worth::new(score, is_proven, 32).of_other(), Worth::new(-score, is_proven, 32));
            }
        }
    }

    #[test]
    fn the_end_of_a_game_is_worth_what_was_won() {
        let kind = GameKind::find("mancala").expect("Mancala is there");
        let over = (kind.parse)("1:28,0,0,0,0,0,0/20,0,0,0,0,0,0").expect("a position");
        let value =
            |side| any_value(&*over, "strong", side).map(|score| Worth::new(score, true, strong_unit("mancala")));
        assert_eq!(value(Side::One).map(|worth| worth.number()), Some(Some(8.0)));
        assert_eq!(value(Side::Two).map(|worth| worth.number()), Some(Some(-8.0)));
        assert_eq!(any_value(&*over, "none", Side::One), None);
    }

    #[test]
    fn a_proven_score_is_shown_in_points_of_the_game() {
        let kind = GameKind::find("mancala").expect("Mancala is there");
        let position = (kind.parse)("2:24,1,0,0,0,0,0/22,1,0,0,0,0,0").expect("a position");
        let line = ["1".to_owned()];
        let shown =
            |line: &[String], score, is_proven| Worth::of_line(&*position, line, score, is_proven, 32).to_string();
        assert_eq!(shown(&line, -64, true), "-2 proven");
        assert_eq!(shown(&line, -64, false), "-2.00");
        assert_eq!(shown(&[], -64, true), "-2.00 proven", "the line does not end the game");
        assert_eq!(shown(&line, WIN - 1, true), "wins in 1");
    }
}
