//! The server: pages, accounts and live tables, over HTTP and WebSocket.
//!
//! A folder or file a topic, each with its handlers; `routes` lists all addresses. What all requests share is in `visitor`
//! (session, guest or API token, and the language), `http` (errors, forms with their CSRF check, security headers) and
//! `ratelimit`. Nothing here prints or exits; SQL is the store's.

mod account;
mod admin;
mod analyse;
mod analysis_page;
mod api;
mod app;
mod archive;
mod assets;
mod assignments;
mod background;
pub mod blocking;
mod board;
mod board_tag;
mod bots;
mod cache;
mod calendar;
mod config;
mod connections;
mod copies;
mod courses;
mod data_folder;
mod design;
mod drawings;
mod evaluate;
mod games;
mod health;
mod help;
mod home;
mod http;
mod import;
#[allow(dead_code, reason = "those who add jobs come next")]
mod jobs;
mod leagues;
mod line;
mod locale;
mod looks;
mod mail;
mod maps;
mod metrics;
mod moment;
mod offline;
mod page;
mod player_name;
mod programs;
mod prose;
mod qr;
mod ratelimit;
mod recent;
mod rendering;
mod routes;
mod rules;
#[allow(dead_code, unused_imports, reason = "those who start runs come next")]
mod runs;
mod server;
mod setup;
mod showcase;
mod tables;
mod text;
mod theme;
mod thinking;
mod time_zone;
mod tree;
mod visitor;

pub use api::courses::{ListedAssignment, ListedCourse};
pub use archive::ArchiveError;
pub use config::{Config, ConfigError, Smtp};
pub use connections::{ConnectionLimits, raise_descriptor_limit};
pub use data_folder::{DataFolder, FolderError};
pub use offline::OfflineError;
pub use page::time as utc_time;
pub use programs::OwnBot;
pub use server::{Server, StartError};
pub use setup::{AdminError, NewAdmin, create_admin};
