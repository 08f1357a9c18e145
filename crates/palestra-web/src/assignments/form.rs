//! The form of an assignment.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Assignment, Course, Id, League, NewAssignment, Run, RunState};
use palestra_tournament::rubric::{MAX_RUBRIC_BYTES, Rubric};
use serde::Deserialize;

use super::access::AssignmentAccess;
use super::explain::total;
use super::rubric::{checked, points, rubric_of};
use super::sheet::{Sheet, names};
use super::show::{RubricLine, lines};
use crate::app::{App, now_ms};
use crate::courses::access::Access;
use crate::courses::head::CourseHead;
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::page::{Frame, page, page_again};
use crate::text::clean_name;
use crate::time_zone::Zone;
use crate::visitor::Visitor;

/// The longest title, in characters.
const MAX_TITLE: usize = 80;

/// The most pages that a memo may be allowed.
const MAX_PAGES: i64 = 200;

/// Pages of a memo, unless a teacher says otherwise.
const USUAL_PAGES: i64 = 5;

/// The word for a rubric of one's own in the list of rubrics.
const OWN_RUBRIC: &str = "own";

const MINUTE_MS: i64 = 60_000;

/// The form, as it is filled in.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct AssignmentForm {
    /// The code of the course, for a new one.
    course: String,
    title: String,
    /// The last day, as 2026-11-27.
    date: String,
    /// The last minute, as 23:59.
    time: String,
    pages: String,
    /// The name of a bundled rubric, or `own`.
    rubric: String,
    /// The text of one's own.
    toml: String,
    /// The code of the league whose run counts; empty for none.
    league: String,
    /// The code of the run that counts; empty for the one that the rubric names.
    run: String,
    /// `try`: the rubric is tried, and nothing is saved.
    act: String,
}

#[derive(Template)]
#[template(path = "assignment_form.html")]
struct FormPage {
    frame: Frame,
    head: CourseHead,
    /// Where the form is sent.
    action: String,
    /// The address of the assignment, if there is one.
    back: Option<String>,
    is_new: bool,
    zone: String,
    form: AssignmentForm,
    bundled: Vec<(&'static str, String)>,
    leagues: Vec<League>,
    runs: Vec<(String, String)>,
    tried: Option<Tried>,
    wrong: Wrong,
}

/// What a rubric would come to.
struct Tried {
    lines: Vec<RubricLine>,
    maximum: String,
    games: usize,
    /// Names of a team, the total as it is, and as it would be.
    totals: Vec<(String, String, String)>,
}

impl AssignmentForm {
    fn begin(zone: &Zone, course: &Course) -> Self {
        let bundled =
            Rubric::BUNDLED.into_iter().find(|(_, text)| text.parse().is_ok_and(|it: Rubric| it.is_for(&course.game)));
        let week = 7 * 24 * 60 * MINUTE_MS;
        Self {
            course: course.code.clone(),
            date: zone.date(now_ms() + week),
            time: "23:59".to_owned(),
            pages: USUAL_PAGES.to_string(),
            rubric: bundled.map_or(OWN_RUBRIC, |(name, _)| name).to_owned(),
            ..Self::default()
        }
    }

    fn of(assignment: &Assignment, zone: &Zone, leagues: &[League], runs: &[Run]) -> Self {
        let last = zone.local(assignment.due_ms - 1);
        let is_bundled = Rubric::bundled(&assignment.rubric).is_some();
        let league = leagues.iter().find(|league| Some(league.id) == assignment.league_id);
        let run = runs.iter().find(|run| Some(run.id) == assignment.counted_run_id);
        Self {
            course: String::new(),
            title: assignment.title.clone(),
            date: last.date().to_string(),
            time: format!("{:02}:{:02}", last.hour(), last.minute()),
            pages: assignment.page_limit.to_string(),
            rubric: if is_bundled { assignment.rubric.clone() } else { OWN_RUBRIC.to_owned() },
            toml: if is_bundled { String::new() } else { assignment.rubric.clone() },
            league: league.map(|league| league.code.clone()).unwrap_or_default(),
            run: run.map(|run| run.code.clone()).unwrap_or_default(),
            act: String::new(),
        }
    }

    /// The rubric: the name of a bundled one, or a text.
    fn rubric(&self) -> &str {
        if self.rubric == OWN_RUBRIC { &self.toml } else { &self.rubric }
    }

    /// The end of the minute that was chosen.
    fn due_ms(&self, zone: &Zone) -> Option<i64> {
        zone.moment_ms(self.date.trim(), self.time.trim())?.checked_add(MINUTE_MS)
    }

    async fn checked(&self, app: &App, course: &Course, zone: &Zone) -> Result<NewAssignment, (&'static str, Refused)> {
        let title = clean_name(&self.title, MAX_TITLE + 1);
        if !(1..=MAX_TITLE).contains(&title.chars().count()) {
            return Err(("title", Refused::bad_with("assignment.wrong.title", MAX_TITLE.to_string())));
        }
        let due_ms = self.due_ms(zone).ok_or(("date", Refused::bad("assignment.wrong.due")))?;
        let pages = self.pages.trim().parse().ok().filter(|pages| (1..=MAX_PAGES).contains(pages));
        let page_limit = pages.ok_or(("pages", Refused::bad_with("assignment.wrong.pages", MAX_PAGES.to_string())))?;
        checked(app, course, self.rubric()).await.map_err(|refused| ("toml", refused))?;
        let (league_id, counted_run_id) = self.run(app, course).await.map_err(|refused| ("league", refused))?;
        let rubric = self.rubric().replace('\r', "");
        Ok(NewAssignment { title, due_ms, page_limit, rubric, league_id, counted_run_id })
    }

    /// The league and its run that count.
    async fn run(&self, app: &App, course: &Course) -> Result<(Option<Id>, Option<Id>), Refused> {
        if self.league.is_empty() {
            return Ok((None, None));
        }
        let leagues = app.store.leagues_of_course(course.id).await?;
        let league = leagues.into_iter().find(|league| league.code == self.league);
        let league = league.ok_or(Refused::bad("assignment.wrong.league"))?;
        if self.run.is_empty() {
            return Ok((Some(league.id), None));
        }
        let run = app.store.run(&self.run).await?.filter(|run| run.league_id == Some(league.id));
        let run = run.ok_or(Refused::bad("assignment.wrong.run"))?;
        Ok((Some(league.id), Some(run.id)))
    }
}

impl FormPage {
    async fn new(
        app: &App,
        frame: Frame,
        access: &Access,
        assignment: Option<&Assignment>,
        form: Option<AssignmentForm>,
    ) -> Result<Self, Refused> {
        let zone = Zone::of(&access.course.time_zone);
        let leagues = app.store.leagues_of_course(access.course.id).await?;
        let mut runs = vec![];
        for league in &leagues {
            runs.extend(app.store.runs_of_league(league.id).await?);
        }
        runs.retain(|run| run.state == RunState::Finished);
        let form = form.unwrap_or_else(|| match assignment {
            Some(assignment) => AssignmentForm::of(assignment, &zone, &leagues, &runs),
            None => AssignmentForm::begin(&zone, &access.course),
        });
        let word = frame.locale.word();
        let bundled = Rubric::BUNDLED.into_iter().filter_map(|(name, text)| {
            let rubric: Rubric = text.parse().ok()?;
            rubric.is_for(&access.course.game).then(|| (name, rubric.title.text(word).to_owned()))
        });
        let league_name = |run: &Run| leagues.iter().find(|it| Some(it.id) == run.league_id).map_or("", |it| &it.name);
        let runs = runs.iter().map(|run| (run.code.clone(), format!("{} {}", league_name(run), run.number)));
        let runs = runs.collect();
        let back = assignment.map(|assignment| super::access::path(assignment, ""));
        Ok(Self {
            head: CourseHead::new(access, frame.locale, "/assignments"),
            action: back.as_ref().map_or_else(|| "/assignments".to_owned(), |path| format!("{path}/edit")),
            is_new: assignment.is_none(),
            back,
            zone: zone.name().to_owned(),
            form,
            bundled: bundled.collect(),
            leagues,
            runs,
            tried: None,
            wrong: Wrong::default(),
            frame,
        })
    }
}

impl Tried {
    async fn of(
        app: &App,
        course: &Course,
        assignment: Option<&Assignment>,
        text: &str,
        frame: &Frame,
    ) -> Result<Self, Refused> {
        let rubric = checked(app, course, text).await?;
        let mut totals = vec![];
        if let Some(assignment) = assignment {
            let before = Sheet::with_rubric(app, course, assignment, rubric_of(assignment)?).await?;
            let after = Sheet::with_rubric(app, course, assignment, rubric.clone()).await?;
            let shown = |mark| total(mark).unwrap_or_else(|| frame.t("marks.none").to_owned());
            totals = before
                .rows
                .iter()
                .zip(&after.rows)
                .map(|(before, after)| (names(&before.members), shown(&before.mark), shown(&after.mark)))
                .collect();
        }
        let games = rubric.pairings().len();
        Ok(Self { lines: lines(&rubric, frame.locale), maximum: points(rubric.maximum()), games, totals })
    }
}

/// For which course.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct For {
    course: String,
}

/// The form of a new assignment.
pub(crate) async fn new(
    State(app): State<App>,
    visitor: Visitor,
    Query(For { course }): Query<For>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &course).await?;
    page(&FormPage::new(&app, Frame::new(&visitor), &access, None, None).await?)
}

/// Adds an assignment.
pub(crate) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<AssignmentForm>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &form.course).await?;
    let zone = Zone::of(&access.course.time_zone);
    match taken(&app, &visitor, &access, &zone, &form).await {
        Ok(Some(new)) => {
            let code = app.store.create_assignment(access.course.id, &new, now_ms()).await?;
            Ok(Redirect::to(&format!("/assignments/{code}?saved=assignment")).into_response())
        }
        Ok(None) => tried(&app, &visitor, &access, None, form).await,
        Err((field, refused)) => again(&app, &visitor, &access, None, form, (field, refused)).await,
    }
}

/// The form of an assignment as it is.
pub(crate) async fn edit(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    page(&FormPage::new(&app, Frame::new(&visitor), &found.access, Some(&found.assignment), None).await?)
}

/// Changes an assignment.
pub(crate) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(form): Posted<AssignmentForm>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    match taken(&app, &visitor, &found.access, &found.zone, &form).await {
        Ok(Some(new)) => {
            app.store.change_assignment(found.assignment.id, &new).await?;
            tracing::info!(by = visitor.signed_in()?.id, assignment = code, "an assignment is changed");
            Ok(Redirect::to(&found.path("?saved=assignment")).into_response())
        }
        Ok(None) => tried(&app, &visitor, &found.access, Some(&found.assignment), form).await,
        Err(wrong) => again(&app, &visitor, &found.access, Some(&found.assignment), form, wrong).await,
    }
}

/// The assignment to store; none if the rubric is only tried.
async fn taken(
    app: &App,
    visitor: &Visitor,
    access: &Access,
    zone: &Zone,
    form: &AssignmentForm,
) -> Result<Option<NewAssignment>, (&'static str, Refused)> {
    visitor.sends().map_err(|refused| ("", refused))?;
    if form.toml.len() > MAX_RUBRIC_BYTES {
        return Err(("toml", Refused::bad_with("assignment.wrong.long", MAX_RUBRIC_BYTES.to_string())));
    }
    if form.act == "try" {
        return Ok(None);
    }
    form.checked(app, &access.course, zone).await.map(Some)
}

async fn tried(
    app: &App,
    visitor: &Visitor,
    access: &Access,
    assignment: Option<&Assignment>,
    form: AssignmentForm,
) -> Result<Response, Refused> {
    let frame = Frame::returned(visitor);
    match Tried::of(app, &access.course, assignment, form.rubric(), &frame).await {
        Ok(tried) => {
            let again = FormPage::new(app, frame, access, assignment, Some(form)).await?;
            page(&FormPage { tried: Some(tried), ..again })
        }
        Err(refused @ Refused::Bad(..)) => again(app, visitor, access, assignment, form, ("toml", refused)).await,
        Err(refused) => Err(refused),
    }
}

async fn again(
    app: &App,
    visitor: &Visitor,
    access: &Access,
    assignment: Option<&Assignment>,
    form: AssignmentForm,
    (field, refused): (&'static str, Refused),
) -> Result<Response, Refused> {
    if !matches!(refused, Refused::Bad(..)) {
        return Err(refused);
    }
    let again = FormPage::new(app, Frame::returned(visitor), access, assignment, Some(form)).await?;
    page_again(&FormPage { wrong: Wrong::at(field, &refused, visitor.locale), ..again })
}

#[derive(Deserialize)]
pub(crate) struct Empty {}

/// Deletes an assignment to which nothing belongs yet.
pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Empty {}): Posted<Empty>,
) -> Result<Response, Refused> {
    let found = AssignmentAccess::find_taught(&app, &visitor, &code).await?;
    if !app.store.delete_assignment(found.assignment.id).await? {
        return Err(Refused::bad("assignment.wrong.in_use"));
    }
    tracing::info!(by = visitor.signed_in()?.id, assignment = code, "an assignment is deleted");
    Ok(Redirect::to(&found.access.path("/assignments")).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_the_end_of_its_minute() {
        let zone = Zone::of("Europe/Madrid");
        let due = |date: &str, time: &str| {
            let form = AssignmentForm { date: date.to_owned(), time: time.to_owned(), ..AssignmentForm::default() };
            form.due_ms(&zone)
        };
        // 27 November 2026, 23:59 in Madrid is 22:59 UTC; over at 23:00:00.000.
        assert_eq!(due("2026-11-27", "23:59"), Some(1_795_820_400_000));
        assert_eq!(due("2026-11-27", "00:00"), Some(1_795_820_400_000 - (24 * 60 - 1) * MINUTE_MS));
        for (date, time) in [("", "23:59"), ("2026-11-31", "23:59"), ("2026-11-27", "24:00"), ("2026-11-27", "late")] {
            assert_eq!(due(date, time), None, "{date} {time}");
        }
    }
}
