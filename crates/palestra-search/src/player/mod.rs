//! Players by name: what is typed at the command line, listed on a page and entered in a league.

mod any;
mod error;
mod graded;
mod greedy;
mod random;
mod textbook;
mod weighted;

use palestra_games::Game;

use crate::engine::{Report, Stop};
use crate::tree::Algorithm;
use crate::{Playable, Score};
pub use any::{AnyChoice, AnyPlayer, any_player, any_players};
pub use error::PlayerError;
use graded::Graded;
use greedy::Greedy;
use random::Random;
use textbook::Textbook;
pub use weighted::{weighted_player, weights};

/// The names of the graded players, the weakest first: the order of [`Playable::GRADES`].
pub const GRADE_NAMES: [&str; 4] = ["ninja1", "ninja2", "ninja3", "maestro"];

/// The deepest that a textbook player can be asked to search: it would not end in a lifetime, and fits on the stack.
pub const MAX_TEXTBOOK_DEPTH: u32 = 100;

/// A player of one game.
pub trait Player<G: Game>: Send {
    /// The move to play. `None` only when the game is over: a player that is stopped at once still has a legal move.
    fn choose(&mut self, position: &G, stop: &mut dyn Stop) -> Option<Choice<G>> {
        self.choose_with(position, stop, &mut |_| {})
    }

    /// Chooses as [`choose`](Self::choose) does, and calls `on_progress` with what it would choose so far: after each finished
    /// iteration of iterative deepening. A search to a fixed depth reports that depth, with no score yet, before it begins, and
    /// then each better move that it finds. Players that do not look ahead report nothing.
    fn choose_with(
        &mut self,
        position: &G,
        stop: &mut dyn Stop,
        on_progress: &mut dyn FnMut(&Choice<G>),
    ) -> Option<Choice<G>>;

    /// From now on looks no deeper than this many plies.
    fn hold_to(&mut self, _depth: u32) {}
}

/// A move, and what its player thought of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<G: Game> {
    /// The move to play.
    pub mv: G::Move,
    /// What the player expects, from its own side, in the unit of its evaluation. `None` if it did not look ahead.
    pub score: Option<Score>,
    /// How many plies it looked ahead.
    pub depth: u32,
    /// How many positions it visited.
    pub nodes: u64,
    /// What it expects to be played, this move first.
    pub line: Vec<G::Move>,
    /// Whether the score is proven: the result of the game under perfect play.
    pub proven: bool,
}

impl<G: Game> Choice<G> {
    /// A move that was chosen without looking ahead.
    #[must_use]
    pub fn unsearched(mv: G::Move) -> Self {
        Self { mv, score: None, depth: 0, nodes: 0, line: vec![mv], proven: false }
    }
}

impl<G: Game> From<Report<G>> for Choice<G> {
    fn from(mut report: Report<G>) -> Self {
        let best = report.lines.swap_remove(0);
        Self {
            mv: best.moves[0],
            score: (report.depth > 0).then_some(best.score),
            depth: report.depth,
            nodes: report.nodes,
            line: best.moves,
            proven: report.proven,
        }
    }
}

/// A built-in player, for lists and help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerKind {
    /// What to type; capital letters stand for something to fill in.
    pub name: &'static str,
    /// How it plays, in a sentence.
    pub summary: String,
}

/// The built-in player with this name. Only `random` needs the seed.
pub fn player<G: Playable>(name: &str, seed: u64) -> Result<Box<dyn Player<G>>, PlayerError> {
    if let Some(index) = GRADE_NAMES.iter().position(|&grade| grade == name) {
        return Ok(Box::new(Graded::new(G::GRADES[index])?));
    }
    match name {
        "random" => Ok(Box::new(Random::new(seed))),
        "greedy" => Ok(Box::new(Greedy)),
        "house" => {
            let grade = G::HOUSE.ok_or(PlayerError::NoHouse { game: G::ABOUT.id })?;
            Ok(Box::new(Graded::new(grade)?))
        }
        "human" => Err(PlayerError::Human),
        _ => Ok(Box::new(textbook::<G>(name)?)),
    }
}

/// The built-in players of a game.
#[must_use]
pub fn players<G: Playable>() -> Vec<PlayerKind> {
    let mut kinds = vec![
        PlayerKind { name: "random", summary: "any legal move, all equally likely".to_owned() },
        PlayerKind {
            name: "greedy",
            summary: "the move after which things look best, without looking ahead".to_owned(),
        },
    ];
    let graded = |name, grade: crate::Grade| PlayerKind { name, summary: graded::summary(grade) };
    kinds.extend(GRADE_NAMES.into_iter().zip(G::GRADES).map(|(name, grade)| graded(name, grade)));
    kinds.extend(G::HOUSE.map(|grade| graded("house", grade)));
    let evaluations: Vec<&str> = G::EVALUATIONS.iter().map(|evaluation| evaluation.name).collect();
    let textbook = |name, algorithm: &str| PlayerKind {
        name,
        summary: format!("{algorithm} as the course teaches it; EVAL is one of {}", evaluations.join(", ")),
    };
    kinds.push(textbook("minimax:DEPTH:EVAL", "plain minimax"));
    kinds.push(textbook("alphabeta:DEPTH:EVAL", "alpha-beta"));
    kinds
}

/// `minimax:DEPTH`, `alphabeta:DEPTH`, both with or without `:EVAL`.
fn textbook<G: Playable>(name: &str) -> Result<Textbook, PlayerError> {
    let mut words = name.split(':');
    let algorithm = match words.next() {
        Some("minimax") => Algorithm::Minimax,
        Some("alphabeta") => Algorithm::AlphaBeta,
        _ => return Err(unknown::<G>(name)),
    };
    let depth = words.next().unwrap_or_default();
    let depth = match depth.parse() {
        Ok(number @ 1..=MAX_TEXTBOOK_DEPTH) if depth.starts_with(|first: char| first.is_ascii_digit()) => number,
        _ => return Err(PlayerError::Depth { name: name.to_owned(), depth: depth.to_owned() }),
    };
    let wanted = words.next().unwrap_or(G::EVALUATIONS[0].name);
    let Some(evaluation) = G::EVALUATIONS.iter().find(|evaluation| evaluation.name == wanted) else {
        let known = G::EVALUATIONS.iter().map(|evaluation| evaluation.name).collect();
        return Err(PlayerError::UnknownEvaluation { evaluation: wanted.to_owned(), game: G::ABOUT.id, known });
    };
    match words.next() {
        Some(_) => Err(unknown::<G>(name)),
        None => Ok(Textbook { algorithm, depth, evaluation: evaluation.name }),
    }
}

fn unknown<G: Playable>(name: &str) -> PlayerError {
    let names = players::<G>().into_iter().map(|kind| kind.name);
    PlayerError::unknown(name, names)
}

/// The answer when there is nothing to choose: no move at all, or a single one.
pub(crate) fn forced<G: Game>(position: &G) -> Option<Option<Choice<G>>> {
    match position.moves().as_slice() {
        [] => Some(None),
        [only] => Some(Some(Choice::unsearched(*only))),
        _ => None,
    }
}
