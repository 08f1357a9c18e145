//! Who plays whom: the games of a tournament, as a pure function of its plan and of what has been played.
//!
//! Two players always meet in two games from the same opening with the sides changed, so that neither has the better
//! side. All meetings of a round begin with the same opening, so that no player has an easier one. A game's number says
//! all about it, given the results that its pairing depends on: a tournament that is interrupted goes on with the
//! numbers that are missing.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Finished;
use crate::swiss;
use crate::unique_games::counted;

/// How a tournament pairs its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = FormatError, parse_err_fn = unknown_format)]
pub enum Format {
    /// In each round every player meets every other.
    RoundRobin,
    /// In each round the first player meets every other.
    Gauntlet,
    /// The Swiss system: in each round every player meets one other with about the same score, and none twice as long
    /// as that can be avoided. If their number is odd, one of them, another each time, has a bye instead: a meeting won
    /// without a game.
    Swiss,
}

impl Format {
    /// All variants.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word for it, as in `--format`.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// There is no such format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format `{0}`; there are roundrobin, gauntlet and swiss")]
pub struct FormatError(pub String);

fn unknown_format(word: &str) -> FormatError {
    FormatError(word.to_owned())
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pairing {
    /// Which game of the plan it is.
    pub number: u32,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// Who has side 1 and who side 2.
    pub players: [usize; 2],
    /// Which opening is played, from 0; a caller with fewer openings begins again with the first.
    pub opening: u32,
}

/// What is to be played, before anything has been.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Words")]
pub struct Plan {
    players: usize,
    format: Format,
    rounds: u32,
    seed: u64,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounds = if self.rounds == 1 { "round" } else { "rounds" };
        write!(f, "{} of {} players, {} {rounds}, seed {}", self.format, self.players, self.rounds, self.seed)
    }
}

/// A plan that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// One player, or none.
    #[error("a tournament needs at least 2 players, not {0}")]
    FewPlayers(usize),
    /// More players than can be paired in reasonable time.
    #[error("a tournament has at most {max} players, not {0}", max = Plan::MAX_PLAYERS)]
    ManyPlayers(usize),
    /// Nothing to play.
    #[error("a tournament needs at least 1 round")]
    NoRounds,
    /// More games than anybody will play.
    #[error("a tournament has at most {max} games, not {0}", max = Plan::MAX_GAMES)]
    ManyGames(u64),
}

impl Plan {
    /// The most players of a tournament.
    pub const MAX_PLAYERS: usize = 1_000;
    /// The most games of a tournament.
    pub const MAX_GAMES: u32 = 1_000_000;

    /// A plan, if it can be played. The seed decides what chance decides: who meets whom in a swiss tournament among
    /// those who stand equal.
    pub fn new(players: usize, format: Format, rounds: u32, seed: u64) -> Result<Self, PlanError> {
        let plan = Self { players, format, rounds, seed };
        match 2 * plan.meetings_a_round() as u64 * u64::from(rounds) {
            _ if players < 2 => Err(PlanError::FewPlayers(players)),
            _ if players > Self::MAX_PLAYERS => Err(PlanError::ManyPlayers(players)),
            0 => Err(PlanError::NoRounds),
            games if games > u64::from(Self::MAX_GAMES) => Err(PlanError::ManyGames(games)),
            _ => Ok(plan),
        }
    }

    /// How many players there are.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// How they are paired.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// How many rounds there are.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }

    /// What decides where chance does.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// How many games there are in all.
    #[must_use]
    pub fn games(&self) -> u32 {
        2 * self.meetings_a_round() as u32 * self.rounds
    }

    /// The games that can be played now and have not been, by number: they may be played in any order and at the same
    /// time. None are left when the tournament is over. In a swiss tournament they are those of the round, and the next
    /// round is paired when all of them are done; in the others they are all that are left.
    #[must_use]
    pub fn open(&self, done: &[Finished]) -> Vec<Pairing> {
        let done = counted(self.players, done);
        let mut pairings = match self.format {
            Format::RoundRobin => self.every_round(&circle(self.players)),
            Format::Gauntlet => self.every_round(&(1..self.players).map(|other| [0, other]).collect::<Vec<_>>()),
            Format::Swiss => self.swiss_round(&done),
        };
        pairings.retain(|game| done.binary_search_by_key(&game.number, |done| done.number).is_err());
        pairings
    }

    /// Who had byes in the rounds that have been paired, each as often as it had one.
    #[must_use]
    pub fn byes(&self, done: &[Finished]) -> Vec<usize> {
        if self.format != Format::Swiss || self.players.is_multiple_of(2) {
            return Vec::new();
        }
        let (past, current) = self.swiss_rounds(&counted(self.players, done));
        past.iter().flat_map(|round| &round.bye).chain(current.iter().flat_map(|round| &round.bye)).copied().collect()
    }

    fn meetings_a_round(&self) -> usize {
        match self.format {
            Format::RoundRobin => self.players.saturating_mul(self.players.saturating_sub(1)) / 2,
            Format::Gauntlet => self.players.saturating_sub(1),
            Format::Swiss => self.players / 2,
        }
        .min(u32::MAX as usize / 2)
    }

    fn every_round(&self, meetings: &[[usize; 2]]) -> Vec<Pairing> {
        (0..self.rounds).flat_map(|round| self.round(round, meetings)).collect()
    }

    /// The games of a round.
    fn round(&self, round: u32, meetings: &[[usize; 2]]) -> Vec<Pairing> {
        let first = round * 2 * self.meetings_a_round() as u32;
        let games = meetings.iter().flat_map(|&[a, b]| [[a, b], [b, a]]);
        (first..).zip(games).map(|(number, players)| Pairing { number, round, players, opening: round }).collect()
    }

    fn swiss_round(&self, done: &[&Finished]) -> Vec<Pairing> {
        let (past, current) = self.swiss_rounds(done);
        current.map_or_else(Vec::new, |current| self.round(past.len() as u32, &current.meetings))
    }

    /// The rounds that have been played to the end, and the one that is being played.
    fn swiss_rounds(&self, done: &[&Finished]) -> (Vec<swiss::Round>, Option<swiss::Round>) {
        let size = 2 * self.meetings_a_round();
        let games = |round: u32| {
            let first = round * size as u32;
            let games = &done[done.partition_point(|game| game.number < first)..];
            games.get(..size).filter(|games| games.last().is_some_and(|last| last.number < first + size as u32))
        };
        let played = (0..self.rounds).map_while(games);
        let past: Vec<_> = played.map(|games| swiss::Round::played(self.players, games)).collect();
        let current = (past.len() < self.rounds as usize).then(|| {
            let over = &done[..past.len() * size];
            swiss::next_round(self.players, self.seed, &past, over)
        });
        (past, current)
    }
}

/// A plan as it was written.
#[derive(Deserialize)]
struct Words {
    players: usize,
    format: Format,
    rounds: u32,
    seed: u64,
}

impl TryFrom<Words> for Plan {
    type Error = PlanError;

    fn try_from(words: Words) -> Result<Self, PlanError> {
        Self::new(words.players, words.format, words.rounds, words.seed)
    }
}

/// Round robin by the circle method, every pair of players once: one of them stays, the others move round it, and each
/// step pairs the players who sit opposite each other. So neighbours in the list have different players, and games that
/// run at the same time rarely wait for the same program.
fn circle(players: usize) -> Vec<[usize; 2]> {
    // With an odd number, the player opposite the empty chair rests.
    let chairs = players.next_multiple_of(2);
    let moving = chairs - 1;
    let step = |step: usize| {
        let opposite = (1..chairs / 2).map(move |i| [(step + i) % moving, (step + moving - i) % moving]);
        std::iter::once([step, moving]).chain(opposite)
    };
    let meetings = (0..moving).flat_map(step).map(|[a, b]| [a.min(b), a.max(b)]);
    meetings.filter(|&[_, b]| b < players).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use palestra_games::rng::Rng;

    use super::*;
    use crate::unique_games::game;

    fn plan(players: usize, format: Format, rounds: u32) -> Plan {
        Plan::new(players, format, rounds, 7).expect("a good plan")
    }

    /// Plays all that is open, the better player (with the lower index) winning `better` of ten games.
    fn play(plan: &Plan, better: usize, rng: &mut Rng) -> Vec<Finished> {
        let mut done = Vec::new();
        loop {
            let open = plan.open(&done);
            if open.is_empty() {
                return done;
            }
            for pairing in open {
                let wins = rng.below(10) < better;
                let result = if wins == (pairing.players[0] < pairing.players[1]) { 1 } else { -1 };
                done.push(game(pairing.number, pairing.players, if rng.below(6) == 0 { 0 } else { result }));
            }
        }
    }

    #[test]
    fn formats_are_words() {
        for &format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert_eq!("knockout".parse::<Format>(), Err(FormatError("knockout".into())));
    }

    #[test]
    fn impossible_plans_are_refused() {
        let new = |players, rounds| Plan::new(players, Format::RoundRobin, rounds, 0);
        assert_eq!(new(0, 1), Err(PlanError::FewPlayers(0)));
        assert_eq!(new(1, 1), Err(PlanError::FewPlayers(1)));
        assert_eq!(new(2, 0), Err(PlanError::NoRounds));
        assert_eq!(new(usize::MAX, 1), Err(PlanError::ManyPlayers(usize::MAX)));
        let many = |players| Plan::new(players, Format::Swiss, 1, 0).map(|plan| plan.players());
        assert_eq!((many(1_000), many(1_001)), (Ok(1_000), Err(PlanError::ManyPlayers(1_001))));
        assert_eq!(new(2, 500_001), Err(PlanError::ManyGames(1_000_002)));
        assert_eq!(new(2, 500_000).map(|plan| plan.games()), Ok(1_000_000));
        let text = r#"{"players":1,"format":"swiss","rounds":3,"seed":0}"#;
        assert!(serde_json::from_str::<Plan>(text).is_err(), "a file cannot hold one either");
    }

    #[test]
    fn plans_are_written_and_read() {
        let plan = plan(5, Format::Swiss, 3);
        let text = serde_json::to_string(&plan).expect("a plan is text");
        assert_eq!(text, r#"{"players":5,"format":"swiss","rounds":3,"seed":7}"#);
        assert_eq!(serde_json::from_str::<Plan>(&text).expect("a plan"), plan);
    }

    #[test]
    fn in_a_round_robin_every_pair_meets_once_a_round_on_both_sides() {
        for players in 2..=9 {
            let plan = plan(players, Format::RoundRobin, 2);
            let open = plan.open(&[]);
            assert_eq!(open.len() as u32, plan.games());
            let games: BTreeSet<_> = open.iter().map(|game| (game.round, game.players)).collect();
            assert_eq!(games.len(), 2 * players * (players - 1), "each ordered pair once a round");
            assert!(open.iter().zip(0..).all(|(game, number)| game.number == number && game.opening == game.round));
            assert!(open.chunks(2).all(|games| games[0].players == [games[1].players[1], games[1].players[0]]));
        }
    }

    #[test]
    fn a_round_robin_of_an_even_number_goes_in_steps_that_busy_everybody() {
        let open = plan(8, Format::RoundRobin, 1).open(&[]);
        for step in open.chunks(8) {
            let busy: BTreeSet<_> = step.iter().flat_map(|game| game.players).collect();
            assert_eq!(busy.len(), 8);
        }
    }

    #[test]
    fn in_a_gauntlet_the_first_player_meets_each_other() {
        let open = plan(4, Format::Gauntlet, 1).open(&[]);
        let games: Vec<_> = open.iter().map(|game| game.players).collect();
        assert_eq!(games, [[0, 1], [1, 0], [0, 2], [2, 0], [0, 3], [3, 0]]);
    }

    #[test]
    fn a_tournament_that_was_interrupted_anywhere_goes_on_with_the_same_games() {
        let mut rng = Rng::new(3);
        for &format in Format::ALL {
            for players in [2, 5, 6] {
                let plan = plan(players, format, 3);
                let all = play(&plan, 7, &mut rng);
                let expected: Vec<_> = all.iter().map(|game| (game.number, game.players)).collect();
                assert_eq!(all.len() as u32, plan.games());
                for kept in 0..all.len() {
                    let (mut done, lost) = all.split_at(kept);
                    let mut shuffled = done.to_vec();
                    shuffled.reverse();
                    done = &shuffled;
                    let open: Vec<_> = plan.open(done).iter().map(|game| (game.number, game.players)).collect();
                    assert_eq!(open, expected[kept..kept + open.len()], "{format} {players} {kept}");
                    assert!(!open.is_empty() && open.len() <= lost.len());
                }
            }
        }
    }

    #[test]
    fn a_swiss_round_waits_for_the_games_of_the_round_before() {
        let plan = plan(6, Format::Swiss, 3);
        let first = plan.open(&[]);
        assert_eq!(first.len(), 6);
        let mut done: Vec<_> = first.iter().map(|open| game(open.number, open.players, 1)).collect();
        let last = done.pop().expect("six games");
        assert_eq!(plan.open(&done), first[5..]);
        // The number of a round to come says nothing yet.
        for number in [6, 7] {
            done.push(game(number, [0, 1], 1));
            assert_eq!(plan.open(&done), first[5..], "game {number}");
            done.pop();
        }
        done.push(last);
        assert!(plan.open(&done).iter().all(|game| game.round == 1 && game.number >= 6));
    }

    #[test]
    fn in_a_swiss_tournament_nobody_meets_twice_and_nobody_rests_twice() {
        let mut rng = Rng::new(4);
        for players in [7, 8, 20, 33, 120] {
            // So few rounds that every player always has an opponent left.
            let plan = plan(players, Format::Swiss, (players as u32 - 1) / 2);
            let done = play(&plan, 8, &mut rng);
            let met: BTreeSet<_> = done.iter().map(|game| game.players).collect();
            assert_eq!(met.len(), done.len(), "{players}");
            let byes = plan.byes(&done);
            assert_eq!(byes.len(), players % 2 * plan.rounds() as usize);
            assert_eq!(byes.iter().collect::<BTreeSet<_>>().len(), byes.len());
        }
    }

    #[test]
    fn a_swiss_tournament_of_more_rounds_than_players_is_played_to_the_end() {
        let mut rng = Rng::new(5);
        for players in [2, 3, 4, 5, 6, 9] {
            let plan = plan(players, Format::Swiss, 12);
            let done = play(&plan, 6, &mut rng);
            assert_eq!(done.len() as u32, plan.games());
            let mut byes = vec![0; players];
            plan.byes(&done).iter().for_each(|&player| byes[player] += 1);
            let spread = byes.iter().max().expect("players") - byes.iter().min().expect("players");
            assert!(spread <= 2, "byes are shared: {byes:?}");
        }
    }

    #[test]
    fn swiss_players_meet_others_who_stand_as_well() {
        let plan = plan(16, Format::Swiss, 4);
        // The better player always wins, so that with 16 players the best is found in four rounds.
        let mut done = Vec::new();
        for round in 0..4 {
            let scores = (0..16).map(|player| {
                let won = |game: &&Finished| game.winner.is_some_and(|side| game.players[side] == player);
                done.iter().filter(won).count()
            });
            let scores: Vec<_> = scores.collect();
            for open in plan.open(&done) {
                let [a, b] = open.players;
                assert_eq!(scores[a], scores[b], "round {round}");
                done.push(game(open.number, [a, b], if a < b { 1 } else { -1 }));
            }
        }
        assert_eq!(done.iter().filter(|game| game.players[game.winner.expect("no draws")] == 0).count(), 8);
    }

    #[test]
    fn the_seed_decides_the_first_swiss_round() {
        let first = |seed| Plan::new(10, Format::Swiss, 1, seed).expect("a plan").open(&[]);
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
    }

    #[test]
    fn games_of_strangers_do_no_harm() {
        for &format in Format::ALL {
            let plan = plan(3, format, 2);
            let strange = [game(0, [7, 9], 1), game(u32::MAX, [0, 1], 1), game(1, [2, 2], 1)];
            assert_eq!(plan.open(&strange), plan.open(&[]));
            let swapped: Vec<_> = (0..plan.games()).map(|number| game(number, [0, 1], 1)).collect();
            assert!(plan.open(&swapped).is_empty());
            let _ = plan.byes(&swapped);
            let _ = plan.open(&swapped[..2]);
        }
    }
}
