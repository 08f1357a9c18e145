//! Mails to members of courses, and which of them a person gets.

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Audience, MailKind, StoreError};

use crate::app::App;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::mail::Mail;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

/// Sends a mail of a kind, with a link to a page, to all members of an audience who want such mails. Their languages are not
/// known: the mail has them all.
pub(crate) async fn mail_members(app: &App, audience: Audience, kind: MailKind, path: &str) -> Result<(), StoreError> {
    for to in app.store.mail_addresses(audience, kind).await? {
        app.mailer.send(Mail { to, locale: None, kind: kind.word(), link: app.origins.link(path) });
    }
    Ok(())
}

#[derive(Template)]
#[template(path = "mails.html")]
struct MailsPage {
    frame: Frame,
    /// The kinds of mail, and whether they are wanted.
    kinds: Vec<(MailKind, bool)>,
    is_saved: bool,
}

impl MailsPage {
    fn kind(&self, kind: &MailKind) -> String {
        self.frame.t(&format!("course.mail.{kind}")).to_owned()
    }
}

/// The form to choose mails.
pub(crate) async fn form(
    State(app): State<App>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
) -> Result<Response, Refused> {
    let unwanted = app.store.unwanted_mails(visitor.signed_in()?.id).await?;
    let kinds = MailKind::ALL.iter().map(|kind| (*kind, !unwanted.contains(kind))).collect();
    page(&MailsPage { frame: Frame::new(&visitor), kinds, is_saved: query.as_deref() == Some("saved") })
}

/// Keeps the choice: kinds that are not ticked are not wanted.
pub(crate) async fn choose(
    State(app): State<App>,
    visitor: Visitor,
    Posted(ticked): Posted<Vec<(String, String)>>,
) -> Result<Response, Refused> {
    let account = visitor.signed_in()?;
    let is_ticked = |kind: &MailKind| ticked.iter().any(|(name, _)| name == kind.word());
    let unwanted: Vec<MailKind> = MailKind::ALL.iter().copied().filter(|kind| !is_ticked(kind)).collect();
    app.store.choose_mails(account.id, &unwanted).await?;
    Ok(Redirect::to("/settings/mails?saved").into_response())
}
