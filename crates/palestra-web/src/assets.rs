//! Style sheets and scripts, which are part of the binary.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::refused::Refused;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// One of them.
pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, Refused> {
    let file = Assets::get(&name).ok_or(Refused::NotFound)?;
    let kind = match name.rsplit_once('.') {
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "application/octet-stream",
    };
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "public, max-age=300")], file.data).into_response())
}
