//! The mark of a team, and how it came about.

use std::collections::BTreeMap;

use palestra_games::Side;

use super::{BestOf, Level, Part, PartKind, Ratio, Rubric};
use crate::Wdl;

/// The key under which teachers override the total.
pub const TOTAL: &str = "total";

/// The key under which teachers enter that the work is a copy.
pub const COPY: &str = "copy";

/// A finished game of a team's bot against an opponent of the rubric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubricGame {
    /// Its number in the plan. Of games with the same number the first counts.
    pub number: u32,
    /// The opponent's name, as in the rubric.
    pub opponent: String,
    /// The side of the team's bot.
    pub side: Side,
    /// What the game was for the team's bot.
    pub result: Wdl,
    /// The code of the game.
    pub code: String,
}

/// The place of a bot in the run of the league that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaguePlace {
    /// The team, in the caller's words; none if it has left.
    pub team: Option<i64>,
    /// The code of its group at that time.
    pub group: String,
    /// Its points.
    pub points: u32,
}

/// A team that gets a mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// The team, in the caller's words.
    pub team: i64,
    /// Whether there is code of it.
    pub has_code: bool,
    /// Whether there is a memo of it.
    pub has_memo: bool,
    /// Whether it was handed in after the deadline.
    pub is_late: bool,
    /// What teachers have entered, in hundredths: parts by key, [`TOTAL`], [`COPY`].
    pub entries: BTreeMap<String, u64>,
    /// The games of its bot.
    pub games: Vec<RubricGame>,
    /// Whether its bot searches as alpha-beta does.
    pub search: SearchResult,
}

/// What came of comparing the search of a bot with the teaching alpha-beta.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SearchResult {
    /// It finds the same.
    Right,
    /// It finds something else.
    Wrong,
    /// It was not compared: there is no bot, or it does not answer `option eval test`.
    #[default]
    Untested,
}

/// The mark of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The parts, in the order of the rubric.
    pub parts: Vec<PartMark>,
    /// The sum of the parts.
    pub sum: Ratio,
    /// In hundredths, rounded half up; none if there is no mark, because code or memo are missing.
    pub total: Option<u64>,
    /// What is worth a teacher's look.
    pub flags: Vec<Flag>,
}

/// The points of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartMark {
    /// Exactly.
    pub points: Ratio,
    /// How they came about.
    pub cause: Cause,
    /// The games behind them, as indices into [`Candidate::games`].
    pub games: Vec<usize>,
}

/// How the points of a part came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A teacher entered them.
    Entered,
    /// No teacher has entered anything.
    NotEntered,
    /// The bot beat this opponent.
    Beat(String),
    /// The bot beat none of the opponents.
    BeatNone,
    /// The number of games that the bot won.
    Won {
        /// Games won.
        won: u32,
        /// Games in all.
        of: u32,
    },
    /// Games are missing.
    NotPlayed {
        /// How many.
        missing: u32,
    },
    /// The bot's search was compared with the teaching alpha-beta, or not.
    Searched(SearchResult),
    /// The share of the best points in the league.
    Share {
        /// Its own points.
        points: u32,
        /// The best ones.
        best: u32,
    },
    /// The best in the league has no points.
    NoPoints,
    /// The team has no bot in the run that counts.
    NotInLeague,
    /// No run counts.
    NoRun,
}

/// Something about a mark that is worth a teacher's look.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum Flag {
    /// There is no code, which the rubric needs.
    NoCode,
    /// There is no memo, which the rubric needs.
    NoMemo,
    /// It was handed in late.
    Late,
    /// A part has not been entered.
    NotEntered,
    /// Games are missing.
    NotPlayed,
    /// Its search was not tested, which is not wrong.
    NotSearched,
    /// It has no points in the league, or its group has none.
    NoLeague,
    /// A teacher has overridden the total.
    Overridden,
    /// It is a copy: the total is 0.
    Copy,
}

impl Flag {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }
}

impl Rubric {
    /// The mark of a team. `league` has the places of all bots in the run that counts, if there is one.
    #[must_use]
    pub fn mark(&self, candidate: &Candidate, league: Option<&[LeaguePlace]>) -> Mark {
        let games = counted(&candidate.games);
        let parts: Vec<PartMark> = self.parts.iter().map(|part| self.points(part, candidate, &games, league)).collect();
        let sum = parts.iter().map(|part| part.points).sum();
        let is_complete = (candidate.has_code || !self.needs_code) && (candidate.has_memo || !self.needs_memo);
        let computed = is_complete.then(|| Ratio::rounded(sum));
        let total = match candidate.entries.get(TOTAL) {
            _ if candidate.entries.contains_key(COPY) => Some(0),
            Some(&total) => Some(total),
            None => computed,
        };
        let flags = self.flags(candidate, &parts);
        Mark { parts, sum, total, flags }
    }

    fn points(
        &self,
        part: &Part,
        candidate: &Candidate,
        games: &[(usize, &RubricGame)],
        league: Option<&[LeaguePlace]>,
    ) -> PartMark {
        match &part.kind {
            &PartKind::Entered(maximum) => entered(candidate.entries.get(&part.key).map(|&points| points.min(maximum))),
            PartKind::Beats(levels) => self.level(levels, games),
            PartKind::Wins { opponents, points } => self.wins(opponents, *points, games),
            &PartKind::Search(points) => searched(points, candidate.search),
            &PartKind::League { points, best_of, .. } => share(points, best_of, candidate.team, league),
        }
    }

    /// The first level that is reached. While games of it or of one before it are missing, nobody can know.
    fn level(&self, levels: &[Level], games: &[(usize, &RubricGame)]) -> PartMark {
        let mut looked_at = vec![];
        let mut missing = 0;
        for Level { opponent, points } in levels {
            let sides = Side::BOTH.map(|side| self.against(opponent, side, games));
            looked_at.extend(sides.iter().flatten().map(|&(index, _)| index));
            missing += sides.iter().map(|side| self.games_a_side - side.len() as u32).sum::<u32>();
            if missing == 0 && sides.iter().all(|side| is_won(side)) {
                let games = sides.iter().flatten().map(|&(index, _)| index).collect();
                return PartMark { points: Ratio::hundredths(*points), cause: Cause::Beat(opponent.clone()), games };
            }
        }
        let cause = if missing > 0 { Cause::NotPlayed { missing } } else { Cause::BeatNone };
        PartMark { points: Ratio::ZERO, cause, games: looked_at }
    }

    fn wins(&self, opponents: &[String], points: u64, games: &[(usize, &RubricGame)]) -> PartMark {
        let meetings = opponents.iter().flat_map(|opponent| Side::BOTH.map(|side| (opponent, side)));
        let played: Vec<_> = meetings.flat_map(|(opponent, side)| self.against(opponent, side, games)).collect();
        let of = 2 * self.games_a_side * opponents.len() as u32;
        let won = played.iter().filter(|(_, game)| game.result == Wdl::Win).count() as u32;
        let missing = of - played.len() as u32;
        PartMark {
            points: Ratio::hundredths(points) * Ratio::new(won.into(), self.games_a_side.into()),
            cause: if missing > 0 { Cause::NotPlayed { missing } } else { Cause::Won { won, of } },
            games: played.into_iter().map(|(index, _)| index).collect(),
        }
    }

    /// The games against an opponent on a side, not more than the rubric wants.
    fn against<'a>(
        &self,
        opponent: &str,
        side: Side,
        games: &[(usize, &'a RubricGame)],
    ) -> Vec<(usize, &'a RubricGame)> {
        let wanted = games.iter().filter(|(_, game)| game.opponent == opponent && game.side == side);
        wanted.take(self.games_a_side as usize).copied().collect()
    }

    fn flags(&self, candidate: &Candidate, parts: &[PartMark]) -> Vec<Flag> {
        let has = |wanted: fn(&Cause) -> bool| parts.iter().any(|part| wanted(&part.cause));
        let flags = [
            (Flag::NoCode, self.needs_code && !candidate.has_code),
            (Flag::NoMemo, self.needs_memo && !candidate.has_memo),
            (Flag::Late, candidate.is_late),
            (Flag::NotEntered, has(|cause| *cause == Cause::NotEntered)),
            (Flag::NotPlayed, has(|cause| matches!(cause, Cause::NotPlayed { .. }))),
            (Flag::NotSearched, has(|cause| *cause == Cause::Searched(SearchResult::Untested))),
            (Flag::NoLeague, has(|cause| matches!(cause, Cause::NoPoints | Cause::NotInLeague | Cause::NoRun))),
            (Flag::Overridden, candidate.entries.contains_key(TOTAL)),
            (Flag::Copy, candidate.entries.contains_key(COPY)),
        ];
        flags.into_iter().filter_map(|(flag, is_set)| is_set.then_some(flag)).collect()
    }
}

/// The games by number, each once, with their indices: a job may run twice.
fn counted(games: &[RubricGame]) -> Vec<(usize, &RubricGame)> {
    let mut counted: Vec<_> = games.iter().enumerate().collect();
    counted.sort_by_key(|(_, game)| game.number);
    counted.dedup_by_key(|(_, game)| game.number);
    counted
}

/// Whether more games were won than lost.
fn is_won(games: &[(usize, &RubricGame)]) -> bool {
    let count = |result| games.iter().filter(|(_, game)| game.result == result).count();
    count(Wdl::Win) > count(Wdl::Loss)
}

fn entered(points: Option<u64>) -> PartMark {
    let cause = points.map_or(Cause::NotEntered, |_| Cause::Entered);
    PartMark { points: points.map_or(Ratio::ZERO, Ratio::hundredths), cause, games: vec![] }
}

fn searched(points: u64, result: SearchResult) -> PartMark {
    let points = if result == SearchResult::Right { Ratio::hundredths(points) } else { Ratio::ZERO };
    PartMark { points, cause: Cause::Searched(result), games: vec![] }
}

fn share(points: u64, best_of: BestOf, team: i64, league: Option<&[LeaguePlace]>) -> PartMark {
    let nothing = |cause| PartMark { points: Ratio::ZERO, cause, games: vec![] };
    let Some(places) = league else { return nothing(Cause::NoRun) };
    let Some(own) = places.iter().find(|place| place.team == Some(team)) else { return nothing(Cause::NotInLeague) };
    let rivals = places.iter().filter(|place| best_of == BestOf::All || place.group == own.group);
    let best = rivals.map(|place| place.points).max().unwrap_or(0);
    if best == 0 {
        return nothing(Cause::NoPoints);
    }
    PartMark {
        points: Ratio::hundredths(points) * Ratio::new(own.points.into(), best.into()),
        cause: Cause::Share { points: own.points, best },
        games: vec![],
    }
}
