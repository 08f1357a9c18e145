//! A server: set up, running, stopped.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use palestra_store::{OpenOptions, Store, StoreError};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::app::{App, Shared, now_ms};
use crate::config::{Config, ConfigError, Origins};
use crate::folder::{DataFolder, FolderError};
use crate::measure;
use crate::refused::Refused;
use crate::routes::routes;

/// A server that listens.
pub struct Server {
    app: App,
    listener: TcpListener,
    address: SocketAddr,
    /// Held as long as the server lives.
    _folder: DataFolder,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder for its data cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody can listen there.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, io::Error),
}

impl Server {
    /// Opens the database, takes up what was interrupted, and listens.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let listener = TcpListener::bind(config.listen).await;
        let listener = listener.map_err(|error| StartError::Listen(config.listen, error))?;
        let address = listener.local_addr().map_err(|error| StartError::Listen(config.listen, error))?;
        let origins = Origins::new(config.public_url.as_deref(), address)?;
        let folder = DataFolder::open(&config.data)?;
        let store = open_store(&config).await?;
        measure::begin();
        let app = App::new(Shared { config, origins, store });
        Ok(Self { app, listener, address, _folder: folder })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser.
    #[must_use]
    pub fn url(&self) -> String {
        self.app.origins.link("/")
    }

    /// Whether the world can reach it, and speaks to it in the clear.
    #[must_use]
    pub fn is_exposed(&self) -> bool {
        !self.address.ip().is_loopback() && !self.app.origins.is_secure()
    }

    /// Answers requests until it is told to stop; what is under way is finished first, if it does not take too long.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let app = self.app;
        let grace = app.config.grace;
        let service = routes(app.clone()).into_make_service_with_connect_info::<SocketAddr>();
        let (told, is_told) = oneshot::channel::<()>();
        let serving = axum::serve(self.listener, service).with_graceful_shutdown(async {
            stop.await;
            drop(told);
        });
        let patience = async {
            drop(is_told.await);
            sleep(grace).await;
        };
        let heart = tokio::spawn(beat(app.clone()));
        tokio::select! {
            ended = serving.into_future() => ended?,
            () = patience => tracing::warn!("some connections would not end and are cut"),
        }
        heart.abort();
        app.store.close().await;
        Ok(())
    }
}

async fn open_store(config: &Config) -> Result<Store, StoreError> {
    let options = OpenOptions { patience: config.patience, ..OpenOptions::default() };
    match &config.database {
        Some(address) => Store::open_with(address, &options).await,
        None => Store::open_file_with(&DataFolder::database(&config.data), &options).await,
    }
}

/// How often a server says that it is up: a crash costs nobody more than that on their clock.
const BEAT: Duration = Duration::from_secs(1);

async fn beat(app: App) {
    let mut ticks = interval(BEAT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = app.store.beat(now_ms()).await {
            // Counted and logged like any other fault of the store.
            drop(Refused::from(error));
        }
        measure::tidy();
    }
}
