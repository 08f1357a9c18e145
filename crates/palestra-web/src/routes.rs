//! All addresses.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::app::App;
use crate::refused::Refused;
use crate::{assets, health, home, measure, security, visitor};

/// All addresses.
pub(crate) fn routes(app: App) -> Router {
    let pages = Router::new()
        .route("/", get(home::home))
        .route("/language", post(home::language))
        .route("/metrics", get(measure::metrics))
        .fallback(async || Refused::NotFound)
        .layer(from_fn_with_state(app.clone(), visitor::layer));
    Router::new()
        .route("/assets/{name}", get(assets::asset))
        .route("/health", get(health::health))
        .merge(pages)
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::new())
        .layer(from_fn_with_state(app.clone(), security::layer))
        .layer(from_fn(measure::layer))
        .with_state(app)
}
