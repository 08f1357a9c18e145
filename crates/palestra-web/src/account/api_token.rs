//! API tokens, with which programs act for an account.

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_protocol::is_unseen;
use palestra_store::{Account, ApiToken, Id, Scope, Scopes, Token};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::page::{Frame, page};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

/// Path of the page of tokens.
const PATH: &str = "/settings/tokens";

const MAX_LABEL: usize = 60;

#[derive(Template)]
#[template(path = "tokens.html")]
struct TokensPage {
    frame: Frame,
    tokens: Vec<ApiToken>,
    /// The secret of the token that was just made: it is shown this once.
    made: Option<Token>,
}

/// The page with all tokens of an account, and the form for another.
pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Response, Refused> {
    shown(&app, &visitor, visitor.signed_in()?, None).await
}

async fn shown(app: &App, visitor: &Visitor, account: &Account, made: Option<Token>) -> Result<Response, Refused> {
    let tokens = app.store.api_tokens(account.id).await?;
    page(&TokensPage { frame: Frame::new(visitor), tokens, made })
}

/// A form with a box to tick for each scope.
#[derive(Deserialize)]
pub(crate) struct NewToken {
    label: String,
    read: Option<String>,
    play: Option<String>,
    analyse: Option<String>,
}

impl NewToken {
    fn label(&self) -> Result<&str, Refused> {
        let label = self.label.trim();
        let is_one = !label.is_empty() && label.chars().count() <= MAX_LABEL && !label.chars().any(is_unseen);
        if is_one { Ok(label) } else { Err(Refused::bad("token.wrong.label")) }
    }

    fn scopes(&self) -> Result<Scopes, Refused> {
        let is_ticked = |scope: &Scope| match scope {
            Scope::Read => self.read.is_some(),
            Scope::Play => self.play.is_some(),
            Scope::Analyse => self.analyse.is_some(),
        };
        let scopes: Scopes = Scope::ALL.iter().copied().filter(is_ticked).collect();
        if scopes.is_empty() { Err(Refused::bad("token.wrong.scopes")) } else { Ok(scopes) }
    }
}

/// Makes a token and shows it.
pub(crate) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<NewToken>,
) -> Result<Response, Refused> {
    let account = visitor.signed_in()?;
    let (label, scopes) = (form.label()?, form.scopes()?);
    app.limits.tokens.check(Key::visitor(&visitor))?;
    let token = Token::random();
    if !app.store.create_api_token(&token.hash(), account.id, label, &scopes, now_ms()).await? {
        return Err(Refused::bad("token.wrong.many"));
    }
    shown(&app, &visitor, account, Some(token)).await
}

#[derive(Deserialize)]
pub(crate) struct Revoke {
    id: Id,
}

/// Revokes a token.
pub(crate) async fn revoke(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<Revoke>,
) -> Result<Response, Refused> {
    let account = visitor.signed_in()?;
    let is_revoked = app.store.revoke_api_token(account.id, form.id).await?;
    if is_revoked { Ok(Redirect::to(PATH).into_response()) } else { Err(Refused::NotFound) }
}

/// For programs: for whom they act, and what they may do.
pub(crate) async fn me(visitor: Visitor) -> Result<Json<Value>, Refused> {
    let account = visitor.may(Scope::Read)?;
    let scopes: Vec<&str> = match &visitor.scopes {
        Some(scopes) => scopes.words().collect(),
        None => Scope::ALL.iter().map(|scope| scope.word()).collect(),
    };
    Ok(Json(json!({"nickname": account.nickname, "role": account.role.word(), "scopes": scopes})))
}
