//! Courses: their pages for teachers and members, groups, rosters and notices.

pub(crate) mod access;
pub(crate) mod end;
mod form;
pub(crate) mod groups;
pub(crate) mod head;
pub(crate) mod join;
mod list;
pub(crate) mod mails;
pub(crate) mod members;
pub(crate) mod membership;
pub(crate) mod notices;
pub(crate) mod roster;
pub(crate) mod settings;
mod show;

use palestra_store::Id;

use crate::http::error::Refused;
use crate::text::clean_name;

pub(crate) use form::CourseForm;
pub(crate) use list::{claim, create, list, new};
pub(crate) use show::show;

/// The id in an address.
fn id(text: &str) -> Result<Id, Refused> {
    text.parse().map_err(|_| Refused::NotFound)
}

/// A name of one line, at most this number of characters long; the refusal has this key.
fn checked_name(text: &str, max: usize, wrong: &'static str) -> Result<String, Refused> {
    let name = clean_name(text, max + 1);
    let is_name = (1..=max).contains(&name.chars().count());
    if is_name { Ok(name) } else { Err(Refused::bad_with(wrong, max.to_string())) }
}
