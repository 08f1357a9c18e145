//! The WebSocket between a browser and a game that the server plays by itself: it is only watched.

use std::future::pending;
use std::sync::Arc;

use axum::extract::ws::close_code;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::driver::WATCHING_INTERVAL;
use super::message::{ToClient, You};
use super::watched::Subscription;
use super::wire::{Lost, Wire};
use crate::app::{App, now_ms};
use crate::http::error::Refused;
use crate::metrics::WEBSOCKETS;
use crate::runs::{LiveGame, may_watch};
use crate::visitor::Visitor;

/// A browser that watches a game.
pub(super) struct Spectator {
    pub(super) app: App,
    pub(super) game: Arc<LiveGame>,
    pub(super) visitor: Visitor,
    pub(super) wire: Wire,
}

/// Why a connection ended.
enum Over {
    Lost,
    /// Nothing more will happen.
    Done,
    /// The visitor may not see the game any more.
    Barred,
}

impl From<Lost> for Over {
    fn from(_: Lost) -> Self {
        Self::Lost
    }
}

impl Spectator {
    pub(super) async fn run(mut self) {
        let gauge = metrics::gauge!(WEBSOCKETS);
        gauge.increment(1);
        match self.watch().await {
            Over::Lost => {}
            Over::Done => {
                if !self.game.watched.is_over() {
                    let text = self.visitor.locale.t("watch.interrupted").to_owned();
                    let _ = self.wire.tell(&ToClient::Refused { text }).await;
                }
                // The script does not connect again after this code.
                self.wire.close(close_code::NORMAL).await;
            }
            Over::Barred => self.wire.close(close_code::POLICY).await,
        }
        gauge.decrement(1);
    }

    /// Sends the game, as often as the browser lags behind.
    async fn watch(&mut self) -> Over {
        if self.wire.tell(&ToClient::You(You::default())).await.is_err() {
            return Over::Lost;
        }
        let _present = Present::new(&self.game);
        loop {
            let subscription = self.game.watched.subscribe();
            if let Err(over) = self.follow(subscription).await {
                return over;
            }
        }
    }

    /// Forwards messages until the browser lags behind.
    async fn follow(&mut self, Subscription { snapshot, said }: Subscription) -> Result<(), Over> {
        self.wire.send(snapshot).await?;
        let mut said = said.ok_or(Over::Done)?;
        let (mut pings, mut spectators) = (Wire::pings(), Spectators::of(&self.game));
        loop {
            tokio::select! {
                message = said.recv() => match message {
                    Ok(message) => self.wire.send(message).await?,
                    Err(RecvError::Lagged(_)) => return Ok(()),
                    Err(RecvError::Closed) => return Err(Over::Done),
                },
                count = spectators.changed() => self.wire.tell(&ToClient::Watching { count }).await?,
                // A spectator has nothing to say.
                heard = self.wire.hear() => drop(heard?),
                _ = pings.tick() => {
                    self.wire.has_answered()?;
                    if matches!(self.is_barred().await, Ok(true)) {
                        return Err(Over::Barred);
                    }
                    self.wire.ping().await?;
                }
            }
        }
    }

    /// Whether the visitor's session has ended, or others may see the game now.
    async fn is_barred(&mut self) -> Result<bool, Refused> {
        if self.visitor.account.is_some() {
            self.visitor.account = self.app.store.session(&self.visitor.token.hash(), now_ms()).await?;
            if self.visitor.account.is_none() {
                return Ok(true);
            }
        }
        match may_watch(&self.app, &self.visitor, &self.game).await {
            Ok(()) => Ok(false),
            Err(Refused::NotFound) => Ok(true),
            Err(refused) => Err(refused),
        }
    }
}

/// A spectator, who is counted until this is dropped.
struct Present(Arc<LiveGame>);

impl Present {
    fn new(game: &Arc<LiveGame>) -> Self {
        game.watched.spectators().send_modify(|count| *count += 1);
        Self(game.clone())
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.0.watched.spectators().send_modify(|count| *count -= 1);
    }
}

/// The number of spectators, as one of them is told it.
struct Spectators {
    count: watch::Receiver<usize>,
    /// The number that was told, and when.
    told: Option<(usize, Instant)>,
}

impl Spectators {
    fn of(game: &LiveGame) -> Self {
        Self { count: game.watched.spectators().subscribe(), told: None }
    }

    /// The number, once it is another one than that which was told, but not too often. Can be cancelled.
    async fn changed(&mut self) -> usize {
        let told = self.told;
        let is_new = |count: &usize| told.is_none_or(|(told, _)| told != *count);
        if self.count.wait_for(is_new).await.is_err() {
            // The game is over, and nothing changes any more.
            pending::<()>().await;
        }
        if let Some((_, at)) = told {
            sleep_until(at + WATCHING_INTERVAL).await;
        }
        let count = *self.count.borrow();
        self.told = Some((count, Instant::now()));
        count
    }
}
