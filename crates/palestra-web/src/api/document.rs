//! The OpenAPI document: what is said of all addresses together, and the address at which it is served.

use axum::http::{StatusCode, header};
use axum::routing::{MethodRouter, get};
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{OpenApi as _, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::problem::{CONTENT_TYPE, Problem};
use crate::app::App;

/// A document without addresses.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Palestra",
        description = "Send a token from your settings as `Authorization: Bearer TOKEN`. The words beside `token` are the scopes that an \
                       address needs; with `{}` it also answers without a token.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    components(schemas(Problem))
)]
struct Empty;

/// A router without addresses.
pub(super) fn empty() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Empty::openapi())
}

/// The document with what holds for every address: how tokens are shown, and what a problem looks like.
pub(super) fn text(mut document: OpenApi) -> String {
    let token = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("An API token.")).build();
    document.components.get_or_insert_default().add_security_scheme("token", SecurityScheme::Http(token));
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        let responses = &mut operation.responses.responses;
        for (status, response) in responses.iter_mut() {
            describe(status, response);
        }
        responses.insert("default".to_owned(), RefOr::T(problem()));
    }
    document.to_pretty_json().expect("every key of the document is a text")
}

fn operations(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, put, post, delete, .. } = path;
    [get, put, post, delete].into_iter().flatten()
}

/// A response without a description, which every response must have, is described by its status.
fn describe(status: &str, response: &mut RefOr<Response>) {
    let phrase = status.parse::<StatusCode>().ok().and_then(|status| status.canonical_reason());
    if let (RefOr::T(response), Some(phrase)) = (response, phrase)
        && response.description.is_empty()
    {
        phrase.clone_into(&mut response.description);
    }
}

fn problem() -> Response {
    let schema = Ref::from_schema_name(Problem::name());
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description("The request failed.").content(CONTENT_TYPE, content).build()
}

/// The address of the document.
pub(super) fn route(text: String) -> MethodRouter<App> {
    let text = axum::body::Bytes::from(text);
    get(async move || ([(header::CONTENT_TYPE, "application/json")], text.clone()))
}
