//! All addresses.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::app::App;
use crate::refused::Refused;
use crate::{assets, games, home, maps, security, tables, visitor};

/// All addresses.
pub(crate) fn routes(app: App) -> Router {
    let pages = Router::new()
        .route("/", get(home::home))
        .route("/language", post(home::language))
        .route("/tables", get(tables::lobby).post(tables::create))
        .route("/tables/new", get(tables::new))
        .route("/api/tables", post(tables::create_from_program))
        .route("/t/{code}", get(tables::show))
        .route("/t/{code}/live", get(tables::live))
        .route("/games", get(games::list))
        .route("/games.txt", get(games::download_all))
        .route("/games/{code}", get(games::show))
        .route("/games/{code}/record", get(games::download))
        .route("/games/{code}/scene/{ply}", get(games::scene))
        .route("/maps", get(maps::list).post(maps::upload).layer(DefaultBodyLimit::max(maps::MOST_BYTES)))
        .route("/maps/{name}", get(maps::show))
        .route("/maps/{name}/text", get(maps::text))
        .route("/maps/{name}/delete", post(maps::delete))
        .fallback(async || Refused::NotFound)
        .layer(from_fn_with_state(app.clone(), visitor::layer));
    Router::new()
        .route("/assets/{name}", get(assets::asset))
        .merge(pages)
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::new())
        .layer(from_fn_with_state(app.clone(), security::layer))
        .with_state(app)
}
