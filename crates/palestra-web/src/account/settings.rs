//! The settings of an account: profile, password, deletion.

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Account, ApiTokens, Token};
use serde::Deserialize;

use super::{person, taken, wrong};
use crate::app::{App, now_ms};
use crate::copies;
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::page::{Frame, page, page_again};
use crate::visitor::{Visitor, guest_cookie, session_cookie};

/// Path of the settings page, with a note that what was asked is done.
const SAVED: &str = "/settings?saved";

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage<'a> {
    frame: Frame,
    account: &'a Account,
    /// Name and nickname as they stand in the form.
    profile: Profile,
    /// Whether something was saved just now.
    is_saved: bool,
    wrong: Wrong,
}

impl<'a> SettingsPage<'a> {
    fn new(visitor: &'a Visitor) -> Result<Self, Refused> {
        let account = visitor.signed_in()?;
        let profile = Profile { name: account.name.clone(), nickname: account.nickname.clone() };
        Ok(Self { frame: Frame::new(visitor), account, profile, is_saved: false, wrong: Wrong::default() })
    }

    /// The page of a form that comes back.
    fn returned(visitor: &'a Visitor, wrong: Wrong) -> Result<Self, Refused> {
        Ok(Self { frame: Frame::returned(visitor), wrong, ..Self::new(visitor)? })
    }
}

/// The page.
pub(crate) async fn settings(visitor: Visitor, RawQuery(query): RawQuery) -> Result<Response, Refused> {
    let is_saved = query.as_deref() == Some("saved");
    page(&SettingsPage { is_saved, ..SettingsPage::new(&visitor)? })
}

/// A reload of the page of a form that was wrong shows the settings again.
pub(crate) async fn back() -> Redirect {
    Redirect::to("/settings")
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
    match rename(&app, &visitor, &form).await {
        Ok(()) => Ok(Redirect::to(SAVED).into_response()),
        Err(refused) => {
            let wrong = wrong(refused, visitor.locale)?;
            page_again(&SettingsPage { profile: form, ..SettingsPage::returned(&visitor, wrong)? })
        }
    }
}

async fn rename(app: &App, visitor: &Visitor, form: &Profile) -> Result<(), Refused> {
    let account = visitor.signed_in()?;
    visitor.sends()?;
    let (name, nickname) = (person::name(&form.name)?, person::new_nickname(&form.nickname, account)?);
    app.store.rename(account.id, &name, &nickname).await.map_err(taken)
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
    match change_password(&app, &visitor, form).await {
        Ok(token) => Ok(([(header::SET_COOKIE, session_cookie(&app, &token))], Redirect::to(SAVED)).into_response()),
        Err(refused) => {
            let wrong = wrong(refused, visitor.locale)?;
            page_again(&SettingsPage::returned(&visitor, wrong)?)
        }
    }
}

/// The token of the new session.
async fn change_password(app: &App, visitor: &Visitor, form: NewPassword) -> Result<Token, Refused> {
    visitor.signed_in()?;
    visitor.sends()?;
    person::password(&form.password)?;
    let account = with_password(app, visitor, form.current).await?;
    let hash = app.passwords.hash(form.password).await?;
    let token = Token::random();
    let api_tokens = if form.revoke.is_some() { ApiTokens::Revoke } else { ApiTokens::Keep };
    app.store.change_password(account.id, &hash, api_tokens, &token.hash(), now_ms()).await?;
    Ok(token)
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
    match delete_account(&app, &visitor, form.password).await {
        Ok(()) => Ok(([(header::SET_COOKIE, guest_cookie(&app))], Redirect::to("/")).into_response()),
        Err(refused @ Refused::Bad(..)) => {
            let wrong = Wrong::at("delete", &refused, visitor.locale);
            page_again(&SettingsPage::returned(&visitor, wrong)?)
        }
        Err(refused) => Err(refused),
    }
}

async fn delete_account(app: &App, visitor: &Visitor, password: String) -> Result<(), Refused> {
    visitor.sends()?;
    let account = with_password(app, visitor, password).await?;
    if let Err(refused) = copies::keep_of_account(app, account.id).await {
        tracing::warn!(reason = refused.key(), "fingerprints of an account's bots are lost");
    }
    if !app.store.delete_account(account.id).await? {
        return Err(Refused::bad("account.wrong.last_admin"));
    }
    app.tables.forget_account(account.id, &account.nickname).await;
    Ok(())
}

/// The account that is signed in, after its password was entered again.
async fn with_password<'a>(app: &App, visitor: &'a Visitor, password: String) -> Result<&'a Account, Refused> {
    let account = visitor.signed_in()?;
    app.limits.try_sign_in(visitor, &account.email)?;
    let is_right = app.passwords.check(password, Some(&account.password)).await?;
    if is_right { Ok(account) } else { Err(Refused::bad("account.wrong.current")) }
}
