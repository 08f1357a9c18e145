//! Sessions: signing in and out.

use askama::Template;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Id, Token};
use serde::Deserialize;

use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::page::{Frame, page, page_again};
use crate::visitor::{Visitor, guest_cookie, session_cookie};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    frame: Frame,
    email: String,
    wrong: Wrong,
}

/// The form.
pub(crate) async fn form(visitor: Visitor) -> Result<Response, Refused> {
    page(&SignInPage { frame: Frame::new(&visitor), email: String::new(), wrong: Wrong::default() })
}

#[derive(Deserialize)]
pub(crate) struct SignIn {
    email: String,
    password: String,
}

/// Signs in, or shows the form again with what is wrong.
pub(crate) async fn sign_in(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<SignIn>,
) -> Result<Response, Refused> {
    let SignIn { email, password } = form;
    match check(&app, &visitor, &email, password).await {
        Err(refused @ Refused::Bad(..)) => {
            let frame = Frame::returned(&visitor);
            let wrong = Wrong::at("", &refused, frame.locale);
            page_again(&SignInPage { frame, email, wrong })
        }
        other => other,
    }
}

/// Checks a password. An unknown address is answered like a wrong password; who has registered and knows the password is told to
/// follow the link in the mail. Each way takes the same questions to the store and one hash.
async fn check(app: &App, visitor: &Visitor, email: &str, password: String) -> Result<Response, Refused> {
    visitor.sends()?;
    app.limits.try_sign_in(visitor, email)?;
    let account = app.store.account_by_email(email).await?;
    let registration = app.store.registration_by_email(email, now_ms()).await?;
    let hash = account.as_ref().map(|account| account.password.as_str());
    let hash = hash.or(registration.as_ref().map(|registration| registration.password.as_str()));
    let is_right = app.passwords.check(password, hash).await?;
    match (account, registration) {
        (Some(account), _) if is_right => {
            let token = Token::random();
            if !app.store.sign_in(&token.hash(), &account, now_ms()).await? {
                return Err(Refused::bad("account.wrong.sign_in"));
            }
            welcome(app, visitor, &token).await
        }
        (None, Some(_)) if is_right => Err(Refused::bad("account.wrong.unconfirmed")),
        _ => Err(Refused::bad("account.wrong.sign_in")),
    }
}

/// Opens a session for an account that was just made, or got a password just now.
pub(crate) async fn signed_in(app: &App, visitor: &Visitor, account: Id) -> Result<Response, Refused> {
    let token = Token::random();
    app.store.open_session(&token.hash(), account, now_ms()).await?;
    welcome(app, visitor, &token).await
}

/// Gives the browser its session. What it had before is worth nothing any more.
async fn welcome(app: &App, visitor: &Visitor, token: &Token) -> Result<Response, Refused> {
    if visitor.account.is_some() {
        app.store.close_session(&visitor.token.hash()).await?;
    }
    Ok(([(header::SET_COOKIE, session_cookie(app, token))], Redirect::to("/")).into_response())
}

#[derive(Deserialize)]
pub(crate) struct SignOut {}

/// Ends the session; the browser becomes a new guest.
pub(crate) async fn sign_out(
    State(app): State<App>,
    visitor: Visitor,
    Posted(SignOut {}): Posted<SignOut>,
) -> Result<Response, Refused> {
    app.store.close_session(&visitor.token.hash()).await?;
    Ok(([(header::SET_COOKIE, guest_cookie(&app))], Redirect::to("/")).into_response())
}
