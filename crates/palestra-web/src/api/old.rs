//! The addresses of before `/api/v1`, which answer for one more release.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use super::PREFIX;

/// Since when they are deprecated (RFC 9745): 19 November 2026.
const DEPRECATED: &str = "@1795046400";

/// Says where the address has moved to.
pub(crate) async fn layer(request: Request, next: Next) -> Response {
    let moved = request.uri().path().replacen("/api", PREFIX, 1);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("deprecation"), HeaderValue::from_static(DEPRECATED));
    if let Ok(link) = HeaderValue::from_str(&format!("<{moved}>; rel=\"successor-version\"")) {
        headers.insert(header::LINK, link);
    }
    response
}
