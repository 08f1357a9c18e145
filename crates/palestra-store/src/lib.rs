//! What the server remembers: accounts, tables, games, on SQLite or PostgreSQL.
//!
//! All SQL stands here, once for both. A [`Store`] is cheap to clone; its functions are grouped by what they are about,
//! a file each. Times are milliseconds since 1970 and always given by the caller: the store reads no clock.

mod account;
mod api_token;
pub mod backup;
mod change;
mod db;
mod error;
mod game;
mod heartbeat;
mod holding;
mod link;
mod map;
mod migrate;
mod registration;
mod roster;
mod row;
mod session;
mod table;
mod token;

pub use account::{Account, NewAccount, Role};
pub use api_token::{ApiToken, MAX_API_TOKENS, Scope, Scopes};
pub use backup::BackupError;
pub use change::{ApiTokens, DELETED};
pub use db::{OpenOptions, PATIENCE, Store};
pub use error::StoreError;
pub use game::{GameEnd, GameFilter, KeptGame, NewGame, Player, PlayerKind};
pub use holding::{HeldGame, HeldMap, HeldSession, Holding};
pub use link::RESET_MS;
pub use map::{KeptMap, MapEntry};
pub use registration::{REGISTRATION_MS, Registration};
pub use roster::{ROSTER_PAGE, Roster};
pub use session::SESSION_MS;
pub use table::{KeptTable, TableChange, UnreadableTable};
pub use token::{Token, TokenHash, code, derived_code};

/// The name of a row. It grows with time, is not secret, and is not shown.
pub type Id = i64;
