//! What a program is asked: positions from random games, chosen for what they show.

use palestra_games::record::RecordedMove;
use palestra_games::{AnyGame, GameKind, Played};
use palestra_search::rng::Rng;

use super::finding::Place;

/// A position, and how it was reached.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) position: Box<dyn AnyGame>,
    /// All moves from the usual start.
    pub(super) history: Vec<RecordedMove>,
    pub(super) legal: Vec<String>,
}

/// What one side is asked.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// Positions that have nothing to do with each other, each after a move of the other side: the middle of a game,
    /// positions with one legal move, and positions in which the sides have no move in common.
    pub(super) apart: Vec<Question>,
    /// A position in which whatever is played gives another turn, where the game has such.
    pub(super) again: Option<Question>,
}

/// Number of plies after which a game is in its middle.
const MIDDLE_GAME_PLIES: usize = 10;

/// Maximum number of positions that are searched for suitable ones.
const MAX_SEARCHED_POSITIONS: usize = 6000;

/// Number of positions of each kind: a rule that explains the answers in all of them is no coincidence.
const POSITIONS_PER_KIND: usize = 2;

impl Clone for Question {
    fn clone(&self) -> Self {
        Self::new(&*self.position, &self.history)
    }
}

impl Question {
    fn new(position: &dyn AnyGame, history: &[RecordedMove]) -> Self {
        Self { position: position.boxed_clone(), history: history.to_vec(), legal: position.moves() }
    }

    /// The start of a game.
    pub(super) fn start(kind: &GameKind) -> Self {
        Self::new(&*start(kind), &[])
    }

    /// What follows the answer, if it is this side's turn again.
    pub(super) fn after(&self, mv: &str) -> Option<Self> {
        self.played(mv).filter(|next| next.position.turn() == self.position.turn())
    }

    /// What follows a move.
    pub(super) fn played(&self, mv: &str) -> Option<Self> {
        let (next, played) = play(&*self.position, mv)?;
        let mut history = self.history.clone();
        history.push(recorded(mv, played));
        Some(Self::new(&*next, &history))
    }

    pub(super) fn is_legal(&self, mv: &str) -> bool {
        self.legal.iter().any(|legal| legal == mv)
    }

    pub(super) fn place(&self) -> Place {
        Place { position: self.position.notation(), legal: self.legal.clone() }
    }

    /// What the other side could play: were it its turn, or if that cannot be asked, after this side's move.
    pub(super) fn others(&self) -> Vec<String> {
        turned(&*self.position).map_or_else(|| replies(&*self.position), |position| position.moves())
    }
}

/// Questions for both sides, the same on every run.
pub(super) fn questions(kind: &GameKind) -> [Questions; 2] {
    let mut wanted = [Wanted::default(), Wanted::default()];
    let (mut rng, mut left) = (Rng::new(1), MAX_SEARCHED_POSITIONS);
    while left > 0 && !wanted.iter().all(Wanted::is_complete) {
        let (mut position, mut moves) = (start(kind), Vec::<RecordedMove>::new());
        while left > 0 && position.outcome().is_none() {
            let side = position.turn();
            if moves.last().is_some_and(|last| last.played.side != side) {
                wanted[side.index()].offer(&*position, &moves);
            }
            let legal = position.moves();
            let mv = legal[rng.below(legal.len())].clone();
            let Some((next, played)) = play(&*position, &mv) else { break };
            moves.push(recorded(&mv, played));
            position = next;
            left -= 1;
        }
    }
    wanted.map(Wanted::into_questions)
}

/// A position of a random game in which there is a choice, any of them.
pub(super) fn random_question(kind: &GameKind, rng: &mut Rng) -> Question {
    let (mut position, mut moves, mut choices) = (start(kind), Vec::<RecordedMove>::new(), vec![]);
    while position.outcome().is_none() {
        let legal = position.moves();
        if legal.len() > 1 {
            choices.push((position.boxed_clone(), moves.len()));
        }
        let mv = &legal[rng.below(legal.len())];
        let Some((next, played)) = play(&*position, mv) else { break };
        moves.push(recorded(mv, played));
        position = next;
    }
    let (position, plies) = &choices[rng.below(choices.len())];
    Question::new(&**position, &moves[..*plies])
}

/// The positions found so far.
#[derive(Debug, Default)]
struct Wanted {
    middle: Vec<Question>,
    single: Vec<Question>,
    foreign: Vec<Question>,
    again: Option<Question>,
}

impl Wanted {
    fn is_complete(&self) -> bool {
        [&self.middle, &self.single, &self.foreign].iter().all(|list| list.len() == POSITIONS_PER_KIND)
            && self.again.is_some()
    }

    fn offer(&mut self, position: &dyn AnyGame, moves: &[RecordedMove]) {
        let legal = position.moves();
        if self.again.is_none() && gives_another_turn(position, &legal) {
            self.again = Some(Question::new(position, moves));
        } else if legal.len() == 1 && is_wanted(&self.single, &legal) {
            self.single.push(Question::new(position, moves));
        } else if self.foreign.len() < POSITIONS_PER_KIND
            && is_wanted(&self.foreign, &legal)
            && is_foreign(position, &legal)
        {
            self.foreign.push(Question::new(position, moves));
        } else if moves.len() >= MIDDLE_GAME_PLIES && legal.len() > 1 && is_wanted(&self.middle, &legal) {
            self.middle.push(Question::new(position, moves));
        }
    }

    fn into_questions(self) -> Questions {
        let apart = self.middle.into_iter().chain(self.single).chain(self.foreign).collect();
        Questions { apart, again: self.again }
    }
}

/// Whether the list needs another position and this one has other legal moves than those in the list.
fn is_wanted(list: &[Question], legal: &[String]) -> bool {
    list.len() < POSITIONS_PER_KIND && list.iter().all(|question| question.legal != legal)
}

/// Whether the sides have no move in common.
fn is_foreign(position: &dyn AnyGame, legal: &[String]) -> bool {
    turned(position).is_some_and(|other| {
        let others = other.moves();
        !others.is_empty() && !others.iter().any(|mv| legal.contains(mv))
    })
}

fn gives_another_turn(position: &dyn AnyGame, legal: &[String]) -> bool {
    let goes_on = |mv: &String| {
        play(position, mv).is_some_and(|(next, _)| next.turn() == position.turn() && next.outcome().is_none())
    };
    legal.iter().all(goes_on)
}

/// A position with the other side to move, for games whose notation begins with the turn.
fn turned(position: &dyn AnyGame) -> Option<Box<dyn AnyGame>> {
    let notation = position.notation();
    let (turn, rest) = notation.split_once(':')?;
    let other = match turn {
        "1" => "2",
        "2" => "1",
        _ => return None,
    };
    (position.kind().parse)(&format!("{other}:{rest}")).ok()
}

fn replies(position: &dyn AnyGame) -> Vec<String> {
    let nexts = position.moves().into_iter().filter_map(|mv| play(position, &mv));
    nexts.map(|(next, _)| next).filter(|next| next.turn() != position.turn()).flat_map(|next| next.moves()).collect()
}

fn play(position: &dyn AnyGame, mv: &str) -> Option<(Box<dyn AnyGame>, Played)> {
    let mut next = position.boxed_clone();
    let played = next.play(mv).ok()?;
    Some((next, played))
}

fn recorded(mv: &str, played: Played) -> RecordedMove {
    RecordedMove { text: mv.to_owned(), note: None, played }
}

fn start(kind: &GameKind) -> Box<dyn AnyGame> {
    (kind.start)("-").expect("every game has a usual start")
}

#[cfg(test)]
mod tests {
    use palestra_games::{GAMES, Side};

    use super::*;

    #[test]
    fn every_game_has_good_questions_for_both_sides() {
        for kind in GAMES {
            for (side, asked) in Side::BOTH.into_iter().zip(questions(kind)) {
                let id = kind.id();
                assert!(asked.apart.len() >= POSITIONS_PER_KIND, "{id}");
                for question in asked.apart.iter().chain(&asked.again) {
                    assert_eq!(question.position.turn(), side, "{id}");
                    assert!(question.history.last().is_some_and(|last| last.played.side != side), "{id}");
                }
            }
        }
    }

    #[test]
    fn mancala_has_questions_of_every_kind() {
        let mancala = GameKind::find("mancala").expect("it is there");
        for asked in questions(mancala) {
            assert_eq!(asked.apart.len(), 3 * POSITIONS_PER_KIND);
            assert!(asked.apart.iter().filter(|question| question.legal.len() == 1).count() >= POSITIONS_PER_KIND);
            let again = asked.again.expect("one is found");
            assert!(again.legal.iter().all(|mv| again.after(mv).is_some()));
        }
    }
}
