//! The bots of an account, and the form for another.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_games::{GAMES, GameKind};
use palestra_store::{Account, Bot, BotCourse, House, NewBot, Registered, StoreError};
use serde::Deserialize;

use super::access::browsing;
use super::language_name;
use super::name::{self, MAX_NAME};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::page::{Frame, page, page_again};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// Languages in which a bot can be written.
pub(crate) const LANGUAGES: [&str; 3] = ["cpp", "python", "rust"];

#[derive(Template)]
#[template(path = "bots.html")]
struct BotsPage {
    frame: Frame,
    bots: Vec<Bot>,
    /// The courses for which a bot can be registered: those that the visitor has joined or teaches.
    courses: Vec<BotCourse>,
    most: i64,
    form: NewBotForm,
    wrong: Wrong,
    /// Why bots cannot be built here, if they cannot.
    no_sandbox: Option<String>,
}

impl BotsPage {
    fn game_name<'a>(&self, game: &'a str) -> &'a str {
        GameKind::find(game).map_or(game, |kind| kind.about.name)
    }

    fn language(&self, language: &str) -> &'static str {
        language_name(language)
    }

    /// Whether the visitor teaches a course, and may register house bots.
    fn teaches(&self) -> bool {
        self.courses.iter().any(|course| course.is_taught)
    }
}

/// The form for a new bot.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NewBotForm {
    name: String,
    game: String,
    language: String,
    /// The code of a course; empty for none.
    course: String,
    /// Of a teacher's house bot: `playable` or `hidden`.
    house: String,
}

impl NewBotForm {
    /// A bot that is no house bot.
    pub(super) fn of(name: &str, game: &str, language: &str, course: &str) -> Self {
        let [name, game, language, course] = [name, game, language, course].map(str::to_owned);
        Self { name, game, language, course, house: String::new() }
    }
}

/// The page.
pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Response, Refused> {
    page(&bots_page(&app, &visitor, browsing(&visitor)?).await?)
}

async fn bots_page(app: &App, visitor: &Visitor, account: &Account) -> Result<BotsPage, Refused> {
    Ok(BotsPage {
        frame: Frame::new(visitor),
        bots: app.store.bots_of(account.id).await?,
        courses: app.store.courses_for_bots(account.id).await?,
        most: app.config.quotas.bots,
        form: NewBotForm::default(),
        wrong: Wrong::default(),
        no_sandbox: app.config.sandbox.as_ref().err().cloned(),
    })
}

/// Registers a bot, and goes to its page.
pub(crate) async fn register(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<NewBotForm>,
) -> Result<Response, Refused> {
    let account = browsing(&visitor)?;
    let registered = match visitor.sends() {
        Ok(()) => add(&app, account, &form).await,
        Err(refused) => Err(refused),
    };
    match registered {
        Ok(()) => Ok(Redirect::to(&format!("/bots/{}", form.name)).into_response()),
        Err(refused @ Refused::Bad(key, _)) => {
            let field = match key {
                "bots.wrong.game" => "game",
                "bots.wrong.language" => "language",
                "bots.wrong.course" | "bots.wrong.house" => "course",
                "bots.wrong.many" => "",
                _ => "name",
            };
            let wrong = Wrong::at(field, &refused, visitor.locale);
            page_again(&BotsPage {
                frame: Frame::returned(&visitor),
                form,
                wrong,
                ..bots_page(&app, &visitor, account).await?
            })
        }
        Err(refused) => Err(refused),
    }
}

/// Registers a bot for an account.
pub(super) async fn add(app: &App, account: &Account, form: &NewBotForm) -> Result<(), Refused> {
    name::check(&form.name)?;
    let course = match form.course.as_str() {
        "" => None,
        code => {
            let mut courses = app.store.courses_for_bots(account.id).await?.into_iter();
            Some(courses.find(|course| course.code == code).ok_or(Refused::bad("bots.wrong.course"))?)
        }
    };
    // A course has one game: it need not be chosen again.
    let game = course.as_ref().map_or(form.game.as_str(), |course| course.game.as_str());
    if GameKind::find(game).is_none() {
        return Err(Refused::bad("bots.wrong.game"));
    }
    if !LANGUAGES.contains(&form.language.as_str()) {
        return Err(Refused::bad("bots.wrong.language"));
    }
    let house = match (form.house.as_str(), &course) {
        ("", _) => House::No,
        (word, Some(course)) if course.is_taught => {
            House::try_from(Some(word.to_owned())).map_err(|_| Refused::bad("bots.wrong.house"))?
        }
        _ => return Err(Refused::bad("bots.wrong.house")),
    };
    app.limits.new_bots.check(Key::Account(account.id))?;
    let course = course.as_ref().map(|course| course.id);
    let new = NewBot { name: &form.name, game, language: &form.language, account: account.id, course, house };
    let most = app.config.quotas.bots;
    match app.store.register_bot(&new, most, now_ms()).await {
        Ok(Registered::Bot(_)) => Ok(()),
        Ok(Registered::Nickname) => Err(Refused::bad("bots.wrong.nickname")),
        Ok(Registered::TooMany) => Err(Refused::bad_with("bots.wrong.many", most.to_string())),
        Err(StoreError::Taken) => Err(Refused::bad_with("bots.wrong.taken", form.name.clone())),
        Err(error) => Err(error.into()),
    }
}
