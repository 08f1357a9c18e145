//! Making, changing and deleting leagues.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Bot, Course, Group, House};
use serde::Deserialize;

use super::access::LeagueAccess;
use super::forecast::Forecast;
use super::form::{GUEST, LeagueForm, MAX_NAME, MAX_ROUNDS, Meant, ORDERS};
use crate::app::{App, now_ms};
use crate::courses::access::Access;
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::time_zone::Zone;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "league_form.html")]
struct FormPage {
    frame: Frame,
    course: Course,
    /// Where the form is sent.
    path: String,
    /// The address of the league, if there is one, and whether it can be deleted.
    league: Option<(String, bool)>,
    groups: Vec<Group>,
    house: Vec<Bot>,
    orders: [&'static str; ORDERS.len()],
    form: LeagueForm,
    forecast: Option<Forecast>,
    wrong: Wrong,
}

impl FormPage {
    /// A ranking in words.
    fn order(&self, words: &str) -> String {
        let name = |word: &str| self.frame.locale.t(&format!("league.better.{word}")).to_owned();
        words.split(',').map(name).collect::<Vec<_>>().join(", ")
    }

    fn is_group(&self, group: &Group) -> bool {
        self.form.group == group.id.to_string()
    }
}

/// What a league's form needs to know of its course.
struct Scene {
    course: Course,
    groups: Vec<Group>,
    house: Vec<Bot>,
    zone: Zone,
}

impl Scene {
    async fn of(app: &App, course: Course) -> Result<Self, Refused> {
        let groups = app.store.groups(course.id).await?;
        let mut house = app.store.bots_of_course(course.id).await?;
        house.retain(|bot| bot.house != House::No && bot.game == course.game);
        Ok(Self { zone: Zone::of(&course.time_zone), course, groups, house })
    }

    fn meant(&self, form: &LeagueForm) -> Result<Meant, (&'static str, Refused)> {
        form.meant(&self.groups, &self.house, &self.zone, now_ms())
    }

    /// The page of the form. What is wrong with it stands beside its field; what is right is shown with what it means.
    async fn page(
        self,
        app: &App,
        frame: Frame,
        (path, league): (String, Option<(String, bool)>),
        form: LeagueForm,
        unsent: Option<Refused>,
    ) -> Result<FormPage, Refused> {
        let locale = frame.locale;
        let (forecast, wrong) = match (self.meant(&form), unsent) {
            (Ok(meant), unsent) => {
                let forecast = Forecast::of(app, &self.course, &meant.league, &meant.schedule, locale).await?;
                (Some(forecast), unsent.map_or_else(Wrong::default, |refused| Wrong::at("", &refused, locale)))
            }
            // A form that nobody has filled in yet has nothing wrong with it.
            (Err(("name", _)), None) if frame.returned.is_none() => (None, Wrong::default()),
            (Err((field, refused)), _) => (None, Wrong::at(field, &refused, locale)),
        };
        let Self { course, groups, house, .. } = self;
        Ok(FormPage { frame, course, path, league, groups, house, orders: ORDERS, form, forecast, wrong })
    }
}

/// The form of a new league.
pub(crate) async fn new(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    let path = access.path("/leagues/new");
    let scene = Scene::of(&app, access.course).await?;
    let form = LeagueForm::new(&scene.course, &scene.zone, now_ms());
    page(&scene.page(&app, Frame::new(&visitor), (path, None), form, None).await?)
}

/// Makes a league.
pub(crate) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(form): Posted<LeagueForm>,
) -> Result<Response, Refused> {
    let access = Access::find_taught(&app, &visitor, &code).await?;
    app.limits.courses.check(Key::visitor(&visitor))?;
    let path = access.path("/leagues/new");
    let scene = Scene::of(&app, access.course).await?;
    let unsent = visitor.sends().err();
    match scene.meant(&form) {
        Ok(meant) if unsent.is_none() && !form.is_preview() => {
            let code = app.store.create_league(scene.course.id, &meant.league, now_ms()).await?;
            app.alarm.ring();
            Ok(Redirect::to(&format!("/leagues/{code}")).into_response())
        }
        _ => page_again(&scene.page(&app, Frame::returned(&visitor), (path, None), form, unsent).await?),
    }
}

/// The form of a league that is there.
pub(crate) async fn edit(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Response, Refused> {
    let access = LeagueAccess::find_taught(&app, &visitor, &code).await?;
    let guests = app.store.league_guests(access.league.id).await?;
    let address = address(&app, &access).await?;
    let form = LeagueForm::of(&access.league, &guests, &access.zone, now_ms(), &access.course);
    let scene = Scene::of(&app, access.course).await?;
    page(&scene.page(&app, Frame::new(&visitor), address, form, None).await?)
}

/// Changes a league.
pub(crate) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(form): Posted<LeagueForm>,
) -> Result<Response, Refused> {
    let access = LeagueAccess::find_taught(&app, &visitor, &code).await?;
    let address = address(&app, &access).await?;
    let league = access.league;
    let scene = Scene::of(&app, access.course).await?;
    let unsent = visitor.sends().err();
    match scene.meant(&form) {
        Ok(mut meant) if unsent.is_none() && !form.is_preview() => {
            // A run that waits for the one before goes on waiting; a later schedule changes nothing.
            let waits =
                league.due_ms.is_some_and(|due_ms| due_ms <= now_ms()) && league.schedule == meant.league.schedule;
            if waits && meant.league.is_open {
                meant.league.due_ms = league.due_ms;
            }
            app.store.change_league(league.id, &meant.league).await?;
            app.alarm.ring();
            Ok(Redirect::to(&format!("/leagues/{}", league.code)).into_response())
        }
        _ => page_again(&scene.page(&app, Frame::returned(&visitor), address, form, unsent).await?),
    }
}

/// Where the form of a league is sent, the address of the league, and whether it can be deleted.
async fn address(app: &App, access: &LeagueAccess) -> Result<(String, Option<(String, bool)>), Refused> {
    let is_unplayed = app.store.runs_of_league(access.league.id).await?.is_empty();
    Ok((access.path("/edit"), Some((access.path(""), is_unplayed))))
}

#[derive(Deserialize)]
pub(crate) struct Nothing {}

/// Deletes a league that has had no run.
pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let access = LeagueAccess::find_taught(&app, &visitor, &code).await?;
    visitor.sends()?;
    if !app.store.delete_league(access.league.id).await? {
        return Err(Refused::bad("league.has_runs"));
    }
    Ok(Redirect::to(&format!("/courses/{}/leagues", access.course.code)).into_response())
}
