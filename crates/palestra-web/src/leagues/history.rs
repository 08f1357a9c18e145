//! The rank of each bot over the runs of a league, as a plot and as numbers.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use askama::Template;
use palestra_store::{Id, Run, RunState};
use palestra_tournament::Order;

use super::access::LeagueAccess;
use super::results::Results;
use crate::app::{App, now_ms};
use crate::cache::{Cache, Weighed};
use crate::http::error::Refused;
use crate::locale::Locale;

/// The ranks in runs that are over.
pub(crate) type RunRanks = Cache<Ranks>;

/// Memory for them.
pub(crate) const RUN_RANKS_BYTES: usize = 4 << 20;

/// The rank of each player of a run that is ranked: its number, its rank.
pub(crate) struct Ranks(Vec<(usize, usize)>);

impl Weighed for Ranks {
    fn bytes(&self) -> usize {
        size_of_val(self.0.as_slice())
    }
}

/// Runs that are shown: the last ones.
const MAX_RUNS: usize = 30;

/// Bots at the top whose lines have a name.
const NAMED: usize = 5;

/// How the bots of a league ranked in its runs.
pub(super) struct History {
    /// The numbers of the runs, the oldest first.
    pub(super) runs: Vec<i64>,
    /// The bots, by their last rank.
    pub(super) bots: Vec<Bot>,
}

/// A bot in the runs of a league.
pub(super) struct Bot {
    pub(super) name: String,
    pub(super) is_own: bool,
    /// Its rank in each run, if it took part.
    pub(super) ranks: Vec<Option<usize>>,
}

impl History {
    /// The runs of a league that are over and shown to the visitor.
    pub(super) async fn of(app: &App, access: &LeagueAccess, runs: &[Run]) -> Result<Self, Refused> {
        let order = order(&access.league.ranking);
        let is_shown = |run: &&Run| run.state == RunState::Finished && access.shows(run, runs);
        let mut shown: Vec<&Run> = runs.iter().filter(is_shown).take(MAX_RUNS).collect();
        shown.reverse();
        let mut names: HashMap<(Id, usize), (String, Option<Id>)> = HashMap::new();
        for (run, player, name, team) in app.store.names_in_league(access.league.id).await? {
            names.insert((run, usize::try_from(player).unwrap_or(usize::MAX)), (name, team));
        }
        let mut bots: HashMap<String, Bot> = HashMap::new();
        for (at, run) in shown.iter().enumerate() {
            for &(player, rank) in &ranks_of(app, run, &order).await?.0 {
                let Some((name, team)) = names.get(&(run.id, player)) else { continue };
                let new = || Bot { name: name.clone(), is_own: false, ranks: vec![None; shown.len()] };
                let bot = bots.entry(name.clone()).or_insert_with(new);
                bot.is_own |= team.is_some() && *team == access.team();
                bot.ranks[at] = Some(rank);
            }
        }
        let mut bots: Vec<Bot> = bots.into_values().collect();
        let last = |bot: &Bot| bot.ranks.last().copied().flatten().unwrap_or(usize::MAX);
        bots.sort_by(|a, b| last(a).cmp(&last(b)).then_with(|| a.name.cmp(&b.name)));
        Ok(Self { runs: shown.iter().map(|run| run.number).collect(), bots })
    }

    /// The ranks in the run before the one of this number, by name.
    pub(super) fn before(&self, number: i64) -> HashMap<String, usize> {
        let Some(at) = self.runs.iter().rposition(|&run| run < number) else { return HashMap::new() };
        self.bots.iter().filter_map(|bot| Some((bot.name.clone(), bot.ranks[at]?))).collect()
    }

    /// The plot, if there is something to compare.
    pub(super) fn plot(&self, locale: Locale) -> Option<Plot> {
        (self.runs.len() > 1).then(|| Plot::new(self, locale))
    }
}

/// The criteria of a league; the course's if they cannot be read.
pub(super) fn order(ranking: &str) -> Order {
    ranking.parse().unwrap_or_default()
}

/// Ranks the runs of all leagues whose courses go on: the first visitor after a restart need not wait for it.
pub(crate) async fn warm(app: &App) -> Result<(), Refused> {
    let now = now_ms();
    for course in app.store.all_courses().await?.iter().filter(|course| course.ends_ms > now) {
        for league in app.store.leagues_of_course(course.id).await? {
            let order = order(&league.ranking);
            let runs = app.store.runs_of_league(league.id).await?;
            for run in runs.iter().filter(|run| run.state == RunState::Finished).take(MAX_RUNS) {
                ranks_of(app, run, &order).await?;
            }
        }
    }
    Ok(())
}

/// The ranks in a run that is over.
async fn ranks_of(app: &App, run: &Run, order: &Order) -> Result<Arc<Ranks>, Refused> {
    let key = format!("{} {} {order}", run.id, run.ended_ms.unwrap_or_default());
    if let Some(ranks) = app.run_ranks.find(&key) {
        return Ok(ranks);
    }
    let results = Results::of(app, run).await?;
    let ranks = results.ranking(order).iter().map(|ranked| (ranked.standing.player, ranked.rank)).collect();
    let ranks = Arc::new(Ranks(ranks));
    app.run_ranks.keep(&key, ranks.clone());
    Ok(ranks)
}

/// The ranks as lines.
#[derive(Template)]
#[template(path = "parts/league_plot.html")]
pub(super) struct Plot {
    locale: Locale,
    width: i64,
    height: i64,
    /// The place of each run, and its number.
    runs: Vec<(i64, i64)>,
    /// The height of some ranks, and the ranks.
    ranks: Vec<(i64, usize)>,
    lines: Vec<Line>,
}

// What it renders is escaped already.
impl askama::filters::HtmlSafe for Plot {}

/// A bot's line.
struct Line {
    /// The path: a piece for each stretch of runs without a gap.
    path: String,
    /// Where the name stands, and the name, if it has one.
    label: Option<(i64, String)>,
    class: &'static str,
}

const LEFT: i64 = 32;
const TOP: i64 = 12;
const LABELS: i64 = 150;
const BOTTOM: i64 = 28;
const WIDTH: i64 = 860;
/// The height of a rank, where there is room.
const STEP: i64 = 18;
const MAX_HEIGHT: i64 = 420;

impl Plot {
    fn new(history: &History, locale: Locale) -> Self {
        let all = history.bots.iter().flat_map(|bot| bot.ranks.iter().copied().flatten());
        let worst = all.max().unwrap_or(1).max(2) as i64;
        let inner = (STEP * (worst - 1)).min(MAX_HEIGHT);
        let last = history.runs.len() as i64 - 1;
        let x = |at: usize| LEFT + (WIDTH - LEFT - LABELS) * at as i64 / last.max(1);
        let y = |rank: usize| TOP + inner * (rank as i64 - 1) / (worst - 1);
        let line = |bot: &Bot| {
            let end = bot.ranks.last().copied().flatten();
            let is_top = end.is_some_and(|rank| rank <= NAMED);
            Line {
                path: path(&bot.ranks, x, y),
                label: end.filter(|_| is_top || bot.is_own).map(|rank| (y(rank), bot.name.clone())),
                class: match (bot.is_own, is_top) {
                    (true, _) => "own",
                    (_, true) => "top",
                    _ => "other",
                },
            }
        };
        let step = (worst as usize).div_ceil(10).max(1);
        // Lines that matter are drawn last, above the others.
        let mut lines: Vec<Line> = history.bots.iter().map(line).collect();
        lines.sort_by_key(|line| ["other", "top", "own"].iter().position(|class| *class == line.class));
        Self {
            locale,
            width: WIDTH,
            height: TOP + inner + BOTTOM,
            runs: history.runs.iter().enumerate().map(|(at, &number)| (x(at), number)).collect(),
            ranks: (1..=worst as usize).step_by(step).map(|rank| (y(rank), rank)).collect(),
            lines,
        }
    }
}

/// A line through the ranks, interrupted where a run was missed.
fn path(ranks: &[Option<usize>], x: impl Fn(usize) -> i64, y: impl Fn(usize) -> i64) -> String {
    let mut path = String::new();
    let mut is_drawing = false;
    for (at, rank) in ranks.iter().enumerate() {
        if let Some(rank) = rank {
            let letter = if is_drawing { 'L' } else { 'M' };
            // Writing to a string cannot fail.
            let _ = write!(path, "{letter}{} {}", x(at), y(*rank));
        }
        is_drawing = rank.is_some();
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_interrupted_where_a_run_was_missed() {
        let ranks = [Some(1), Some(3), None, Some(2)];
        assert_eq!(path(&ranks, |at| at as i64 * 10, |rank| rank as i64), "M0 1L10 3M30 2");
        assert_eq!(path(&[None, None], |_| 0, |_| 0), "");
    }

    #[test]
    fn the_ranks_of_the_run_before_are_found() {
        let bot =
            |name: &str, ranks: [Option<usize>; 2]| Bot { name: name.into(), is_own: false, ranks: ranks.to_vec() };
        let history = History { runs: vec![2, 5], bots: vec![bot("A", [Some(1), Some(2)]), bot("B", [None, Some(1)])] };
        assert_eq!(history.before(5), HashMap::from([("A".to_owned(), 1)]));
        assert_eq!(history.before(6).len(), 2);
        assert!(history.before(2).is_empty());
    }
}
