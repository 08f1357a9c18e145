//! The settings of an account: profile, password, deletion.

use askama::Template;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Account, ApiTokens, Token};
use serde::Deserialize;

use super::{person, taken};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::page::{Frame, page};
use crate::visitor::{Visitor, guest_cookie, session_cookie};

/// Path of the settings page.
const PATH: &str = "/settings";

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage<'a> {
    frame: Frame,
    account: &'a Account,
}

/// The page.
pub(crate) async fn settings(visitor: Visitor) -> Result<Response, Refused> {
    page(&SettingsPage { frame: Frame::new(&visitor), account: visitor.signed_in()? })
}

#[derive(Deserialize)]
pub(crate) struct Profile {
    name: String,
    nickname: String,
}

/// Changes name and nickname.
pub(crate) async fn profile(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<Profile>,
) -> Result<Response, Refused> {
    let account = visitor.signed_in()?;
    let (name, nickname) = (person::name(&form.name)?, person::new_nickname(&form.nickname, account)?);
    app.store.rename(account.id, &name, &nickname).await.map_err(taken)?;
    Ok(Redirect::to(PATH).into_response())
}

#[derive(Deserialize)]
pub(crate) struct NewPassword {
    current: String,
    password: String,
    /// A checkbox: present if API tokens are to be revoked.
    revoke: Option<String>,
}

/// Changes the password. All sessions end, and API tokens if that was ticked; this browser gets a new session.
pub(crate) async fn password(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<NewPassword>,
) -> Result<Response, Refused> {
    person::password(&form.password)?;
    let account = with_password(&app, &visitor, form.current).await?;
    let hash = app.passwords.hash(form.password).await?;
    let token = Token::random();
    let api_tokens = if form.revoke.is_some() { ApiTokens::Revoke } else { ApiTokens::Keep };
    app.store.change_password(account.id, &hash, api_tokens, &token.hash(), now_ms()).await?;
    Ok(([(header::SET_COOKIE, session_cookie(&app, &token))], Redirect::to(PATH)).into_response())
}

#[derive(Deserialize)]
pub(crate) struct Delete {
    password: String,
}

/// Deletes the account.
pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<Delete>,
) -> Result<Response, Refused> {
    let account = with_password(&app, &visitor, form.password).await?;
    if !app.store.delete_account(account.id).await? {
        return Err(Refused::bad("account.wrong.last_admin"));
    }
    app.tables.forget_account(account.id, &account.nickname).await;
    Ok(([(header::SET_COOKIE, guest_cookie(&app))], Redirect::to("/")).into_response())
}

/// The account that is signed in, after its password was entered again.
async fn with_password<'a>(app: &App, visitor: &'a Visitor, password: String) -> Result<&'a Account, Refused> {
    let account = visitor.signed_in()?;
    app.limits.try_sign_in(visitor, &account.email)?;
    let is_right = app.passwords.check(password, Some(&account.password)).await?;
    if is_right { Ok(account) } else { Err(Refused::bad("account.wrong.current")) }
}
