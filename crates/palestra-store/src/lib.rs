//! What the server remembers: accounts, tables, games, on SQLite or PostgreSQL.
//!
//! All SQL stands here, once for both. A [`Store`] is cheap to clone; its functions are grouped by what they are about,
//! a file each. Times are milliseconds since 1970 and always given by the caller: the store reads no clock.

mod account;
pub mod backup;
mod db;
mod error;
mod heartbeat;
mod migrate;
mod session;
mod token;

pub use account::{Account, NewAccount, Role};
pub use backup::BackupError;
pub use db::{OpenOptions, PATIENCE, Store};
pub use error::StoreError;
pub use session::SESSION_MS;
pub use token::{Token, TokenHash, code};

/// The name of a row. It grows with time, is not secret, and is not shown.
pub type Id = i64;
