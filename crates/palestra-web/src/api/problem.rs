//! Problems: errors of `/api/v1` as JSON (RFC 9457).

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::PREFIX;
use crate::http::error::Refused;
use crate::locale::Locale;

/// Why a request failed (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Always `about:blank`: `status` and `key` say which problem it is.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The phrase of the status.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// The reason in words, in the first language of `Accept-Language` that the server has.
    detail: String,
    /// The reason as a word that is the same in every language, such as `forbidden` or `analyse.over`.
    key: &'static str,
}

/// The media type of problems.
pub(crate) const CONTENT_TYPE: &str = "application/problem+json";

impl Problem {
    /// The problem of a refused request.
    pub(crate) fn new(refused: &Refused, locale: Locale) -> Self {
        Self::with(refused.status(), refused.key(), refused.text(locale))
    }

    /// That of a response without a body, which the middleware made.
    fn bare(status: StatusCode, locale: Locale) -> Self {
        let key = match status {
            StatusCode::METHOD_NOT_ALLOWED => "method",
            StatusCode::REQUEST_TIMEOUT => "timeout",
            _ => return Self::with(status, Refused::Fault.key(), Refused::Fault.text(locale)),
        };
        Self::with(status, key, locale.t(&format!("refused.{key}")).to_owned())
    }

    fn with(status: StatusCode, key: &'static str, detail: String) -> Self {
        let title = status.canonical_reason().unwrap_or_default();
        Self { kind: "about:blank", title, status: status.as_u16(), detail, key }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, [(header::CONTENT_TYPE, CONTENT_TYPE)], Json(self)).into_response();
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// Makes a problem of each error that is none yet: a wrong method, a timeout, a panic.
pub(crate) async fn layer(request: Request, next: Next) -> Response {
    let is_ours = is_under(PREFIX, request.uri().path());
    let locale = Locale::asked(request.headers());
    let response = next.run(request).await;
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !is_ours
        || !(status.is_client_error() || status.is_server_error())
        || kind.is_some_and(|kind| kind == CONTENT_TYPE)
    {
        return response;
    }
    let allow = response.headers().get(header::ALLOW).cloned();
    let mut problem = Problem::bare(status, locale).into_response();
    problem.headers_mut().extend(allow.map(|allow| (header::ALLOW, allow)));
    problem
}

/// Whether a path is that of a folder, or below it.
pub(crate) fn is_under(folder: &str, path: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
