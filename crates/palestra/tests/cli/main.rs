//! The program as its users meet it: what it prints, how it fails, its servers, its journals, the starter kits.
//!
//! One test binary: to run a part of it, name its module, as in `cargo test --workspace --test cli tables::`.

#[cfg(target_os = "linux")]
mod connect;
#[cfg(unix)]
mod course;
#[cfg(target_os = "linux")]
mod course_league;
#[cfg(target_os = "linux")]
mod demo;
mod dependencies;
#[cfg(unix)]
mod game_start;
#[cfg(target_os = "linux")]
mod killed;
#[cfg(target_os = "linux")]
mod kits;
#[cfg(unix)]
mod log;
mod pages;
mod records;
#[cfg(target_os = "linux")]
mod resume;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(unix)]
mod server;
mod shells;
#[cfg(target_os = "linux")]
mod tables;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(target_os = "linux")]
mod tls;
mod version;
