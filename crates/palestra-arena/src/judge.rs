//! Judging a game position by position: what each is worth, and what each move cost.
//!
//! Every position is searched anew, with an empty table and a fixed number of states, so that a judgement is the same on every
//! machine and does not depend on what was judged before.

use palestra_games::{AnyGame, Side, with_game};
use palestra_search::engine::{Engine, Limits, Settings, Stop, TableError, any_search};
use palestra_search::{Playable, Score, WIN_BOUND, Worth, any_value, strong_lead, strong_unit};

/// The evaluation that every game has.
const EVALUATION: &str = "strong";

/// Size of the transposition table, small enough to be emptied for each position.
const TABLE_BYTES: usize = 2 << 20;

/// The strongest player visits this many times as many states for a move.
const STATES_FACTOR: u64 = 10;

/// A search that judges positions.
#[derive(Debug)]
pub struct Judge {
    engine: Engine,
}

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The score for side 1.
    pub score: Score,
    /// What the score says, for side 1.
    pub worth: Worth,
    /// How deep the position was searched; 0 if the game is over there.
    pub depth: u32,
    /// The best move and what would follow; empty if the game is over.
    pub best: Vec<String>,
}

/// What a move cost the side that made it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// How much less the position was worth after it, in the unit of the strong evaluation's scores. Never negative.
    pub lost: Score,
    /// How bad that is, if it is bad enough to say so.
    pub mistake: Option<Mistake>,
    /// How close the move came to the best, from 0 to 100.
    pub accuracy: f64,
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// It lost a third of a lead or more.
    Mistake,
    /// It lost two thirds of a lead or more.
    Blunder,
}

impl Judge {
    /// A judge, for any game.
    pub fn new() -> Result<Self, TableError> {
        Ok(Self { engine: Engine::new(Settings { memory: TABLE_BYTES, ..Settings::default() })? })
    }

    /// The number of states that a judgement of a position takes at most.
    #[must_use]
    pub fn states(game: &str) -> u64 {
        with_game!(game, G => G::GRADES[3].states / STATES_FACTOR).unwrap_or_default()
    }

    /// Judges a position. A search that `stop` ends before its time tells what it has found so far.
    pub fn judge(&mut self, position: &dyn AnyGame, stop: &mut dyn Stop) -> Option<Judgement> {
        let unit = strong_unit(position.kind().id());
        if position.outcome().is_some() {
            let score = any_value(position, EVALUATION, Side::One)?;
            return Some(Judgement { score, worth: Worth::new(score, true, unit), depth: 0, best: vec![] });
        }
        self.engine.forget();
        let report = any_search(&mut self.engine, position, EVALUATION, Limits::default(), stop, &mut |_| {})?;
        let line = report.lines.into_iter().next()?;
        let is_one = position.turn() == Side::One;
        let (score, worth) = if is_one { (line.score, line.worth) } else { (-line.score, line.worth.of_other()) };
        Some(Judgement { score, worth, depth: report.depth, best: line.moves })
    }
}

impl Judgement {
    /// What a move of `side` cost that led from here to `after`.
    #[must_use]
    pub fn cost(&self, after: &Self, game: &str, side: Side, mv: &str) -> Cost {
        let for_side = |score: Score| if side == Side::One { score } else { -score };
        // What a deeper look makes of the judge's own move is not the player's fault.
        if self.best.first().is_some_and(|best| best == mv) {
            return Cost { lost: 0, mistake: None, accuracy: 100.0 };
        }
        Cost::of(for_side(self.score), for_side(after.score), strong_lead(game))
    }
}

/// Beyond this many leads a game is won: what is lost there costs nothing.
const WON_LEADS: Score = 4;

impl Cost {
    /// The cost of a move, from the scores before and after it for the side that made it. Two leads are compared as games are
    /// won by them: one more seed counts for much in an even game, and for nothing in one that is won.
    fn of(before: Score, after: Score, lead: Score) -> Self {
        let most = WON_LEADS * lead;
        let matters = before.clamp(-most, most).saturating_sub(after.clamp(-most, most));
        let mistake = match matters {
            lost if 3 * lost >= 2 * lead => Some(Mistake::Blunder),
            lost if 3 * lost >= lead => Some(Mistake::Mistake),
            _ => None,
        };
        let lost = loss(before, after).max(0);
        Self { lost, mistake, accuracy: accuracy(logistic(before, lead) - logistic(after, lead)) }
    }
}

/// How much was lost between two scores; a win more or less late is the same.
pub(crate) fn loss(before: Score, after: Score) -> Score {
    // From a win to a loss is just within a score.
    const { assert!(WIN_BOUND <= Score::MAX / 2) };
    let bound = |score: Score| score.clamp(-WIN_BOUND, WIN_BOUND);
    bound(before) - bound(after)
}

/// What a score by the strong evaluation means for the chance to win, from 0 to 1.
#[must_use]
pub fn chance(game: &str, score: Score) -> f64 {
    logistic(score, strong_lead(game))
}

fn logistic(score: Score, lead: Score) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / f64::from(lead.max(1))).exp())
}

/// The accuracy of a move that lost this much of the chance to win, by the curve that lichess uses.
fn accuracy(lost: f64) -> f64 {
    // Where nothing is lost the curve, with its rounded numbers, is just below 100.
    if lost <= 0.0 { 100.0 } else { (103.1668 * (-4.354 * lost).exp() - 3.1669).clamp(0.0, 100.0) }
}

#[cfg(test)]
mod tests {
    use palestra_games::GameKind;
    use palestra_search::WIN;
    use palestra_search::engine::States;

    use super::*;

    fn judged(game: &str, moves: &[&str]) -> Judgement {
        let mut position = (GameKind::find(game).expect("a game").start)("-").expect("the usual start");
        for mv in moves {
            position.play(mv).expect("a legal move");
        }
        let mut judge = Judge::new().expect("memory for a table");
        judge.judge(&*position, &mut States(Judge::states(game))).expect("a judgement")
    }

    #[test]
    fn a_position_is_judged_the_same_whatever_was_judged_before() {
        let kind = GameKind::find("mancala").expect("a game");
        let start = (kind.start)("-").expect("the usual start");
        let mut judge = Judge::new().expect("memory for a table");
        let states = || States(Judge::states("mancala"));
        let first = judge.judge(&*start, &mut states());
        let mut other = start.boxed_clone();
        other.play("6").expect("a legal move");
        assert_ne!(judge.judge(&*other, &mut states()), first);
        assert_eq!(judge.judge(&*start, &mut states()), first);
    }

    #[test]
    fn a_move_that_lets_the_other_win_is_a_blunder_of_either_side() {
        // In each game the other side has two or three in column 4, and the last move does not block it.
        let games = [(&["1", "4", "4", "7"][..], Side::One), (&["4", "1", "2", "4", "4", "1", "1"], Side::Two)];
        for (moves, side) in games {
            let (mv, earlier) = moves.split_last().expect("a move");
            let (before, after) = (judged("conecta4boom", earlier), judged("conecta4boom", moves));
            let cost = before.cost(&after, "conecta4boom", side, mv);
            assert_eq!(cost.mistake, Some(Mistake::Blunder), "{before:?} {after:?}");
            assert!(cost.lost > 0 && cost.accuracy < 20.0, "{cost:?}");
            let chance = chance("conecta4boom", after.score);
            let left = if side == Side::One { chance } else { 1.0 - chance };
            assert!((0.0..0.1).contains(&left), "{side:?} is left with a chance of {left}");
            let own = before.cost(&after, "conecta4boom", side, &before.best[0]);
            assert_eq!((own.lost, own.mistake), (0, None), "the judge's own move is no mistake");
        }
    }

    #[test]
    fn what_is_lost_in_a_game_that_is_won_is_no_mistake() {
        let lead = 10;
        assert_eq!(Cost::of(5, 0, lead).mistake, Some(Mistake::Mistake));
        assert_eq!(Cost::of(5, -5, lead).mistake, Some(Mistake::Blunder));
        assert_eq!(Cost::of(90, 60, lead).mistake, None);
        assert_eq!(Cost::of(3, 9, lead), Cost { lost: 0, mistake: None, accuracy: 100.0 });
        let thrown_away = Cost::of(WIN_BOUND, 0, lead);
        assert_eq!((thrown_away.mistake, thrown_away.accuracy < 20.0), (Some(Mistake::Blunder), true));
    }

    #[test]
    fn what_was_lost_is_the_difference_of_the_scores() {
        for (before, after, lost) in [(5, 4, 1), (4, 3, 1), (-3, -4, 1), (3, -3, 6), (3, 4, 0)] {
            assert_eq!(Cost::of(before, after, 10).lost, lost, "{before} to {after}");
        }
        assert_eq!(Cost::of(WIN, WIN - 9, 10).lost, 0, "a later win is a win");
        assert_eq!(Cost::of(WIN, -WIN, 10).lost, 2 * WIN_BOUND, "all there is");
    }

    #[test]
    fn the_end_of_a_game_is_worth_its_result() {
        let over = judged("conecta4boom", &["1", "4", "4", "7", "1", "4", "4"]);
        assert_eq!((over.score, over.worth), (-WIN, Worth::LosesIn(0)), "side 2 has four in column 4");
        assert_eq!((over.depth, over.best), (0, vec![]));
    }
}
