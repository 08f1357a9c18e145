//! Uploaded maps.

use crate::db::{new_id, with_pool};
use crate::row::row;
use crate::{Id, Store, StoreError};

/// A map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptMap {
    /// The unique name of the map.
    pub name: String,
    /// The text of the map.
    pub body: String,
    /// Whose it is, while they have an account.
    pub account_id: Option<Id>,
    /// The current nickname of the owner.
    pub nickname: Option<String>,
    /// Since when.
    pub created_ms: i64,
}

row!(KeptMap { name, body, account_id, nickname, created_ms });

/// A map in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapEntry {
    /// The name of the map.
    pub name: String,
    /// The current nickname of the owner.
    pub nickname: Option<String>,
}

row!(MapEntry { name, nickname });

impl Store {
    /// Keeps a map. [`StoreError::Taken`] if there is one of that name.
    pub async fn add_map(&self, name: &str, body: &str, account: Id, now_ms: i64) -> Result<(), StoreError> {
        const QUERY: &str = "INSERT INTO maps (id, name, body, account_id, created_ms) VALUES ($1, $2, $3, $4, $5)";
        let _writer = self.writer().await?;
        with_pool!(self, pool => {
            let query = sqlx::query(QUERY).bind(new_id(now_ms)).bind(name).bind(body).bind(account);
            query.bind(now_ms).execute(pool).await?;
        });
        Ok(())
    }

    /// The map with this name.
    pub async fn map(&self, name: &str) -> Result<Option<KeptMap>, StoreError> {
        const QUERY: &str = "SELECT m.name, m.body, m.account_id, a.nickname, m.created_ms FROM maps m \
                             LEFT JOIN accounts a ON a.id = m.account_id WHERE m.name = $1";
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(name).fetch_optional(pool).await)?)
    }

    /// Maps by name: at most `limit` of them, after the first `offset`.
    pub async fn maps(&self, offset: u32, limit: u32) -> Result<Vec<MapEntry>, StoreError> {
        const QUERY: &str = "SELECT m.name, a.nickname FROM maps m LEFT JOIN accounts a ON a.id = m.account_id \
                             ORDER BY m.name LIMIT $1 OFFSET $2";
        let (limit, offset) = (i64::from(limit), i64::from(offset));
        Ok(with_pool!(self, pool => sqlx::query_as(QUERY).bind(limit).bind(offset).fetch_all(pool).await)?)
    }

    /// Number of maps of an account.
    pub async fn map_count(&self, account: Id) -> Result<i64, StoreError> {
        const QUERY: &str = "SELECT COUNT(*) FROM maps WHERE account_id = $1";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).bind(account).fetch_one(pool).await)?)
    }

    /// Forgets a map; false if there was none.
    pub async fn delete_map(&self, name: &str) -> Result<bool, StoreError> {
        let _writer = self.writer().await?;
        let done = with_pool!(self, pool => {
            sqlx::query("DELETE FROM maps WHERE name = $1").bind(name).execute(pool).await?.rows_affected()
        });
        Ok(done > 0)
    }
}
