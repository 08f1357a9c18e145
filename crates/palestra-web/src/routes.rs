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
    admin, analyse, analysis_page, api, assets, assignments, bots, copies, courses, design, drawings, evaluate, games,
    health, home, import, jobs, leagues, line, maps, metrics, programs, prose, rules, setup, tables, theme, tree,
    visitor,
};

/// All addresses.
pub(crate) fn routes(app: App) -> Router {
    let pages = Router::new()
        .route("/", get(home::home))
        .route("/language", post(home::language))
        .route("/theme", post(theme::choose))
        .route("/tables", get(tables::lobby).post(tables::create))
        .route("/tables/new", get(tables::new))
        .route("/t/{code}", get(tables::show))
        .route("/t/{code}/live", get(tables::live))
        .merge(account_routes())
        .merge(assignment_routes())
        .merge(api::routes(&app))
        .merge(old_api_routes())
        .route("/analyse", get(analysis_page::show))
        .route("/api/analyse/stream", post(analyse::stream).layer(DefaultBodyLimit::max(line::MAX_BODY_BYTES)))
        .route("/api/record", post(import::api).layer(DefaultBodyLimit::max(import::MAX_BODY_BYTES)))
        .route("/tree", get(tree::show))
        .route("/tree.json", get(tree::download_json))
        .route("/tree.svg", get(tree::download_svg))
        .route("/t/{code}/bot", get(programs::bot))
        .route("/games", get(games::list))
        .route("/games.txt", get(games::download_all))
        .route("/games/{code}", get(games::show))
        .route("/games/{code}/analyse", get(games::analyse))
        .route("/games/{code}/record", get(games::download))
        .route("/drawings/{name}", get(drawings::show))
        .route("/rules", get(rules::list))
        .route("/rules/{game}", get(rules::show))
        .merge(map_routes())
        .merge(course_routes())
        .merge(copies_routes())
        .merge(league_routes())
        .merge(bot_routes())
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
        .layer(from_fn(api::problem_layer))
        .layer(from_fn_with_state(app.clone(), security::layer))
        .layer(from_fn(metrics::layer))
        .with_state(app)
}

fn assignment_routes() -> Router<App> {
    let size = DefaultBodyLimit::max(assignments::MAX_HAND_IN_BODY_BYTES);
    Router::new()
        .route("/courses/{code}/assignments", get(assignments::list))
        .route("/courses/{code}/house", post(assignments::house))
        .route("/assignments", post(assignments::create))
        .route("/assignments/new", get(assignments::new))
        .route("/assignments/{code}", get(assignments::show))
        .route("/assignments/{code}/edit", get(assignments::edit).post(assignments::change))
        .route("/assignments/{code}/delete", post(assignments::delete))
        .route("/assignments/{code}/hand-in", post(assignments::hand_in).layer(size))
        .route("/assignments/{code}/hand-ins.zip", get(assignments::download_all))
        .route("/assignments/{code}/hand-ins/{id}", get(assignments::download_archive))
        .route("/assignments/{code}/hand-ins/{id}/memo", get(assignments::download_memo))
        .route("/assignments/{code}/trial", post(assignments::trial))
        .route("/assignments/{code}/marks", get(assignments::marks).post(assignments::enter))
        .route("/assignments/{code}/marks.csv", get(assignments::export))
        .route("/assignments/{code}/marks/compute", post(assignments::compute))
        .route("/assignments/{code}/marks/count", post(assignments::count))
        .route("/assignments/{code}/marks/{team}", get(assignments::team).post(assignments::decide))
        .route("/assignments/{code}/publish", post(assignments::publish))
        .route("/assignments/{code}/hide", post(assignments::hide))
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
        .route("/admin/jobs", get(jobs::show))
        .route("/admin/jobs/retry", post(jobs::retry))
        .route("/admin/jobs/drop", post(jobs::drop_job))
}

/// The addresses of before `/api/v1`.
fn old_api_routes() -> Router<App> {
    let lines = Router::new()
        .route("/api/analyse", post(analyse::api))
        .route("/api/evaluate", post(evaluate::api))
        .route("/api/line", post(line::api))
        .route("/api/tree", post(tree::api::api))
        .route("/api/tree/compare", post(tree::api::compare))
        .layer(DefaultBodyLimit::max(line::MAX_BODY_BYTES));
    Router::new()
        .route("/api/me", get(api_token::me))
        .route("/api/tables", post(tables::create::create_from_program))
        .merge(lines)
        .layer(from_fn(api::old_layer))
}

fn bot_routes() -> Router<App> {
    let body = DefaultBodyLimit::max(bots::MAX_BODY_BYTES);
    Router::new()
        .route("/bots", get(bots::list).post(bots::register))
        .route("/bots/{name}", get(bots::show))
        .route("/bots/{name}/versions", post(bots::upload).layer(body))
        .route("/bots/{name}/versions/{number}/sources", get(bots::sources))
        .route("/bots/{name}/activate", post(bots::activate))
        .route("/bots/{name}/delete-version", post(bots::delete))
        .route("/bots/{name}/retry", post(bots::retry))
        .route("/bots/{name}/compare", post(bots::begin_comparison))
}

fn map_routes() -> Router<App> {
    let drafts = Router::new()
        .route("/api/maps", post(maps::save_new))
        .route("/api/maps/report", post(maps::report))
        .route("/api/maps/generate", post(maps::generate))
        .route("/api/maps/read", post(maps::read))
        .route("/api/maps/text", post(maps::text_of))
        .route("/api/maps/play", post(maps::play))
        .route("/api/maps/{address}/save", post(maps::save))
        .layer(DefaultBodyLimit::max(maps::MAX_DRAFT_BYTES));
    Router::new()
        .route("/maps", get(maps::list).post(maps::upload).layer(DefaultBodyLimit::max(maps::MAX_UPLOAD_BYTES)))
        .route("/maps/new", get(maps::new))
        .route("/maps/{address}", get(maps::show))
        .route("/maps/{address}/edit", get(maps::edit))
        .route("/maps/{address}/text", get(maps::text))
        .route("/maps/{address}/rename", post(maps::rename))
        .route("/maps/{address}/share", post(maps::share))
        .route("/maps/{address}/delete", post(maps::delete))
        .merge(drafts)
}

fn course_routes() -> Router<App> {
    use courses::{groups, join, mails, members, membership, notices, roster, settings};
    let large = DefaultBodyLimit::max(roster::MAX_BODY_BYTES);
    Router::new()
        .route("/courses", get(courses::list).post(courses::create))
        .route("/courses/new", get(courses::new))
        .route("/courses/{code}", get(courses::show))
        .route("/courses/{code}/claim", post(courses::claim))
        .route("/courses/{code}/ask", post(membership::ask))
        .route("/courses/{code}/leave", post(membership::leave))
        .route("/courses/{code}/settings", get(settings::show).post(settings::change))
        .route("/courses/{code}/archive.zip", get(settings::archive))
        .route("/courses/{code}/teachers", post(settings::add_teacher))
        .route("/courses/{code}/teachers/remove", post(settings::remove_teacher))
        .route("/courses/{code}/groups", post(groups::add))
        .route("/courses/{code}/groups/{group}", post(groups::change))
        .route("/courses/{code}/groups/{group}/renew", post(groups::renew))
        .route("/courses/{code}/groups/{group}/close", post(groups::close))
        .route("/courses/{code}/groups/{group}/delete", post(groups::delete))
        .route("/courses/{code}/members", get(members::list))
        .route("/courses/{code}/members/{member}", get(members::show))
        .route("/courses/{code}/members/{member}/accept", post(members::accept))
        .route("/courses/{code}/members/{member}/remove", post(members::remove))
        .route("/courses/{code}/members/{member}/move", post(members::move_to))
        .route("/courses/{code}/members/{member}/deny", post(members::deny))
        .route("/courses/{code}/members/{member}/pair", post(members::pair))
        .route("/courses/{code}/members/{member}/part", post(members::part))
        .route("/courses/{code}/roster", get(roster::form).post(roster::preview).layer(large))
        .route("/courses/{code}/roster/import", post(roster::import).layer(large))
        .route("/courses/{code}/invite", post(roster::invite))
        .route("/courses/{code}/notices", post(notices::post))
        .route("/courses/{code}/notices/{notice}/delete", post(notices::delete))
        .route("/join", get(join::enter))
        .route("/join/{code}", get(join::form).post(join::join))
        .route("/settings/mails", get(mails::form).post(mails::choose))
}

fn copies_routes() -> Router<App> {
    let body = DefaultBodyLimit::max(copies::MAX_BODY_BYTES);
    Router::new()
        .route("/courses/{code}/copies", get(copies::show).post(copies::add).layer(body))
        .route("/courses/{code}/copies/{id}/remove", post(copies::remove))
        .route("/courses/{code}/copies/{one}/{other}", get(copies::show_pair))
}

fn league_routes() -> Router<App> {
    Router::new()
        .route("/leagues", get(leagues::all))
        .route("/courses/{code}/leagues", get(leagues::of_course))
        .route("/courses/{code}/leagues/new", get(leagues::new).post(leagues::create))
        .route("/courses/{code}/entry", post(leagues::enter))
        .route("/leagues/{code}", get(leagues::show))
        .route("/leagues/{code}/edit", get(leagues::edit).post(leagues::change))
        .route("/leagues/{code}/delete", post(leagues::delete))
        .route("/leagues/{code}/run", post(leagues::start_now))
        .route("/leagues/{code}/runs/{number}", get(leagues::run))
        .route("/leagues/{code}/runs/{number}/games", get(leagues::games))
        .route("/leagues/{code}/runs/{number}/players/{player}/games.zip", get(leagues::download))
        .route("/leagues/{code}/runs/{number}/mark", post(leagues::mark))
        .route("/leagues/{code}/runs/{number}/publish", post(leagues::publish))
        .route("/leagues/{code}/runs/{number}/state", post(leagues::set_state))
        .route("/leagues/{code}/runs/{number}/void", post(leagues::void))
}
