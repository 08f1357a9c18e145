//! The page of a league: the ranking of its last run, the next one, the ranks over time, and all runs.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use palestra_games::GameKind;
use palestra_store::{Run, RunPlayer, RunState};
use palestra_tournament::schedule::{Rule, Schedule};

use super::access::LeagueAccess;
use super::history::{History, Plot, order};
use super::results::Results;
use super::run_page::Progress;
use super::standing::{People, Table, superscript};
use super::{local_moment, state_text};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "league.html")]
struct LeaguePage {
    frame: Frame,
    access: LeagueAccess,
    game: String,
    next: Next,
    /// The run that is being played.
    progress: Option<Progress>,
    own: Option<OwnBot>,
    /// The number of the run whose ranking is shown, and the ranking.
    ranking: Option<(i64, Table)>,
    is_hidden: bool,
    history: History,
    plot: Option<Plot>,
    runs: Vec<RunRow>,
}

/// When the league plays next.
struct Next {
    /// The moment, in words; none if no run is scheduled.
    at: Option<String>,
    /// How often, in words.
    how: String,
    /// The run that it waits for, if its moment has passed.
    waits_for: Option<i64>,
}

/// The visitor's bot in the last run.
struct OwnBot {
    name: String,
    version: Option<i64>,
    rank: Option<usize>,
    of: usize,
}

/// A run in the list of all.
struct RunRow {
    number: i64,
    state: String,
    started_ms: i64,
    is_counted: bool,
    is_final: bool,
    /// Why a teacher started it.
    reason: Option<String>,
    /// Why it is paused or was given up.
    stop_reason: Option<String>,
    is_shown: bool,
}

impl LeaguePage {
    /// The number of a note.
    fn note(&self, number: &usize) -> String {
        superscript(*number)
    }
}

/// The page of a league.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let access = LeagueAccess::find(&app, &visitor, &code).await?;
    let frame = Frame::new(&visitor);
    let locale = frame.locale;
    let runs = app.store.runs_of_league(access.league.id).await?;
    let history = History::of(&app, &access, &runs).await?;
    let playing = runs.iter().find(|run| matches!(run.state, RunState::Playing | RunState::Paused));
    let shown = runs.iter().find(|run| run.state == RunState::Finished && access.shows(run, &runs));
    let shown = shown.or_else(|| playing.filter(|run| access.shows(run, &runs)));
    let order = order(&access.league.ranking);
    let people = People::of(&app, &access).await?;
    let (mut ranking, mut own) = (None, None);
    if let Some(run) = shown {
        let results = Results::of(&app, run).await?;
        let ranked = results.ranking(&order);
        let table = Table::new((&results, &ranked), &order, &history.before(run.number), (&access, &people), locale);
        own = results.players.iter().find(|player| access.is_own(player)).map(|player| own_bot(player, &table));
        ranking = Some((run.number, table));
    }
    let progress = match playing {
        Some(run) => Some(Progress::of(&app, run, access.shows(run, &runs)).await?),
        None => None,
    };
    page(&LeaguePage {
        game: GameKind::find(&access.course.game).map_or("", |kind| kind.about.name).to_owned(),
        next: next(&access, playing, locale),
        is_hidden: runs.iter().any(|run| !access.shows(run, &runs)),
        plot: history.plot(locale),
        runs: runs.iter().map(|run| run_row(&access, run, access.shows(run, &runs), locale)).collect(),
        frame,
        access,
        progress,
        own,
        ranking,
        history,
    })
}

fn own_bot(player: &RunPlayer, table: &Table) -> OwnBot {
    let row = table.rows.iter().find(|row| row.is_own);
    OwnBot {
        name: player.name.clone(),
        version: player.version,
        rank: row.and_then(|row| row.rank),
        of: table.rows.len(),
    }
}

fn next(access: &LeagueAccess, playing: Option<&Run>, locale: Locale) -> Next {
    let due_ms = access.league.due_ms.filter(|_| access.league.is_open);
    let schedule = Schedule::read(&access.league.schedule).unwrap_or_default();
    let how = match schedule.rule() {
        Some(Rule::Days { days, .. }) => locale.with("league.every", &[("what", &days.to_string())]),
        Some(Rule::Cron(cron)) => locale.with("league.by_cron", &[("what", &cron.to_string())]),
        None => locale.t("league.on_dates").to_owned(),
    };
    let is_late = due_ms.is_some_and(|due_ms| due_ms <= now_ms());
    Next {
        at: due_ms.map(|due_ms| local_moment(&access.zone, due_ms, locale)),
        how,
        waits_for: playing.filter(|_| is_late).map(|run| run.number),
    }
}

fn run_row(access: &LeagueAccess, run: &Run, is_shown: bool, locale: Locale) -> RunRow {
    RunRow {
        number: run.number,
        state: state_text(run.state, locale),
        started_ms: run.started_ms,
        is_counted: run.is_counted,
        is_final: run.is_final,
        reason: access.reason(run.reason.as_ref()),
        stop_reason: access.reason(run.stop_reason.as_ref()),
        is_shown,
    }
}
