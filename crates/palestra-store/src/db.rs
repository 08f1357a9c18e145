//! The two databases behind one face.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{Id, StoreError};

/// The memory of a server.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) pool: Pool,
    /// SQLite has room for one writer: they wait here, in order, rather than in it.
    writer: Arc<Semaphore>,
}

#[derive(Clone, Debug)]
pub(crate) enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Runs an expression with `$pool` as the one pool that there is: `with_pool!(store, pool => query.execute(pool).await)`.
/// Transactions begin with `pool.begin()`. The text of a query is the same for both databases.
macro_rules! with_pool {
    ($store:expr, $pool:ident => $body:expr) => {
        match &$store.pool {
            $crate::db::Pool::Sqlite($pool) => $body,
            $crate::db::Pool::Postgres($pool) => $body,
        }
    };
}
pub(crate) use with_pool;

/// How long SQLite waits for whoever else has its file, such as a backup.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many connections there are at most.
const CONNECTIONS: u32 = 8;

impl Store {
    /// Opens the SQLite database of this file, which is made if need be, and brings it up to date.
    pub async fn open_file(path: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A committed change survives the end of the process, not always that of the power; in return a move is
            // kept in microseconds.
            .synchronous(SqliteSynchronous::Normal)
            .foreign_keys(true)
            .busy_timeout(PATIENCE);
        let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(PATIENCE);
        let pool = Pool::Sqlite(pool.connect_with(options).await?);
        Self::new(pool, 1).await
    }

    /// Opens the database with this address, `postgres://…` or `sqlite:path`, and brings it up to date.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        if let Some(path) = address.strip_prefix("sqlite:") {
            return Self::open_file(Path::new(path)).await;
        }
        if !address.starts_with("postgres://") && !address.starts_with("postgresql://") {
            return Err(StoreError::Address(address.to_owned()));
        }
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(PATIENCE);
        let pool = Pool::Postgres(pool.connect(address).await?);
        Self::new(pool, CONNECTIONS as usize).await
    }

    async fn new(pool: Pool, writers: usize) -> Result<Self, StoreError> {
        let store = Self { pool, writer: Arc::new(Semaphore::new(writers)) };
        store.migrate().await?;
        Ok(store)
    }

    /// Waits until it may write. Whoever writes holds this.
    pub(crate) async fn writer(&self) -> SemaphorePermit<'_> {
        self.writer.acquire().await.expect("the semaphore is never closed")
    }

    /// A sign of life of the database.
    pub async fn ping(&self) -> Result<(), StoreError> {
        with_pool!(self, pool => sqlx::query("SELECT 1").execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Closes the database, after what is under way.
    pub async fn close(&self) {
        with_pool!(self, pool => pool.close().await);
    }
}

/// How many bits of an id are random: what is made in the same millisecond does not meet.
const RANDOM_BITS: u32 = 21;

/// A new id.
pub(crate) fn new_id(now_ms: i64) -> Id {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    first_id(now_ms) | (i64::from_le_bytes(bytes) & ((1 << RANDOM_BITS) - 1))
}

/// The first id that can be made at this time.
pub(crate) const fn first_id(now_ms: i64) -> Id {
    now_ms << RANDOM_BITS
}
