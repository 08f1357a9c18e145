//! Background tasks: the heartbeat, and clearing what has expired.

use std::time::Duration;

use palestra_store::StoreError;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::tables::count_unreadable;

/// Interval of the heartbeat. After a crash, clocks are at most this far behind.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// Interval at which expired sessions, links, set-aside tables, limits and mails are removed.
const TIDY_INTERVAL: Duration = Duration::from_secs(60);

/// Runs all background tasks, for as long as it is polled.
pub(crate) async fn run(app: App) {
    tokio::join!(beat(&app), tidy(&app), app.offers.try_all());
}

async fn beat(app: &App) {
    let mut ticks = interval(HEARTBEAT_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = app.store.beat(now_ms()).await {
            // Counted and logged like any other fault of the store.
            drop(Refused::from(error));
        }
        crate::metrics::tidy();
    }
}

async fn tidy(app: &App) {
    let mut minutes = interval(TIDY_INTERVAL);
    loop {
        minutes.tick().await;
        app.limits.forget_idle();
        if let Err(error) = purge(app).await {
            drop(Refused::from(error));
        }
        if let Err(error) = app.mailer.tidy().await {
            tracing::warn!(%error, "old mails cannot be removed");
        }
    }
}

/// Deletes what has expired in the store.
async fn purge(app: &App) -> Result<(), StoreError> {
    app.store.purge(now_ms()).await?;
    count_unreadable(app).await?;
    Ok(())
}
