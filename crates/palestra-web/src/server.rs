//! A server: set up, running, stopped.

use std::io;
use std::net::SocketAddr;
use std::path::Path;

use palestra_store::{Store, StoreError};
use tokio::net::TcpListener;

use crate::app::{App, Shared};
use crate::config::{Config, ConfigError, Origins};
use crate::programs::OwnPrograms;
use crate::routes::routes;
use crate::tables::Tables;
use crate::thinking::Thinking;

/// A server that listens.
pub struct Server {
    app: App,
    listener: TcpListener,
    address: SocketAddr,
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder for its data cannot be used.
    #[error("the folder for data, {0}: {1}")]
    Data(std::path::PathBuf, #[source] io::Error),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody can listen there.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, #[source] io::Error),
}

impl Server {
    /// Opens the database, takes up what was interrupted, and listens.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let listener = TcpListener::bind(config.listen).await;
        let listener = listener.map_err(|error| StartError::Listen(config.listen, error))?;
        let address = listener.local_addr().map_err(|error| StartError::Listen(config.listen, error))?;
        let origins = Origins::new(config.public_url.as_deref(), address)?;
        make_private(&config.data).map_err(|error| StartError::Data(config.data.clone(), error))?;
        let store = match &config.database {
            Some(address) => Store::open(address).await?,
            None => Store::open_file(&config.data.join("palestra.db")).await?,
        };
        let (tables, thinking, programs) = (Tables::default(), Thinking, OwnPrograms);
        let app = App::new(Shared { config, origins, store, tables, thinking, programs });
        app.tables.reopen(&app).await?;
        Ok(Self { app, listener, address })
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

    /// Answers requests until it is told to stop; what is under way is finished first.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let service = routes(self.app.clone()).into_make_service_with_connect_info::<SocketAddr>();
        let app = self.app.clone();
        let stop = async move {
            stop.await;
            // Closes the sockets, which would otherwise stay open for as long as anybody looks.
            app.tables.stop().await;
        };
        axum::serve(self.listener, service).with_graceful_shutdown(stop).await?;
        self.app.store.close().await;
        Ok(())
    }
}

/// Makes a folder that only its owner can look into.
fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}
