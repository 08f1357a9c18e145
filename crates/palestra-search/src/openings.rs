//! Openings from which matches are played: short, random and balanced.
//!
//! A game's openings are a text, a line each: the options, the value that a deep search found for the side to move, and
//! the moves. `palestra openings GAME` makes the text from a seed.
//!
//! No opening leads through another: its position is not reached on the way to another one, by whatever order of moves.
//! Otherwise players that always play the same would play the same game from both, and it would count twice.

use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use palestra_games::{Game, ParseError, Phrase, with_game};
use rustc_hash::FxHashSet;

use crate::engine::{Engine, Limits, Settings, States};
use crate::player::PlayerError;
use crate::rng::Rng;
use crate::{Grade, Guide, Playable, Score, Visitor, is_decided};

/// Number of bundled openings of a game.
pub const OPENINGS: usize = 100;

/// The seed of the bundled openings.
pub const OPENINGS_SEED: u64 = 2026;

/// Minimum and maximum number of plies of a bundled opening.
const PLIES: (usize, usize) = (2, 6);

/// Minimum and maximum number of plies of an opening beyond the bundled ones: long enough that no two are alike.
const LONG_PLIES: (usize, usize) = (6, 10);

/// Number of random candidates for each opening that is kept.
const CANDIDATES: usize = 10;

/// No side can force a win within this many plies of an opening.
const UNDECIDED_PLIES: u32 = 12;

/// Random openings tried before one is taken that leads through another: then hardly any are left.
const MAX_TRIES: usize = 1_000;

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

    /// The opening as text.
    fn any(&self) -> AnyOpening {
        let moves = self.moves.iter().map(ToString::to_string).collect();
        AnyOpening { options: self.options.to_string(), moves }
    }

    /// The positions from the start to where it leads, both included.
    fn path(&self) -> Vec<Place> {
        let options = self.options.to_string();
        let place = |position: &G| (options.clone(), position.key(), position.points());
        let mut position = G::new(&self.options);
        let mut path = vec![place(&position)];
        for &mv in &self.moves {
            position.play(mv);
            path.push(place(&position));
        }
        path
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

/// The openings of a match: first the bundled ones, then as many random ones as are asked for, which are not balanced.
/// None leads through another.
pub struct Book(Mutex<Box<dyn Source>>);

impl Book {
    /// The book of a game; the seed decides the random openings.
    pub fn new(game: &str, seed: u64) -> Result<Self, PlayerError> {
        let source = with_game!(game, G => Box::new(Pages::<G>::new(seed)) as Box<dyn Source>);
        source.map(|source| Self(Mutex::new(source))).ok_or_else(|| PlayerError::UnknownGame(game.to_owned()))
    }

    /// The opening with this number, from 0. It is the same whenever and in whatever order openings are asked for.
    #[must_use]
    pub fn opening(&self, index: usize) -> AnyOpening {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).opening(index)
    }
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Book").finish_non_exhaustive()
    }
}

/// The openings of a match in some game.
trait Source: Send {
    fn opening(&mut self, index: usize) -> AnyOpening;
}

/// The openings of a match, as far as they are known.
struct Pages<G: Game> {
    seed: u64,
    known: Vec<Opening<G>>,
    crossroads: Crossroads,
}

impl<G: Playable> Pages<G> {
    fn new(seed: u64) -> Self {
        let known = openings::<G>();
        let mut crossroads = Crossroads::default();
        known.iter().for_each(|opening| crossroads.add(&opening.path()));
        Self { seed, known, crossroads }
    }

    /// Adds a random opening.
    fn grow(&mut self) {
        let index = self.known.len();
        let mut rng = Rng::new(self.seed).fork(index as u64);
        let mut opening = random_of(&mut rng, index, LONG_PLIES);
        for _ in 0..MAX_TRIES {
            if self.crossroads.is_free(&opening.path()) {
                break;
            }
            opening = random_of(&mut rng, index, LONG_PLIES);
        }
        self.crossroads.add(&opening.path());
        self.known.push(opening);
    }
}

impl<G: Playable> Source for Pages<G> {
    fn opening(&mut self, index: usize) -> AnyOpening {
        while self.known.len() <= index {
            self.grow();
        }
        self.known[index].any()
    }
}

/// A position on the way into a game, as far as it decides how the game goes on: options, key and points. Counters of
/// moves do not.
type Place = (String, u64, [i32; 2]);

/// Where openings lead, and through which positions.
#[derive(Default)]
struct Crossroads {
    ends: FxHashSet<Place>,
    passed: FxHashSet<Place>,
}

impl Crossroads {
    /// Whether an opening with this path leads through none of those that were added, and none of them through it.
    fn is_free(&self, path: &[Place]) -> bool {
        path.last().is_some_and(|end| !self.passed.contains(end)) && !path.iter().any(|place| self.ends.contains(place))
    }

    fn add(&mut self, path: &[Place]) {
        self.ends.extend(path.last().cloned());
        self.passed.extend(path.iter().cloned());
    }
}

/// `OPTIONS VALUE MOVE...`
pub(crate) fn parse<G: Playable>(line: &str) -> Result<(Opening<G>, Score), ParseError> {
    let mut words = line.split(' ');
    let options = match words.next().unwrap_or_default() {
        "-" => G::Options::default(),
        word => word.parse()?,
    };
    // Openings are a bundled file: only tests see these.
    let bad = |why: &str| ParseError::new("opening", 0, Phrase::untranslated(why));
    let value = words.next().and_then(|word| Score::from_str(word).ok()).ok_or_else(|| bad("its value is missing"))?;
    let moves = words.map(str::parse).collect::<Result<_, _>>()?;
    let opening = Opening::new(options, moves).ok_or_else(|| bad("an illegal move"))?;
    Ok((opening, value))
}

/// A random opening of an unfinished game, on the game's kinds of boards in turn.
pub fn random_opening(game: &str, rng: &mut Rng, index: usize) -> Result<AnyOpening, PlayerError> {
    let opening = with_game!(game, G => random::<G>(rng, index).any());
    opening.ok_or_else(|| PlayerError::UnknownGame(game.to_owned()))
}

fn random<G: Playable>(rng: &mut Rng, index: usize) -> Opening<G> {
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
/// engine finds with the strong evaluation. Left out are those that lead through a better one, and those from which a
/// side can force a win within 12 plies. `on_progress` hears how many candidates of how many have been looked at.
pub fn make(game: &str, seed: u64, on_progress: &mut dyn FnMut(usize, usize)) -> Result<Vec<String>, PlayerError> {
    let made = with_game!(game, G => make_for::<G>(seed, on_progress));
    made.unwrap_or_else(|| Err(PlayerError::UnknownGame(game.to_owned())))
}

fn make_for<G: Playable>(seed: u64, on_progress: &mut dyn FnMut(usize, usize)) -> Result<Vec<String>, PlayerError> {
    let mut engine = Engine::new(Settings { memory: 16 << 20, ..Settings::default() })?;
    let candidates = candidates::<G>(&mut engine, seed, on_progress);
    let mut crossroads = Crossroads::default();
    let kept = most_balanced(&candidates, |candidate| {
        let path = candidate.opening.path();
        let is_kept = crossroads.is_free(&path) && !is_won_soon(&mut engine, &candidate.opening.position);
        if is_kept {
            crossroads.add(&path);
        }
        is_kept
    });
    Ok(kept.into_iter().map(Candidate::line).collect())
}

/// A random opening that may be kept.
struct Candidate<G: Game> {
    /// The kind of board.
    board: usize,
    opening: Opening<G>,
    /// What a search says about it, for the side to move.
    value: Score,
}

impl<G: Game> Candidate<G> {
    fn line(&self) -> String {
        let AnyOpening { options, moves } = self.opening.any();
        format!("{options} {} {}", self.value, moves.join(" "))
    }
}

/// Random openings with their values, no two of the same position.
fn candidates<G: Playable>(
    engine: &mut Engine,
    seed: u64,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Vec<Candidate<G>> {
    let wanted = CANDIDATES * OPENINGS;
    let mut rng = Rng::new(seed);
    let mut seen = FxHashSet::default();
    let mut candidates = Vec::with_capacity(wanted);
    while candidates.len() < wanted {
        let board = candidates.len() % G::BOARDS;
        let opening = random::<G>(&mut rng, board);
        if seen.insert(opening.position.clone()) {
            let value = value(engine, &opening.position, Limits::default(), G::OPENING_STATES);
            candidates.push(Candidate { board, opening, value });
            on_progress(candidates.len(), wanted);
        }
    }
    candidates
}

/// The most balanced candidates that are accepted, as many of one kind of board as of another, in the order in which
/// they were found.
fn most_balanced<G: Playable>(
    candidates: &[Candidate<G>],
    mut is_accepted: impl FnMut(&Candidate<G>) -> bool,
) -> Vec<&Candidate<G>> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|&index| (candidates[index].value.unsigned_abs(), index));
    let mut wanted: Vec<usize> = (0..G::BOARDS).map(|board| (OPENINGS + G::BOARDS - 1 - board) / G::BOARDS).collect();
    let mut kept = Vec::new();
    for index in order {
        let candidate = &candidates[index];
        if wanted[candidate.board] > 0 && is_accepted(candidate) {
            wanted[candidate.board] -= 1;
            kept.push(index);
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|index| &candidates[index]).collect()
}

/// Whether a side can force a win within [`UNDECIDED_PLIES`].
fn is_won_soon<G: Playable>(engine: &mut Engine, position: &G) -> bool {
    is_decided(value(engine, position, Limits { depth: UNDECIDED_PLIES, lines: 1 }, G::UNDECIDED_STATES))
}

/// What a search with the strong evaluation says about a position, for the side to move.
fn value<G: Playable>(engine: &mut Engine, position: &G, limits: Limits, states: u64) -> Score {
    struct Value<'a, G>(&'a mut Engine, &'a G, Limits, u64);
    impl<G: Game> Visitor<G> for Value<'_, G> {
        type Output = Option<Score>;

        fn visit<E: Guide<G> + 'static>(self, guide: E) -> Option<Score> {
            let report = self.0.search(self.1, &guide, self.2, &mut States(self.3))?;
            Some(report.lines[0].score)
        }
    }
    engine.forget();
    let Grade { evaluation, .. } = G::GRADES[G::GRADES.len() - 1];
    let found = G::with_guide(evaluation, position, Value(engine, position, limits, states));
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
    fn no_bundled_opening_leads_through_another() {
        fn check<G: Playable>() {
            let mut crossroads = Crossroads::default();
            for opening in openings::<G>() {
                let path = opening.path();
                assert!(crossroads.is_free(&path), "{}: {:?}", G::ABOUT.id, opening.moves);
                crossroads.add(&path);
            }
        }
        for kind in GAMES {
            with_game!(kind.id(), G => check::<G>()).expect("a game of the list");
        }
    }

    #[test]
    fn from_bundled_openings_no_side_wins_soon() {
        fn check<G: Playable>() {
            let mut engine = Engine::new(Settings { memory: 16 << 20, ..Settings::default() }).expect("memory");
            // All of them take half a minute; `make` has looked at all.
            for opening in openings::<G>().iter().step_by(10) {
                assert!(!is_won_soon(&mut engine, &opening.position), "{}: {:?}", G::ABOUT.id, opening.moves);
            }
        }
        for game in ["mancala", "conecta4boom", "desconecta4boom"] {
            with_game!(game, G => check::<G>()).expect("a game of the list");
        }
    }

    fn opening<G: Playable>(moves: &str) -> Opening<G> {
        let moves = moves.split_whitespace().map(|word| word.parse().expect("a move")).collect();
        Opening::new(G::Options::default(), moves).expect("legal moves")
    }

    #[test]
    fn a_position_from_which_a_side_wins_soon_is_noticed() {
        use palestra_games::boom::Conecta4Boom;
        let mut engine = Engine::new(Settings { memory: 1 << 20, ..Settings::default() }).expect("memory");
        let mut is_won = |moves| is_won_soon(&mut engine, &opening::<Conecta4Boom>(moves).position);
        assert!(is_won("4 1 1 5 6 2"), "three in a row, and one move to close both ends");
        assert!(!is_won("4 4"));
    }

    #[test]
    fn openings_on_the_way_to_another_are_not_free() {
        use palestra_games::mancala::Mancala;
        let mut crossroads = Crossroads::default();
        crossroads.add(&opening::<Mancala>("3 2 1").path());
        let is_free = |moves| crossroads.is_free(&opening::<Mancala>(moves).path());
        assert!(!is_free("3 2 1"), "itself");
        assert!(!is_free("3 2"), "a beginning of it");
        assert!(!is_free("3 2 1 6"), "what follows it");
        assert!(is_free("3 2 2") && is_free("3 1"));
    }

    #[test]
    fn openings_that_reach_a_place_by_other_moves_are_not_free() {
        use palestra_games::boom::Conecta4Boom;
        // The two moves of a turn, the other way round.
        let [one, two, longer] = ["4 1 2", "4 2 1", "4 2 1 5"].map(|moves| opening::<Conecta4Boom>(moves).path());
        for (before, after) in [(&one, &two), (&one, &longer), (&longer, &one)] {
            let mut crossroads = Crossroads::default();
            crossroads.add(before);
            assert!(!crossroads.is_free(after));
        }
    }

    #[test]
    fn the_most_balanced_that_are_accepted_are_kept_in_their_order() {
        use palestra_games::parchis::Parchis;
        let is_even = |index: &usize| index.is_multiple_of(2);
        let opening = random::<Parchis>(&mut Rng::new(1), 0);
        let candidate = |index: usize| Candidate {
            board: index % 2,
            value: if is_even(&index) { 1000 - index as i32 } else { -(index as i32) },
            opening: opening.clone(),
        };
        let candidates: Vec<_> = (0..2 * OPENINGS + 2).map(candidate).collect();
        let best_is_refused = |candidate: &Candidate<Parchis>| candidate.value.abs() > 1;
        let kept: Vec<_> = most_balanced(&candidates, best_is_refused).iter().map(|kept| kept.value).collect();
        // Of the odd ones the first are the best, of the even ones the last.
        let wanted = (2..2 * OPENINGS + 2).filter(|index| is_even(index) == (*index >= OPENINGS + 2));
        assert_eq!(kept, wanted.map(|index| candidate(index).value).collect::<Vec<_>>());
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
    fn a_book_begins_with_the_bundled_openings_and_goes_on_with_legal_ones() {
        for kind in GAMES {
            let book = Book::new(kind.id(), 7).expect("a game");
            let bundled = any_openings(kind.id()).expect("a game");
            assert!(bundled.iter().enumerate().all(|(index, opening)| book.opening(index) == *opening));
            for index in OPENINGS..OPENINGS + 10 {
                let opening = book.opening(index);
                let mut game = (kind.start)(&opening.options).expect("options that read back");
                opening.moves.iter().for_each(|mv| assert!(game.play(mv).is_ok(), "{}: {opening:?}", kind.id()));
                assert_eq!(game.outcome(), None);
            }
        }
        assert!(Book::new("chess", 7).is_err());
    }

    #[test]
    fn in_a_book_no_opening_leads_through_another() {
        fn check<G: Playable>(count: usize) {
            let mut pages = Pages::<G>::new(7);
            pages.opening(count - 1);
            let mut crossroads = Crossroads::default();
            for opening in &pages.known {
                let path = opening.path();
                assert!(crossroads.is_free(&path), "{}: {:?}", G::ABOUT.id, opening.moves);
                crossroads.add(&path);
            }
        }
        for game in ["mancala", "conecta4boom", "desconecta4boom", "parchis"] {
            with_game!(game, G => check::<G>(2_000)).expect("a game of the list");
        }
        check::<palestra_games::bandera::Bandera>(OPENINGS + 10);
    }

    #[test]
    fn openings_of_a_book_depend_on_seed_and_number_alone() {
        let [one, two, other] = [7, 7, 8].map(|seed| Book::new("mancala", seed).expect("a game"));
        let forth: Vec<_> = (100..130).map(|index| one.opening(index)).collect();
        let mut back: Vec<_> = (100..130).rev().map(|index| two.opening(index)).collect();
        back.reverse();
        assert_eq!(forth, back);
        assert_ne!(forth, (100..130).map(|index| other.opening(index)).collect::<Vec<_>>());
    }
}
