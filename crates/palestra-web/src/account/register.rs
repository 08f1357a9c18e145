//! Asks for an account.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use palestra_store::{Role, Token};

use super::{Person, wrong};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::{Posted, Wrong};
use crate::mail::Mail;
use crate::page::{Frame, Note, page, page_again};
use crate::ratelimit::Key;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "register.html")]
struct RegisterPage {
    frame: Frame,
    wrong: Wrong,
    filled: Person,
}

/// The form.
pub(crate) async fn form(visitor: Visitor) -> Result<Response, Refused> {
    page(&RegisterPage { frame: Frame::new(&visitor), wrong: Wrong::default(), filled: Person::default() })
}

/// Stores a registration and mails a link to the address. The answer, and the time it takes, is the
/// same whether the address has an account or not.
pub(crate) async fn register(
    State(app): State<App>,
    visitor: Visitor,
    Posted(filled): Posted<Person>,
) -> Result<Response, Refused> {
    match ask(&app, &visitor, &filled).await {
        Err(refused) => {
            let wrong = wrong(refused, visitor.locale)?;
            page_again(&RegisterPage { frame: Frame::returned(&visitor), wrong, filled })
        }
        Ok(()) => Note::new(&visitor, "account.register", "account.look_at_mail").page(),
    }
}

async fn ask(app: &App, visitor: &Visitor, filled: &Person) -> Result<(), Refused> {
    visitor.sends()?;
    app.limits.register.check(Key::address(visitor.address))?;
    let checked = filled.checked(Role::Student)?;
    if app.store.account_by_nickname(&checked.nickname).await?.is_some() {
        return Err(Refused::bad("account.wrong.taken"));
    }
    app.limits.mail.check(app.limits.text(&checked.email))?;
    let new = filled.account(Role::Student, &app.passwords).await?;
    let is_known = app.store.account_by_email(&new.email).await?.is_some();
    let token = Token::random();
    app.store.register(&token.hash(), &new, now_ms()).await?;
    let (kind, link) = match is_known {
        false => ("confirm", format!("/confirm/{}", token.secret())),
        true => ("known", "/forgotten".to_owned()),
    };
    app.mailer.send(Mail { to: new.email, locale: Some(visitor.locale), kind, link: app.origins.link(&link) });
    Ok(())
}
