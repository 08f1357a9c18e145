//! Bots: programs that accounts upload, built and tried in boxes.

#[allow(dead_code, reason = "what builds and plays versions comes next")]
#[cfg(target_os = "linux")]
mod artefact;

#[cfg(target_os = "linux")]
pub(crate) use artefact::{Artefacts, NoProgram};

#[cfg(target_os = "linux")]
use crate::app::App;
#[cfg(target_os = "linux")]
use crate::http::error::Refused;

/// Removes built programs that no version needs.
#[cfg(target_os = "linux")]
pub(crate) async fn tidy(app: &App) {
    let sources = match app.store.sources_in_use().await {
        Ok(sources) => sources,
        Err(error) => return drop(Refused::from(error)),
    };
    let app = app.clone();
    let tidied = tokio::task::spawn_blocking(move || app.artefacts.tidy(&sources)).await;
    if let Ok(Err(error)) = tidied {
        tracing::warn!(%error, "programs that no version needs cannot be removed");
    }
}
