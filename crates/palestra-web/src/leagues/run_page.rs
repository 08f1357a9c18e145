//! The page of a run: progress, ranking, cross table, upsets, faults, and under what circumstances it is played.

use std::sync::Arc;

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_store::{Run, RunPlayer, RunState};
use palestra_tournament::{Order, Upset};
use serde::Deserialize;

use super::access::LeagueAccess;
use super::cross::CrossTable;
use super::entries::MAX_REASON;
use super::form::ORDERS;
use super::history::{History, order};
use super::results::Results;
use super::standing::{People, Table, superscript};
use super::state_text;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::page::{Frame, page};
use crate::runs::{LiveGame, RunSettings};
use crate::visitor::Visitor;

/// Columns of the colonnade: each is a game, or a few.
const COLUMNS: i64 = 80;

/// Upsets and faults in each list.
const LISTED: usize = 20;

/// How far a run is.
pub(super) struct Progress {
    pub(super) number: i64,
    pub(super) is_over: bool,
    pub(super) is_paused: bool,
    pub(super) started_ms: i64,
    pub(super) played: i64,
    pub(super) all: i64,
    pub(super) playing: i64,
    /// Games that could not be played, and wait for an admin.
    pub(super) failed: i64,
    /// In minutes; none if nothing can be said yet.
    pub(super) minutes_left: Option<i64>,
    /// The games that are being played, if the visitor may see them.
    pub(super) live: Vec<Arc<LiveGame>>,
}

impl Progress {
    pub(super) async fn of(app: &App, run: &Run, shows_games: bool) -> Result<Self, Refused> {
        let progress = app.store.run_progress(run.id).await?;
        let passed_ms = now_ms().saturating_sub(run.started_ms).max(0);
        let is_measured = run.state == RunState::Playing && progress.played > 0;
        let left_ms = is_measured.then(|| passed_ms.saturating_mul(progress.left) / progress.played.max(1));
        Ok(Self {
            number: run.number,
            is_over: matches!(run.state, RunState::Finished | RunState::GivenUp),
            is_paused: run.state == RunState::Paused,
            started_ms: run.started_ms,
            played: progress.played,
            all: progress.played + progress.left,
            playing: progress.playing,
            failed: progress.failed,
            minutes_left: left_ms.map(|ms| ms / 60_000 + 1),
            live: if shows_games { app.live_games.of_run(run.id) } else { vec![] },
        })
    }

    /// The columns of the colonnade: place and class of each.
    pub(super) fn columns(&self) -> Vec<(i64, &'static str)> {
        let count = self.all.clamp(1, COLUMNS);
        // A column stands for the games from the first one up to that of the next column.
        let first = |column: i64| column * self.all / count;
        let class = |column: i64| match () {
            () if first(column + 1) <= self.played => "done",
            () if first(column) < self.played + self.playing => "now",
            () => "todo",
        };
        (0..count).map(|column| (column * 10, class(column))).collect()
    }

    /// The width of the colonnade.
    pub(super) fn width(&self) -> i64 {
        10 * self.all.clamp(1, COLUMNS)
    }
}

#[derive(Template)]
#[template(path = "league_run.html")]
struct RunPage {
    frame: Frame,
    access: LeagueAccess,
    run: Run,
    progress: Progress,
    /// None if the results are hidden.
    results: Option<Shown>,
    facts: Option<Facts>,
    /// Rankings by other criteria: their words, what they are called, and which is shown.
    orders: Vec<(String, String, bool)>,
}

/// What a run has led to.
struct Shown {
    table: Table,
    cross: CrossTable,
    upsets: Vec<UpsetRow>,
    faults: Vec<FaultRow>,
    fault_count: usize,
    /// The number of the visitor's own bot.
    own: Option<usize>,
}

/// An upset in words.
struct UpsetRow {
    winner: String,
    loser: String,
    places: usize,
    players: [usize; 2],
}

/// A game that was lost by a fault.
struct FaultRow {
    loser: String,
    winner: String,
    kind: &'static str,
    game: String,
}

/// Under what circumstances a run is played.
struct Facts {
    settings: RunSettings,
    /// The compilers with their flags.
    compilers: Vec<String>,
}

impl RunPage {
    /// The number of a note.
    fn note(&self, number: &usize) -> String {
        superscript(*number)
    }

    /// The address of a page of the run.
    fn path(&self, rest: &str) -> String {
        self.access.path(&format!("/runs/{}{rest}", self.run.number))
    }

    /// Why a teacher started it.
    fn reason(&self) -> Option<String> {
        self.access.reason(self.run.reason.as_ref())
    }

    /// Why it is paused or was given up.
    fn stop_reason(&self) -> Option<String> {
        self.access.reason(self.run.stop_reason.as_ref())
    }

    fn state(&self) -> String {
        state_text(self.run.state, self.frame.locale)
    }

    fn is_over(&self) -> bool {
        self.progress.is_over
    }
}

/// The criteria that the visitor wants to see.
#[derive(Deserialize)]
pub(crate) struct Asked {
    order: Option<String>,
}

/// The page of a run.
pub(crate) async fn run(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, number)): Path<(String, String)>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Refused> {
    let Query(asked) = asked.map_err(|_| Refused::bad("refused.form"))?;
    let access = LeagueAccess::find(&app, &visitor, &code).await?;
    let run = access.run(&app, &number).await?;
    let frame = Frame::new(&visitor);
    let usual = order(&access.league.ranking);
    let wanted = asked.order.map(|words| words.parse::<Order>()).transpose();
    let wanted = wanted.map_err(|_| Refused::bad("league.no_order"))?.unwrap_or_else(|| usual.clone());
    let runs = app.store.runs_of_league(access.league.id).await?;
    let results = match access.shows(&run, &runs) {
        true => Some(shown(&app, &access, (&run, &runs), &wanted, &frame).await?),
        false => None,
    };
    let facts = facts(&app, &run).await?;
    let name = |words: &str| {
        let names = words.split(',').map(|word| frame.locale.t(&format!("league.better.{word}")).to_owned());
        names.collect::<Vec<_>>().join(", ")
    };
    let shown_words = wanted.to_string();
    let mut words = vec![usual.to_string()];
    words.extend(ORDERS.iter().filter(|words| **words != usual.to_string()).map(|words| (*words).to_owned()));
    let orders = words.into_iter().map(|words| (words.clone(), name(&words), words == shown_words)).collect();
    let progress = Progress::of(&app, &run, results.is_some()).await?;
    page(&RunPage { frame, access, run, progress, results, facts, orders })
}

async fn shown(
    app: &App,
    access: &LeagueAccess,
    (run, runs): (&Run, &[Run]),
    order: &Order,
    frame: &Frame,
) -> Result<Shown, Refused> {
    let results = Results::of(app, run).await?;
    let people = People::of(app, access).await?;
    let before = History::of(app, access, runs).await?.before(run.number);
    let ranking = results.ranking(order);
    let table = Table::new((&results, &ranking), order, &before, (access, &people), frame.locale);
    let own = results.players.iter().position(|player| access.is_own(player));
    let rounds = u32::try_from(access.league.rounds).unwrap_or(1);
    let cross = CrossTable::new(&results, &ranking, rounds, own, format!("{}/games", run.number));
    let name = |player: usize| results.players.get(player).map_or("?", |player| player.name.as_str()).to_owned();
    let upset = |upset: Upset| UpsetRow {
        winner: name(upset.winner),
        loser: name(upset.loser),
        places: upset.places,
        players: [upset.winner, upset.loser],
    };
    let faults: Vec<FaultRow> = results
        .faults()
        .map(|(game, kind, code)| {
            let winner = game.winner.unwrap_or(0).min(1);
            FaultRow {
                winner: name(game.players[winner]),
                loser: name(game.players[1 - winner]),
                kind: kind.word(),
                game: code.to_owned(),
            }
        })
        .collect();
    Ok(Shown {
        table,
        cross,
        upsets: results.upsets(&ranking).into_iter().take(LISTED).map(upset).collect(),
        fault_count: faults.len(),
        faults: faults.into_iter().take(LISTED).collect(),
        own,
    })
}

/// The circumstances of a run; none if a later Palestra wrote them.
async fn facts(app: &App, run: &Run) -> Result<Option<Facts>, Refused> {
    let Ok(settings) = serde_json::from_str(&run.settings) else { return Ok(None) };
    let mut compilers: Vec<String> = app.store.run_players(run.id).await?.iter().filter_map(compiler).collect();
    compilers.sort();
    compilers.dedup();
    Ok(Some(Facts { settings, compilers }))
}

fn compiler(player: &RunPlayer) -> Option<String> {
    // The files are called otherwise in each of the bots.
    let is_file = |word: &&str| word.contains('.') && !word.starts_with('-');
    let flags: Vec<&str> =
        player.flags.iter().flat_map(|flags| flags.split(' ')).filter(|word| !is_file(word)).collect();
    player.compiler.as_ref().map(|compiler| format!("{compiler} {}", flags.join(" ")).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(played: i64, all: i64, playing: i64) -> Progress {
        Progress {
            number: 1,
            is_over: false,
            is_paused: false,
            started_ms: 0,
            played,
            all,
            playing,
            failed: 0,
            minutes_left: None,
            live: vec![],
        }
    }

    #[test]
    fn a_column_stands_for_a_game_or_a_few() {
        let count = |progress: Progress| {
            let columns = progress.columns();
            ["done", "now", "todo"].map(|class| columns.iter().filter(|(_, it)| *it == class).count())
        };
        assert_eq!(count(progress(3, 6, 2)), [3, 2, 1]);
        assert_eq!(count(progress(0, 0, 0)), [1, 0, 0]);
        assert_eq!(count(progress(6, 6, 0)), [6, 0, 0]);
        assert_eq!(count(progress(7140, 14_280, 2)), [40, 1, 39]);
    }
}
