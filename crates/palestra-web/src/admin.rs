//! What admins do: they look after accounts.

use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_store::{Id, Registration, Role, Roster, UnreadableTable};
use serde::Deserialize;

use crate::account::taken;
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

/// Path of the page of accounts.
const PATH: &str = "/admin/accounts";

/// Maximum number of registrations on the page.
const MAX_LISTED_REGISTRATIONS: u32 = 200;

/// Maximum number of unreadable tables on the page.
const MAX_LISTED_UNREADABLE_TABLES: u32 = 100;

#[derive(Template)]
#[template(path = "accounts.html")]
struct AccountsPage {
    frame: Frame,
    search: Search,
    roster: Roster,
    registrations: Vec<Registration>,
    unreadable: Vec<UnreadableTable>,
}

/// Which accounts to show.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Search {
    q: String,
    page: u32,
}

/// Accounts, and those who wait to be confirmed.
pub(crate) async fn accounts(
    State(app): State<App>,
    visitor: Visitor,
    search: Result<Query<Search>, QueryRejection>,
) -> Result<Response, Refused> {
    visitor.at_least(Role::Admin)?;
    let Query(search) = search.unwrap_or_default();
    let roster = app.store.roster(search.q.trim(), search.page).await?;
    let registrations = app.store.registrations(search.q.trim(), MAX_LISTED_REGISTRATIONS, now_ms()).await?;
    let unreadable = app.store.unreadable_tables(MAX_LISTED_UNREADABLE_TABLES).await?;
    page(&AccountsPage { frame: Frame::new(&visitor), search, roster, registrations, unreadable })
}

#[derive(Deserialize)]
pub(crate) struct NewRole {
    // Not the nickname: another account may have it by now.
    id: Id,
    role: String,
}

/// Gives an account another role.
pub(crate) async fn change_role(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<NewRole>,
) -> Result<Response, Refused> {
    let admin = visitor.at_least(Role::Admin)?;
    let role: Role = form.role.parse().map_err(|_| Refused::bad("refused.form"))?;
    let account = app.store.account(form.id).await?.ok_or(Refused::NotFound)?;
    if !app.store.change_role(account.id, role).await? {
        return Err(Refused::bad("account.wrong.last_admin"));
    }
    tracing::info!(by = admin.id, account = account.id, role = role.word(), "a role is changed");
    Ok(Redirect::to(PATH).into_response())
}

#[derive(Deserialize)]
pub(crate) struct ByHand {
    id: Id,
}

/// Confirms a registration whose mail does not arrive.
pub(crate) async fn confirm(
    State(app): State<App>,
    visitor: Visitor,
    Posted(form): Posted<ByHand>,
) -> Result<Response, Refused> {
    let admin = visitor.at_least(Role::Admin)?;
    let confirmed = app.store.confirm(form.id, now_ms()).await.map_err(taken)?.ok_or(Refused::NotFound)?;
    tracing::info!(by = admin.id, account = confirmed, "an account is confirmed by hand");
    Ok(Redirect::to(PATH).into_response())
}
