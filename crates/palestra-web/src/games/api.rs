//! Finished games, for programs.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use palestra_store::{GameFilter, KeptGame, PlayerKind, Scope};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::list::one_of_games;
use crate::api::{Page, Paging};
use crate::app::App;
use crate::http::error::Refused;
use crate::visitor::Visitor;

/// Which games to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct Wanted {
    /// The id of a game, such as `mancala`.
    game: String,
    /// Who played: a nickname, or the name of a program or a built-in player.
    player: String,
}

/// A finished game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListedGame {
    /// The code in its address, `/games/CODE`; its record is at `/games/CODE/record`.
    code: String,
    game: String,
    options: String,
    players: [ListedPlayer; 2],
    points: [i64; 2],
    /// The side that won, 1 or 2; null after a draw.
    winner: Option<i64>,
    /// Why it ended, such as `finished`, `resigned` or `time`.
    reason: String,
    started_ms: i64,
    ended_ms: i64,
}

/// A player of a finished game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListedPlayer {
    /// Null if the account was deleted.
    name: Option<String>,
    /// `account`, `guest`, `built-in` or `program`.
    kind: &'static str,
}

impl From<KeptGame> for ListedGame {
    fn from(game: KeptGame) -> Self {
        let KeptGame { code, game, options, players, points, winner, reason, started_ms, ended_ms, .. } = game;
        let players = players.map(|player| {
            let is_deleted = player.is_deleted();
            ListedPlayer { kind: PlayerKind::word(player.kind), name: (!is_deleted).then_some(player.name) }
        });
        Self { code, game, options, players, points, winner, reason, started_ms, ended_ms }
    }
}

/// Lists the public games.
///
/// The game that ended last comes first.
#[utoipa::path(
    get, path = "/games", operation_id = "games", params(Wanted, crate::api::Asked), security(("token" = ["read"])),
    responses((status = 200, body = Page<ListedGame>))
)]
pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    paging: Paging,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<Page<ListedGame>>, Refused> {
    visitor.may(Scope::Read)?;
    let Query(Wanted { game, player }) = wanted.map_err(|_| Refused::bad("refused.form"))?;
    let filter = GameFilter {
        game: one_of_games(&game)?,
        player: Some(player).filter(|player| !player.is_empty()),
        before: paging.after.clone(),
        ..GameFilter::default()
    };
    let found = app.store.games(&filter, paging.wanted()).await?;
    Ok(Json(paging.page(found, |game| game.code.clone(), ListedGame::from)))
}
