//! Confirms a registration by the link in its mail.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use palestra_store::{Registration, Token};
use serde::Deserialize;

use super::sign_in::signed_in;
use super::{taken, wrong};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::page::{Frame, page, page_again};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "confirm.html")]
struct ConfirmPage {
    frame: Frame,
    nickname: String,
    secret: String,
    wrong: Wrong,
}

/// Only looks: programs that follow the links in mails do not use it up.
pub(crate) async fn form(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, Refused> {
    let nickname = find(&app, &visitor, &secret).await?.nickname;
    page(&ConfirmPage { frame: Frame::new(&visitor), nickname, secret, wrong: Wrong::default() })
}

#[derive(Deserialize)]
pub(crate) struct Confirmed {
    password: String,
}

/// Makes the account and signs in. The password is asked for because anybody can register with anybody's address: who
/// follows a link that another person caused must not get an account whose password that person knows.
pub(crate) async fn confirm(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
    Posted(form): Posted<Confirmed>,
) -> Result<Response, Refused> {
    let registration = find(&app, &visitor, &secret).await?;
    if let Err(refused) = check(&app, &visitor, &registration, form.password).await {
        let (wrong, frame) = (wrong(refused, visitor.locale)?, Frame::returned(&visitor));
        return page_again(&ConfirmPage { frame, nickname: registration.nickname, secret, wrong });
    }
    let account = app.store.confirm(registration.id, now_ms()).await.map_err(taken)?;
    signed_in(&app, &visitor, account.ok_or(Refused::bad("account.wrong.link"))?).await
}

/// Checks the password of a registration.
async fn check(app: &App, visitor: &Visitor, registration: &Registration, password: String) -> Result<(), Refused> {
    visitor.sends()?;
    app.limits.try_sign_in(visitor, &registration.email)?;
    let is_right = app.passwords.check(password, Some(&registration.password)).await?;
    if is_right { Ok(()) } else { Err(Refused::bad("account.wrong.not_chosen")) }
}

async fn find(app: &App, visitor: &Visitor, secret: &str) -> Result<Registration, Refused> {
    let token = Token::shown(secret);
    let found = match &token {
        Some(token) => app.store.registration(&token.hash(), now_ms()).await?,
        None => None,
    };
    app.limits.found(visitor, found, Refused::bad("account.wrong.link"))
}
