//! Maps that accounts keep.

use crate::db::{new_id, transaction, with_pool};
use crate::row::row;
use crate::token::code;
use crate::{Id, Store, StoreError};

/// Who can see a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = UnknownVisibility, parse_err_fn = unknown_visibility)]
pub enum MapVisibility {
    /// Its owner.
    Private,
    /// Everyone who has its address.
    Link,
    /// Everyone: lists show it.
    Public,
}

impl MapVisibility {
    /// The word for it, as in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }
}

impl TryFrom<String> for MapVisibility {
    type Error = UnknownVisibility;

    fn try_from(word: String) -> Result<Self, UnknownVisibility> {
        word.parse()
    }
}

/// A word that is no visibility of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} says of no map who can see it: private, link or public")]
pub struct UnknownVisibility(String);

fn unknown_visibility(word: &str) -> UnknownVisibility {
    UnknownVisibility(word.to_owned())
}

/// A map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptMap {
    /// The unique word at which it is found; it never changes.
    pub address: String,
    /// Its name, unique among the maps of its owner.
    pub name: String,
    /// The text of the map.
    pub body: String,
    /// Who can see it.
    pub visibility: MapVisibility,
    /// Whose it is, while they have an account.
    pub account_id: Option<Id>,
    /// The current nickname of the owner.
    pub nickname: Option<String>,
    /// Since when.
    pub created_ms: i64,
}

row!(KeptMap { address, name, body, visibility: String, account_id, nickname, created_ms });

/// A map in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapEntry {
    /// The address of the map.
    pub address: String,
    /// The name of the map.
    pub name: String,
    /// The current nickname of the owner.
    pub nickname: Option<String>,
}

row!(MapEntry { address, name, nickname });

/// Maximum number of maps of an account. One that has had more before keeps them, and adds none.
pub const MAX_MAPS: i64 = 20;

macro_rules! select_map {
    ($rest:literal) => {
        concat!(
            "SELECT m.address, m.name, m.body, m.visibility, m.account_id, a.nickname, m.created_ms FROM maps m \
             LEFT JOIN accounts a ON a.id = m.account_id ",
            $rest
        )
    };
}

impl Store {
    /// Keeps a private map, and returns its address; `None` if the account has as many as it can have.
    /// [`StoreError::Taken`] if it has one of that name.
    pub async fn add_map(
        &self,
        account: Id,
        name: &str,
        body: &str,
        now_ms: i64,
    ) -> Result<Option<String>, StoreError> {
        // Locks the row: of several calls for one account each counts the maps of those before it.
        const LOCK: &str = "UPDATE accounts SET role = role WHERE id = $1";
        const COUNT: &str = "SELECT COUNT(*) FROM maps WHERE account_id = $1";
        const INSERT: &str = "INSERT INTO maps (id, address, name, body, visibility, account_id, created_ms) \
                              VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let address = code();
        transaction!(self, transaction => {
            sqlx::query(LOCK).bind(account).execute(&mut *transaction).await?;
            let count: i64 = sqlx::query_scalar(COUNT).bind(account).fetch_one(&mut *transaction).await?;
            if count >= MAX_MAPS {
                return Ok(None);
            }
            let query = sqlx::query(INSERT).bind(new_id(now_ms)).bind(&address).bind(name).bind(body);
            let query = query.bind(MapVisibility::Private.word()).bind(account).bind(now_ms);
            query.execute(&mut *transaction).await?;
            Ok(Some(address))
        })
    }

    /// The map at this address, private ones included.
    pub async fn map(&self, address: &str) -> Result<Option<KeptMap>, StoreError> {
        const QUERY: &str = select_map!("WHERE m.address = $1");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(address).fetch_optional(pool).await)?)
    }

    /// The maps of an account, by name.
    pub async fn maps_of(&self, account: Id) -> Result<Vec<KeptMap>, StoreError> {
        const QUERY: &str = select_map!("WHERE m.account_id = $1 ORDER BY m.name, m.id");
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(account).fetch_all(pool).await)?)
    }

    /// Public maps by name: at most `limit` of them, after the first `offset`.
    pub async fn public_maps(&self, offset: u32, limit: u32) -> Result<Vec<MapEntry>, StoreError> {
        const QUERY: &str = "SELECT m.address, m.name, a.nickname FROM maps m \
                             LEFT JOIN accounts a ON a.id = m.account_id WHERE m.visibility = 'public' \
                             ORDER BY m.name, m.id LIMIT $1 OFFSET $2";
        let (limit, offset) = (i64::from(limit), i64::from(offset));
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(limit).bind(offset).fetch_all(pool).await)?)
    }

    /// Gives a map of this account another name and body. `false` if it has no such map, [`StoreError::Taken`] if another
    /// map of the account has the name.
    pub async fn save_map(&self, account: Id, address: &str, name: &str, body: &str) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE maps SET name = $1, body = $2 WHERE address = $3 AND account_id = $4";
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(name).bind(body).bind(address).bind(account);
            query.execute(pool).await?.rows_affected()
        });
        Ok(done > 0)
    }

    /// Says who can see a map of this account. `false` if it has no such map.
    pub async fn show_map(&self, account: Id, address: &str, visibility: MapVisibility) -> Result<bool, StoreError> {
        const QUERY: &str = "UPDATE maps SET visibility = $1 WHERE address = $2 AND account_id = $3";
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(visibility.word()).bind(address).bind(account);
            query.execute(pool).await?.rows_affected()
        });
        Ok(done > 0)
    }

    /// Forgets a map; false if there was none.
    pub async fn delete_map(&self, address: &str) -> Result<bool, StoreError> {
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => {
            sqlx::query("DELETE FROM maps WHERE address = $1").bind(address).execute(pool).await?.rows_affected()
        });
        Ok(done > 0)
    }
}
