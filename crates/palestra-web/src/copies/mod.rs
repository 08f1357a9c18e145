//! The report on similar sources of a course, for its teachers alone. It accuses nobody.
//!
//! `found.rs` says what there is to compare, `program.rs` reads the sources, `report.rs` compares their fingerprints and
//! keeps the result until something is added or changed. `page.rs` shows the pairs, with groups as graphs (`graph.rs`);
//! `pair.rs` shows where two programs are alike.

mod found;
mod graph;
mod listing;
mod page;
mod pair;
mod people;
mod program;
mod report;

pub(crate) use page::show;
pub(crate) use pair::show as show_pair;
pub(crate) use report::Copies;

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
