//! What is to be done from time to time.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::app::{App, now_ms};
use crate::http::error::Refused;

/// How often a server says that it is up: a crash costs nobody more than that on their clock.
const BEAT: Duration = Duration::from_secs(1);

/// How often what has had its time is forgotten.
const TIDY: Duration = Duration::from_secs(60);

/// Does all of it, for as long as it is polled.
pub(crate) async fn chores(app: App) {
    tokio::join!(beat(&app), tidy(&app), app.offers.try_all());
}

async fn beat(app: &App) {
    let mut ticks = interval(BEAT);
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
    let mut minutes = interval(TIDY);
    loop {
        minutes.tick().await;
        app.limits.forget_idle();
        if let Err(error) = app.store.purge(now_ms()).await {
            drop(Refused::from(error));
        }
        if let Err(error) = app.mailer.tidy().await {
            tracing::warn!(%error, "old mails cannot be removed");
        }
    }
}
