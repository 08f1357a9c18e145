//! Games that have been played.

use sqlx::QueryBuilder;

use crate::account::nickname_key;
use crate::change::DELETED;
use crate::db::{first_id, transaction, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError, StoreFuture};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptGame {
    /// The unguessable code of the game, a part of its address.
    pub code: String,
    /// Which game.
    pub game: String,
    /// The options, one word: a Parchís board, a map's name.
    pub options: String,
    /// The table where it was played.
    pub table_code: Option<String>,
    /// Whether it stands in lists.
    pub is_public: bool,
    /// Whether it counts for ratings.
    pub is_rated: bool,
    /// The points of both sides.
    pub points: [i64; 2],
    /// The side that won, 1 or 2; none after a draw.
    pub winner: Option<i64>,
    /// The word for the reason for which the game ended.
    pub reason: String,
    /// When the game began.
    pub started_ms: i64,
    /// When the game ended.
    pub ended_ms: i64,
    /// The game itself, without the names of the players: they may change or be forgotten.
    pub record: String,
    /// Side 1, side 2.
    pub players: [Player; 2],
}

/// A game about to be kept.
pub type NewGame = KeptGame;

/// Who plays a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The kind of player.
    pub kind: PlayerKind,
    /// Their account, while it exists.
    pub account: Option<Id>,
    /// The name. Games do not store the nickname of an account: the current one is read.
    pub name: String,
}

impl Player {
    /// Whether the player's account was deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.kind == PlayerKind::Account && self.account.is_none()
    }
}

/// The kind of a player.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum PlayerKind {
    /// A person with an account.
    Account,
    /// A person without one.
    Guest,
    /// One that comes with Palestra.
    BuiltIn,
    /// A program.
    Program,
}

impl PlayerKind {
    /// All variants.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word for it, as in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }
}

impl TryFrom<String> for PlayerKind {
    type Error = UnknownPlayerKind;

    fn try_from(word: String) -> Result<Self, UnknownPlayerKind> {
        word.parse().map_err(|_| UnknownPlayerKind(word))
    }
}

/// A word that is no kind of player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no kind of player")]
pub struct UnknownPlayerKind(String);

/// Which games to list. What is not said does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Which game.
    pub game: Option<String>,
    /// Who played: an account's nickname in any case, or the exact name of a player without one.
    pub player: Option<String>,
    /// The result.
    pub result: Option<GameEnd>,
    /// The reason for which the game ended.
    pub reason: Option<String>,
    /// Not before.
    pub from_ms: Option<i64>,
    /// Before.
    pub to_ms: Option<i64>,
    /// Only games that ended before the game with this code, the last of the previous page.
    pub before: Option<String>,
}

/// The end of a game, for filters.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub enum GameEnd {
    /// Side 1 wins.
    #[strum(serialize = "1")]
    First,
    /// Side 2 wins.
    #[strum(serialize = "2")]
    Second,
    /// Nobody wins.
    Draw,
}

impl GameEnd {
    /// All variants.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word for it, as in addresses.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }

    const fn condition(self) -> &'static str {
        match self {
            Self::First => " AND g.winner = 1",
            Self::Second => " AND g.winner = 2",
            Self::Draw => " AND g.winner IS NULL",
        }
    }
}

/// A game with its players, as the database tells it.
#[derive()]
struct Row {
    code: String,
    game: String,
    options: String,
    table_code: Option<String>,
    is_public: bool,
    is_rated: bool,
    points_1: i64,
    points_2: i64,
    winner: Option<i64>,
    reason: String,
    started_ms: i64,
    ended_ms: i64,
    record: String,
    kind_1: PlayerKind,
    account_1: Option<Id>,
    name_1: Option<String>,
    kind_2: PlayerKind,
    account_2: Option<Id>,
    name_2: Option<String>,
}

row!(Row {
    code,
    game,
    options,
    table_code,
    is_public,
    is_rated,
    points_1,
    points_2,
    winner,
    reason,
    started_ms,
    ended_ms,
    record,
    kind_1: String,
    account_1,
    name_1,
    kind_2: String,
    account_2,
    name_2
});

impl From<Row> for KeptGame {
    fn from(row: Row) -> Self {
        let player = |kind, account, name: Option<String>| {
            let name = name.unwrap_or_else(|| DELETED.to_owned());
            Player { kind, account, name }
        };
        Self {
            code: row.code,
            game: row.game,
            options: row.options,
            table_code: row.table_code,
            is_public: row.is_public,
            is_rated: row.is_rated,
            points: [row.points_1, row.points_2],
            winner: row.winner,
            reason: row.reason,
            started_ms: row.started_ms,
            ended_ms: row.ended_ms,
            record: row.record,
            players: [player(row.kind_1, row.account_1, row.name_1), player(row.kind_2, row.account_2, row.name_2)],
        }
    }
}

macro_rules! select_game {
    ($rest:literal) => {
        concat!(
            "SELECT g.code, g.game, g.options, g.table_code, g.is_public, g.is_rated, g.points_1, g.points_2, g.winner, ",
            "g.reason, g.started_ms, g.ended_ms, g.record, ",
            "p1.kind AS kind_1, p1.account_id AS account_1, COALESCE(a1.nickname, p1.name) AS name_1, ",
            "p2.kind AS kind_2, p2.account_id AS account_2, COALESCE(a2.nickname, p2.name) AS name_2 ",
            "FROM games g ",
            "JOIN game_players p1 ON p1.game_id = g.id AND p1.side = 1 ",
            "JOIN game_players p2 ON p2.game_id = g.id AND p2.side = 2 ",
            "LEFT JOIN accounts a1 ON a1.id = p1.account_id ",
            "LEFT JOIN accounts a2 ON a2.id = p2.account_id ",
            $rest
        )
    };
}

pub(crate) const INSERT_GAME: &str = "INSERT INTO games (id, code, game, options, table_code, is_public, is_rated, \
                                      points_1, points_2, winner, reason, started_ms, ended_ms, record) \
                                      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) \
                                      ON CONFLICT (code) DO NOTHING";
/// An account may be deleted while its game goes on.
pub(crate) const INSERT_PLAYER: &str = "INSERT INTO game_players (game_id, side, kind, account_id, name) \
                                        VALUES ($1, $2, $3, (SELECT id FROM accounts WHERE id = $4), $5)";

/// Keeps a game as a part of a transaction, which has one of two types. Whether there was none with its code.
macro_rules! insert_game {
    ($transaction:ident, $new:expr) => {{
        let (id, new): (_, &$crate::NewGame) = ($crate::db::new_id($new.ended_ms), $new);
        let game = sqlx::query($crate::game::INSERT_GAME).bind(id).bind(&new.code).bind(&new.game).bind(&new.options);
        let game = game.bind(&new.table_code).bind(new.is_public).bind(new.is_rated);
        let game = game.bind(new.points[0]).bind(new.points[1]).bind(new.winner).bind(&new.reason);
        let game = game.bind(new.started_ms).bind(new.ended_ms).bind(&new.record);
        let is_new = game.execute(&mut *$transaction).await?.rows_affected() > 0;
        for (side, player) in (1_i64..).zip(&new.players).filter(|_| is_new) {
            let name = (player.kind != $crate::PlayerKind::Account).then_some(&player.name);
            let row = sqlx::query($crate::game::INSERT_PLAYER).bind(id).bind(side).bind(player.kind.word());
            row.bind(player.account).bind(name).execute(&mut *$transaction).await?;
        }
        is_new
    }};
}
pub(crate) use insert_game;

impl Store {
    /// Keeps a game; false if one with its code is kept already.
    pub fn add_game<'a>(&'a self, new: &'a NewGame) -> StoreFuture<'a, bool> {
        Box::pin(async move { transaction!(self, transaction => { Ok(insert_game!(transaction, new)) }) })
    }

    /// The game with this code, public or not.
    pub async fn game(&self, code: &str) -> Result<Option<KeptGame>, StoreError> {
        const QUERY: &str = select_game!("WHERE g.code = $1");
        let found: Option<Row> = with_pool!(self, pool => sqlx::query_as(QUERY).bind(code).fetch_optional(pool).await)?;
        Ok(found.map(KeptGame::from))
    }

    /// The code of the last game that was played at a table.
    pub async fn last_game_of(&self, table_code: &str) -> Result<Option<String>, StoreError> {
        const QUERY: &str = "SELECT code FROM games WHERE table_code = $1 ORDER BY id DESC LIMIT 1";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(table_code).fetch_optional(pool).await)?)
    }

    /// The games of an account and those that were played at these tables, public or not, the last to end first.
    pub fn games_of<'a>(
        &'a self,
        account: Option<Id>,
        tables: &'a [String],
        limit: u32,
    ) -> StoreFuture<'a, Vec<KeptGame>> {
        Box::pin(async move {
            if account.is_none() && tables.is_empty() {
                return Ok(vec![]);
            }
            let rows: Vec<Row> = with_pool!(self, pool => {
                let mut query = QueryBuilder::new(select_game!("WHERE "));
                let mut conditions = query.separated(" OR ");
                if let Some(account) = account {
                    conditions.push("g.id IN (SELECT game_id FROM game_players WHERE account_id = ");
                    conditions.push_bind_unseparated(account).push_unseparated(")");
                }
                for table in tables {
                    conditions.push("g.table_code = ").push_bind_unseparated(table);
                }
                query.push(" ORDER BY g.id DESC LIMIT ").push_bind(i64::from(limit));
                query.build_query_as().fetch_all(pool).await
            })?;
            Ok(rows.into_iter().map(KeptGame::from).collect())
        })
    }

    /// The public games that pass the filter, the last to end first.
    pub fn games<'a>(&'a self, filter: &'a GameFilter, limit: u32) -> StoreFuture<'a, Vec<KeptGame>> {
        Box::pin(async move {
            let rows: Vec<Row> = with_pool!(self, pool => {
                let mut query = QueryBuilder::new(select_game!("WHERE g.is_public"));
                if let Some(game) = &filter.game {
                    query.push(" AND g.game = ").push_bind(game);
                }
                if let Some(player) = &filter.player {
                    query.push(" AND g.id IN (SELECT game_id FROM game_players WHERE account_id = ");
                    query.push("(SELECT id FROM accounts WHERE nickname_key = ").push_bind(nickname_key(player));
                    query.push(") UNION ALL SELECT game_id FROM game_players WHERE name = ").push_bind(player).push(")");
                }
                if let Some(result) = filter.result {
                    query.push(result.condition());
                }
                if let Some(reason) = &filter.reason {
                    query.push(" AND g.reason = ").push_bind(reason);
                }
                // Ids grow with the time of the end, and have an index.
                if let Some(from_ms) = filter.from_ms {
                    query.push(" AND g.id >= ").push_bind(first_id(from_ms));
                }
                if let Some(to_ms) = filter.to_ms {
                    query.push(" AND g.id < ").push_bind(first_id(to_ms));
                }
                if let Some(code) = &filter.before {
                    query.push(" AND g.id < (SELECT id FROM games WHERE code = ").push_bind(code).push(")");
                }
                query.push(" ORDER BY g.id DESC LIMIT ").push_bind(i64::from(limit));
                query.build_query_as().fetch_all(pool).await
            })?;
            Ok(rows.into_iter().map(KeptGame::from).collect())
        })
    }
}
