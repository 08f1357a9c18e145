//! The heartbeat: when the server was last known to be up.

use crate::db::with_pool;
use crate::{Store, StoreError};

impl Store {
    /// Records that the server is up at this time.
    pub async fn beat(&self, now_ms: i64) -> Result<(), StoreError> {
        const QUERY: &str = "INSERT INTO heartbeat (id, alive_ms) VALUES (1, $1) \
                             ON CONFLICT (id) DO UPDATE SET alive_ms = excluded.alive_ms";
        let _writer = self.writer().await?;
        with_pool!(self, pool => sqlx::query(QUERY).bind(now_ms).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// When a server was last up, if one ever was. The time since then is charged to no clock.
    pub async fn last_beat(&self) -> Result<Option<i64>, StoreError> {
        const QUERY: &str = "SELECT alive_ms FROM heartbeat WHERE id = 1";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).fetch_optional(pool).await)?)
    }
}
