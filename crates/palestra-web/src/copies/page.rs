//! The report: pairs by their share, and groups.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_arena::copies::{Pair, THRESHOLD};
use serde::Deserialize;

use super::found::Found;
use super::graph::Graph;
use super::people::{People, Who};
use super::report::{MIN_PERCENT, Report};
use crate::app::App;
use crate::courses::access::Access;
use crate::courses::head::CourseHead;
use crate::http::error::Refused;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

/// The shares from which pairs can be shown, in percent.
const PERCENTS: [u8; 3] = [MIN_PERCENT, (THRESHOLD * 100.0) as u8, 50];

/// Pairs that are shown.
const MAX_ROWS: usize = 200;

#[derive(Template)]
#[template(path = "copies.html")]
struct CopiesPage {
    frame: Frame,
    head: CourseHead,
    access: Access,
    /// The share from which pairs are shown, in percent.
    percent: u8,
    /// How many programs were compared.
    compared: usize,
    /// How many pairs are alike, those included that are not shown.
    alike: usize,
    rows: Vec<PairRow>,
    groups: Vec<Graph>,
    /// Whose sources were not compared, or not all of them.
    left_out: Vec<Who>,
}

/// A pair that is shown.
struct PairRow {
    sides: [(Who, String); 2],
    /// The address of its page.
    path: String,
}

/// A share as it is shown.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

/// What a visitor asks for.
#[derive(Deserialize)]
pub(crate) struct Filter {
    share: Option<u8>,
}

/// The page.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Query(Filter { share }): Query<Filter>,
) -> Result<Response, Refused> {
    let access = super::find(&app, &visitor, &code).await?;
    let least = share.filter(|share| PERCENTS.contains(share)).unwrap_or(PERCENTS[1]);
    let found = Found::of(&app, &access.course).await?;
    let report = Report::of(&app, &found).await?;
    let people = People::of(&app, &access.course, &found).await?;
    let frame = Frame::new(&visitor);
    let pairs: Vec<Pair> =
        report.pairs.iter().copied().filter(|pair| pair.share() * 100.0 >= f64::from(least)).collect();
    let who = |program: usize| people.who(report.subjects[program]);
    let row = |pair: &Pair| {
        let [one, other] = pair.programs;
        PairRow {
            sides: [0, 1].map(|side| (who(pair.programs[side]), percent(pair.shares[side]))),
            path: access.path(&format!("/copies/{}/{}", report.subjects[one], report.subjects[other])),
        }
    };
    page(&CopiesPage {
        head: CourseHead::new(&access, frame.locale, "/copies"),
        percent: least,
        compared: report.subjects.len(),
        alike: pairs.len(),
        rows: pairs.iter().take(MAX_ROWS).map(row).collect(),
        groups: Graph::all(report.subjects.len(), &pairs, who),
        left_out: report.left_out.iter().map(|&subject| people.who(subject)).collect(),
        frame,
        access,
    })
}
