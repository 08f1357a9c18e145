//! API tokens, with which programs act for an account.

use std::collections::BTreeMap;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use palestra_protocol::is_unseen;
use palestra_store::{ApiToken, Id, Scope, Scopes, Token};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::page::{Frame, page, page_again};
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
    /// The form for another one, as it was filled in.
    form: NewToken,
    wrong: Wrong,
}

/// The page with all tokens of an account, and the form for another.
pub(crate) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Response, Refused> {
    page(&tokens_page(&app, &visitor).await?)
}

async fn tokens_page(app: &App, visitor: &Visitor) -> Result<TokensPage, Refused> {
    let tokens = app.store.api_tokens(visitor.signed_in()?.id).await?;
    let fields = BTreeMap::from([(Scope::Read.word().to_owned(), String::new())]);
    let form = NewToken { label: String::new(), fields };
    Ok(TokensPage { frame: Frame::new(visitor), tokens, made: None, form, wrong: Wrong::default() })
}

/// A form with a box to tick for each scope.
#[derive(Default, Deserialize)]
pub(crate) struct NewToken {
    label: String,
    /// All other fields; a box that is ticked has the word of its scope as its name.
    #[serde(flatten)]
    fields: BTreeMap<String, String>,
}

impl NewToken {
    fn label(&self) -> Result<&str, Refused> {
        let label = self.label.trim();
        let is_one = !label.is_empty() && label.chars().count() <= MAX_LABEL && !label.chars().any(is_unseen);
        if is_one { Ok(label) } else { Err(Refused::bad("token.wrong.label")) }
    }

    fn scopes(&self) -> Result<Scopes, Refused> {
        let scopes: Scopes = Scope::ALL.iter().copied().filter(|scope| self.has(scope)).collect();
        if scopes.is_empty() { Err(Refused::bad("token.wrong.scopes")) } else { Ok(scopes) }
    }

    fn has(&self, scope: &Scope) -> bool {
        self.fields.contains_key(scope.word())
    }
}

/// Makes a token and shows it.
pub(crate) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<NewToken>,
) -> Result<Response, Refused> {
    match make(&app, &visitor, &form).await {
        Ok(token) => page(&TokensPage { made: Some(token), ..tokens_page(&app, &visitor).await? }),
        Err(refused @ Refused::Bad(key, _)) => {
            let field = if key == "token.wrong.scopes" { "scopes" } else { "label" };
            let wrong = Wrong::at(field, &refused, visitor.locale);
            let frame = Frame::returned(&visitor);
            page_again(&TokensPage { frame, form, wrong, ..tokens_page(&app, &visitor).await? })
        }
        Err(refused) => Err(refused),
    }
}

async fn make(app: &App, visitor: &Visitor, form: &NewToken) -> Result<Token, Refused> {
    let account = visitor.signed_in()?;
    visitor.sends()?;
    let (label, scopes) = (form.label()?, form.scopes()?);
    app.limits.tokens.check(Key::visitor(visitor))?;
    let token = Token::random();
    let is_made = app.store.create_api_token(&token.hash(), account.id, label, &scopes, now_ms()).await?;
    if is_made { Ok(token) } else { Err(Refused::bad("token.wrong.many")) }
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

/// For whom a program acts, and what it may do.
#[derive(Serialize, ToSchema)]
pub(crate) struct Me {
    nickname: String,
    /// `student`, `teacher` or `admin`.
    role: &'static str,
    scopes: Vec<&'static str>,
}

/// Tells for whom a token acts, and its scopes.
#[utoipa::path(
    get, path = "/me", operation_id = "me", security(("token" = ["read"])), responses((status = 200, body = Me))
)]
pub(crate) async fn me(visitor: Visitor) -> Result<Json<Me>, Refused> {
    let account = visitor.may(Scope::Read)?;
    let scopes = match &visitor.scopes {
        Some(scopes) => scopes.words().collect(),
        None => Scope::ALL.iter().map(|scope| scope.word()).collect(),
    };
    Ok(Json(Me { nickname: account.nickname.clone(), role: account.role.word(), scopes }))
}
