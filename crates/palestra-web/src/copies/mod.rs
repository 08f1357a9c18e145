//! The report on similar sources of a course, for its teachers alone. It accuses nobody.
//!
//! `found.rs` says what there is to compare, `program.rs` reads the sources, `print.rs` makes fingerprints of them, and
//! `report.rs` compares these and keeps the result until something is added or changed. Teachers add sources (`added.rs`); of what is deleted, fingerprints
//! are kept (`keep.rs`). `page.rs` shows the pairs, with groups as graphs (`graph.rs`);
//! `pair.rs` shows where two programs are alike.

mod added;
mod found;
mod graph;
mod keep;
mod listing;
mod page;
mod pair;
mod people;
mod print;
mod program;
mod report;

pub(crate) use added::{MAX_BODY_BYTES, add, remove};
pub(crate) use keep::{keep_of_account, of_course};
pub(crate) use page::show;
pub(crate) use pair::show as show_pair;
pub(crate) use report::{Copies, TIMEOUT};

use crate::app::App;
use crate::courses::access::Access;
use crate::http::error::Refused;
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// A course of which the visitor is a teacher. To all others there is no report.
async fn find(app: &App, visitor: &Visitor, code: &str) -> Result<Access, Refused> {
    let access = Access::find(app, visitor, code).await?;
    if !access.is_teacher() {
        return Err(Refused::NotFound);
    }
    app.limits.heavy.check(Key::visitor(visitor))?;
    Ok(access)
}
