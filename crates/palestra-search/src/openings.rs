//! Openings from which matches are played: short, random and balanced.
//!
//! A game's openings are a text, a line each: the options, the value that a deep search found for the side to move, and
//! the moves. `palestra openings GAME` makes the text from a seed.

use std::str::FromStr;

use palestra_games::{Game, ParseError, with_game};
use rustc_hash::FxHashSet;

use crate::engine::{Engine, Limits, Settings, States};
use crate::player::PlayerError;
use crate::rng::Rng;
use crate::{Grade, Guide, Playable, Score, Visitor};

/// How many openings a game has.
pub const OPENINGS: usize = 100;

/// The seed of those that are bundled.
pub const OPENINGS_SEED: u64 = 2026;

/// Moves of an opening, at least and at most.
const PLIES: (usize, usize) = (2, 6);

/// So many random openings are looked at for each that is kept.
const CANDIDATES: usize = 4;

/// Positions that the search of a candidate may visit.
const STATES: u64 = 200_000;

/// A way into a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening<G: Game> {
    /// What the game was begun with.
    pub options: G::Options,
    /// The moves played.
    pub moves: Vec<G::Move>,
    /// Where they lead.
    pub position: G,
}

impl<G: Game> Opening<G> {
    /// The opening with these moves; `None` if one of them is not legal.
    pub fn new(options: G::Options, moves: Vec<G::Move>) -> Option<Self> {
        let mut position = G::new(&options);
        for &mv in &moves {
            if !position.is_legal(mv) {
                return None;
            }
            position.play(mv);
        }
        Some(Self { options, moves, position })
    }
}

/// The openings of a game, as bundled.
///
/// # Panics
/// If the bundled text is not what [`make`] writes.
#[must_use]
pub fn openings<G: Playable>() -> Vec<Opening<G>> {
    let lines = G::OPENINGS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| parse(line).unwrap_or_else(|error| panic!("{}: {line}: {error}", G::ABOUT.id)).0).collect()
}

/// `OPTIONS VALUE MOVE...`
pub(crate) fn parse<G: Playable>(line: &str) -> Result<(Opening<G>, Score), ParseError> {
    let mut words = line.split(' ');
    let options = match words.next().unwrap_or_default() {
        "-" => G::Options::default(),
        word => word.parse()?,
    };
    let bad = |why| ParseError::new("opening", 0, why);
    let value = words.next().and_then(|word| Score::from_str(word).ok()).ok_or_else(|| bad("its value is missing"))?;
    let moves = words.map(str::parse).collect::<Result<_, _>>()?;
    let opening = Opening::new(options, moves).ok_or_else(|| bad("an illegal move"))?;
    Ok((opening, value))
}

/// A random opening of an unfinished game, on one of the game's boards in turn.
pub(crate) fn random<G: Playable>(rng: &mut Rng, index: usize) -> (&'static str, Opening<G>) {
    let board = G::BOARDS[index % G::BOARDS.len()];
    let options: G::Options = match board {
        "-" => G::Options::default(),
        word => word.parse().unwrap_or_else(|error| panic!("the board {word}: {error}")),
    };
    loop {
        let plies = PLIES.0 + rng.below(PLIES.1 - PLIES.0 + 1);
        let mut opening = Opening { position: G::new(&options), options: options.clone(), moves: Vec::new() };
        while opening.moves.len() < plies && opening.position.outcome().is_none() {
            let moves = opening.position.moves();
            let mv = moves[rng.below(moves.len())];
            opening.position.play(mv);
            opening.moves.push(mv);
        }
        if opening.position.outcome().is_none() {
            return (board, opening);
        }
    }
}

/// Makes the openings of a game: the most balanced of many random ones, the value being what the engine finds with the
/// strong evaluation. `told` hears how many candidates of how many have been looked at.
pub fn make(game: &str, seed: u64, told: &mut dyn FnMut(usize, usize)) -> Result<Vec<String>, PlayerError> {
    let made = with_game!(game, G => make_for::<G>(seed, told));
    made.unwrap_or_else(|| Err(PlayerError::UnknownGame(game.to_owned())))
}

fn make_for<G: Playable>(seed: u64, told: &mut dyn FnMut(usize, usize)) -> Result<Vec<String>, PlayerError> {
    let wanted = CANDIDATES * OPENINGS;
    let mut rng = Rng::new(seed);
    let mut engine = Engine::new(Settings { memory: 16 << 20, ..Settings::default() })?;
    let mut seen = FxHashSet::default();
    let mut candidates: Vec<(u32, usize, String)> = Vec::new();
    while candidates.len() < wanted {
        let (board, opening) = random::<G>(&mut rng, candidates.len());
        if seen.insert(opening.position.clone()) {
            let value = value(&mut engine, &opening.position);
            let moves: Vec<String> = opening.moves.iter().map(ToString::to_string).collect();
            let line = format!("{board} {value} {}", moves.join(" "));
            candidates.push((value.unsigned_abs(), candidates.len(), line));
            told(candidates.len(), wanted);
        }
    }
    candidates.sort();
    candidates.truncate(OPENINGS);
    // Back in the order in which they were found, or the first openings would be the quietest.
    candidates.sort_by_key(|&(_, index, _)| index);
    Ok(candidates.into_iter().map(|(_, _, line)| line).collect())
}

/// What a deep search says about a position, for the side to move.
fn value<G: Playable>(engine: &mut Engine, position: &G) -> Score {
    struct Value<'a, G>(&'a mut Engine, &'a G);
    impl<G: Game> Visitor<G> for Value<'_, G> {
        type Output = Option<Score>;

        fn visit<E: Guide<G> + 'static>(self, guide: E) -> Option<Score> {
            let report = self.0.search(self.1, &guide, Limits::default(), &mut States(STATES))?;
            Some(report.lines[0].score)
        }
    }
    engine.forget();
    let Grade { evaluation, .. } = G::GRADES[G::GRADES.len() - 1];
    let found = G::with_guide(evaluation, position, Value(engine, position));
    found.flatten().expect("the game is not over and the evaluation exists")
}
