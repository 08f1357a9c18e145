//! Processes that strangers wrote, and the box around them.
//!
//! A [`Process`] is a program at the other end of three pipes. It runs with the rights of the caller, or in a box made by a
//! [`Sandbox`]: namespaces, a root file system of its own, no capabilities, a seccomp filter, Landlock, resource limits and
//! cgroups. [`plain_file`] opens the files that strangers hand in. Everything that has to hold against hostile code is in
//! this crate; nothing in it knows games, referees or tournaments.

pub mod cpu;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
pub mod executable;
#[cfg(target_os = "linux")]
mod linux;
mod pdf;
pub mod plain_file;
mod process;
#[cfg(target_os = "linux")]
mod spawner;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::*;
#[cfg(target_os = "linux")]
pub use linux::*;
pub use pdf::count_pages;
pub use process::{Launch, Process};
