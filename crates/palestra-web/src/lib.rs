//! The server: pages, accounts and live tables, over HTTP and WebSocket.
//!
//! A folder or file a topic, each with its handlers; [`routes`] lists all addresses. What every request has in common,
//! who asks and in which language ([`visitor`]), how a refusal looks ([`refused`]), forms ([`posted`]), headers
//! ([`security`]), stands beside them. Nothing here prints or exits; SQL is the store's.

rust_i18n::i18n!("locales", fallback = "en");

mod analyse;
mod app;
mod assets;
mod config;
mod home;
mod locale;
mod page;
mod posted;
#[allow(dead_code, unused_imports, reason = "live tables seat programs")]
mod programs;
mod refused;
mod routes;
mod security;
mod server;
#[allow(dead_code, reason = "live tables ask for moves")]
mod thinking;
mod visitor;

pub use config::{Config, ConfigError};
pub use programs::OwnBot;
pub use server::{Server, StartError};
