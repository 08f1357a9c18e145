//! A server: set up, running, stopped.

use std::io;
use std::net::SocketAddr;
use std::path::Path;

use palestra_store::{Store, StoreError, Token};
use tokio::net::TcpListener;

use crate::account::Passwords;
use crate::app::{App, Shared};
use crate::chores::chores;
use crate::config::{Config, ConfigError, Origins};
use crate::limits::Limits;
use crate::mail::Mailer;
use crate::routes::routes;
use crate::tables::Tables;
use crate::thinking::Thinking;

/// A server that listens.
pub struct Server {
    app: App,
    listener: TcpListener,
    address: SocketAddr,
    setup: Option<Token>,
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
        config.check()?;
        let listener = TcpListener::bind(config.listen).await;
        let listener = listener.map_err(|error| StartError::Listen(config.listen, error))?;
        let address = listener.local_addr().map_err(|error| StartError::Listen(config.listen, error))?;
        let origins = Origins::new(config.public_url.as_deref(), address)?;
        let store = open_store(&config).await?;
        let mailer = Mailer::new(config.data.join("mail"), config.smtp.as_ref())?;
        let setup = open_setup(&store).await?;
        let (tables, thinking) = (Tables::default(), Thinking::new(config.threads));
        let (passwords, limits) = (Passwords::new(), Limits::new());
        let app = App::new(Shared { config, origins, store, passwords, limits, mailer, tables, thinking });
        app.tables.reopen(&app).await?;
        Ok(Self { app, listener, address, setup })
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

    /// The link that makes the first admin. There is none if there is an admin.
    #[must_use]
    pub fn setup_link(&self) -> Option<String> {
        self.setup.as_ref().map(|token| self.app.origins.link(&format!("/setup/{}", token.secret())))
    }

    /// Answers requests until it is told to stop; what is under way is finished first.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let service = routes(self.app.clone()).into_make_service_with_connect_info::<SocketAddr>();
        let app = self.app.clone();
        let stop = async move {
            stop.await;
            // Closes the sockets, which would otherwise stay open for as long as anybody looks.
            app.tables.stop().await;
            app.thinking.close();
        };
        let chores = tokio::spawn(chores(self.app.clone()));
        let served = axum::serve(self.listener, service).with_graceful_shutdown(stop).await;
        chores.abort();
        self.app.store.close().await;
        served
    }
}

/// Opens the database of a server.
pub(crate) async fn open_store(config: &Config) -> Result<Store, StartError> {
    make_private(&config.data).map_err(|error| StartError::Data(config.data.clone(), error))?;
    Ok(match &config.database {
        Some(address) => Store::open(address).await?,
        None => Store::open_file(&config.data.join("palestra.db")).await?,
    })
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

/// Makes a folder that only its owner can look into.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}
