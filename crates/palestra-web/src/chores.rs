//! What is to be done from time to time.

use std::time::Duration;

use crate::app::{App, now_ms};

const MINUTE: Duration = Duration::from_secs(60);

/// Forgets, every minute and for as long as it is polled, what has had its time.
pub(crate) async fn chores(app: App) {
    let mut minutes = tokio::time::interval(MINUTE);
    loop {
        minutes.tick().await;
        app.limits.forget_idle();
        if let Err(error) = app.store.purge(now_ms()).await {
            tracing::error!(%error, "what has had its time cannot be forgotten");
        }
    }
}
