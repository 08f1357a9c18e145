//! Errors of the database.

use std::path::PathBuf;

/// Why a call of the store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The address of the database is neither PostgreSQL's nor SQLite's.
    // Not shown: it may hold a password.
    #[error("not a database address: write postgres://user@host/name or sqlite:path")]
    Address,
    /// The database was made by a newer Palestra.
    #[error("the database has schema version {found}, this Palestra supports up to {known}: use a newer Palestra")]
    Newer {
        /// The schema version of the database.
        found: i64,
        /// The newest schema version that this Palestra knows.
        known: i64,
    },
    /// The database is empty, or was made by an older Palestra and has not been migrated.
    #[error("the database has schema version {found}, this Palestra needs {known}: 'palestra serve' migrates it")]
    Older {
        /// The schema version of the database; 0 if it is empty.
        found: i64,
        /// The newest schema version that this Palestra knows.
        known: i64,
    },
    /// The file of the database has no bytes: it was truncated, or the disk was full when it was made.
    #[error("{} is an empty file, not a database", .0.display())]
    Empty(PathBuf),
    /// A unique value, such as a name or an address, is in use already.
    #[error("that name is already in use")]
    Taken,
    /// No room is left on the disk.
    #[error("the disk is full")]
    Full,
    /// The database is locked by another process, or cannot be reached.
    #[error("the database is locked or cannot be reached")]
    Busy,
    /// A text that the database cannot store: PostgreSQL refuses NUL characters.
    #[error("the database cannot store that text")]
    Text,
    /// Any other error of the database.
    #[error("database error: {0}")]
    Other(sqlx::Error),
}

/// SQLite's result codes: <https://sqlite.org/rescode.html>. 4874 is `SQLITE_IOERR_SHMSIZE`: no room for the shared memory
/// of the write-ahead log.
const SQLITE_FULL: &[&str] = &["13", "4874"];
const SQLITE_BUSY: &[&str] = &["5", "6", "261", "517"];
/// PostgreSQL's error codes: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
const POSTGRES_FULL: &[&str] = &["53100"];
const POSTGRES_BUSY: &[&str] = &["53300", "55P03", "40001", "40P01", "57P01", "57P02", "57P03"];
/// PostgreSQL's error code for a text with a NUL character.
const POSTGRES_TEXT: &[&str] = &["22021"];

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if let sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) = error {
            return Self::Busy;
        }
        let Some(database_error) = error.as_database_error() else { return Self::Other(error) };
        let code = database_error.code().unwrap_or_default();
        let is_one_of = |codes: &[&[&str]]| codes.iter().any(|codes| codes.contains(&code.as_ref()));
        if database_error.is_unique_violation() {
            Self::Taken
        } else if is_one_of(&[SQLITE_FULL, POSTGRES_FULL]) {
            Self::Full
        } else if is_one_of(&[SQLITE_BUSY, POSTGRES_BUSY]) {
            Self::Busy
        } else if is_one_of(&[POSTGRES_TEXT]) {
            Self::Text
        } else {
            Self::Other(error)
        }
    }
}
