//! All addresses.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::app::App;
use crate::refused::Refused;
use crate::{analyse, assets, home, programs, security, visitor};

/// All addresses.
pub(crate) fn routes(app: App) -> Router {
    let pages = Router::new()
        .route("/", get(home::home))
        .route("/language", post(home::language))
        .route("/analyse", get(analyse::form).post(analyse::post))
        .route("/api/analyse", post(analyse::api).layer(DefaultBodyLimit::max(analyse::MAX_BODY)))
        .route("/t/{code}/bot", get(programs::bot))
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
