//! Brings a database up to date.

use std::cmp::Ordering;

use crate::db::with_pool;
use crate::{Store, StoreError};

/// What was changed from version to version. What stands here has been carried out somewhere and is never changed.
pub(crate) const MIGRATIONS: &[&str] = &[include_str!("../migrations/0001_start.sql")];

/// The newest version.
pub(crate) const KNOWN: i64 = MIGRATIONS.len() as i64;

const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY)";

impl Store {
    /// Carries out what the database has not seen yet; each step wholly or not at all.
    pub(crate) async fn migrate(&self) -> Result<(), StoreError> {
        let _writer = self.writer().await?;
        with_pool!(self, pool => sqlx::raw_sql(SCHEMA).execute(pool).await.map(drop))?;
        let found = match self.check_version().await {
            Ok(()) => return Ok(()),
            Err(StoreError::Older { found, .. }) => found,
            Err(error) => return Err(error),
        };
        for (version, &change) in (1..).zip(MIGRATIONS).skip(found as usize) {
            with_pool!(self, pool => {
                let mut transaction = pool.begin().await?;
                sqlx::raw_sql(change).execute(&mut *transaction).await?;
                let done = sqlx::query("INSERT INTO schema_version (version) VALUES ($1)").bind(version);
                done.execute(&mut *transaction).await?;
                transaction.commit().await?;
            });
            tracing::info!(version, "the database is brought up to date");
        }
        Ok(())
    }

    /// Whether the database has the version that is known here.
    pub(crate) async fn check_version(&self) -> Result<(), StoreError> {
        let (found, known) = (self.version().await?, KNOWN);
        match found.cmp(&known) {
            Ordering::Less => Err(StoreError::Older { found, known }),
            Ordering::Equal => Ok(()),
            Ordering::Greater => Err(StoreError::Newer { found, known }),
        }
    }

    async fn version(&self) -> Result<i64, StoreError> {
        const QUERY: &str = "SELECT COALESCE(MAX(version), 0) FROM schema_version";
        Ok(with_pool!(self, pool => sqlx::query_scalar(QUERY).fetch_one(pool).await)?)
    }
}
