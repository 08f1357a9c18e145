//! Runs: the one engine that plays the games of leagues, markings and trials.
//!
//! A run is [started](start()) with frozen players, a plan and settings. Its games are jobs: [`play`] plays one and hands
//! over its record and what belongs to it; [`search`] compares the search of a player. [`live`] has the games that are being
//! played, [`watch`] says who may see a game, and [`thoughts`] who may read what its programs thought.

mod context;
mod live;
mod place;
mod plan;
mod play;
#[cfg(target_os = "linux")]
mod search;
mod settings;
mod start;
mod thoughts;
mod trace;
mod watch;

pub(crate) use context::Contexts;
pub(crate) use live::{LiveGame, LiveGames, OnAir};
pub(crate) use place::RunPlace;
pub(crate) use plan::RunPlan;
pub(crate) use play::play;
#[cfg(target_os = "linux")]
pub(crate) use search::search;
pub(crate) use settings::{RunSettings, rules_of};
pub(crate) use start::{NewRun, StartRunError, start};
pub(crate) use thoughts::with_thoughts;
pub(crate) use watch::{finished, game_for, may_watch};
