//! The server: pages, accounts and live tables, over HTTP and WebSocket.
//!
//! A folder or file a topic, each with its handlers; [`routes`] lists all addresses. What every request has in common,
//! who asks and in which language ([`visitor`]), how a refusal looks ([`refused`]), forms ([`posted`]), headers
//! ([`security`]), stands beside them. Nothing here prints or exits; SQL is the store's.

rust_i18n::i18n!("locales", fallback = "en");

mod app;
mod assets;
mod config;
mod folder;
mod health;
mod home;
mod locale;
mod measure;
mod page;
mod password;
mod posted;
mod refused;
mod routes;
mod security;
mod server;
mod visitor;

pub use config::{Config, ConfigError};
pub use folder::{DataFolder, FolderError};
pub use password::hash_password;
pub use server::{Server, StartError};
