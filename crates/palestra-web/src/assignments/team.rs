//! The mark of a team, for teachers: how it came about, and what they decide about it.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Id, MarkEntry, NewMarkEntry};
use palestra_tournament::rubric::{COPY, TOTAL};
use serde::Deserialize;

use super::access::AssignmentAccess;
use super::explain::{ShownPart, total};
use super::rubric::{points, typed, written};
use super::run::MAX_REASON;
use super::sheet::{Sheet, names};
use super::show::{ShownHandIn, hand_ins};
use crate::app::{App, now_ms};
use crate::courses::head::CourseHead;
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::locale::Locale;
use crate::page::{Frame, page, page_again};
use crate::text::clean_name;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "mark.html")]
struct TeamPage {
    frame: Frame,
    head: CourseHead,
    found: AssignmentAccess,
    team: Id,
    names: String,
    group: String,
    bot: Option<String>,
    total: Option<String>,
    maximum: String,
    /// The sum before it was rounded, if that differs.
    exact: Option<String>,
    parts: Vec<ShownPart>,
    history: Vec<ShownEntry>,
    hand_ins: Vec<ShownHandIn>,
    form: Decision,
    wrong: Wrong,
}

/// Something that was entered.
struct ShownEntry {
    part: String,
    points: Option<String>,
    entry: MarkEntry,
}

/// What a teacher decides.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Decision {
    /// `total`, `copy` or `back`.
    what: String,
    points: String,
    reason: String,
}

/// Whether an entry is about the mark as a whole.
pub(super) fn is_decision(part: &str) -> bool {
    part == TOTAL || part == COPY
}

impl TeamPage {
    async fn new(app: &App, frame: Frame, found: AssignmentAccess, team: Id) -> Result<Self, Refused> {
        let sheet = Sheet::of(app, &found.access.course, &found.assignment).await?;
        let row = sheet.find(team).ok_or(Refused::NotFound)?;
        let shown = |entry: &MarkEntry| ShownEntry {
            part: part_name(&sheet, &entry.part, frame.locale),
            points: entry.hundredths.and_then(|it| u64::try_from(it).ok()).map(written),
            entry: entry.clone(),
        };
        let exact = row.mark.sum.to_string();
        Ok(Self {
            head: CourseHead::new(&found.access, frame.locale, "/assignments"),
            names: names(&row.members),
            group: sheet.group_code(row.group).to_owned(),
            bot: row.bot.clone(),
            total: total(&row.mark),
            maximum: points(sheet.rubric.maximum()),
            exact: Some(exact).filter(|exact| exact.contains('/')),
            parts: row.parts(&sheet, frame.locale),
            history: row.entries.iter().rev().map(shown).collect(),
            hand_ins: hand_ins(app, &found, team, frame.locale).await?,
            form: Decision { what: TOTAL.to_owned(), ..Decision::default() },
            wrong: Wrong::default(),
            team,
            frame,
            found,
        })
    }
}

fn part_name(sheet: &Sheet, key: &str, locale: Locale) -> String {
    match key {
        TOTAL => locale.t("marks.total").to_owned(),
        COPY => locale.t("marks.copy").to_owned(),
        key => sheet.rubric.part(key).map_or_else(|| key.to_owned(), |part| part.title.text(locale.word()).to_owned()),
    }
}

/// The page.
pub(crate) async fn team(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, team)): Path<(String, String)>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    let team = team.parse().map_err(|_| Refused::NotFound)?;
    page(&TeamPage::new(&app, Frame::new(&visitor), found, team).await?)
}

/// Overrides a total, marks a copy, or takes that back. All of it needs a reason, and is kept.
pub(crate) async fn decide(
    State(app): State<App>,
    visitor: Visitor,
    Path((code, team)): Path<(String, String)>,
    Posted(form): Posted<Decision>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    let team: Id = team.parse().map_err(|_| Refused::NotFound)?;
    let sheet = Sheet::of(&app, &found.access.course, &found.assignment).await?;
    sheet.find(team).ok_or(Refused::NotFound)?;
    let account = visitor.signed_in()?.id;
    match entries(&visitor, &sheet, &form) {
        Ok(decided) => {
            let reason = clean_name(&form.reason, MAX_REASON);
            let entry = |(part, hundredths): (&str, Option<i64>)| NewMarkEntry {
                assignment: found.assignment.id,
                team,
                part: part.to_owned(),
                hundredths,
                reason: reason.clone(),
                account,
            };
            let entries: Vec<_> = decided.into_iter().map(entry).collect();
            app.store.add_mark_entries(&entries, now_ms()).await?;
            tracing::info!(by = account, assignment = code, team, what = form.what, "a mark is decided");
            Ok(Redirect::to(&found.path(&format!("/marks/{team}"))).into_response())
        }
        Err((field, refused @ Refused::Bad(..))) => {
            let again = TeamPage::new(&app, Frame::returned(&visitor), found, team).await?;
            page_again(&TeamPage { form, wrong: Wrong::at(field, &refused, visitor.locale), ..again })
        }
        Err((_, refused)) => Err(refused),
    }
}

/// The key of a part and what is entered about it.
type PartEntry = (&'static str, Option<i64>);

/// The entries that a decision makes.
fn entries(visitor: &Visitor, sheet: &Sheet, form: &Decision) -> Result<Vec<PartEntry>, (&'static str, Refused)> {
    visitor.sends().map_err(|refused| ("", refused))?;
    if clean_name(&form.reason, MAX_REASON).is_empty() {
        return Err(("reason", Refused::bad("marks.wrong.reason")));
    }
    match form.what.as_str() {
        TOTAL => {
            let maximum = sheet.rubric.maximum();
            let total = typed(&form.points).filter(|&points| points <= maximum);
            let wrong = || Refused::bad_with("marks.wrong.total", points(maximum));
            Ok(vec![(TOTAL, Some(total.ok_or_else(|| ("points", wrong()))? as i64))])
        }
        COPY => Ok(vec![(COPY, Some(0))]),
        "back" => Ok(vec![(TOTAL, None), (COPY, None)]),
        _ => Err(("", Refused::bad("refused.form"))),
    }
}
