//! The ranking as pages show it: a column for each criterion, and which of them put a bot behind the one before.

use std::collections::HashMap;

use palestra_store::{Id, League, Member, MemberState, Run, RunPlayer};
use palestra_tournament::{Criterion, Order, Standing};

use super::access::LeagueAccess;
use super::history::order;
use super::results::{Ranked, Results};
use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;

/// A ranking as a page shows it.
pub(super) struct Table {
    /// The criteria, the first first.
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
    /// House bots, outside the ranking.
    pub(super) guests: Vec<Row>,
    /// How equal points are told apart, in words.
    pub(super) explained: String,
}

/// A criterion.
pub(super) struct Column {
    pub(super) name: String,
    /// The number of the tie-break; none for what ranks first.
    pub(super) note: Option<usize>,
}

/// A bot.
pub(super) struct Row {
    /// The number of the player in the run.
    pub(super) player: usize,
    /// None for a house bot.
    pub(super) rank: Option<usize>,
    pub(super) is_shared: bool,
    /// By how many places it is better than in the run before.
    pub(super) rise: Option<i64>,
    pub(super) name: String,
    /// The nicknames of its team; empty where only bots are named.
    pub(super) people: String,
    pub(super) is_own: bool,
    pub(super) results: String,
    pub(super) values: Vec<Value>,
}

/// What a bot has reached by a criterion.
pub(super) struct Value {
    pub(super) text: String,
    /// Whether this put it behind the one before.
    pub(super) decides: bool,
}

impl Row {
    /// By how many places it is better.
    pub(super) fn risen(&self) -> Option<i64> {
        self.rise.filter(|&places| places > 0)
    }

    /// By how many places it is worse.
    pub(super) fn fallen(&self) -> Option<i64> {
        self.rise.filter(|&places| places < 0).map(i64::abs)
    }
}

/// The nicknames of the teams of a course.
#[derive(Default)]
pub(super) struct People(HashMap<Id, String>);

impl People {
    /// Those of the league's course; of nobody for visitors who see bots alone.
    pub(super) async fn of(app: &App, access: &LeagueAccess) -> Result<Self, Refused> {
        if access.is_public() { Ok(Self::default()) } else { Self::of_course(app, access.course.id).await }
    }

    /// Those of a course.
    pub(super) async fn of_course(app: &App, course: Id) -> Result<Self, Refused> {
        let mut people: HashMap<Id, String> = HashMap::new();
        for Member { team_id, nickname, state, .. } in app.store.members(course).await? {
            let Some(nickname) = nickname.filter(|_| state == MemberState::Member) else { continue };
            let team = people.entry(team_id).or_default();
            let comma = if team.is_empty() { "" } else { ", " };
            team.push_str(&format!("{comma}{nickname}"));
        }
        Ok(Self(people))
    }

    /// The nicknames of a player's team.
    pub(super) fn name(&self, player: &RunPlayer) -> String {
        player.team_id.and_then(|team| self.0.get(&team).cloned()).unwrap_or_default()
    }

    /// The nicknames of a team.
    pub(super) fn team(&self, team: Id) -> String {
        self.0.get(&team).cloned().unwrap_or_default()
    }
}

/// The ranking of a run as lines of a table: the head, the bots of the ranking, and house bots, which have no rank.
pub(crate) async fn standings_table(app: &App, league: &League, run: &Run) -> Result<Vec<Vec<String>>, Refused> {
    let (order, results) = (order(&league.ranking), Results::of(app, run).await?);
    let criteria = order.criteria();
    let line = |rank: String, standing: &Standing| {
        let name = results.players[standing.player].name.clone();
        let games = [standing.wins, standing.draws, standing.losses].map(|games| games.to_string());
        let values = criteria.iter().map(|&criterion| text(criterion, standing));
        [rank, name].into_iter().chain(games).chain(values).collect()
    };
    let words = ["rank", "name", "won", "drawn", "lost"].into_iter().chain(criteria.iter().map(|it| it.word()));
    let mut lines: Vec<Vec<String>> = vec![words.map(str::to_owned).collect()];
    lines.extend(results.ranking(&order).iter().map(|ranked| line(ranked.rank.to_string(), &ranked.standing)));
    lines.extend(results.guests().iter().map(|standing| line(String::new(), standing)));
    Ok(lines)
}

impl Table {
    /// The ranking of a run. `before` has the ranks of the run before, by name.
    pub(super) fn new(
        (results, ranking): (&Results, &[Ranked]),
        order: &Order,
        before: &HashMap<String, usize>,
        (access, people): (&LeagueAccess, &People),
        locale: Locale,
    ) -> Self {
        let criteria = order.criteria();
        let column = |(at, criterion): (usize, &Criterion)| Column {
            name: locale.t(&format!("league.by.{}", criterion.word())).to_owned(),
            note: (at > 0).then_some(at),
        };
        let row = |standing: &Standing| {
            let player = &results.players[standing.player];
            Row {
                player: standing.player,
                rank: None,
                is_shared: false,
                rise: None,
                name: player.name.clone(),
                people: people.name(player),
                is_own: access.is_own(player),
                results: format!("{}–{}–{}", standing.wins, standing.draws, standing.losses),
                values: criteria.iter().map(|it| Value { text: text(*it, standing), decides: false }).collect(),
            }
        };
        let mut rows: Vec<Row> = vec![];
        for (at, ranked) in ranking.iter().enumerate() {
            let decided =
                at.checked_sub(1).and_then(|last| order.decided_by(&ranking[last].standing, &ranked.standing));
            let mut row = row(&ranked.standing);
            (row.rank, row.is_shared) = (Some(ranked.rank), ranked.is_shared);
            row.rise = before.get(&row.name).map(|&last| last as i64 - ranked.rank as i64);
            for (value, criterion) in row.values.iter_mut().zip(criteria).skip(1) {
                value.decides = decided == Some(*criterion);
            }
            rows.push(row);
        }
        Self {
            columns: criteria.iter().enumerate().map(column).collect(),
            rows,
            guests: results.guests().iter().map(row).collect(),
            explained: explained(criteria, locale),
        }
    }

    /// Whether a place is shared, which the teacher has to decide.
    pub(super) fn has_shared(&self) -> bool {
        self.rows.iter().any(|row| row.is_shared)
    }
}

/// The criteria behind the first one, each with its number.
fn explained(criteria: &[Criterion], locale: Locale) -> String {
    let better = |(number, criterion): (usize, &Criterion)| {
        format!("{} {}", superscript(number), locale.t(&format!("league.better.{}", criterion.word())))
    };
    (1..).zip(criteria.iter().skip(1)).map(better).collect::<Vec<_>>().join(", ")
}

/// A number as it stands at a column and below the table.
pub(super) fn superscript(number: usize) -> String {
    let digit = |digit: char| digit.to_digit(10).and_then(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize));
    number.to_string().chars().filter_map(digit).collect()
}

/// What a bot has reached by a criterion. Times are in seconds, as the head of the column says.
fn text(criterion: Criterion, standing: &Standing) -> String {
    match criterion {
        Criterion::Points => standing.points.to_string(),
        Criterion::Score => format!("{}{}", standing.half_points() / 2, if standing.draws % 2 == 1 { "½" } else { "" }),
        Criterion::TimeOuts => standing.time_outs.to_string(),
        Criterion::Charged => format!("{:.3}", standing.charged_us as f64 / 1e6),
        Criterion::Difference => signed(standing.difference()),
        Criterion::Scored => standing.scored.to_string(),
        Criterion::Wins => standing.wins.to_string(),
        Criterion::Buchholz => format!("{:.1}", f64::from(standing.buchholz) / 2.0),
    }
}

/// A number with its sign.
fn signed(number: i64) -> String {
    match number {
        ..0 => format!("−{}", number.unsigned_abs()),
        0 => "0".to_owned(),
        1.. => format!("+{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_is_shown_as_it_is_read() {
        let standing = Standing {
            wins: 2,
            draws: 1,
            points: 7,
            charged_us: 1_250_000,
            scored: 40,
            conceded: 49,
            buchholz: 5,
            ..Standing::default()
        };
        let shown = Criterion::ALL.iter().map(|criterion| text(*criterion, &standing)).collect::<Vec<_>>();
        assert_eq!(shown, ["7", "2½", "0", "1.250", "−9", "40", "2", "2.5"]);
        assert_eq!((signed(0), signed(55)), ("0".to_owned(), "+55".to_owned()));
        assert_eq!(superscript(104), "¹⁰⁴");
    }

    #[test]
    fn tie_breaks_are_numbered_and_explained() {
        let explained = explained(Order::COURSE.criteria(), Locale::English);
        assert_eq!(explained, "¹ fewer time-outs, ² less charged time, ³ score difference, ⁴ score for");
    }
}
