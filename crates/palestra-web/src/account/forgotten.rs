//! Password reset by a link in a mail.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use palestra_store::{StoreError, Token, TokenHash};
use serde::Deserialize;

use super::sign_in::signed_in;
use super::{person, wrong};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::locale::Locale;
use crate::mail::Mail;
use crate::page::{Frame, Note, page, page_again};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "forgotten.html")]
struct ForgottenPage {
    frame: Frame,
    email: String,
    wrong: Wrong,
}

/// The form that asks for a link.
pub(crate) async fn form(visitor: Visitor) -> Result<Response, Refused> {
    page(&ForgottenPage { frame: Frame::new(&visitor), email: String::new(), wrong: Wrong::default() })
}

#[derive(Deserialize)]
pub(crate) struct Forgotten {
    email: String,
}

/// Sends a link if the address has an account. That is found out after the answer, which is always the same.
pub(crate) async fn send_link(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<Forgotten>,
) -> Result<Response, Refused> {
    app.limits.forgotten.check(Key::address(visitor.address))?;
    let email = match visitor.sends().and_then(|()| person::email(&form.email)) {
        Ok(email) => email,
        Err(refused) => {
            let wrong = wrong(refused, visitor.locale)?;
            return page_again(&ForgottenPage { frame: Frame::returned(&visitor), email: form.email, wrong });
        }
    };
    app.limits.mail.check(app.limits.text(&email))?;
    let note = Note::new(&visitor, "account.forgotten", "account.look_at_mail").page();
    tokio::spawn(async move {
        if let Err(error) = open_link(&app, email, visitor.locale).await {
            // Counted and logged like any other fault of the store.
            drop(Refused::from(error));
        }
    });
    note
}

async fn open_link(app: &App, email: String, locale: Locale) -> Result<(), StoreError> {
    let Some(account) = app.store.account_by_email(&email).await? else { return Ok(()) };
    let token = Token::random();
    app.store.open_reset_link(&token.hash(), account.id, now_ms()).await?;
    let link = app.origins.link(&format!("/reset/{}", token.secret()));
    app.mailer.send(Mail { to: email, locale: Some(locale), kind: "reset", link });
    Ok(())
}

#[derive(Template)]
#[template(path = "reset.html")]
struct ResetPage {
    frame: Frame,
    secret: String,
    wrong: Wrong,
}

/// The form that the link leads to. Looking does not use the link up.
pub(crate) async fn reset_form(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, Refused> {
    find(&app, &visitor, &secret).await?;
    page(&ResetPage { frame: Frame::new(&visitor), secret, wrong: Wrong::default() })
}

/// A link that works.
async fn find(app: &App, visitor: &Visitor, secret: &str) -> Result<TokenHash, Refused> {
    let token = Token::shown(secret).map(|token| token.hash());
    let works = match &token {
        Some(token) => app.store.reset_link(token, now_ms()).await?.is_some(),
        None => false,
    };
    app.limits.found(visitor, token.filter(|_| works), Refused::bad("account.wrong.link"))
}

#[derive(Deserialize)]
pub(crate) struct Reset {
    password: String,
}

/// Sets the new password, ends all sessions, revokes all API tokens, and signs in.
pub(crate) async fn reset(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
    Posted(form): Posted<Reset>,
) -> Result<Response, Refused> {
    let token = find(&app, &visitor, &secret).await?;
    if let Err(refused) = visitor.sends().and_then(|()| person::password(&form.password)) {
        let wrong = wrong(refused, visitor.locale)?;
        return page_again(&ResetPage { frame: Frame::returned(&visitor), secret, wrong });
    }
    let password = app.passwords.hash(form.password).await?;
    let account = app.store.reset_password(&token, &password, now_ms()).await?;
    signed_in(&app, &visitor, account.ok_or(Refused::bad("account.wrong.link"))?).await
}
