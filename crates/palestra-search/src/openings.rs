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

/// The same of openings beyond those that are bundled: so many that no two are alike.
const LONG_PLIES: (usize, usize) = (6, 10);

/// So many random openings are looked at for each that is kept.
const CANDIDATES: usize = 10;

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

/// An opening of a game that is known only at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyOpening {
    /// What the game is begun with, one word.
    pub options: String,
    /// The moves to play.
    pub moves: Vec<String>,
}

/// The openings of a game, as bundled; see [`openings`].
pub fn any_openings(game: &str) -> Result<Vec<AnyOpening>, PlayerError> {
    let text = with_game!(game, G => G::OPENINGS).ok_or_else(|| PlayerError::UnknownGame(game.to_owned()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let opening = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        let options = words.next().unwrap_or_default();
        AnyOpening { options, moves: words.skip(1).collect() }
    };
    Ok(lines.map(opening).collect())
}

/// One of any number of random openings of a game, not balanced: for matches longer than the bundled ones last.
pub fn any_random_opening(game: &str, seed: u64, index: usize) -> Result<AnyOpening, PlayerError> {
    let made = with_game!(game, G => {
        let opening = random_of::<G>(&mut Rng::new(seed).fork(index as u64), index, LONG_PLIES);
        let moves = opening.moves.iter().map(ToString::to_string).collect();
        AnyOpening { options: opening.options.to_string(), moves }
    });
    made.ok_or_else(|| PlayerError::UnknownGame(game.to_owned()))
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

/// A random opening of an unfinished game, on the game's kinds of boards in turn.
pub(crate) fn random<G: Playable>(rng: &mut Rng, index: usize) -> Opening<G> {
    random_of(rng, index, PLIES)
}

fn random_of<G: Playable>(rng: &mut Rng, index: usize, (least, most): (usize, usize)) -> Opening<G> {
    let options = G::board(index % G::BOARDS, rng);
    loop {
        let plies = least + rng.below(most - least + 1);
        let mut opening = Opening { position: G::new(&options), options: options.clone(), moves: Vec::new() };
        while opening.moves.len() < plies && opening.position.outcome().is_none() {
            let moves = opening.position.moves();
            let mv = moves[rng.below(moves.len())];
            opening.position.play(mv);
            opening.moves.push(mv);
        }
        if opening.position.outcome().is_none() {
            return opening;
        }
    }
}

/// Makes the openings of a game: on each kind of board the most balanced of many random ones, the value being what the
/// engine finds with the strong evaluation. `told` hears how many candidates of how many have been looked at.
pub fn make(game: &str, seed: u64, told: &mut dyn FnMut(usize, usize)) -> Result<Vec<String>, PlayerError> {
    let made = with_game!(game, G => make_for::<G>(seed, told));
    made.unwrap_or_else(|| Err(PlayerError::UnknownGame(game.to_owned())))
}

fn make_for<G: Playable>(seed: u64, told: &mut dyn FnMut(usize, usize)) -> Result<Vec<String>, PlayerError> {
    let wanted = CANDIDATES * OPENINGS;
    let mut rng = Rng::new(seed);
    let mut engine = Engine::new(Settings { memory: 16 << 20, ..Settings::default() })?;
    let mut seen = FxHashSet::default();
    let mut candidates: Vec<Candidate> = Vec::new();
    while candidates.len() < wanted {
        let board = candidates.len() % G::BOARDS;
        let opening = random::<G>(&mut rng, board);
        if seen.insert(opening.position.clone()) {
            let value = value(&mut engine, &opening.position);
            let moves: Vec<String> = opening.moves.iter().map(ToString::to_string).collect();
            let line = format!("{} {value} {}", opening.options, moves.join(" "));
            candidates.push(Candidate { board, worth: value.unsigned_abs(), line });
            told(candidates.len(), wanted);
        }
    }
    Ok(most_balanced(candidates))
}

struct Candidate {
    /// The kind of board.
    board: usize,
    /// How far from balanced.
    worth: u32,
    line: String,
}

/// The most balanced candidates of each kind of board, as many of one kind as of another, in the order in which they were
/// found.
fn most_balanced(candidates: Vec<Candidate>) -> Vec<String> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|&index| (candidates[index].worth, index));
    let mut taken: Vec<usize> = Vec::new();
    let mut ranked: Vec<(usize, usize)> = Vec::new();
    for index in order {
        let board = candidates[index].board;
        ranked.push((taken.iter().filter(|&&other| other == board).count(), index));
        taken.push(board);
    }
    ranked.sort_unstable();
    ranked.truncate(OPENINGS);
    let kept: FxHashSet<usize> = ranked.into_iter().map(|(_, index)| index).collect();
    let kept = candidates.into_iter().enumerate().filter(|(index, _)| kept.contains(index));
    kept.map(|(_, candidate)| candidate.line).collect()
}

/// What a deep search says about a position, for the side to move.
fn value<G: Playable>(engine: &mut Engine, position: &G) -> Score {
    struct Value<'a, G>(&'a mut Engine, &'a G, u64);
    impl<G: Game> Visitor<G> for Value<'_, G> {
        type Output = Option<Score>;

        fn visit<E: Guide<G> + 'static>(self, guide: E) -> Option<Score> {
            let report = self.0.search(self.1, &guide, Limits::default(), &mut States(self.2))?;
            Some(report.lines[0].score)
        }
    }
    engine.forget();
    let Grade { evaluation, .. } = G::GRADES[G::GRADES.len() - 1];
    let found = G::with_guide(evaluation, position, Value(engine, position, G::OPENING_STATES));
    found.flatten().expect("the game is not over and the evaluation exists")
}

#[cfg(test)]
mod tests {
    use palestra_games::GAMES;

    use super::*;

    fn check<G: Playable>() {
        let game = G::ABOUT.id;
        let openings = openings::<G>();
        assert_eq!(openings.len(), OPENINGS, "{game}");
        let mut seen = FxHashSet::default();
        for opening in &openings {
            assert!((PLIES.0..=PLIES.1).contains(&opening.moves.len()), "{game}: {:?}", opening.moves);
            assert!(opening.position.outcome().is_none(), "{game}: {:?}", opening.moves);
            assert!(seen.insert(&opening.position), "{game}: {:?} twice", opening.moves);
        }
    }

    #[test]
    fn bundled_openings_are_short_unfinished_and_distinct() {
        for kind in GAMES {
            with_game!(kind.id(), G => check::<G>()).expect("a game of the list");
        }
    }

    #[test]
    fn bundled_openings_were_valued_and_none_is_decided() {
        fn check<G: Playable>() {
            for line in G::OPENINGS.lines().filter(|line| !line.starts_with('#')) {
                let (_, value) = parse::<G>(line).expect("a test reads them");
                assert!(!crate::is_decided(value), "{}: {line}", G::ABOUT.id);
            }
        }
        for kind in GAMES {
            with_game!(kind.id(), G => check::<G>()).expect("a game of the list");
        }
    }

    #[test]
    fn the_most_balanced_of_each_board_are_kept_in_their_order() {
        let is_even = |index: &usize| index.is_multiple_of(2);
        let candidate = |index: usize| Candidate {
            board: index % 2,
            worth: if is_even(&index) { 1000 - index as u32 } else { index as u32 },
            line: index.to_string(),
        };
        let kept = most_balanced((0..2 * OPENINGS).map(candidate).collect());
        let wanted: Vec<usize> = (0..2 * OPENINGS).filter(|index| is_even(index) == (*index >= OPENINGS)).collect();
        assert_eq!(kept, wanted.iter().map(ToString::to_string).collect::<Vec<_>>());
    }

    #[test]
    fn lines_that_are_no_openings_are_refused() {
        use palestra_games::mancala::Mancala;
        assert!(parse::<Mancala>("- 12 4 1").is_ok());
        for bad in ["", "-", "- x 4", "- 12 7", "- 12 4 4", "board 12 4", "- 12  4"] {
            assert!(parse::<Mancala>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn random_openings_are_legal_differ_and_come_again_with_their_seed() {
        for kind in GAMES {
            let openings: Vec<AnyOpening> =
                (100..130).map(|index| any_random_opening(kind.id(), 7, index).expect("a game")).collect();
            let different: FxHashSet<String> = openings.iter().map(|opening| format!("{opening:?}")).collect();
            assert!(different.len() >= 28, "{}: {different:?}", kind.id());
            for (opening, index) in openings.iter().zip(100..) {
                let mut game = (kind.start)(&opening.options).expect("options that read back");
                opening.moves.iter().for_each(|mv| assert!(game.play(mv).is_ok(), "{}: {opening:?}", kind.id()));
                assert_eq!(game.outcome(), None);
                assert_eq!(any_random_opening(kind.id(), 7, index).as_ref(), Ok(opening));
            }
        }
    }
}
