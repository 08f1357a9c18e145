//! The server: start-up, serving, graceful shutdown.

use std::io;
use std::net::SocketAddr;

use palestra_store::{OpenOptions, Store, StoreError, Token};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::app::App;
use crate::background;
use crate::config::{Config, ConfigError};
use crate::connections::Acceptor;
use crate::data_folder::{DataFolder, FolderError};
use crate::http::origin::Origins;
use crate::jobs;
use crate::routes::routes;

/// A server that listens.
pub struct Server {
    app: App,
    listener: TcpListener,
    address: SocketAddr,
    setup: Option<Token>,
    /// Held as long as the server lives.
    _folder: DataFolder,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder for its data cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The runtime or the signal handlers cannot be set up.
    #[error("cannot start threads or handle signals: {0}")]
    Runtime(io::Error),
    /// The address cannot be listened at.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, io::Error),
}

impl Server {
    /// Opens the database, takes up what was interrupted, and listens.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        config.check()?;
        let listener = TcpListener::bind(config.listen).await;
        let listener = listener.map_err(|error| StartError::Listen(config.listen, error))?;
        let address = listener.local_addr().map_err(|error| StartError::Listen(config.listen, error))?;
        let origins = Origins::new(config.public_url.as_deref(), address)?;
        let folder = DataFolder::open(&config.data)?;
        let store = open_store(&config).await?;
        crate::metrics::begin();
        let setup = open_setup(&store).await?;
        let app = App::new(config, origins, store)?;
        app.tables.reopen(&app).await?;
        jobs::start(&app).await?;
        tracing::info!(%address, "listening");
        Ok(Self { app, listener, address, setup, _folder: folder })
    }

    pub(crate) const fn app(&self) -> &App {
        &self.app
    }

    /// The address on which the server listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser.
    #[must_use]
    pub fn url(&self) -> String {
        self.app.origins.link("/")
    }

    /// The link that makes the first admin. There is none if there is an admin.
    #[must_use]
    pub fn setup_link(&self) -> Option<String> {
        self.setup.as_ref().map(|token| self.app.origins.link(&format!("/setup/{}", token.secret())))
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
        let acceptor = Acceptor {
            listener: self.listener,
            router: routes(app.clone()),
            limits: app.config.connections.clone(),
            trust_proxy: app.config.trust_proxy.clone(),
        };
        let (told, is_told) = oneshot::channel::<()>();
        let stopping = app.clone();
        let background = tokio::spawn(background::run(app.clone()));
        let end_background = background.abort_handle();
        let serving = acceptor.run(async move {
            stop.await;
            drop(told);
            // From now on no clock runs.
            end_background.abort();
            stopping.tables.stop().await;
            stopping.thinking.close();
            jobs::stop(&stopping).await;
        });
        let deadline = async {
            drop(is_told.await);
            sleep(grace).await;
        };
        tokio::select! {
            () = serving => {}
            () = deadline => tracing::warn!("some connections would not end and are cut"),
        }
        background.abort();
        app.store.close().await;
        Ok(())
    }
}

/// Opens the link that makes the first admin, if there is none.
async fn open_setup(store: &Store) -> Result<Option<Token>, StoreError> {
    if store.has_admin().await? {
        return Ok(None);
    }
    let token = Token::random();
    store.open_setup_link(&token.hash()).await?;
    Ok(Some(token))
}

/// Opens the database of a server.
pub(crate) async fn open_store(config: &Config) -> Result<Store, StoreError> {
    let options = OpenOptions { busy_timeout: config.database_timeout, ..OpenOptions::default() };
    match &config.database {
        Some(address) => Store::open_with(address, &options).await,
        None => Store::open_file_with(&DataFolder::database(&config.data), &options).await,
    }
}
