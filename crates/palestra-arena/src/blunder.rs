//! Blunder detection: searches every position of a lost game for the move that lost most.

use palestra_games::{Record, Side};
use palestra_search::engine::Never;
use palestra_search::player::{AnyPlayer, PlayerError, any_player};
use palestra_search::{Score, WIN};

use crate::judge::loss;

/// The move after which a side stood much worse than before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blunder {
    /// How many moves had been made before it.
    pub ply: usize,
    /// The move.
    pub mv: String,
    /// What its side could have had, in the unit of the strong evaluation.
    pub before: Score,
    /// What was left of it.
    pub after: Score,
    /// What the search would have played.
    pub better: String,
}

/// A search of every position of a game, for the move after which the value dropped most.
pub struct BlunderFinder(Box<dyn AnyPlayer>);

/// Deep enough to see what a student overlooks, and quick enough for a match's worth of games.
const SEARCHER: &str = "ninja2";

impl BlunderFinder {
    /// A finder for this game.
    pub fn new(game: &str) -> Result<Self, PlayerError> {
        any_player(game, SEARCHER, 0).map(Self)
    }

    /// The move of a side after which the value dropped most, the moves of the opening left out: these are not the side's
    /// own. `None` if it never did.
    pub fn blunder(&mut self, record: &Record, side: Side, opening_plies: usize) -> Option<Blunder> {
        let mut position = record.up_to(opening_plies).position().boxed_clone();
        let mut found: Option<Blunder> = None;
        let mut open: Option<Blunder> = None;
        for (ply, mv) in record.moves().iter().enumerate().skip(opening_plies) {
            let choice = self.0.choose(&*position, &mut Never)?;
            let score = choice.score.map(|score| if position.turn() == side { score } else { -score });
            close(&mut open, &mut found, score);
            if position.turn() == side {
                let before = score.unwrap_or_default();
                open = Some(Blunder { ply, mv: mv.text.clone(), before, after: before, better: choice.mv });
            }
            position.play(&mv.text).ok()?;
        }
        // Where all is won or lost, the last move can be the one. Where points are counted, the search before it knew.
        if position.most_points() == 1
            && position.outcome().is_some_and(|outcome| outcome.winner() == Some(side.other()))
        {
            let plies_after = open.as_ref().map_or(0, |blunder| record.moves().len() - blunder.ply - 1);
            close(&mut open, &mut found, Some(plies_after as Score - WIN));
        }
        found
    }
}

impl std::fmt::Debug for BlunderFinder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("BlunderFinder").field(&self.0.name()).finish()
    }
}

/// The value after a move is known: keeps the move if it lost more than any before it.
fn close(open: &mut Option<Blunder>, found: &mut Option<Blunder>, score: Option<Score>) {
    // Where only one move is possible nothing is searched, and nothing known.
    let Some(after) = score else { return };
    let Some(blunder) = open.take() else { return };
    let blunder = Blunder { after, ..blunder };
    // What a deeper look makes of the search's own move is not the player's fault.
    if blunder.mv != blunder.better && drop_of(&blunder) > found.as_ref().map_or(0, drop_of) {
        *found = Some(blunder);
    }
}

/// How much the move lost.
fn drop_of(blunder: &Blunder) -> Score {
    loss(blunder.before, blunder.after)
}

#[cfg(test)]
mod tests {
    use palestra_games::GameKind;
    use palestra_search::{Worth, plies_to_end, strong_unit};

    use super::*;

    /// What the blunder of side 1 in this game led to, in words.
    fn after_blunder(game: &str, moves: &str) -> String {
        let kind = GameKind::find(game).expect("one of the games");
        let mut record = Record::new(kind, "-").expect("every game has a usual start");
        for mv in moves.split(' ') {
            record.play(mv).expect("a legal move");
        }
        assert!(record.position().outcome().is_some(), "{}", record.position().notation());
        let blunder =
            BlunderFinder::new(game).expect("a finder").blunder(&record, Side::One, 0).expect("a losing move");
        assert!(plies_to_end(blunder.after).is_some_and(|plies| plies < 100), "{blunder:?}");
        Worth::new(blunder.after, false, strong_unit(game)).to_string()
    }

    #[test]
    fn moves_of_the_opening_are_no_blunders() {
        let mut record = Record::new(GameKind::find("mancala").expect("a game"), "-").expect("a start");
        // Side 1 begins with its worst move.
        for mv in "6 6 4 3 3 1 1".split(' ') {
            record.play(mv).expect("a legal move");
        }
        let mut finder = BlunderFinder::new("mancala").expect("a finder");
        let mut blunder = |opening_plies| finder.blunder(&record, Side::One, opening_plies).map(|found| found.ply);
        assert_eq!(blunder(0), Some(0));
        assert_ne!(blunder(1), Some(0));
        assert_eq!(blunder(record.moves().len()), None);
    }

    #[test]
    fn a_blunder_that_ends_the_game_says_so() {
        assert_eq!(after_blunder("desconecta4boom", "1 3 1 5 1 3 1"), "lost");
        assert_eq!(after_blunder("conecta4boom", "1 4 4 7 1 4 4"), "loses in 2");
    }
}
