//! Games between two players, and matches that say who is better and how sure that is.
//!
//! A match plays every opening twice, with the sides changed, so that an opening that favours a side favours nobody. The
//! two games of such a pair are not independent, the pairs are: all that is said about chance is computed from pairs.
//! [`Results`](crate::results::Results) leaves out pairs that only repeat earlier games.

use palestra_games::{Draw, Game, Outcome, Side, with_game};

use crate::Playable;
use crate::engine::Never;
use crate::openings::{Opening, openings};
use crate::player::{Player, PlayerError, player};
use crate::results::{Scored, fingerprint};
use crate::rng::Rng;

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bout<G: Game> {
    /// All moves, the opening's included.
    pub moves: Vec<G::Move>,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether it was called a draw because it reached the game's move cap.
    pub capped: bool,
}

/// Plays a game from an opening; the first player has side 1.
///
/// # Panics
/// If a player has no move in a game that is not over: no [`Player`] may.
pub fn play<G: Draw>(opening: &Opening<G>, players: [&mut dyn Player<G>; 2]) -> Bout<G> {
    let cap = G::ABOUT.move_cap.map_or(usize::MAX, |cap| cap as usize);
    play_until(cap, opening, players)
}

fn play_until<G: Game>(cap: usize, opening: &Opening<G>, mut players: [&mut dyn Player<G>; 2]) -> Bout<G> {
    let mut position = opening.position.clone();
    let mut moves = opening.moves.clone();
    loop {
        if let Some(outcome) = position.outcome() {
            return Bout { moves, outcome, capped: false };
        }
        if moves.len() >= cap {
            return Bout { moves, outcome: Outcome::Draw, capped: true };
        }
        let player = &mut players[position.turn().index()];
        let choice = player.choose(&position, &mut Never).expect("a player has a move until the game is over");
        debug_assert!(position.is_legal(choice.mv), "{} at {position}", choice.mv);
        position.play(choice.mv);
        moves.push(choice.mv);
    }
}

/// What a game was for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameResult {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl GameResult {
    /// What a game that this side won was for a side; nobody wins a draw.
    #[must_use]
    pub fn of(winner: Option<Side>, side: Side) -> Self {
        match winner {
            None => Self::Draw,
            Some(winner) if winner == side => Self::Win,
            Some(_) => Self::Loss,
        }
    }

    const fn half_points(self) -> u32 {
        self as u32
    }
}

/// The two games of an opening, for the first of two players: first as side 1, then as side 2.
pub type Pair = [GameResult; 2];

/// Plays an opening twice, sides changed: the two games as the first player sees them.
pub fn play_pair<G: Draw>(opening: &Opening<G>, first: &mut dyn Player<G>, second: &mut dyn Player<G>) -> [Scored; 2] {
    let here = play(opening, [&mut *first, &mut *second]);
    let there = play(opening, [second, first]);
    let scored = |bout: &Bout<G>, side| Scored {
        result: GameResult::of(bout.outcome.winner(), side),
        fingerprint: fingerprint((opening.options.to_string(), &bout.moves, bout.outcome)),
    };
    [scored(&here, Side::One), scored(&there, Side::Two)]
}

/// Plays the pair with this number.
type PlayPair = dyn Fn(usize) -> Result<[Scored; 2], PlayerError> + Send + Sync;

/// A match of some game, pair by pair. A pair depends on its number alone: they may be played in any order, and in
/// several threads at once.
pub struct Match {
    pairs: usize,
    play: Box<PlayPair>,
}

impl Match {
    /// A match of built-in players over the game's openings.
    pub fn between(game: &str, players: [&str; 2], seed: u64) -> Result<Self, PlayerError> {
        let made = with_game!(game, G => Self::named::<G>(players, seed));
        made.unwrap_or_else(|| Err(PlayerError::UnknownGame(game.to_owned())))
    }

    fn named<G: Playable>(players: [&str; 2], seed: u64) -> Result<Self, PlayerError> {
        // To learn now, not in the middle, whether there are such players.
        for name in players {
            player::<G>(name, seed)?;
        }
        let names = players.map(str::to_owned);
        let openings = openings::<G>();
        let pairs = openings.len();
        let play = move |index: usize| {
            let mut seeds = Rng::new(seed).fork(index as u64);
            let mut first = player::<G>(&names[0], seeds.next())?;
            let mut second = player::<G>(&names[1], seeds.next())?;
            Ok(play_pair(&openings[index % openings.len()], &mut *first, &mut *second))
        };
        Ok(Self::new(pairs, play))
    }

    /// A match whose pairs are played so.
    pub fn new(pairs: usize, play: impl Fn(usize) -> Result<[Scored; 2], PlayerError> + Send + Sync + 'static) -> Self {
        Self { pairs, play: Box::new(play) }
    }

    /// How many different pairs there are.
    #[must_use]
    pub const fn pairs(&self) -> usize {
        self.pairs
    }

    /// Plays a pair. Its players are made for it, and there may be no memory for them.
    pub fn pair(&self, index: usize) -> Result<[Scored; 2], PlayerError> {
        (self.play)(index)
    }
}

impl std::fmt::Debug for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Match").field("pairs", &self.pairs).finish_non_exhaustive()
    }
}

/// How a match stands, for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// How many pairs brought 0, 1, 2, 3 and 4 half points.
    pub pairs: [u32; 5],
    /// How many of the games only repeat earlier ones and are in no pair.
    pub repeats: u32,
}

impl Tally {
    /// Counts a pair.
    pub fn add(&mut self, pair: Pair) {
        pair.into_iter().for_each(|result| self.score(result));
        self.pairs[(pair[0].half_points() + pair[1].half_points()) as usize] += 1;
    }

    /// Counts a game whose other half is missing: half a pair says as much as a whole one of the same kind, at most.
    pub fn add_single(&mut self, result: GameResult) {
        self.score(result);
        self.pairs[2 * result.half_points() as usize] += 1;
    }

    /// Scores a game that repeats an earlier one and is therefore no sample.
    pub fn add_repeat(&mut self, result: GameResult) {
        self.score(result);
        self.repeats += 1;
    }

    const fn score(&mut self, result: GameResult) {
        match result {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    /// How many games were played.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of all points that the first player has, 0 to 1; a half before the first game.
    #[must_use]
    pub fn points(&self) -> f64 {
        let games = f64::from(self.games());
        if games > 0.0 { (f64::from(self.wins) + f64::from(self.draws) / 2.0) / games } else { 0.5 }
    }

    /// The share of the points of the pairs that count, 0 to 1; a half before the first: the estimate of the true share.
    #[must_use]
    pub fn share(&self) -> f64 {
        mean(&self.pairs.map(f64::from))
    }

    /// Between which shares the true one lies, with 95 % confidence.
    ///
    /// The pairs are the samples, each a number from 0 to 1, and the interval is the usual one for their mean, 1.96
    /// standard errors to both sides, after two won and two lost pairs have been added. They are what Agresti and Coull
    /// add to a binomial sample to come close to Wilson's interval, and for the same reason: without them a match won
    /// to nil would claim to be sure.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let mut pairs = self.pairs.map(f64::from);
        pairs[0] += 2.0;
        pairs[4] += 2.0;
        let count: f64 = pairs.iter().sum();
        let mean = mean(&pairs);
        let spread: f64 = SHARES.iter().zip(pairs).map(|(share, n)| n * (share - mean) * (share - mean)).sum();
        let margin = 1.96 * (spread / (count - 1.0) / count).sqrt();
        ((mean - margin).max(0.0), (mean + margin).min(1.0))
    }
}

/// What a pair with 0, 1, 2, 3, 4 half points is worth.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn mean(pairs: &[f64; 5]) -> f64 {
    let count: f64 = pairs.iter().sum();
    let sum: f64 = SHARES.iter().zip(pairs).map(|(share, n)| n * share).sum();
    if count > 0.0 { sum / count } else { 0.5 }
}

/// The difference in Elo points that goes with a share of the points, at most 999 either way.
#[must_use]
pub fn elo(share: f64) -> f64 {
    let share = share.clamp(1e-9, 1.0 - 1e-9);
    (400.0 * (share / (1.0 - share)).log10()).clamp(-999.0, 999.0)
}

#[cfg(test)]
mod tests {
    use palestra_games::NoOptions;
    use palestra_games::mancala::Mancala;

    use super::GameResult::{Draw, Loss, Win};
    use super::*;

    fn tally(pairs: &[(usize, Pair)]) -> Tally {
        let mut tally = Tally::default();
        pairs.iter().for_each(|&(times, pair)| (0..times).for_each(|_| tally.add(pair)));
        tally
    }

    #[test]
    fn greedy_against_itself_is_the_golden_game() {
        let opening = Opening::<Mancala>::new(NoOptions, vec![]).expect("the start");
        let [mut a, mut b] = [(); 2].map(|()| player::<Mancala>("greedy", 0).expect("a player"));
        let bout = play(&opening, [&mut *a, &mut *b]);
        assert_eq!((bout.moves.len(), bout.outcome, bout.capped), (32, Outcome::Win(Side::One), false));
        let pair = play_pair(&opening, &mut *a, &mut *b);
        assert_eq!(pair.map(|game| game.result), [Win, Loss]);
        assert_eq!(pair[0].fingerprint, pair[1].fingerprint, "greedy plays the same on both sides");
    }

    #[test]
    fn a_game_that_reaches_the_cap_is_a_draw_and_one_that_ends_there_is_not() {
        let pits = [4, 1].map(|number| palestra_games::mancala::Pit::new(number).expect("a pit"));
        let opening = Opening::<Mancala>::new(NoOptions, pits.to_vec()).expect("legal moves");
        let [mut a, mut b] = [(); 2].map(|()| player::<Mancala>("greedy", 0).expect("a player"));
        let mut until = |cap| play_until(cap, &opening, [&mut *a, &mut *b]);
        let cut = until(31);
        assert_eq!((cut.moves.len(), cut.outcome, cut.capped), (31, Outcome::Draw, true));
        let whole = until(32);
        assert_eq!((whole.moves.len(), whole.outcome, whole.capped), (32, Outcome::Win(Side::One), false));
    }

    #[test]
    fn a_tally_counts_games_and_pairs() {
        let tally = tally(&[(3, [Win, Win]), (1, [Win, Loss]), (1, [Draw, Loss]), (1, [Draw, Draw])]);
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.games()), (7, 3, 2, 12));
        assert_eq!(tally.pairs, [0, 1, 2, 0, 3]);
        assert!((tally.share() - 8.5 / 12.0).abs() < 1e-12);
    }

    #[test]
    fn intervals_hold_the_share_and_shrink_with_the_games() {
        let even = tally(&[(50, [Win, Loss])]);
        let wild = tally(&[(25, [Win, Win]), (25, [Loss, Loss])]);
        let width = |tally: &Tally| tally.interval().1 - tally.interval().0;
        assert!(width(&even) < width(&wild) / 2.0, "an opening's favour is no uncertainty");
        assert!(width(&tally(&[(100, [Win, Win]), (100, [Loss, Loss])])) < width(&wild));
        for sample in [even, wild] {
            let (low, high) = sample.interval();
            assert!(low < 0.5 && 0.5 < high && ((low + high) / 2.0 - 0.5).abs() < 1e-9);
        }
        let (low, high) = tally(&[(100, [Win, Win])]).interval();
        assert!((0.94..0.97).contains(&low) && high >= 1.0 - 1e-9, "{low} {high}");
        assert_eq!(Tally::default().interval(), (0.0, 1.0));
    }

    #[test]
    fn a_repeat_is_in_the_table_and_not_in_the_interval() {
        let once = tally(&[(1, [Win, Win]), (1, [Loss, Loss])]);
        let mut more = once;
        (0..20).for_each(|_| more.add_repeat(Win));
        assert_eq!((more.wins, more.games(), more.repeats), (22, 24, 20));
        assert_eq!((more.interval(), more.share()), (once.interval(), once.share()));
        assert!((more.points() - 22.0 / 24.0).abs() < 1e-12);
    }

    #[test]
    fn an_opening_on_the_way_to_another_gives_the_same_game_again() {
        let opening = |moves: &[u8]| {
            let pits = moves.iter().map(|&number| palestra_games::mancala::Pit::new(number).expect("a pit"));
            Opening::<Mancala>::new(NoOptions, pits.collect()).expect("legal moves")
        };
        let [mut a, mut b] = [(); 2].map(|()| player::<Mancala>("greedy", 0).expect("a player"));
        let whole = play(&opening(&[4, 1]), [&mut *a, &mut *b]);
        let longer = opening(&whole.moves[..5].iter().map(|pit| pit.number()).collect::<Vec<_>>());
        let mut results = crate::results::Results::default();
        for (number, game) in (0..).zip([opening(&[4, 1]), longer].iter().flat_map(|o| play_pair(o, &mut *a, &mut *b)))
        {
            results.add(number, game);
        }
        assert_eq!((results.tally().games(), results.tally().repeats), (4, 2));
    }

    #[test]
    fn elo_is_the_usual_scale() {
        assert!((elo(0.5)).abs() < 1e-9);
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-6);
        assert!((elo(0.3) + elo(0.7)).abs() < 1e-9);
        assert!((elo(1.0) - 999.0).abs() < 1e-9);
    }
}
