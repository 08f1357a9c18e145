//! The subcommands, one file each.

pub(crate) mod admin;
pub(crate) mod analyse;
pub(crate) mod archive;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod connect;
pub(crate) mod copies;
#[cfg(target_os = "linux")]
pub(crate) mod doctor;
pub(crate) mod games;
pub(crate) mod ladder;
pub(crate) mod man;
pub(crate) mod maps;
pub(crate) mod matches;
pub(crate) mod new;
pub(crate) mod openings;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod selfplay;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod sprt;
pub(crate) mod tournament;
pub(crate) mod tree;
pub(crate) mod tune;
