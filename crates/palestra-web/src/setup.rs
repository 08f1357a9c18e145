//! The first admin: by a link that works once, or from the command line.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use palestra_store::{Role, StoreError, Token, TokenHash};

use crate::account::sign_in::signed_in;
use crate::account::{Passwords, Person, taken, wrong};
use crate::app::{App, now_ms};
use crate::config::Config;
use crate::data_folder::DataFolder;
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::locale::Locale;
use crate::page::{Frame, page, page_again};
use crate::server::{StartError, open_store};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "setup.html")]
struct SetupPage {
    frame: Frame,
    secret: String,
    wrong: Wrong,
    filled: Person,
}

/// The form.
pub(crate) async fn form(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, Refused> {
    find(&app, &visitor, &secret).await?;
    page(&SetupPage { frame: Frame::new(&visitor), secret, wrong: Wrong::default(), filled: Person::default() })
}

/// Makes the first admin and signs in.
pub(crate) async fn set_up(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
    Posted(form): Posted<Person>,
) -> Result<Response, Refused> {
    let token = find(&app, &visitor, &secret).await?;
    match make(&app, &visitor, &token, &form).await {
        Err(refused) => {
            let wrong = wrong(refused, visitor.locale)?;
            page_again(&SetupPage { frame: Frame::returned(&visitor), secret, wrong, filled: form })
        }
        Ok(response) => Ok(response),
    }
}

/// A link that works.
async fn find(app: &App, visitor: &Visitor, secret: &str) -> Result<TokenHash, Refused> {
    let token = Token::shown(secret).map(|token| token.hash());
    let works = match &token {
        Some(token) => app.store.setup_link(token).await?,
        None => false,
    };
    app.limits.found(visitor, token.filter(|_| works), Refused::NotFound)
}

async fn make(app: &App, visitor: &Visitor, token: &TokenHash, form: &Person) -> Result<Response, Refused> {
    visitor.sends()?;
    let new = form.account(Role::Admin, &app.passwords).await?;
    let made = app.store.set_up(token, &new, now_ms()).await.map_err(taken)?;
    signed_in(app, visitor, made.ok_or(Refused::NotFound)?).await
}

/// An admin who is made from the command line.
#[derive(Clone)]
pub struct NewAdmin {
    /// Their name.
    pub name: String,
    /// The nickname.
    pub nickname: String,
    /// Their address.
    pub email: String,
    /// Their password.
    pub password: String,
}

/// Why an admin cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// The server's data cannot be used.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A value is invalid or already taken.
    #[error("{0}")]
    Person(String),
}

/// Makes an admin, confirmed at once, whether the server runs or not.
pub async fn create_admin(config: &Config, new: NewAdmin) -> Result<(), AdminError> {
    let NewAdmin { name, nickname, email, password } = new;
    let person = Person { name, nickname, email, password };
    let wrong = |refused: Refused| AdminError::Person(refused.text(Locale::English));
    let account = person.account(Role::Admin, &Passwords::new()).await.map_err(wrong)?;
    DataFolder::make(&config.data).map_err(StartError::from)?;
    let store = open_store(config).await.map_err(StartError::from)?;
    let made = store.create_account(&account, now_ms()).await;
    store.close().await;
    match made {
        Ok(_) => Ok(()),
        Err(StoreError::Taken) => Err(wrong(Refused::bad("account.wrong.taken"))),
        Err(error) => Err(StartError::from(error).into()),
    }
}
