//! Official leagues: entries, schedules, runs and their pages.
//!
//! A league belongs to a course or one of its groups. The [`scheduler`] starts its runs, which freezes the versions that
//! play; the engine of [`crate::runs`] plays them. Rankings are computed from finished games whenever a page shows them
//! ([`results`]).

mod access;
pub(crate) mod api;
mod cross;
mod download;
mod edit;
mod entries;
mod forecast;
mod form;
mod history;
mod launch;
mod list;
mod results;
mod run_change;
mod run_games;
mod run_page;
mod scheduler;
mod show;
mod standing;

use jiff::Timestamp;
use palestra_store::RunState;

pub(crate) use download::download;
pub(crate) use edit::{change, create, delete, edit, new};
pub(crate) use entries::enter;
pub(crate) use form::LeagueForm;
pub(crate) use history::{RUN_RANKS_BYTES, RunRanks, warm};
pub(crate) use launch::{Wish, start, start_with};
pub(crate) use list::{Row as LeagueRow, all, of_course, published};
pub(crate) use results::{RUN_GAMES_BYTES, RunGames};
pub(crate) use run_change::{mark, publish, set_state, start_now, void};
pub(crate) use run_games::games;
pub(crate) use run_page::run;
pub(crate) use scheduler::{Alarm, run as run_scheduler, tell_finished};
pub(crate) use show::show;
pub(crate) use standing::standings_table;

use crate::locale::Locale;
use crate::moment::local_date;
use crate::time_zone::Zone;

/// The moment of this number of milliseconds since 1970.
fn timestamp(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or_default()
}

/// Milliseconds since 1970.
fn moment_ms(moment: Timestamp) -> i64 {
    moment.as_millisecond()
}

/// A moment in the time zone of a course, with the day of the week: `Thursday, 19 Nov 2026, 18:00`.
fn local_moment(zone: &Zone, ms: i64, locale: Locale) -> String {
    let local = zone.local(ms);
    let day = locale.t(&format!("league.weekday.{}", local.weekday().to_monday_one_offset())).to_owned();
    format!("{day}, {}, {}", local_date(&local, locale), local.strftime("%H:%M"))
}

/// The state of a run in words.
fn state_text(state: RunState, locale: Locale) -> String {
    let key = match state {
        RunState::Playing => "league.state.playing",
        RunState::Paused => "league.state.paused",
        RunState::Finished => "league.state.finished",
        RunState::GivenUp => "league.state.given_up",
    };
    locale.t(key).to_owned()
}
