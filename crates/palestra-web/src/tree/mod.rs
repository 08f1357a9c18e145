//! Seeing the search think: the tree of a teaching search, for programs and as a page.
//!
//! A tree is help by the engine as an analysis is: it waits in the same queue, within the same limits, and there is none
//! that holds a position near a rated game in progress.

pub(crate) mod api;
mod budget;
mod page;
mod picture;
mod question;

pub(crate) use api::{download_json, download_svg};
pub(crate) use page::show;
