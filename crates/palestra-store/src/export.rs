//! All data about an account, for its owner to download (GDPR, article 20).

use crate::db::with_pool;
use crate::row::row;
use crate::{Account, ApiToken, Id, MapVisibility, Store, StoreFuture};

/// All data about an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountExport {
    /// The account itself.
    pub account: Account,
    /// The sessions of the account.
    pub sessions: Vec<ExportedSession>,
    /// The API tokens of the account.
    pub api_tokens: Vec<ApiToken>,
    /// The games that it played.
    pub games: Vec<ExportedGame>,
    /// The maps that it keeps.
    pub maps: Vec<ExportedMap>,
    /// The bots that it registered.
    pub bots: Vec<ExportedBot>,
    /// The versions of bots that it uploaded.
    pub versions: Vec<ExportedVersion>,
}

/// A session in an export, without its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedSession {
    /// When the session was opened.
    pub created_ms: i64,
    /// When the session expires.
    pub expires_ms: i64,
}

row!(ExportedSession { created_ms, expires_ms });

/// A game in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedGame {
    /// The code of the game.
    pub code: String,
    /// The id of the game's kind.
    pub game: String,
    /// The side of the account, 1 or 2.
    pub side: i64,
    /// The side that won.
    pub winner: Option<i64>,
    /// The word for the reason for which the game ended.
    pub reason: String,
    /// When the game began.
    pub started_ms: i64,
    /// When the game ended.
    pub ended_ms: i64,
    /// The moves of the game.
    pub record: String,
}

row!(ExportedGame { code, game, side, winner, reason, started_ms, ended_ms, record });

/// A map in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedMap {
    /// The address of the map.
    pub address: String,
    /// The name of the map.
    pub name: String,
    /// The map itself.
    pub body: String,
    /// Who can see the map.
    pub visibility: MapVisibility,
    /// When the map was first kept.
    pub created_ms: i64,
}

row!(ExportedMap { address, name, body, visibility: String, created_ms });

/// A bot in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedBot {
    /// The name of the bot.
    pub name: String,
    /// The game that it plays.
    pub game: String,
    /// The language in which it is written.
    pub language: String,
    /// When it was registered.
    pub created_ms: i64,
}

row!(ExportedBot { name, game, language, created_ms });

/// A version of a bot in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedVersion {
    /// The name of the bot.
    pub bot: String,
    /// The number of the version.
    pub number: i64,
    /// What its author said about it.
    pub note: String,
    /// How far it came.
    pub state: String,
    /// The SHA-256 of its sources.
    pub source_hash: String,
    /// The bytes of its sources.
    pub size_bytes: i64,
    /// When it was uploaded.
    pub created_ms: i64,
}

row!(ExportedVersion { bot, number, note, state, source_hash, size_bytes, created_ms });

impl Store {
    /// All data about an account; `None` if it does not exist.
    pub fn export_account(&self, account: Id) -> StoreFuture<'_, Option<AccountExport>> {
        Box::pin(async move {
            const SESSIONS: &str =
                "SELECT created_ms, expires_ms FROM sessions WHERE account_id = $1 ORDER BY created_ms";
            const GAMES: &str = "SELECT code, game, side, winner, reason, started_ms, ended_ms, record FROM games \
                             JOIN game_players ON game_id = games.id WHERE account_id = $1 ORDER BY ended_ms, side";
            const MAPS: &str = "SELECT address, name, body, visibility, created_ms FROM maps \
                                WHERE account_id = $1 ORDER BY name, id";
            const BOTS: &str =
                "SELECT name, game, language, created_ms FROM bots WHERE account_id = $1 ORDER BY name_key";
            const VERSIONS: &str = "SELECT b.name AS bot, v.number, v.note, v.state, v.source_hash, v.size_bytes, \
                                    v.created_ms FROM bot_versions v JOIN bots b ON b.id = v.bot_id \
                                    WHERE v.account_id = $1 ORDER BY b.name_key, v.number";
            let Some(owner) = self.account(account).await? else { return Ok(None) };
            let api_tokens = self.api_tokens(account).await?;
            let (sessions, games, maps, bots, versions) = with_pool!(self, pool => (
                sqlx::query_as(SESSIONS).bind(account).fetch_all(pool).await?,
                sqlx::query_as(GAMES).bind(account).fetch_all(pool).await?,
                sqlx::query_as(MAPS).bind(account).fetch_all(pool).await?,
                sqlx::query_as(BOTS).bind(account).fetch_all(pool).await?,
                sqlx::query_as(VERSIONS).bind(account).fetch_all(pool).await?,
            ));
            Ok(Some(AccountExport { account: owner, sessions, api_tokens, games, maps, bots, versions }))
        })
    }
}
