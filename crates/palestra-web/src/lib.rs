//! The server: pages, accounts and live tables, over HTTP and WebSocket.
//!
//! A folder or file a topic, each with its handlers; `routes` lists all addresses. What every request has in common,
//! who asks and in which language (`visitor`), how a refusal looks (`refused`), forms (`posted`), headers
//! (`security`), stands beside them. Nothing here prints or exits; SQL is the store's.

mod account;
mod admin;
mod analyse;
mod app;
mod assets;
pub mod blocking;
mod board;
mod cache;
mod chores;
mod config;
mod connections;
mod csrf;
mod drawings;
mod folder;
mod games;
mod health;
mod home;
mod limits;
mod locale;
mod mail;
mod maps;
mod measure;
mod page;
mod posted;
mod programs;
mod refused;
mod rendering;
mod routes;
mod security;
mod server;
mod setup;
mod shares;
mod tables;
mod text;
mod thinking;
mod visitor;

pub use config::{Config, ConfigError, Smtp};
pub use connections::{ConnectionLimits, raise_descriptor_limit};
pub use folder::{DataFolder, FolderError};
pub use programs::OwnBot;
pub use server::{Server, StartError};
pub use setup::{AdminError, NewAdmin, create_admin};
