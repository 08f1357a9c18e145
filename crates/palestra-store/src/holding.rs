//! Everything that is kept about somebody, for them to take away.

use crate::db::with_pool;
use crate::row::row;
use crate::{Account, ApiToken, Id, Store, StoreError};

/// Everything that is kept about somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// Their account.
    pub account: Account,
    /// Where they are signed in.
    pub sessions: Vec<HeldSession>,
    /// Their tokens.
    pub api_tokens: Vec<ApiToken>,
    /// What they played.
    pub games: Vec<HeldGame>,
    /// What they uploaded.
    pub maps: Vec<HeldMap>,
}

/// A session, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldSession {
    /// Since when.
    pub created_ms: i64,
    /// Until when.
    pub expires_ms: i64,
}

row!(HeldSession { created_ms, expires_ms });

/// A game that they played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldGame {
    /// Its address.
    pub code: String,
    /// Which game.
    pub game: String,
    /// Their side, 1 or 2.
    pub side: i64,
    /// The side that won.
    pub winner: Option<i64>,
    /// How it ended.
    pub reason: String,
    /// When it began.
    pub started_ms: i64,
    /// When it ended.
    pub ended_ms: i64,
    /// Its moves.
    pub record: String,
}

row!(HeldGame { code, game, side, winner, reason, started_ms, ended_ms, record });

/// A map that they uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldMap {
    /// What it is called.
    pub name: String,
    /// The map itself.
    pub body: String,
    /// Since when.
    pub created_ms: i64,
}

row!(HeldMap { name, body, created_ms });

impl Store {
    /// Everything that is kept about an account.
    pub async fn holding(&self, account: Id) -> Result<Option<Holding>, StoreError> {
        const SESSIONS: &str = "SELECT created_ms, expires_ms FROM sessions WHERE account_id = $1 ORDER BY created_ms";
        const GAMES: &str = "SELECT code, game, side, winner, reason, started_ms, ended_ms, record FROM games \
                             JOIN game_players ON game_id = games.id WHERE account_id = $1 ORDER BY ended_ms, side";
        const MAPS: &str = "SELECT name, body, created_ms FROM maps WHERE account_id = $1 ORDER BY name";
        let Some(owner) = self.account(account).await? else { return Ok(None) };
        let api_tokens = self.api_tokens(account).await?;
        let (sessions, games, maps) = with_pool!(self, pool => (
            sqlx::query_as(SESSIONS).bind(account).fetch_all(pool).await?,
            sqlx::query_as(GAMES).bind(account).fetch_all(pool).await?,
            sqlx::query_as(MAPS).bind(account).fetch_all(pool).await?,
        ));
        Ok(Some(Holding { account: owner, sessions, api_tokens, games, maps }))
    }
}
