//! The store: a connection pool on SQLite or PostgreSQL.

use std::fs;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Database, Transaction};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{Id, StoreError};

/// The server's database. A clone shares the connection pool.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) pool: Pool,
    /// Write permits. SQLite allows one writer at a time: the others wait here, in order, instead of polling its lock.
    writer: Arc<Semaphore>,
    busy_timeout: Duration,
    /// Counts the changes to sessions and accounts.
    pub(crate) session_version: Arc<AtomicU64>,
}

#[derive(Clone, Debug)]
pub(crate) enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Runs an expression with `$pool` as the pool of the database in use: `with_pool!(store, pool =>
/// query.execute(pool).await)`. The text of a query is the same for both databases.
macro_rules! with_pool {
    ($store:expr, $pool:ident => $body:expr) => {
        match &$store.pool {
            $crate::db::Pool::Sqlite($pool) => $body,
            $crate::db::Pool::Postgres($pool) => $body,
        }
    };
}
pub(crate) use with_pool;

/// Runs a block in a write transaction, `transaction!(store, tx => { query.execute(&mut *tx).await?; Ok(()) })`, and
/// evaluates to its result. `Ok` commits and `Err` rolls back; both are complete when the next writer gets its turn. In
/// the block `?` and `return` leave the block, not the function.
macro_rules! transaction {
    ($store:expr, $tx:ident => $body:block) => {{
        let store: &$crate::Store = $store;
        let _writer = store.writer().await?;
        match &store.pool {
            $crate::db::Pool::Sqlite(pool) => {
                // A transaction that begins by reading could not wait for the write lock later: SQLite fails at once
                // with SQLITE_BUSY, whatever the timeout.
                let mut connection = pool.acquire().await?;
                let mut $tx = sqlx::Connection::begin_with(&mut *connection, "BEGIN IMMEDIATE").await?;
                let result = async { $body }.await;
                let (result, ending) = $crate::db::finish($tx, result).await;
                if ending == $crate::db::Ending::Unknown {
                    connection.close_on_drop();
                }
                result
            }
            $crate::db::Pool::Postgres(pool) => {
                let mut $tx = pool.begin().await?;
                let result = async { $body }.await;
                $crate::db::finish($tx, result).await.0
            }
        }
    }};
}
pub(crate) use transaction;

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The transaction was committed or rolled back.
    Known,
    /// Commit or rollback failed. SQLite rolls back by itself when the disk is full, and then has nothing left to roll
    /// back; sqlx would take the connection for one with an open transaction for ever.
    Unknown,
}

/// Commits or rolls back, as the result says. Dropping a transaction would only queue its rollback, and the next writer
/// could find the database still locked.
pub(crate) async fn finish<D: Database, T, E: From<sqlx::Error>>(
    transaction: Transaction<'_, D>,
    result: Result<T, E>,
) -> (Result<T, E>, Ending) {
    match result {
        Ok(value) => match transaction.commit().await {
            Ok(()) => (Ok(value), Ending::Known),
            Err(error) => (Err(error.into()), Ending::Unknown),
        },
        Err(error) => match transaction.rollback().await {
            Ok(()) => (Err(error), Ending::Known),
            Err(failed) => {
                tracing::debug!(error = %failed, "a rollback failed");
                (Err(error), Ending::Unknown)
            }
        },
    }
}

/// Default time that a query waits for a database that is locked or cannot be reached.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum number of connections in the pool.
const MAX_CONNECTIONS: u32 = 8;

/// Time from the creation of SQLite's file to its first bytes, at most.
const CREATION_TIMEOUT: Duration = Duration::from_secs(2);

/// Interval at which a file that is being created is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A boxed future. Functions with much SQL return it instead of being `async`: the body of an `async fn` is compiled in
/// each crate that awaits it, a boxed one only here.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// How a database is opened.
#[derive(Clone, Copy, Debug)]
pub struct OpenOptions {
    /// How long a query waits for a database that is locked or cannot be reached.
    pub busy_timeout: Duration,
    /// Maximum number of pages of a SQLite file; only the disk limits it if there is none.
    pub max_pages: Option<u32>,
    /// Whether the database must exist and have the newest schema version: then nothing is created or migrated.
    pub must_exist: bool,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { busy_timeout: BUSY_TIMEOUT, max_pages: None, must_exist: false }
    }
}

impl Store {
    /// Opens a SQLite file, creates it if it does not exist, and migrates it. An empty file is refused: it is a
    /// database that lost its contents, not a new one.
    pub async fn open_file(path: &Path) -> Result<Self, StoreError> {
        Self::open_file_with(path, &OpenOptions::default()).await
    }

    /// Opens a SQLite file with options.
    pub fn open_file_with<'a>(path: &'a Path, options: &'a OpenOptions) -> StoreFuture<'a, Self> {
        Box::pin(async move {
            if is_empty(path, options.busy_timeout).await {
                return Err(StoreError::Empty(path.to_owned()));
            }
            let is_new = !options.must_exist && !path.exists();
            if !options.must_exist {
                make_private(path).map_err(|error| StoreError::Other(sqlx::Error::Io(error)))?;
            }
            let opened = Self::open_sqlite(path, options).await;
            if is_new && opened.is_err() && fs::metadata(path).is_ok_and(|file| file.len() == 0) {
                // Nothing was written: the next try makes a new database again.
                let _ = fs::remove_file(path);
            }
            opened
        })
    }

    async fn open_sqlite(path: &Path, options: &OpenOptions) -> Result<Self, StoreError> {
        let mut sqlite = SqliteConnectOptions::new()
            .filename(path)
            .journal_mode(SqliteJournalMode::Wal)
            // A committed change survives the end of the process, not always that of the power; in return a move is
            // kept in microseconds.
            .synchronous(SqliteSynchronous::Normal)
            .foreign_keys(true)
            .busy_timeout(options.busy_timeout);
        if let Some(pages) = options.max_pages {
            sqlite = sqlite.pragma("max_page_count", pages.to_string());
        }
        let pool = SqlitePoolOptions::new().max_connections(MAX_CONNECTIONS).acquire_timeout(options.busy_timeout);
        let pool = Pool::Sqlite(pool.connect_with(sqlite).await?);
        Self::new(pool, 1, options).await
    }

    /// Opens the database at an address, `postgres://…` or `sqlite:path`, and migrates it.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        Self::open_with(address, &OpenOptions::default()).await
    }

    /// Opens the database at an address with options.
    pub fn open_with<'a>(address: &'a str, options: &'a OpenOptions) -> StoreFuture<'a, Self> {
        Box::pin(async move {
            if let Some(path) = address.strip_prefix("sqlite:") {
                return Self::open_file_with(Path::new(path), options).await;
            }
            if !address.starts_with("postgres://") && !address.starts_with("postgresql://") {
                return Err(StoreError::Address);
            }
            let pool = PgPoolOptions::new().max_connections(MAX_CONNECTIONS).acquire_timeout(options.busy_timeout);
            let server = address.parse().map_err(|_| StoreError::Address)?;
            let pool = Pool::Postgres(pool.connect_with(server).await?);
            Self::new(pool, MAX_CONNECTIONS as usize, options).await
        })
    }

    async fn new(pool: Pool, writers: usize, options: &OpenOptions) -> Result<Self, StoreError> {
        let store = Self {
            pool,
            writer: Arc::new(Semaphore::new(writers)),
            busy_timeout: options.busy_timeout,
            session_version: Arc::default(),
        };
        if options.must_exist {
            store.check_version().await?
        } else {
            store.migrate().await?
        }
        Ok(store)
    }

    /// Waits for a write permit, at most for the busy timeout. A writer holds it until its transaction has ended.
    pub(crate) async fn writer(&self) -> Result<SemaphorePermit<'_>, StoreError> {
        match tokio::time::timeout(self.busy_timeout, self.writer.acquire()).await {
            Ok(permit) => Ok(permit.expect("the semaphore is never closed")),
            Err(_) => Err(StoreError::Busy),
        }
    }

    /// Checks that the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        with_pool!(self, pool => sqlx::query("SELECT 1").execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Closes the connection pool; queries under way are finished first.
    pub async fn close(&self) {
        with_pool!(self, pool => pool.close().await);
    }
}

/// Whether the file exists and is empty. A file that is empty and new may be a database that another process is about
/// to create: it is given a moment.
async fn is_empty(path: &Path, busy_timeout: Duration) -> bool {
    loop {
        let Ok(file) = fs::metadata(path) else { return false };
        let age = file.modified().ok().and_then(|modified| modified.elapsed().ok());
        if file.len() > 0 || age.is_none_or(|age| age >= busy_timeout.min(CREATION_TIMEOUT)) {
            return file.len() == 0;
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Makes a file that only its owner can read; one that is there becomes so. SQLite makes those beside it alike.
fn make_private(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    drop(file);
    Ok(())
}

/// How many bits of an id are random: what is made in the same millisecond does not meet.
const RANDOM_BITS: u32 = 21;

/// A new id.
pub(crate) fn new_id(now_ms: i64) -> Id {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    first_id(now_ms) | (i64::from_le_bytes(bytes) & ((1 << RANDOM_BITS) - 1))
}

/// The first id that can be made at this time. The last time that ids have room for is in 2109; what is beyond it is
/// after everything, and what is before 1970 before everything.
pub(crate) fn first_id(now_ms: i64) -> Id {
    now_ms.clamp(0, i64::MAX >> RANDOM_BITS) << RANDOM_BITS
}
