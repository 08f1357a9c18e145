//! The games of a run: all of a bot, or those of two bots, with those that were declared void.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_store::{Run, RunGame, RunPlayer};
use serde::Deserialize;

use super::access::LeagueAccess;
use super::entries::MAX_REASON;
use crate::app::App;
use crate::http::error::Refused;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

/// Games on a page.
const PAGE_GAMES: usize = 100;

/// Whose games are asked for, by their numbers in the run.
#[derive(Deserialize)]
pub(crate) struct Asked {
    of: Option<usize>,
    with: Option<usize>,
    #[serde(default)]
    page: usize,
}

#[derive(Template)]
#[template(path = "league_games.html")]
struct GamesPage {
    frame: Frame,
    access: LeagueAccess,
    run: Run,
    title: String,
    rows: Vec<Row>,
    /// What the address of another page of the list begins with.
    query: String,
    number: usize,
    has_more: bool,
    /// Who may download the games: the number of the bot.
    download: Option<usize>,
}

impl GamesPage {
    /// The address of a page of the run.
    fn path(&self, rest: &str) -> String {
        self.access.path(&format!("/runs/{}{rest}", self.run.number))
    }
}

/// A game.
struct Row {
    number: i64,
    code: String,
    players: [String; 2],
    points: [i64; 2],
    /// The index of the side that won.
    winner: Option<usize>,
    forfeit: Option<String>,
    seconds: [String; 2],
    void: Option<String>,
}

/// The page.
pub(crate) async fn games(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, number)): Path<(String, String)>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Refused> {
    let Query(asked) = asked.map_err(|_| Refused::NotFound)?;
    let access = LeagueAccess::find(&app, &visitor, &code).await?;
    let run = access.run(&app, &number).await?;
    let runs = app.store.runs_of_league(access.league.id).await?;
    let players = app.store.run_players(run.id).await?;
    let is_there = |player: Option<usize>| player.is_none_or(|player| player < players.len());
    if !access.shows(&run, &runs) || !is_there(asked.of) || !is_there(asked.with) {
        return Err(Refused::NotFound);
    }
    let mut games = app.store.run_games(run.id).await?;
    games.retain(|game| asked.wants(game));
    let has_more = games.len() > (asked.page + 1).saturating_mul(PAGE_GAMES);
    let rows = games.iter().skip(asked.page.saturating_mul(PAGE_GAMES)).take(PAGE_GAMES);
    let frame = Frame::new(&visitor);
    let name = |player: usize| players[player].name.clone();
    let title = match (asked.of, asked.with) {
        (Some(of), Some(with)) => format!("{} – {}", name(of), name(with)),
        (Some(of), None) => name(of),
        _ => frame.t("league.games").to_owned(),
    };
    let is_open = |of: &usize| access.is_teacher() || access.is_own(&players[*of]);
    page(&GamesPage {
        rows: rows.map(|game| row(&access, game, &players)).collect(),
        download: asked.of.filter(is_open),
        query: asked.query(),
        number: asked.page,
        frame,
        access,
        run,
        title,
        has_more,
    })
}

impl Asked {
    fn wants(&self, game: &RunGame) -> bool {
        let has = |player: usize| [game.player_1, game.player_2].contains(&(player as i64));
        self.of.is_none_or(has) && self.with.is_none_or(has)
    }

    fn query(&self) -> String {
        let part = |name: &str, value: Option<usize>| value.map(|value| format!("{name}={value}&")).unwrap_or_default();
        part("of", self.of) + &part("with", self.with)
    }
}

fn row(access: &LeagueAccess, game: &RunGame, players: &[RunPlayer]) -> Row {
    let name = |player: i64| {
        let player = usize::try_from(player).ok().and_then(|player| players.get(player));
        player.map_or("?", |player| player.name.as_str()).to_owned()
    };
    Row {
        number: game.number,
        code: game.game_code.clone(),
        players: [name(game.player_1), name(game.player_2)],
        points: [game.points_1, game.points_2],
        winner: game.winner.and_then(|side| usize::try_from(side - 1).ok()),
        forfeit: game.forfeit.clone(),
        seconds: [game.charged_1_us, game.charged_2_us].map(|us| format!("{:.2}", us as f64 / 1e6)),
        void: game.voided_ms.map(|_| access.reason(game.void_reason.as_ref()).unwrap_or_default()),
    }
}
