//! The marks of an assignment, for teachers: a table of teams, in which parts are entered.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{NewMarkEntry, Run, RunProgress};
use palestra_tournament::rubric::{Cause, Flag, PartKind};
use serde::Deserialize;

use super::access::AssignmentAccess;
use super::explain::{flag, tint, total};
use super::rubric::{points, typed, written};
use super::run::MAX_REASON;
use super::sheet::{Sheet, SheetRow, counted, names};
use super::show::{RubricLine, due_time, lines};
use crate::app::{App, now_ms};
use crate::courses::head::CourseHead;
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::page::{Frame, page, page_again};
use crate::runs::LiveGame;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "marks.html")]
struct MarksPage {
    frame: Frame,
    head: CourseHead,
    found: AssignmentAccess,
    due: String,
    sheet: Sheet,
    rubric: Vec<RubricLine>,
    maximum: String,
    /// The markings, the last one first.
    attempts: Vec<Attempt>,
    /// The group that is shown; all if empty.
    group: String,
    /// What was typed, by the names of the fields.
    typed: BTreeMap<String, String>,
    wrong: Wrong,
}

/// A marking.
struct Attempt {
    run: Run,
    progress: RunProgress,
    /// The games that are being played.
    live: Vec<Arc<LiveGame>>,
    counts: bool,
}

impl Attempt {
    fn of(&self) -> i64 {
        self.progress.played + self.progress.left
    }
}

/// A cell of the table.
struct Cell {
    /// The name of the field, if a teacher enters the part.
    field: Option<String>,
    /// The points.
    text: String,
    /// The title of the part, for readers.
    title: String,
    maximum: String,
}

/// A flag as a badge.
struct Badge {
    text: &'static str,
    tint: &'static str,
}

/// Which teams are shown.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Filter {
    group: String,
}

impl MarksPage {
    async fn new(app: &App, frame: Frame, found: AssignmentAccess, group: String) -> Result<Self, Refused> {
        let sheet = Sheet::of(app, &found.access.course, &found.assignment).await?;
        let mut attempts = vec![];
        for run in app.store.markings(found.assignment.id).await? {
            let counts = found.assignment.marking_id == Some(run.id);
            let (progress, live) = (app.store.run_progress(run.id).await?, app.live_games.of_run(run.id));
            attempts.push(Attempt { run, progress, live, counts });
        }
        let group = if sheet.groups.iter().any(|other| other.code == group) { group } else { String::new() };
        Ok(Self {
            head: CourseHead::new(&found.access, frame.locale, "/assignments"),
            due: due_time(&found.zone, found.assignment.due_ms, frame.locale),
            rubric: lines(&sheet.rubric, frame.locale),
            maximum: points(sheet.rubric.maximum()),
            attempts,
            group,
            typed: BTreeMap::new(),
            wrong: Wrong::default(),
            frame,
            found,
            sheet,
        })
    }

    fn shown(&self) -> impl Iterator<Item = &SheetRow> {
        self.sheet.rows.iter().filter(|row| self.group.is_empty() || self.sheet.group_code(row.group) == self.group)
    }

    fn names(&self, row: &SheetRow) -> String {
        names(&row.members)
    }

    fn total(&self, row: &SheetRow) -> String {
        total(&row.mark).unwrap_or_else(|| "–".to_owned())
    }

    fn cells(&self, row: &SheetRow) -> Vec<Cell> {
        let parts = self.sheet.rubric.parts.iter().zip(&row.mark.parts);
        let cell = |(part, own): (&palestra_tournament::rubric::Part, &palestra_tournament::rubric::PartMark)| {
            let is_entered = matches!(part.kind, PartKind::Entered(_));
            let field = is_entered.then(|| field(row.team, &part.key));
            let known = if own.cause == Cause::NotEntered { String::new() } else { written(own.points.rounded()) };
            let text = field.as_ref().and_then(|field| self.typed.get(field).cloned()).unwrap_or(known);
            let title = part.title.text(self.frame.locale.word()).to_owned();
            Cell { field, text, title, maximum: points(part.kind.maximum()) }
        };
        parts.map(cell).collect()
    }

    fn badges(&self, row: &SheetRow) -> Vec<Badge> {
        let badge = |&it: &Flag| Badge { text: flag(it, self.frame.locale), tint: tint(it) };
        row.mark.flags.iter().map(badge).collect()
    }

    /// How many teams have a part that was not entered, or games that were not played.
    fn incomplete(&self) -> usize {
        let is_open =
            |row: &&SheetRow| row.mark.flags.iter().any(|it| [Flag::NotEntered, Flag::NotPlayed].contains(it));
        self.sheet.rows.iter().filter(is_open).count()
    }

    fn has_entered_parts(&self) -> bool {
        self.sheet.rubric.parts.iter().any(|part| matches!(part.kind, PartKind::Entered(_)))
    }

    /// Whether bots play games or are searched for the marks.
    fn tries_bots(&self) -> bool {
        self.sheet.rubric.tries_bots()
    }
}

/// The name of the field for a part of a team's mark.
fn field(team: i64, part: &str) -> String {
    format!("p.{team}.{part}")
}

/// The table.
pub(crate) async fn marks(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Query(Filter { group }): Query<Filter>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    page(&MarksPage::new(&app, Frame::new(&visitor), found, group).await?)
}

/// Enters parts of marks: those that differ from what counts. An empty field takes back what was entered.
pub(crate) async fn enter(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(form): Posted<Vec<(String, String)>>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    let typed: BTreeMap<String, String> = form.into_iter().collect();
    let group = typed.get("group").cloned().unwrap_or_default();
    let sheet = Sheet::of(&app, &found.access.course, &found.assignment).await?;
    let account = visitor.signed_in()?.id;
    let entries = visitor.sends().and_then(|()| changes(&sheet, &found, &typed, account));
    match entries {
        Ok(entries) => {
            app.store.add_mark_entries(&entries, now_ms()).await?;
            tracing::info!(by = account, assignment = code, entries = entries.len(), "marks are entered");
            let shown = serde_urlencoded::to_string([("group", &group)]).map_err(|_| Refused::Fault)?;
            Ok(Redirect::to(&found.path(&format!("/marks?{shown}"))).into_response())
        }
        Err(refused @ Refused::Bad(..)) => {
            let again = MarksPage::new(&app, Frame::returned(&visitor), found, group).await?;
            page_again(&MarksPage { typed, wrong: Wrong::at("", &refused, visitor.locale), ..again })
        }
        Err(refused) => Err(refused),
    }
}

/// What was typed that differs from what counts.
fn changes(
    sheet: &Sheet,
    found: &AssignmentAccess,
    typed_fields: &BTreeMap<String, String>,
    account: i64,
) -> Result<Vec<NewMarkEntry>, Refused> {
    let mut changes = vec![];
    for row in &sheet.rows {
        let before = counted(&row.entries);
        for part in &sheet.rubric.parts {
            let PartKind::Entered(maximum) = part.kind else { continue };
            let Some(text) = typed_fields.get(&field(row.team, &part.key)) else { continue };
            let now = match text.trim() {
                "" => None,
                text => Some(typed(text).filter(|&points| points <= maximum).ok_or_else(|| {
                    Refused::bad_with("marks.wrong.points", format!("{}: 0–{}", names(&row.members), points(maximum)))
                })?),
            };
            if now != before.get(&part.key).copied() {
                changes.push(NewMarkEntry {
                    assignment: found.assignment.id,
                    team: row.team,
                    part: part.key.clone(),
                    hundredths: now.map(|points| points as i64),
                    reason: String::new(),
                    account,
                });
            }
        }
    }
    Ok(changes)
}
