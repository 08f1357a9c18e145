//! What can go wrong with a database.

use std::path::PathBuf;

/// Why the database did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The address of the database is none, or of a kind that is not known.
    // Not shown: it may hold a password.
    #[error("that is no address of a database: write postgres://user@host/name, or sqlite:path")]
    Address,
    /// The database was made by a newer Palestra.
    #[error("the database has version {found}, this Palestra knows {known}: use a newer one")]
    Newer {
        /// The database's version.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// The database is empty, or was made by an older Palestra and not brought up to date yet.
    #[error("the database has version {found}, this Palestra needs {known}: let it serve once")]
    Older {
        /// The database's version; 0 if it is empty.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// The file of the database has no bytes: it was truncated, or the disk was full when it was made.
    #[error("{} is an empty file, not a database", .0.display())]
    Empty(PathBuf),
    /// Something with that name is there already.
    #[error("there is one of that name already")]
    Taken,
    /// No room is left on the disk.
    #[error("the disk is full")]
    Full,
    /// Somebody else keeps the database locked, or it cannot be reached.
    #[error("the database is busy or away")]
    Busy,
    /// A text that the database cannot hold.
    #[error("the database cannot hold such a text")]
    Text,
    /// Anything else.
    #[error("the database: {0}")]
    Other(sqlx::Error),
}

/// SQLite's words for its troubles: <https://sqlite.org/rescode.html>. The second is said when there is no room for its
/// notes on who reads what.
const SQLITE_FULL: &[&str] = &["13", "4874"];
const SQLITE_BUSY: &[&str] = &["5", "6", "261", "517"];
/// PostgreSQL's: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
const POSTGRES_FULL: &[&str] = &["53100"];
const POSTGRES_BUSY: &[&str] = &["53300", "55P03", "40001", "40P01", "57P01", "57P02", "57P03"];
/// PostgreSQL keeps no text with a NUL in it.
const POSTGRES_TEXT: &[&str] = &["22021"];

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if let sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) = error {
            return Self::Busy;
        }
        let Some(trouble) = error.as_database_error() else { return Self::Other(error) };
        let code = trouble.code().unwrap_or_default();
        let is_one_of = |codes: &[&[&str]]| codes.iter().any(|codes| codes.contains(&code.as_ref()));
        if trouble.is_unique_violation() {
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
