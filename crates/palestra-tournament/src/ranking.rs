//! Standings of a tournament, and the criteria (tie-breaks) by which players are ranked.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use palestra_games::Side;
use palestra_protocol::ForfeitKind;
use serde::{Deserialize, Serialize};

use crate::unique_games::counted;
use crate::{Finished, Wdl};

/// How a player stands.
///
/// A bye brings what two won games bring, but is no game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Who it is.
    pub player: usize,
    /// How many games it played.
    pub games: u32,
    /// How many meetings it won for want of an opponent.
    pub byes: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// 3 a win and 1 a draw.
    pub points: u32,
    /// Games lost because of the time.
    pub time_outs: u32,
    /// The time charged to it in all games, in microseconds.
    pub charged_us: u64,
    /// Its own points in all games, as the game counts them.
    pub scored: i64,
    /// Its opponents' points in all games.
    pub conceded: i64,
    /// The half points of all its opponents, each as often as they played.
    pub buchholz: u32,
    /// How often it lost by its own fault, and how.
    pub forfeits: BTreeMap<ForfeitKind, u32>,
}

impl Standing {
    /// 2 a win and 1 a draw.
    #[must_use]
    pub const fn half_points(&self) -> u32 {
        2 * self.won() + self.draws
    }

    /// By how much it outscored its opponents.
    #[must_use]
    pub const fn difference(&self) -> i64 {
        self.scored - self.conceded
    }

    /// Won games, those of byes included.
    const fn won(&self) -> u32 {
        self.wins + 2 * self.byes
    }

    fn count(&mut self, game: &Finished, side: Side) {
        let (own, other) = (side.index(), side.other().index());
        self.games += 1;
        self.charged_us = self.charged_us.saturating_add(game.charged_us[own]);
        self.scored += i64::from(game.points[own]);
        self.conceded += i64::from(game.points[other]);
        match game.score(side) {
            Wdl::Win => self.wins += 1,
            Wdl::Draw => self.draws += 1,
            Wdl::Loss => {
                self.losses += 1;
                game.forfeit.into_iter().for_each(|kind| self.forfeit(kind));
            }
        }
    }

    fn forfeit(&mut self, kind: ForfeitKind) {
        *self.forfeits.entry(kind).or_default() += 1;
        self.time_outs += u32::from(kind.is_time_out());
    }
}

/// How all players stand, by their index. `byes` names who had one, each as often as it did.
#[must_use]
pub fn standings(players: usize, games: &[Finished], byes: &[usize]) -> Vec<Standing> {
    let games = counted(players, games);
    let mut standings: Vec<_> = (0..players).map(|player| Standing { player, ..Standing::default() }).collect();
    for game in &games {
        for side in Side::BOTH {
            standings[game.players[side.index()]].count(game, side);
        }
    }
    for &player in byes {
        standings.get_mut(player).into_iter().for_each(|standing| standing.byes += 1);
    }
    standings.iter_mut().for_each(|standing| standing.points = 3 * standing.won() + standing.draws);
    add_buchholz(&mut standings, &games);
    standings
}

/// The opponents of a bye are thought to have the player's own points, as FIDE's dummy opponents do.
fn add_buchholz(standings: &mut [Standing], games: &[&Finished]) {
    let scores: Vec<_> = standings.iter().map(Standing::half_points).collect();
    for game in games {
        let [a, b] = game.players;
        standings[a].buchholz += scores[b];
        standings[b].buchholz += scores[a];
    }
    standings.iter_mut().for_each(|standing| standing.buchholz += 2 * standing.byes * scores[standing.player]);
}

/// Something that puts one player before another.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub enum Criterion {
    /// More points, 3 a win and 1 a draw.
    Points,
    /// More points, 1 a win and a half a draw, as in chess.
    Score,
    /// Fewer games lost because of the time.
    TimeOuts,
    /// Less charged time.
    Charged,
    /// A larger difference between one's own points in the games and the opponents'.
    Difference,
    /// More points of one's own in the games.
    Scored,
    /// More won games.
    Wins,
    /// Stronger opponents: the sum of their scores. For swiss tournaments; in a round robin it is lower for the better.
    Buchholz,
}

impl Criterion {
    /// All variants.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word for it, as in `--order`.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Which of two comes first by this alone.
    #[must_use]
    pub fn compare(self, a: &Standing, b: &Standing) -> Ordering {
        match self {
            Self::Points => b.points.cmp(&a.points),
            Self::Score => b.half_points().cmp(&a.half_points()),
            Self::TimeOuts => a.time_outs.cmp(&b.time_outs),
            Self::Charged => a.charged_us.cmp(&b.charged_us),
            Self::Difference => b.difference().cmp(&a.difference()),
            Self::Scored => b.scored.cmp(&a.scored),
            Self::Wins => b.wins.cmp(&a.wins),
            Self::Buchholz => b.buchholz.cmp(&a.buchholz),
        }
    }
}

/// The criteria by which players are ranked, the first first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Order(Cow<'static, [Criterion]>);

/// A text that is no order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// An unknown word.
    #[error("players cannot be ranked by `{0}`; they can by {all}", all = words(Criterion::ALL, ", "))]
    Unknown(String),
    /// A word that is there twice.
    #[error("`{0}` decides once; a second time it cannot")]
    Twice(Criterion),
}

impl Order {
    /// The Mancala course's: points, then fewer time-outs, less charged time, score difference, score for.
    pub const COURSE: Self = Self(Cow::Borrowed(&[
        Criterion::Points,
        Criterion::TimeOuts,
        Criterion::Charged,
        Criterion::Difference,
        Criterion::Scored,
    ]));

    /// As in chess: the score, then the opponents' strength, which is all that tells players apart who did as well
    /// against different ones, then won games. In chess the time used decides nothing.
    pub const CHESS: Self = Self(Cow::Borrowed(&[Criterion::Score, Criterion::Buchholz, Criterion::Wins]));

    /// The criteria, the first first.
    #[must_use]
    pub fn criteria(&self) -> &[Criterion] {
        &self.0
    }

    /// Which of two comes first; equal if nothing tells them apart.
    #[must_use]
    pub fn compare(&self, a: &Standing, b: &Standing) -> Ordering {
        self.0.iter().map(|criterion| criterion.compare(a, b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// What puts one of two before the other; none if nothing tells them apart.
    #[must_use]
    pub fn decided_by(&self, a: &Standing, b: &Standing) -> Option<Criterion> {
        self.0.iter().copied().find(|criterion| criterion.compare(a, b).is_ne())
    }

    /// The players, best first, each with its rank from 1. Those whom nothing tells apart share a rank, in the order of
    /// their indices, and the next rank counts them: 1, 2, 2, 4.
    #[must_use]
    pub fn rank(&self, standings: &[Standing]) -> Vec<(usize, Standing)> {
        let mut sorted = standings.to_vec();
        sorted.sort_by(|a, b| self.compare(a, b).then(a.player.cmp(&b.player)));
        let mut ranked: Vec<(usize, Standing)> = Vec::with_capacity(sorted.len());
        for (place, standing) in sorted.into_iter().enumerate() {
            let shared = ranked.last().filter(|(_, last)| self.compare(last, &standing).is_eq());
            let rank = shared.map_or(place + 1, |&(rank, _)| rank);
            ranked.push((rank, standing));
        }
        ranked
    }
}

impl Default for Order {
    fn default() -> Self {
        Self::COURSE
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&words(&self.0, ","))
    }
}

impl FromStr for Order {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<Self, OrderError> {
        let mut criteria = Vec::new();
        for word in text.split(',').map(str::trim) {
            let known = word.parse().ok();
            let criterion = known.ok_or_else(|| OrderError::Unknown(word.to_owned()))?;
            if criteria.contains(&criterion) {
                return Err(OrderError::Twice(criterion));
            }
            criteria.push(criterion);
        }
        Ok(Self(Cow::Owned(criteria)))
    }
}

impl TryFrom<String> for Order {
    type Error = OrderError;

    fn try_from(text: String) -> Result<Self, OrderError> {
        text.parse()
    }
}

impl From<Order> for String {
    fn from(order: Order) -> Self {
        order.to_string()
    }
}

fn words(criteria: &[Criterion], between: &str) -> String {
    criteria.iter().map(|criterion| criterion.word()).collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unique_games::game;

    #[test]
    fn standings_count_everything_of_a_game_for_both() {
        let mut games = [game(0, [0, 1], 1), game(1, [1, 0], 1), game(2, [0, 2], 0)];
        games[0].points = [28, 20];
        games[0].charged_us = [10, 2_000];
        games[0].forfeit = Some(ForfeitKind::Budget);
        games[1].points = [48, 0];
        games[1].forfeit = Some(ForfeitKind::Illegal);
        let table = standings(3, &games, &[2, 9]);
        let first = Standing {
            player: 0,
            games: 3,
            wins: 1,
            draws: 1,
            losses: 1,
            points: 4,
            charged_us: 10 + 200 + 100,
            scored: 28 + 24,
            conceded: 20 + 48 + 24,
            buchholz: 2 + 2 + 5,
            forfeits: BTreeMap::from([(ForfeitKind::Illegal, 1)]),
            ..Standing::default()
        };
        assert_eq!(table[0], first);
        assert_eq!((table[1].wins, table[1].losses, table[1].points, table[1].time_outs), (1, 1, 3, 1));
        assert_eq!(table[1].forfeits, BTreeMap::from([(ForfeitKind::Budget, 1)]));
        assert_eq!((table[2].games, table[2].wins, table[2].byes, table[2].points), (1, 0, 1, 7));
        assert_eq!((table[2].half_points(), table[2].buchholz), (5, 3 + 2 * 5));
    }

    #[test]
    fn the_order_of_the_games_does_not_matter_and_doubles_count_once() {
        let games = [game(0, [0, 1], 1), game(1, [1, 0], -1), game(2, [0, 1], 0)];
        let mut more = games.to_vec();
        more.reverse();
        more.push(game(0, [0, 1], -1));
        assert_eq!(standings(2, &more, &[]), standings(2, &games, &[]));
    }

    fn standing(player: usize, points: u32, time_outs: u32, charged_us: u64, scored: i64, conceded: i64) -> Standing {
        Standing { player, points, time_outs, charged_us, scored, conceded, ..Standing::default() }
    }

    #[test]
    fn the_course_ranks_by_points_time_outs_time_difference_and_score() {
        let table = [
            standing(0, 9, 1, 50, 90, 50),
            standing(1, 9, 0, 70, 90, 50),
            standing(2, 12, 3, 900, 10, 90),
            standing(3, 9, 0, 60, 80, 50),
            standing(4, 9, 0, 60, 80, 49),
            standing(5, 9, 0, 60, 81, 50),
        ];
        let order = Order::default().rank(&table);
        let places: Vec<_> = order.iter().map(|(rank, standing)| (*rank, standing.player)).collect();
        assert_eq!(places, [(1, 2), (2, 5), (3, 4), (4, 3), (5, 1), (6, 0)]);
        let decided: Vec<_> = order.windows(2).map(|pair| Order::COURSE.decided_by(&pair[0].1, &pair[1].1)).collect();
        use Criterion::{Charged, Difference, Points, Scored, TimeOuts};
        assert_eq!(decided, [Points, Scored, Difference, Charged, TimeOuts].map(Some));
        assert_eq!(Order::COURSE.decided_by(&table[0], &table[0]), None);
    }

    #[test]
    fn players_whom_nothing_tells_apart_share_a_rank() {
        let table = [1, 6, 9, 6].map(|points| standing(0, points, 0, 0, 0, 0));
        let mut table = table.to_vec();
        table.iter_mut().enumerate().for_each(|(player, standing)| standing.player = player);
        table.reverse();
        let places: Vec<_> = Order::COURSE.rank(&table).iter().map(|(rank, entry)| (*rank, entry.player)).collect();
        assert_eq!(places, [(1, 2), (2, 1), (2, 3), (4, 0)]);
        assert!(Order::COURSE.rank(&[]).is_empty());
    }

    #[test]
    fn each_criterion_puts_the_better_one_first() {
        type Change = fn(&mut Standing);
        let player = |change: Change| {
            let mut standing = Standing { wins: 2, points: 6, time_outs: 2, charged_us: 50, ..Standing::default() };
            change(&mut standing);
            standing
        };
        let better: [(Criterion, Change); 8] = [
            (Criterion::Points, |it| it.points = 7),
            // One more draw, and yet fewer points of three a win.
            (Criterion::Score, |it| (it.wins, it.draws, it.points) = (1, 3, 6)),
            (Criterion::TimeOuts, |it| it.time_outs = 1),
            (Criterion::Charged, |it| it.charged_us = 49),
            (Criterion::Difference, |it| it.conceded = -1),
            (Criterion::Scored, |it| it.scored = 1),
            (Criterion::Wins, |it| it.wins = 3),
            (Criterion::Buchholz, |it| it.buchholz = 1),
        ];
        assert_eq!(better.map(|(criterion, _)| criterion), Criterion::ALL);
        for (criterion, change) in better {
            let (better, worse) = (player(change), player(|_| ()));
            assert_eq!(criterion.compare(&better, &worse), Ordering::Less, "{criterion}");
            assert_eq!(criterion.compare(&worse, &better), Ordering::Greater, "{criterion}");
            assert_eq!(criterion.compare(&worse, &worse), Ordering::Equal, "{criterion}");
        }
    }

    #[test]
    fn chess_prefers_the_harder_opponents() {
        let mut table = [standing(0, 6, 0, 0, 50, 0), standing(1, 6, 0, 0, 0, 0)];
        (table[0].wins, table[0].buchholz) = (2, 4);
        (table[1].wins, table[1].draws, table[1].buchholz) = (1, 2, 5);
        assert_eq!(Order::CHESS.rank(&table)[0].1.player, 1);
    }

    #[test]
    fn orders_are_words() {
        assert_eq!(Order::COURSE.to_string(), "points,timeouts,charged,difference,scored");
        for order in [Order::COURSE, Order::CHESS] {
            assert_eq!(order.to_string().parse(), Ok(order.clone()));
            let text = serde_json::to_string(&order).expect("an order is text");
            assert_eq!(serde_json::from_str::<Order>(&text).expect("an order"), order);
        }
        assert_eq!("wins, points".parse::<Order>().map(|order| order.to_string()), Ok("wins,points".into()));
        assert_eq!("points,luck".parse::<Order>(), Err(OrderError::Unknown("luck".into())));
        assert_eq!("".parse::<Order>(), Err(OrderError::Unknown(String::new())));
        assert_eq!("wins,wins".parse::<Order>(), Err(OrderError::Twice(Criterion::Wins)));
    }
}
