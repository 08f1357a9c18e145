//! The addresses for programs, under `/api/v1`, each described in an OpenAPI document.
//!
//! A handler is annotated with `#[utoipa::path]` and listed in [`routes`]: its route and its entry in the document come from the same
//! annotation. It takes a `Visitor` and asks it for a scope (`Visitor::may`); it refuses with `Refused`, which becomes a [`Problem`].
//! Lists come in pages ([`Paging`], [`Page`]). [`layer`] refuses what another site's page sends, so no handler has to.

pub(crate) mod courses;
mod document;
mod old;
mod paging;
mod problem;

pub(crate) use old::layer as old_layer;
pub(crate) use paging::{Asked, Page, Paging};
pub(crate) use problem::{Problem, is_under, layer as problem_layer};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::account::api_token;
use crate::app::App;
use crate::visitor::Visitor;
use crate::{analyse, assignments, bots, evaluate, games, leagues, line, tables, tree};

/// What all addresses begin with.
pub(crate) const PREFIX: &str = "/api/v1";

/// The addresses, and the document that describes them.
pub(crate) fn routes(app: &App) -> Router<App> {
    let (router, document) = described().split_for_parts();
    let text = document::text(document);
    let layer = from_fn_with_state(app.clone(), layer);
    router.route(&format!("{PREFIX}/openapi.json"), document::route(text)).layer(layer)
}

fn described() -> OpenApiRouter<App> {
    let lines = || DefaultBodyLimit::max(line::MAX_BODY_BYTES);
    let addresses = OpenApiRouter::new()
        .routes(routes!(api_token::me))
        .routes(routes!(analyse::api).layer(lines()))
        .routes(routes!(evaluate::api).layer(lines()))
        .routes(routes!(line::api).layer(lines()))
        .routes(routes!(tree::api::api).layer(lines()))
        .routes(routes!(tree::api::compare).layer(lines()))
        .routes(routes!(tables::create::create_from_program))
        .routes(routes!(games::api::list))
        .routes(routes!(courses::list))
        .routes(routes!(courses::archive))
        .routes(routes!(leagues::api::start_run))
        .routes(routes!(leagues::api::run))
        .routes(routes!(assignments::api::marks))
        .routes(routes!(bots::api::all, bots::api::register))
        .routes(routes!(bots::api::bot))
        .routes(routes!(bots::api::add_version).layer(DefaultBodyLimit::max(bots::MAX_BODY_BYTES)))
        .routes(routes!(bots::api::version));
    document::empty().nest(PREFIX, addresses)
}

/// Refuses what a page of another site sends (CSRF): a browser sends its cookies along with it.
async fn layer(State(app): State<App>, visitor: Visitor, request: Request, next: Next) -> Response {
    match app.origins.check(request.headers(), &visitor) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_as_it_was() {
        insta::assert_snapshot!(document::text(described().into_openapi()));
    }
}
