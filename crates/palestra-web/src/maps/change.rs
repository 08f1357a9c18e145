//! What owners do with their maps: rename, share, delete.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_games::bandera::Bundled;
use palestra_store::{MapVisibility, Role};
use serde::Deserialize;

use super::show::{again, may_delete, may_publish};
use super::{checked_name, find, find_own, parsed, taken, titled};
use crate::app::App;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::visitor::Visitor;

#[derive(Deserialize)]
pub(crate) struct Renamed {
    name: String,
}

/// Gives a map another name, which its file has as its title.
pub(crate) async fn rename(
    State(app): State<App>,
    visitor: Visitor,
    Path(address): Path<String>,
    Posted(Renamed { name: typed }): Posted<Renamed>,
) -> Result<Response, Refused> {
    let map = find_own(&app, &visitor, &address).await?;
    let renamed = async {
        visitor.sends()?;
        let name = checked_name(&typed)?;
        let body = titled(parsed(&map.body)?, &name)?.to_string();
        let account = visitor.signed_in()?.id;
        app.store.save_map(account, &address, &name, &body).await.map_err(|error| taken(error, &name))
    };
    match renamed.await {
        Ok(_) => Ok(to(&address)),
        Err(refused @ Refused::Bad(..)) => again(&app, &visitor, map, ("name", &typed), &refused).await,
        Err(refused) => Err(refused),
    }
}

#[derive(Deserialize)]
pub(crate) struct Shared {
    visibility: String,
}

/// Says who can see a map.
pub(crate) async fn share(
    State(app): State<App>,
    visitor: Visitor,
    Path(address): Path<String>,
    Posted(Shared { visibility }): Posted<Shared>,
) -> Result<Response, Refused> {
    let map = find_own(&app, &visitor, &address).await?;
    let account = visitor.signed_in()?;
    let visibility: MapVisibility = visibility.parse().map_err(|_| Refused::bad("refused.form"))?;
    if let Err(unsent) = visitor.sends() {
        return again(&app, &visitor, map, ("", ""), &unsent).await;
    }
    if visibility == MapVisibility::Public && !may_publish(account, &map) {
        return Err(Refused::Forbidden);
    }
    app.store.show_map(account.id, &address, visibility).await?;
    Ok(to(&address))
}

#[derive(Deserialize)]
pub(crate) struct Nothing {}

/// Forgets a map. Games that are played on it, or were, keep it.
pub(crate) async fn delete(
    State(app): State<App>,
    visitor: Visitor,
    Path(address): Path<String>,
    Posted(Nothing {}): Posted<Nothing>,
) -> Result<Response, Refused> {
    let account = visitor.at_least(Role::Student)?;
    if Bundled::find(&address).is_some() {
        return Err(Refused::Forbidden);
    }
    let map = find(&app, &visitor, &address).await?;
    if !may_delete(account, &map) {
        return Err(Refused::Forbidden);
    }
    app.store.delete_map(&address).await?;
    Ok(Redirect::to("/maps").into_response())
}

fn to(address: &str) -> Response {
    Redirect::to(&format!("/maps/{address}")).into_response()
}
