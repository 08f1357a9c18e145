//! Comparing the search of a program with the teaching alpha-beta, by an evaluation that both know.
//!
//! A program that answers `option eval test` promises to evaluate as [`Playable::TEST`] does and to look exactly as deep as
//! `go depth N` says. Then move and score are known: any move with the best value is right, and the score is that value.
//! Where an answer is wrong, smaller searches below that position are asked for, until one is wrong although all those
//! below it are right: that is where to look for the mistake.

mod positions;
mod values;

use std::time::{Duration, Instant};

use palestra_games::{Side, with_game};
use palestra_protocol::{Budget, Dialect};
use palestra_search::engine::Never;
use palestra_search::tree::{MoveValue, any_move_values};
use palestra_search::{Playable, Score};
use palestra_tournament::rubric::SearchResult;

use super::diagnosis::{Answered, Asked, of_stop};
use super::finding::{Finding, FindingKind};
use super::question::Question;
use super::talk::{Answer, Stop, Talk};
use super::{Check, Limits, TOTAL_CPU};
use crate::EntrantError;
use positions::positions;
pub use values::Branch;
use values::branches;

/// The number of positions that a program is asked about.
pub const SEARCHED_POSITIONS: usize = 50;

/// The depths to which it searches each of them.
pub const SEARCH_DEPTHS: [u32; 2] = [4, 6];

/// A score of at least this says that the game is won, and one of at most its negative that it is lost.
pub const WON: Score = 1_000_000;

/// The setting that a program answers if its search can be compared.
const OPTION: (&str, &str) = ("eval", "test");

/// CPU time limit of a search.
const SEARCH_CPU: Duration = Duration::from_secs(60);

/// What came of comparing searches.
#[derive(Debug)]
pub enum Searched {
    /// Nothing came of it, for this reason. That is not wrong.
    Untested(NotTested),
    /// It found the same in this number of searches.
    Alike(u32),
    /// It found something else.
    Differs(Box<Difference>),
    /// It gave no legal move.
    Failed(Box<Finding>),
}

impl Searched {
    /// What it means for a mark.
    #[must_use]
    pub const fn result(&self) -> SearchResult {
        match self {
            Self::Untested(_) => SearchResult::Untested,
            Self::Alike(_) => SearchResult::Right,
            Self::Differs(_) | Self::Failed(_) => SearchResult::Wrong,
        }
    }
}

/// Why searches were not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTested {
    /// The program does not answer `option eval test`.
    Silent,
    /// It is too slow: only this number of searches were done in time, all of them right.
    Slow(u32),
}

/// Where the search of a program first differs from the teaching alpha-beta.
#[derive(Debug)]
pub struct Difference {
    /// The id of the game.
    pub game: &'static str,
    /// Number of searches before it, which were alike.
    pub alike: u32,
    /// The position that the program was asked about.
    pub seen_at: String,
    /// The depth to which it searched there.
    pub seen_depth: u32,
    /// The moves from there to the smallest search that differs.
    pub moves: Vec<String>,
    /// Whether all searches below that one are right. They are not known if the program stopped answering.
    pub is_narrowed: bool,
    /// The position of this smallest search.
    pub position: String,
    /// Its depth.
    pub depth: u32,
    /// The evaluation, by its name among the game's evaluations.
    pub evaluation: &'static str,
    /// What alpha-beta finds.
    pub value: Score,
    /// The program's move.
    pub chosen: String,
    /// The value of that move.
    pub chosen_value: Score,
    /// What the program says that it is worth, if it says so.
    pub score: Option<f64>,
    /// The legal moves with their values.
    pub branches: Vec<Branch>,
}

impl Check<'_> {
    /// Compares the program's search with the teaching alpha-beta. `on_progress` hears after each search how many of how many
    /// are done. An error is one of starting the program.
    pub fn search(&self, on_progress: &mut dyn FnMut(u32, u32)) -> Result<Searched, EntrantError> {
        if self.program.dialect == Dialect::Course {
            return Ok(Searched::Untested(NotTested::Silent));
        }
        let evaluation = with_game!(self.kind.id(), G => <G as Playable>::TEST).expect("a game of the list");
        let questions = positions(self.kind, evaluation);
        let talks = [self.searcher()?, self.searcher()?];
        let mut exam = Exam { check: self, evaluation, talks, begun: Instant::now(), alike: 0 };
        Ok(exam.run(&questions, on_progress).unwrap_or_else(|end| end.0))
    }

    fn searcher(&self) -> Result<Talk, EntrantError> {
        let process = self.program.start(Some(self.limits.memory), TOTAL_CPU)?;
        let limits = Limits { cpu: SEARCH_CPU, wall: SEARCH_CPU * 3, ..self.limits };
        Ok(Talk::new(process, self.program.dialect, limits))
    }
}

/// Searches of a program, with a process a side.
struct Exam<'a> {
    check: &'a Check<'a>,
    evaluation: &'static str,
    talks: [Talk; 2],
    begun: Instant,
    /// Number of searches that were right.
    alike: u32,
}

/// Why no more searches are asked for.
struct End(Searched);

impl From<Finding> for End {
    fn from(finding: Finding) -> Self {
        Self(Searched::Failed(Box::new(finding)))
    }
}

/// A search that is not the teaching alpha-beta's.
struct Wrong {
    question: Question,
    /// The moves that lead here from the position that the program was asked about first.
    moves: Vec<String>,
    depth: u32,
    answer: Answer,
    values: Vec<MoveValue>,
}

impl Exam<'_> {
    fn run(&mut self, questions: &[Question], on_progress: &mut dyn FnMut(u32, u32)) -> Result<Searched, End> {
        self.begin(questions)?;
        let all = (questions.len() * SEARCH_DEPTHS.len()) as u32;
        for question in questions {
            for depth in SEARCH_DEPTHS {
                if let Some(wrong) = self.search(question.clone(), vec![], depth)? {
                    let smallest = self.narrow(wrong);
                    let seen = (question.position.notation(), depth);
                    return Ok(Searched::Differs(Box::new(self.difference(seen, smallest))));
                }
                self.alike += 1;
                on_progress(self.alike, all);
            }
        }
        Ok(Searched::Alike(self.alike))
    }

    /// Tells the program the option and asks for a move on each side. It has answered the option by then: lines are answered
    /// in their order.
    fn begin(&mut self, questions: &[Question]) -> Result<(), End> {
        let startup = self.check.limits.startup;
        for (talk, side) in self.talks.iter_mut().zip(Side::BOTH) {
            let Some(question) = questions.iter().find(|question| question.position.turn() == side) else { continue };
            talk.greet(self.check.kind, side, "");
            talk.set(OPTION.0, OPTION.1);
            let answered = talk.await_ready(startup).and_then(|()| talk.ask(question));
            if !talk.follows_option() {
                return Err(End(Searched::Untested(NotTested::Silent)));
            }
            answered.map_err(|stop| failed(talk, stop, question))?;
        }
        Ok(())
    }

    /// Asks for a search: what is wrong with the answer, if anything is.
    fn search(&mut self, question: Question, moves: Vec<String>, depth: u32) -> Result<Option<Wrong>, End> {
        let slow = End(Searched::Untested(NotTested::Slow(self.alike)));
        if self.begun.elapsed() > self.check.limits.searches {
            return Err(slow);
        }
        let talk = &mut self.talks[question.position.turn().index()];
        let budget = Budget { depth: Some(depth), ..Budget::INFINITE };
        let answer = match talk.think(&question, budget) {
            Ok(answer) => answer,
            // It was told no time.
            Err(Stop::Silent(_)) => return Err(slow),
            Err(stop) => return Err(failed(talk, stop, &question).into()),
        };
        if !question.is_legal(&answer.mv) {
            let answered = Answered { question: &question, mv: answer.mv };
            let finding = answered.finding(FindingKind::Illegal, format!("it played {}", answered.mv));
            return Err(Finding { stderr: talk.stderr(), ..finding }.into());
        }
        let values = any_move_values(&*question.position, &[], self.evaluation, depth, &mut Never);
        let values = values.expect("an unfinished position, searched without a limit");
        let wrong = Wrong { question, moves, depth, answer, values };
        Ok((!wrong.is_right()).then_some(wrong))
    }

    /// The smallest of the searches below a wrong one that is still wrong, and whether all below that one are right: not if
    /// the program stops answering.
    fn narrow(&mut self, mut wrong: Wrong) -> (Wrong, bool) {
        'deeper: loop {
            for mv in wrong.suspects() {
                let Some((question, moves, depth)) = wrong.below(&mv) else { continue };
                match self.search(question, moves, depth) {
                    Ok(Some(smaller)) => {
                        wrong = smaller;
                        continue 'deeper;
                    }
                    Ok(None) => {}
                    Err(_) => return (wrong, false),
                }
            }
            return (wrong, true);
        }
    }

    fn difference(&self, (seen_at, seen_depth): (String, u32), (wrong, is_narrowed): (Wrong, bool)) -> Difference {
        let branches =
            branches(&*wrong.question.position, self.evaluation, wrong.depth, &wrong.values, &wrong.answer.mv);
        Difference {
            game: self.check.kind.id(),
            alike: self.alike,
            is_narrowed,
            seen_at,
            seen_depth,
            position: wrong.question.position.notation(),
            depth: wrong.depth,
            evaluation: self.evaluation,
            value: wrong.best(),
            chosen_value: wrong.chosen(),
            chosen: wrong.answer.mv,
            score: wrong.answer.score,
            moves: wrong.moves,
            branches,
        }
    }
}

impl Wrong {
    /// The value of the position.
    fn best(&self) -> Score {
        self.values.iter().map(|known| known.value).max().expect("a position to move in")
    }

    /// The value of the program's move.
    fn chosen(&self) -> Score {
        let known = self.values.iter().find(|known| known.mv == self.answer.mv);
        known.expect("the move is legal").value
    }

    /// Whether the answer is right after all: the move is one of the best, and the score is its value.
    fn is_right(&self) -> bool {
        let limit = f64::from(WON);
        let is_value = |score: f64| score.clamp(-limit, limit) == f64::from(self.best()).clamp(-limit, limit);
        self.chosen() == self.best() && self.answer.score.is_some_and(is_value)
    }

    /// The legal moves, the program's first.
    fn suspects(&self) -> Vec<String> {
        let mut moves = self.question.legal.clone();
        moves.sort_by_key(|mv| *mv != self.answer.mv);
        moves
    }

    /// The search after a move, and after those that follow without a choice; none if nothing is left to be searched.
    fn below(&self, mv: &str) -> Option<(Question, Vec<String>, u32)> {
        let (mut question, mut moves, mut depth) = (self.question.played(mv)?, self.moves.clone(), self.depth - 1);
        moves.push(mv.to_owned());
        while let [only] = &question.legal[..] {
            moves.push(only.clone());
            question = question.played(only)?;
            depth = depth.checked_sub(1)?;
        }
        (depth > 0 && !question.legal.is_empty()).then_some((question, moves, depth))
    }
}

fn failed(talk: &mut Talk, stop: Stop, question: &Question) -> Finding {
    of_stop(talk, stop, Asked::Turn(question), Dialect::One)
}
