//! The report: pairs by their share, and groups.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_arena::copies::{Pair, THRESHOLD};
use palestra_store::{AddedSources, MAX_ADDED_SOURCES};
use serde::Deserialize;

use super::added::{AddedForm, MAX_NAME};
use super::found::{Found, Subject};
use super::graph::Graph;
use super::people::{People, Who};
use super::report::{MIN_PERCENT, Report};
use crate::app::App;
use crate::courses::access::Access;
use crate::courses::head::CourseHead;
use crate::http::error::Refused;
use crate::http::form::Wrong;
use crate::page::{Frame, page, page_again};
use crate::visitor::Visitor;

/// The shares from which pairs can be shown, in percent.
const PERCENTS: [u8; 3] = [MIN_PERCENT, (THRESHOLD * 100.0) as u8, 50];

/// Pairs that are shown.
const MAX_ROWS: usize = 200;

#[derive(Template)]
#[template(path = "copies.html")]
pub(super) struct CopiesPage {
    frame: Frame,
    head: CourseHead,
    access: Access,
    /// Whether the comparison takes too long, so that there is no report.
    is_slow: bool,
    /// The share from which pairs are shown, in percent.
    percent: u8,
    /// How many programs were compared: of teams, and others.
    compared: usize,
    others: usize,
    /// How many pairs are alike, those included that are not shown.
    alike: usize,
    rows: Vec<PairRow>,
    groups: Vec<Graph>,
    /// Whose sources were not compared, or not all of them.
    left_out: Vec<Who>,
    /// What teachers have added, and what they are about to.
    added: Vec<AddedSources>,
    typed: AddedForm,
    wrong: Wrong,
}

/// A pair that is shown.
struct PairRow {
    sides: [(Who, String); 2],
    /// The address of its page; none if the sources of one are gone.
    path: Option<String>,
}

/// A share as it is shown.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

/// What a visitor asks for.
#[derive(Default, Deserialize)]
pub(crate) struct Filter {
    share: Option<u8>,
}

impl CopiesPage {
    async fn new(app: &App, visitor: &Visitor, access: Access, filter: &Filter) -> Result<Self, Refused> {
        let least = filter.share.filter(|share| PERCENTS.contains(share)).unwrap_or(PERCENTS[1]);
        let found = Found::of(app, &access.course).await?;
        let report = Report::of(app, &found).await?;
        let is_slow = report.is_none();
        let report = report.unwrap_or_default();
        let people = People::of(app, visitor, &access.course, &found).await?;
        let is_alike = |pair: &&Pair| pair.share() * 100.0 >= f64::from(least);
        let pairs: Vec<Pair> = report.pairs.iter().filter(is_alike).copied().collect();
        let row = |pair: &Pair| {
            let [one, other] = report.sides(pair);
            let is_gone = matches!(other.subject, Subject::Kept(_));
            let path = access.path(&format!("/copies/{}/{}", one.subject, other.subject));
            let side = |side: usize| (people.who([one, other][side]), percent(pair.shares[side]));
            PairRow { sides: [side(0), side(1)], path: (!is_gone).then_some(path) }
        };
        let frame = Frame::new(visitor);
        Ok(Self {
            head: CourseHead::new(&access, frame.locale, "/copies"),
            is_slow,
            percent: least,
            compared: report.teams,
            others: report.programs.len() - report.teams,
            alike: pairs.len(),
            rows: pairs.iter().take(MAX_ROWS).map(row).collect(),
            groups: Graph::all(report.programs.len(), &pairs, |program| people.who(&report.programs[program])),
            left_out: report.left_out.iter().map(|compared| people.who(compared)).collect(),
            added: app.store.added_sources(access.course.id).await?,
            typed: AddedForm::default(),
            wrong: Wrong::default(),
            frame,
            access,
        })
    }

    /// The page once more, with what is wrong with the form.
    pub(super) async fn again(
        app: &App,
        visitor: &Visitor,
        access: Access,
        typed: AddedForm,
        wrong: Wrong,
    ) -> Result<Response, Refused> {
        let again = Self::new(app, visitor, access, &Filter::default()).await?;
        page_again(&Self { frame: Frame::returned(visitor), typed, wrong, ..again })
    }
}

/// The page.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Query(filter): Query<Filter>,
) -> Result<Response, Refused> {
    let access = super::find(&app, &visitor, &code).await?;
    page(&CopiesPage::new(&app, &visitor, access, &filter).await?)
}
