//! Games between built-in players without a clock, and matches of them: what ladders and tuning are made of.
//!
//! A match plays every opening twice, with the sides changed. The [`Referee`] judges these games like all others.

use std::time::Duration;

use palestra_games::{GameKind, Record, Side};
use palestra_search::engine::Never;
use palestra_search::openings::{AnyOpening, any_openings};
use palestra_search::player::{AnyPlayer, PlayerError, any_player};
use palestra_search::rng::Rng;
use palestra_tournament::{Scored, fingerprint};

use crate::{Event, Referee, Rules, TimeControl, Verdict};

/// A game of a duel, at its end.
#[derive(Debug)]
pub struct Duel {
    /// All of it, the opening included.
    pub record: Record,
    /// How it ended.
    pub verdict: Verdict,
}

/// Plays a game from an opening up to the game's move cap; the first player has side 1.
///
/// # Panics
/// If the opening cannot be played, or a player is not one of this game.
pub fn play(kind: &GameKind, opening: &AnyOpening, players: [&mut dyn AnyPlayer; 2]) -> Duel {
    play_until(kind.about.move_cap, kind, opening, players)
}

fn play_until(cap: Option<u32>, kind: &GameKind, opening: &AnyOpening, players: [&mut dyn AnyPlayer; 2]) -> Duel {
    let mut record = Record::new(kind, &opening.options).expect("the options of an opening");
    for mv in &opening.moves {
        record.play(mv).expect("a move of an opening");
    }
    let mut referee = Referee::new(record, Rules { time: TimeControl::Unlimited, cap, ..Rules::default() });
    while referee.verdict().is_none() {
        let side = referee.turn();
        let choice = players[side.index()].choose(referee.position(), &mut Never);
        let text = choice.expect("a built-in player has a move until the game is over").mv;
        let mv = Event::Move { side, text, cpu: None, waited: Duration::ZERO, thought: None };
        referee.on(mv, Duration::ZERO);
    }
    let verdict = referee.verdict().expect("the game is over").clone();
    Duel { record: referee.into_record(), verdict }
}

/// Plays an opening twice, sides changed: the two games as the first player sees them.
pub fn play_pair(
    kind: &GameKind,
    opening: &AnyOpening,
    first: &mut dyn AnyPlayer,
    second: &mut dyn AnyPlayer,
) -> [Scored; 2] {
    let here = play(kind, opening, [&mut *first, &mut *second]);
    let there = play(kind, opening, [second, first]);
    [here.scored(opening, Side::One), there.scored(opening, Side::Two)]
}

impl Duel {
    fn scored(&self, opening: &AnyOpening, side: Side) -> Scored {
        let moves: Vec<&str> = self.record.moves().iter().map(|mv| mv.text.as_str()).collect();
        let fingerprint = fingerprint((&opening.options, moves, self.verdict.winner, self.verdict.reason.word()));
        Scored { result: self.verdict.result(side), fingerprint }
    }
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
        let kind = GameKind::find(game).ok_or_else(|| PlayerError::UnknownGame(game.to_owned()))?;
        // To learn now, not in the middle, whether there are such players.
        for name in players {
            any_player(game, name, seed)?;
        }
        let names = players.map(str::to_owned);
        let openings = any_openings(game)?;
        let pairs = openings.len();
        Ok(Self::new(pairs, move |index| {
            let mut seeds = Rng::new(seed).fork(index as u64);
            let mut first = any_player(kind.id(), &names[0], seeds.next())?;
            let mut second = any_player(kind.id(), &names[1], seeds.next())?;
            Ok(play_pair(kind, &openings[index % openings.len()], &mut *first, &mut *second))
        }))
    }

    /// A match of this many different pairs, played by a function of their number.
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

#[cfg(test)]
mod tests {
    use palestra_tournament::Results;
    use palestra_tournament::Wdl::{Loss, Win};

    use super::*;
    use crate::Reason;

    fn mancala() -> &'static GameKind {
        GameKind::find("mancala").expect("a game")
    }

    fn opening(moves: &str) -> AnyOpening {
        AnyOpening { options: "-".to_owned(), moves: moves.split_whitespace().map(str::to_owned).collect() }
    }

    fn greedy() -> [Box<dyn AnyPlayer>; 2] {
        [(); 2].map(|()| any_player("mancala", "greedy", 0).expect("a player"))
    }

    #[test]
    fn greedy_against_itself_is_the_golden_game() {
        let [mut a, mut b] = greedy();
        let duel = play(mancala(), &opening(""), [&mut *a, &mut *b]);
        assert_eq!((duel.record.moves().len(), duel.verdict.winner), (32, Some(Side::One)));
        assert_eq!(duel.verdict.reason, Reason::Finished);
        let pair = play_pair(mancala(), &opening(""), &mut *a, &mut *b);
        assert_eq!(pair.map(|game| game.result), [Win, Loss]);
        assert_eq!(pair[0].fingerprint, pair[1].fingerprint, "greedy plays the same on both sides");
    }

    #[test]
    fn a_game_that_reaches_the_cap_is_a_draw_and_one_that_ends_there_is_not() {
        let [mut a, mut b] = greedy();
        let mut until = |cap| play_until(Some(cap), mancala(), &opening("4 1"), [&mut *a, &mut *b]);
        let cut = until(31);
        assert_eq!((cut.record.moves().len(), cut.verdict.winner, cut.verdict.reason), (31, None, Reason::Capped));
        let whole = until(32);
        assert_eq!((whole.record.moves().len(), whole.verdict.winner), (32, Some(Side::One)));
        assert_eq!(whole.verdict.reason, Reason::Finished);
    }

    #[test]
    fn an_opening_on_the_way_to_another_gives_the_same_game_again() {
        let [mut a, mut b] = greedy();
        let whole = play(mancala(), &opening("4 1"), [&mut *a, &mut *b]);
        let longer: Vec<&str> = whole.record.moves()[..5].iter().map(|mv| mv.text.as_str()).collect();
        let openings = [opening("4 1"), opening(&longer.join(" "))];
        let mut results = Results::default();
        let games = openings.iter().flat_map(|opening| play_pair(mancala(), opening, &mut *a, &mut *b));
        (0..).zip(games).for_each(|(number, game)| results.add(number, game));
        assert_eq!((results.tally().games(), results.tally().repeats), (4, 2));
    }
}
