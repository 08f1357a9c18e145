//! The assignments of a course, and its house bots.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Assignment, Bot, House};
use serde::Deserialize;

use super::rubric::house_bots;
use super::show::due_time;
use crate::app::{App, now_ms};
use crate::courses::access::Access;
use crate::courses::head::CourseHead;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::page::{Frame, page};
use crate::time_zone::Zone;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "assignments.html")]
struct ListPage {
    frame: Frame,
    head: CourseHead,
    access: Access,
    assignments: Vec<Row>,
    house: Vec<Bot>,
}

struct Row {
    assignment: Assignment,
    due: String,
    is_over: bool,
}

/// The assignments of a course.
pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let access = Access::find(&app, &visitor, &code).await?;
    let (frame, zone, now_ms) = (Frame::new(&visitor), Zone::of(&access.course.time_zone), now_ms());
    let row = |assignment: Assignment| Row {
        due: due_time(&zone, assignment.due_ms, frame.locale),
        is_over: assignment.is_over(now_ms),
        assignment,
    };
    let assignments = app.store.assignments_of(access.course.id).await?.into_iter().map(row).collect();
    let house = if access.is_teacher() { house_bots(&app, &access.course).await? } else { vec![] };
    let head = CourseHead::new(&access, frame.locale, "/assignments");
    page(&ListPage { frame, head, access, assignments, house })
}

#[derive(Deserialize)]
pub(crate) struct Shown {
    bot: String,
    house: String,
}

/// Says whether members see a house bot.
pub(crate) async fn house(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(form): Posted<Shown>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    let house: House = form.house.parse().map_err(|_| Refused::bad("refused.form"))?;
    let bots = house_bots(&app, &access.course).await?;
    let bot = super::rubric::find(&bots, &form.bot).filter(|_| house != House::No).ok_or(Refused::NotFound)?;
    app.store.show_house_bot(bot.id, house).await?;
    tracing::info!(by = visitor.signed_in()?.id, bot = bot.name, "a house bot is shown or hidden");
    Ok(Redirect::to(&access.path("/assignments")).into_response())
}
