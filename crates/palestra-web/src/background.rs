//! Background tasks: the heartbeat, and clearing what has expired.

use std::time::Duration;

use palestra_store::StoreError;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::{App, now_ms};
use crate::assignments::remind;
use crate::courses;
use crate::http::error::Refused;
use crate::tables::count_unreadable;
use crate::{jobs, leagues};

/// Interval of the heartbeat. After a crash, clocks are at most this far behind.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// Interval at which expired sessions, links, set-aside tables, limits and mails are removed.
const TIDY_INTERVAL: Duration = Duration::from_secs(60);

/// Interval at which sources and programs that nothing needs are removed, and age from which on they are.
const SWEEP_INTERVAL: Duration = Duration::from_secs(3600);

/// Runs all background tasks, for as long as it is polled.
pub(crate) async fn run(app: App) {
    tokio::join!(
        beat(&app),
        tidy(&app),
        sweep(&app),
        jobs::renew(&app),
        leagues::run_scheduler(&app),
        warm(&app),
        app.offers.try_all()
    );
}

async fn warm(app: &App) {
    // What fails in the store is logged there, and pages try again.
    let _ = leagues::warm(app).await;
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
        if let Err(error) = remind(app).await {
            drop(Refused::from(error));
        }
        if let Err(error) = app.mailer.tidy().await {
            tracing::warn!(%error, "old mails cannot be removed");
        }
    }
}

async fn sweep(app: &App) {
    let mut hours = interval(SWEEP_INTERVAL);
    loop {
        hours.tick().await;
        if let Err(error) = app.store.delete_orphan_blobs(now_ms() - SWEEP_INTERVAL.as_millis() as i64).await {
            drop(Refused::from(error));
        }
        #[cfg(target_os = "linux")]
        crate::bots::tidy(app).await;
    }
}

/// Deletes what has expired in the store.
async fn purge(app: &App) -> Result<(), StoreError> {
    app.store.purge(now_ms()).await?;
    count_unreadable(app).await?;
    courses::end::tidy(app).await?;
    Ok(())
}
