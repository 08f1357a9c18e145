//! The routes of the server: every address, its handler, and the middleware around them.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

use crate::account::{api_token, confirm, export, forgotten, register, settings, sign_in};
use crate::app::App;
use crate::http::error::Refused;
use crate::http::security;
use crate::{
    admin, analyse, assets, design, drawings, games, health, home, maps, metrics, programs, prose, rules, setup,
    tables, theme, visitor,
};

/// All addresses.
pub(crate) fn routes(app: App) -> Router {
    let pages = Router::new()
        .route("/", get(home::home))
        .route("/language", post(home::language))
        .route("/theme", post(theme::choose))
        .route("/tables", get(tables::lobby).post(tables::create))
        .route("/tables/new", get(tables::new))
        .route("/api/tables", post(tables::create_from_program))
        .route("/t/{code}", get(tables::show))
        .route("/t/{code}/live", get(tables::live))
        .merge(account_routes())
        .route("/analyse", get(analyse::form).post(analyse::post))
        .route("/api/analyse", post(analyse::api).layer(DefaultBodyLimit::max(analyse::MAX_BODY_BYTES)))
        .route("/t/{code}/bot", get(programs::bot))
        .route("/games", get(games::list))
        .route("/games.txt", get(games::download_all))
        .route("/games/{code}", get(games::show))
        .route("/games/{code}/analyse", get(games::analyse))
        .route("/games/{code}/record", get(games::download))
        .route("/games/{code}/scene/{ply}", get(games::scene))
        .route("/drawings/{name}", get(drawings::show))
        .route("/maps", get(maps::list).post(maps::upload).layer(DefaultBodyLimit::max(maps::MAX_UPLOAD_BYTES)))
        .route("/maps/{name}", get(maps::show))
        .route("/maps/{name}/text", get(maps::text))
        .route("/maps/{name}/delete", post(maps::delete))
        .route("/rules", get(rules::list))
        .route("/rules/{game}", get(rules::show))
        .route("/rules/players", get(rules::players::all))
        .route("/rules/players/{name}", get(rules::players::show))
        .route("/help", get(prose::help))
        .route("/write-a-bot", get(prose::write_a_bot))
        .route("/privacy", get(prose::privacy))
        .route("/design", get(design::design))
        .route("/metrics", get(metrics::metrics))
        .fallback(async || Refused::NotFound)
        .layer(from_fn_with_state(app.clone(), visitor::layer));
    let timeout = app.config.request_timeout;
    Router::new()
        .route("/assets/{name}", get(assets::current))
        .route("/assets/{hash}/{name}", get(assets::hashed))
        .route("/favicon.ico", get(assets::icon))
        .route("/health", get(health::health))
        .merge(pages)
        .layer(CompressionLayer::new())
        // Ends requests whose body never arrives.
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, timeout))
        .layer(CatchPanicLayer::new())
        .layer(from_fn_with_state(app.clone(), security::layer))
        .layer(from_fn(metrics::layer))
        .with_state(app)
}

fn account_routes() -> Router<App> {
    Router::new()
        .route("/register", get(register::form).post(register::register))
        .route("/confirm/{secret}", get(confirm::form).post(confirm::confirm))
        .route("/sign-in", get(sign_in::form).post(sign_in::sign_in))
        .route("/sign-out", post(sign_in::sign_out))
        .route("/forgotten", get(forgotten::form).post(forgotten::send_link))
        .route("/reset/{secret}", get(forgotten::reset_form).post(forgotten::reset))
        .route("/settings", get(settings::settings))
        .route("/settings/profile", get(settings::back).post(settings::profile))
        .route("/settings/password", get(settings::back).post(settings::password))
        .route("/settings/delete", get(settings::back).post(settings::delete))
        .route("/settings/export", get(export::export))
        .route("/settings/tokens", get(api_token::list).post(api_token::create))
        .route("/settings/tokens/revoke", post(api_token::revoke))
        .route("/setup/{secret}", get(setup::form).post(setup::set_up))
        .route("/admin/accounts", get(admin::accounts))
        .route("/admin/accounts/role", post(admin::change_role))
        .route("/admin/registrations/confirm", post(admin::confirm))
        .route("/api/me", get(api_token::me))
}
