//! Backups: the whole database as one file, which can be restored into either database.
//!
//! The file is text, a JSON value a line: a header with the versions; for each table its name, columns and number of
//! rows, and the rows; and in the end a checksum of all that stands before it. Tables come in the order in which they
//! were made, so that whatever a row refers to is there before it.

mod reader;
mod restore;
mod writer;

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::StoreError;
use crate::migrate::{KNOWN, MIGRATIONS};

pub use reader::{Part, Reader};

/// Why a backup cannot be written or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read or written.
    #[error("cannot read or write the backup file")]
    File(#[from] io::Error),
    /// The file is damaged: it is not as it was written.
    #[error("the file is damaged at line {line}: {what}")]
    Damaged {
        /// Counted from 1.
        line: u64,
        /// What is wrong with the line.
        what: &'static str,
    },
    /// The file was made by a newer Palestra.
    #[error("the backup has schema version {found}, this Palestra supports 1 to {}: use a newer Palestra", KNOWN)]
    Version {
        /// The file's version.
        found: i64,
    },
    /// The database is not empty.
    #[error("the database is not empty: its table {0} has rows")]
    NotEmpty(&'static str),
    /// A column has a type that a backup cannot hold.
    #[error("column {0} has a type that a backup cannot hold")]
    Column(String),
}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// The version of the format.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Debug, Deserialize, Serialize)]
struct Header {
    /// By this a file is known as a backup.
    palestra_backup: u32,
    /// The version of the database.
    schema: i64,
}

/// The line before the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Table {
    /// The name of the table.
    pub table: String,
    /// The columns' names and what they hold.
    pub columns: Vec<(String, Kind)>,
    /// Number of rows that follow.
    pub rows: u64,
}

/// The last line.
#[derive(Debug, Deserialize, Serialize)]
struct End {
    sha256: String,
}

/// The type of a column, which may also be NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A number.
    Integer,
    /// Text.
    Text,
    /// Yes or no.
    Boolean,
    /// Bytes, written in base64.
    Bytes,
}

impl Kind {
    /// By the databases' names for their types.
    fn of(name: &str) -> Option<Self> {
        match name {
            "INTEGER" | "BIGINT" | "INT8" => Some(Self::Integer),
            "TEXT" => Some(Self::Text),
            "BOOLEAN" | "BOOL" => Some(Self::Boolean),
            // SQLite takes any word for a type, and the driver calls those that it does not know NULL.
            "BYTEA" | "BLOB" | "NULL" => Some(Self::Bytes),
            _ => None,
        }
    }

    /// Whether a column of this kind can hold the value.
    fn fits(self, value: &Value) -> bool {
        match self {
            _ if value.is_null() => true,
            Self::Integer => value.is_i64(),
            // PostgreSQL cannot keep the character 0.
            Self::Text => value.as_str().is_some_and(|text| !text.contains('\0')),
            Self::Boolean => value.is_boolean(),
            Self::Bytes => value.as_str().is_some_and(|text| bytes(text).is_some()),
        }
    }
}

/// The bytes that a backup holds as this text.
fn bytes(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// The names of all tables of a schema version, in the order in which they are made.
fn tables(version: i64) -> impl DoubleEndedIterator<Item = &'static str> {
    let migrations = &MIGRATIONS[..usize::try_from(version).map_or(0, |version| version.min(MIGRATIONS.len()))];
    let lines = migrations.iter().flat_map(|migration| migration.lines());
    lines.filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split([' ', '(']).next())
}
