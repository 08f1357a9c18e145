//! The page of an assignment: the deadline, the rubric, and what the visitor's team has handed in.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_store::HandIn;
use serde::Deserialize;

use super::access::AssignmentAccess;
use super::explain::{ShownPart, total};
use super::memo::Remark;
use super::rubric::{points, way};
use super::sheet::Sheet;
use super::trial::{TRIALS_A_DAY, TrialView};
use crate::app::{App, now_ms};
use crate::courses::head::CourseHead;
use crate::http::error::Refused;
use crate::http::form::Wrong;
use crate::locale::Locale;
use crate::moment;
use crate::page::{Frame, page, page_again};
use crate::time_zone::Zone;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "assignment.html")]
struct AssignmentPage {
    frame: Frame,
    head: CourseHead,
    found: AssignmentAccess,
    due: String,
    /// What the server's clock says.
    clock: String,
    is_over: bool,
    saved: Option<&'static str>,
    rubric: Vec<RubricLine>,
    maximum: String,
    hand_ins: Vec<ShownHandIn>,
    mark: Option<ShownMark>,
    trial: Option<TrialView>,
    /// Of teachers: how many teams have handed in, and how many there are.
    progress: Option<(usize, usize)>,
    wrong: Wrong,
}

/// A part of the rubric.
pub(super) struct RubricLine {
    pub(super) title: String,
    pub(super) maximum: String,
    pub(super) way: String,
}

/// A hand-in as pages show it.
pub(super) struct ShownHandIn {
    pub(super) hand_in: HandIn,
    pub(super) remarks: Vec<String>,
}

/// The published mark of the visitor's team.
struct ShownMark {
    total: Option<String>,
    parts: Vec<ShownPart>,
    reasons: Vec<String>,
}

/// What was done before the page is shown.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Done {
    saved: String,
}

impl Done {
    fn text(&self) -> Option<&'static str> {
        match self.saved.as_str() {
            "hand_in" => Some("hand_in.kept"),
            "trial" => Some("marks.trial_started"),
            "assignment" => Some("assignment.saved"),
            _ => None,
        }
    }
}

/// The lines of a rubric.
pub(super) fn lines(rubric: &palestra_tournament::rubric::Rubric, locale: Locale) -> Vec<RubricLine> {
    let line = |part: &palestra_tournament::rubric::Part| RubricLine {
        title: part.title.text(locale.word()).to_owned(),
        maximum: points(part.kind.maximum()),
        way: way(&part.kind, locale),
    };
    rubric.parts.iter().map(line).collect()
}

/// A moment as the clocks of the course show it, to the minute.
pub(super) fn local_time(zone: &Zone, ms: i64, locale: Locale) -> String {
    let local = zone.local(ms);
    let date = moment::local_date(&local, locale);
    format!("{date}, {:02}:{:02} ({})", local.hour(), local.minute(), zone.name())
}

/// The last minute of a deadline.
pub(super) fn due_time(zone: &Zone, due_ms: i64, locale: Locale) -> String {
    local_time(zone, due_ms - 1, locale)
}

/// The hand-ins of a team, the one that counts first.
pub(super) async fn hand_ins(
    app: &App,
    found: &AssignmentAccess,
    team: i64,
    locale: Locale,
) -> Result<Vec<ShownHandIn>, Refused> {
    let all = app.store.hand_ins_of(found.assignment.id, team).await?;
    let shown = |hand_in: HandIn| ShownHandIn {
        remarks: Remark::all(&hand_in).iter().map(|remark| remark.text(locale)).collect(),
        hand_in,
    };
    Ok(all.into_iter().map(shown).collect())
}

impl AssignmentPage {
    async fn new(app: &App, visitor: &Visitor, found: AssignmentAccess) -> Result<Self, Refused> {
        let (frame, now_ms) = (Frame::new(visitor), now_ms());
        let locale = frame.locale;
        let mut sheet = Sheet::of(app, &found.access.course, &found.assignment).await?;
        let handed_in = sheet.rows.iter().filter(|row| row.hand_in.is_some()).count();
        let progress = found.access.is_teacher().then_some((handed_in, sheet.rows.len()));
        let (mut own, mut mark, mut trial) = (vec![], None, None);
        if let Some(team) = found.team() {
            own = hand_ins(app, &found, team, locale).await?;
            mark = ShownMark::of(&found, &sheet, team, locale);
            trial = Some(TrialView::of(app, &found, &mut sheet, team, locale).await?);
        }
        let local = found.zone.local(now_ms);
        Ok(Self {
            head: CourseHead::new(&found.access, locale, "/assignments"),
            due: due_time(&found.zone, found.assignment.due_ms, locale),
            clock: format!("{:02}:{:02}:{:02}", local.hour(), local.minute(), local.second()),
            is_over: found.assignment.is_over(now_ms),
            saved: None,
            rubric: lines(&sheet.rubric, locale),
            maximum: points(sheet.rubric.maximum()),
            hand_ins: own,
            mark,
            trial,
            progress,
            wrong: Wrong::default(),
            frame,
            found,
        })
    }
}

impl ShownMark {
    /// The mark of a team, if marks are published.
    fn of(found: &AssignmentAccess, sheet: &Sheet, team: i64, locale: Locale) -> Option<Self> {
        found.assignment.published_ms?;
        let row = sheet.find(team)?;
        let decided = row.entries.iter().rev().find(|entry| super::team::is_decision(&entry.part));
        let reasons = decided.filter(|entry| entry.hundredths.is_some()).map(|entry| entry.reason.clone());
        Some(Self { total: total(&row.mark), parts: row.parts(sheet, locale), reasons: reasons.into_iter().collect() })
    }
}

/// The page.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Query(done): Query<Done>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find(&app, &visitor, &code).await?;
    let shown = AssignmentPage::new(&app, &visitor, found).await?;
    page(&AssignmentPage { saved: done.text(), ..shown })
}

/// The page once more, with what is wrong with the hand-in.
pub(super) async fn again(
    app: &App,
    visitor: &Visitor,
    found: AssignmentAccess,
    refused: &Refused,
) -> Result<Response, Refused> {
    let again = AssignmentPage::new(app, visitor, found).await?;
    page_again(&AssignmentPage { wrong: Wrong::at("archive", refused, visitor.locale), ..again })
}
