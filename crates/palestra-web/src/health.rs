//! Whether all is well, for whoever watches over servers.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::app::App;
use crate::refused::Refused;

/// Whether the store answers. What else is wrong with it stands in the log: anybody may ask here.
pub(crate) async fn health(State(app): State<App>) -> Response {
    match app.store.ping().await {
        Ok(()) => Json(json!({"status": "ok"})).into_response(),
        Err(error) => {
            let word = Refused::from(error).word();
            (StatusCode::SERVICE_UNAVAILABLE, Json(json!({"status": "failing", "store": word}))).into_response()
        }
    }
}
