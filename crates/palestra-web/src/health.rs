//! Whether all is well, for programs that watch over servers.

use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use crate::app::{App, now_ms};
use crate::http::error::Refused;

/// The result of the last check, which holds for [`RESULT_LIFETIME`]: anybody may ask, and a check writes.
#[derive(Default)]
pub(crate) struct Health(Mutex<Option<(Instant, Found)>>);

/// The result of a check; the error names the part that fails and how.
type Found = Result<(), (&'static str, &'static str)>;

/// Time for which the result of a check is reused.
const RESULT_LIFETIME: Duration = Duration::from_secs(2);

/// Size of the file that is written to see whether the disk has room: larger than a move.
const PROBE_BYTES: usize = 64 << 10;

/// Says whether the database and the data folder can be written. What else is wrong stands in the log: anybody may ask
/// here.
pub(crate) async fn health(State(app): State<App>) -> Response {
    match app.health.check(&app).await {
        Ok(()) => Json(json!({"status": "ok"})).into_response(),
        Err((part, word)) => {
            let body = json!({"status": "failing", part: word});
            (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response()
        }
    }
}

impl Health {
    async fn check(&self, app: &App) -> Found {
        let mut last = self.0.lock().await;
        if let Some((at, found)) = *last
            && at.elapsed() < RESULT_LIFETIME
        {
            return found;
        }
        let found = look(app).await;
        *last = Some((Instant::now(), found));
        found
    }
}

/// Writes to the database and to the folder. A database often has a little room to itself when the disk has none.
async fn look(app: &App) -> Found {
    app.store.beat(now_ms()).await.map_err(|error| ("store", Refused::from(error).word()))?;
    let folder = app.config.data.clone();
    spawn_blocking(move || probe(&folder)).await.unwrap_or(Err(("disk", "fault")))
}

fn probe(folder: &Path) -> Found {
    let path = folder.join("health.probe");
    let written = std::fs::write(&path, [0; PROBE_BYTES]);
    let removed = std::fs::remove_file(&path);
    written.and(removed).map_err(|error| {
        tracing::error!(%error, "the data folder cannot be written");
        let is_full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
        ("disk", if is_full { "full" } else { "fault" })
    })
}
