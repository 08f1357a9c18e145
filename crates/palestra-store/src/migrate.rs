//! Migrations of the database schema.

use std::cmp::Ordering;

use crate::db::{Pool, transaction, with_pool};
use crate::{Store, StoreError};

/// The migrations, from version to version. A migration that was released is never changed. `backup` finds the tables by
/// lines that begin with `CREATE TABLE`.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_start.sql"),
    include_str!("../migrations/0002_indexes.sql"),
    include_str!("../migrations/0003_unreadable_tables.sql"),
    include_str!("../migrations/0004_maps_of_accounts.sql"),
    include_str!("../migrations/0005_courses.sql"),
    include_str!("../migrations/0006_reasons_of_runs.sql"),
];

/// The newest version.
pub(crate) const KNOWN: i64 = MIGRATIONS.len() as i64;

const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY)";
const VERSION: &str = "SELECT COALESCE(MAX(version), 0) FROM schema_version";

/// An advisory lock, held until the transaction ends: servers that start at the same time migrate one after the other. In
/// SQLite every write transaction excludes the others.
const POSTGRES_LOCK: &str = "SET LOCAL lock_timeout = '60s'; SELECT pg_advisory_xact_lock(7305804402)";

/// In a transaction: applies the migrations with these numbers.
macro_rules! apply_migrations {
    ($transaction:ident, $versions:expr) => {
        for version in $versions {
            let index = usize::try_from(version - 1).expect("versions begin with 1");
            sqlx::raw_sql($crate::migrate::MIGRATIONS[index]).execute(&mut *$transaction).await?;
            let applied = sqlx::query("INSERT INTO schema_version (version) VALUES ($1)").bind(version);
            applied.execute(&mut *$transaction).await?;
        }
    };
}
pub(crate) use apply_migrations;

impl Store {
    /// Migrates the database to the newest version, in one transaction.
    pub(crate) async fn migrate(&self) -> Result<(), StoreError> {
        let migrated: Result<i64, StoreError> = transaction!(self, transaction => {
            if let Pool::Postgres(_) = self.pool {
                sqlx::raw_sql(POSTGRES_LOCK).execute(&mut *transaction).await?;
            }
            sqlx::raw_sql(SCHEMA).execute(&mut *transaction).await?;
            let found: i64 = sqlx::query_scalar(VERSION).fetch_one(&mut *transaction).await?;
            match compare(found) {
                Ok(()) | Err(StoreError::Older { .. }) => apply_migrations!(transaction, found + 1..=KNOWN),
                Err(error) => return Err(error),
            }
            Ok(found)
        });
        let from = migrated?;
        if from < KNOWN {
            tracing::info!(from, to = KNOWN, "migrated the database");
        }
        Ok(())
    }

    /// Whether the database has the newest version.
    pub(crate) async fn check_version(&self) -> Result<(), StoreError> {
        compare(with_pool!(self, pool => sqlx::query_scalar(VERSION).fetch_one(pool).await)?)
    }
}

fn compare(found: i64) -> Result<(), StoreError> {
    let known = KNOWN;
    match found.cmp(&known) {
        Ordering::Less => Err(StoreError::Older { found, known }),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(StoreError::Newer { found, known }),
    }
}
