//! What can go wrong with a database.

/// Why the database did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The address of the database is none, or of a kind that is not known.
    #[error("{0:?} is no address of a database: write postgres://user@host/name, or sqlite:path")]
    Address(String),
    /// The database was made by a newer Palestra.
    #[error("the database has version {found}, this Palestra knows {known}: use a newer one")]
    Newer {
        /// The database's version.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// Something with that name is there already.
    #[error("there is one of that name already")]
    Taken,
    /// No room is left on the disk.
    #[error("the disk is full")]
    Full,
    /// Somebody else keeps the database locked.
    #[error("the database is busy")]
    Busy,
    /// Anything else.
    #[error("the database: {0}")]
    Other(#[source] sqlx::Error),
}

/// SQLite's words for its troubles: <https://sqlite.org/rescode.html>.
const SQLITE_FULL: &str = "13";
const SQLITE_BUSY: &[&str] = &["5", "6", "261", "517"];
/// PostgreSQL's: class 53 is "insufficient resources", 55P03 "lock not available".
const POSTGRES_FULL: &str = "53100";
const POSTGRES_BUSY: &[&str] = &["53300", "55P03", "40001", "40P01"];

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::PoolTimedOut) {
            return Self::Busy;
        }
        let Some(trouble) = error.as_database_error() else { return Self::Other(error) };
        let code = trouble.code().unwrap_or_default();
        match code.as_ref() {
            _ if trouble.is_unique_violation() => Self::Taken,
            SQLITE_FULL | POSTGRES_FULL => Self::Full,
            code if SQLITE_BUSY.contains(&code) || POSTGRES_BUSY.contains(&code) => Self::Busy,
            _ => Self::Other(error),
        }
    }
}
