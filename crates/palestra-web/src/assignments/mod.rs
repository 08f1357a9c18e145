//! Assignments: hand-ins, and marks by rubrics.
//!
//! A mark is computed each time it is shown, by `palestra-tournament`, from the games of the marking that counts, the run
//! of the league that counts and what teachers have entered (`sheet.rs`). Nothing but these is stored.

mod access;
pub(crate) mod api;
mod download;
mod explain;
mod export;
mod form;
mod hand_in;
mod list;
mod listed;
mod marks;
mod memo;
mod publish;
mod remind;
mod rubric;
mod run;
mod sheet;
mod show;
mod team;
mod trial;

pub(crate) use download::{all as download_all, archive as download_archive, memo as download_memo};
pub use export::Decimal;
pub(crate) use export::export;
pub(crate) use form::{change, create, delete, edit, new};
pub(crate) use hand_in::{MAX_HAND_IN_BODY_BYTES, hand_in};
pub(crate) use list::{house, list};
pub use listed::{MarkGame, MarkedMember, MarkedPart, MarkedTeam, Marks, Points, RubricPart};
pub(crate) use marks::{enter, marks};
pub(crate) use publish::{hide, publish};
pub(crate) use remind::remind;
pub(crate) use run::{compute, count, mark as play_marking};
pub(crate) use sheet::names as team_names;
pub(crate) use show::show;
pub(crate) use team::{decide, team};
pub(crate) use trial::trial;
