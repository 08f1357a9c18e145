//! `palestra serve`.

use std::io::{ErrorKind, Write};
use std::net::SocketAddr;

use anyhow::{Context, Result};
use palestra_store::StoreError;
use palestra_web::{Config, FolderError, Server, Smtp, StartError, raise_descriptor_limit};
use tokio::signal;

use crate::cli::{Place, Serve};
use crate::log;
use crate::ui::error::{HintExt, INTERRUPTED};
use crate::ui::style::{HEADING, HINT, paint};

/// Serves until somebody ends it.
pub(crate) fn run(args: &Serve, out: &mut impl Write) -> Result<()> {
    log::start(args.log, &environment("PALESTRA_LOG")?.unwrap_or_default())?;
    let descriptors = raise_descriptor_limit();
    runtime()?.block_on(async {
        // Whoever is told of the address may end the program at once.
        let stop = Stop::listen()?;
        let server = Server::start(config(args)?).await.or_else(with_hint)?;
        tracing::info!(descriptors, "raised the limit of open files");
        // Whoever has closed the output wants to hear no more of it; others may want to play.
        if let Err(error) = tell(&server, out) {
            tracing::warn!(%error, "the address cannot be printed");
        }
        server.run(stop.asked()).await?;
        tracing::info!("the server has ended");
        Ok(())
    })
}

/// What runs asynchronous code.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start threads")
}

fn config(args: &Serve) -> Result<Config> {
    let usual = Config::default();
    Ok(Config {
        listen: args.listen.unwrap_or(usual.listen),
        data: args.place.data(),
        database: args.place.database()?,
        public_url: args.public_url.clone(),
        trust_proxy: args.trust_proxy.clone(),
        smtp: smtp(args)?,
        bots: args.bot.clone(),
        ..usual
    })
}

/// The mail server, from the environment: its address holds a password.
fn smtp(args: &Serve) -> Result<Option<Smtp>> {
    let Some(url) = environment("PALESTRA_SMTP")? else { return Ok(None) };
    let from = args.mail_from.clone().context("PALESTRA_SMTP is set, but not who mails come from");
    let from = from.hint(|| "say --mail-from 'Palestra <palestra@play.example>'".to_owned())?;
    Ok(Some(Smtp { url, from }))
}

impl Place {
    /// The folder for everything.
    pub(crate) fn data(&self) -> std::path::PathBuf {
        self.data.clone().unwrap_or_else(|| Config::default().data)
    }

    /// The address of the database, if it is not a file in the folder.
    pub(crate) fn database(&self) -> Result<Option<String>> {
        Ok(self.database.clone().or(environment("PALESTRA_DATABASE")?))
    }
}

/// A variable of the environment; an empty one is none.
fn environment(name: &str) -> Result<Option<String>> {
    let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else { return Ok(None) };
    value.into_string().map(Some).map_err(|_| anyhow::anyhow!("{name} is not UTF-8 text"))
}

fn with_hint(error: StartError) -> Result<Server> {
    match &error {
        StartError::Listen(address, cause) if cause.kind() == ErrorKind::AddrInUse => {
            let other = SocketAddr::new(address.ip(), address.port().wrapping_add(1));
            Err(error).hint(|| format!("another program listens there; --listen {other} takes another port"))
        }
        StartError::Folder(FolderError::InUse(_)) => {
            Err(error).hint(|| "end the other one first, or give this one a folder of its own: --data DIR".to_owned())
        }
        StartError::Store(StoreError::Empty(path)) => {
            let path = path.display().to_string();
            Err(error).hint(|| {
                format!("'palestra restore FILE --data NEW_FOLDER' restores a backup; remove {path} to start afresh")
            })
        }
        _ => Err(error.into()),
    }
}

fn tell(server: &Server, out: &mut impl Write) -> Result<()> {
    writeln!(out, "Palestra serves at {}", paint(HEADING, server.url()))?;
    if let Some(link) = server.setup_link() {
        writeln!(out, "There is no admin yet. This link makes one, once: {link}")?;
    }
    writeln!(out, "Ctrl-C ends it.")?;
    out.flush()?;
    if server.is_exposed() {
        let text = "others can reach this server, and passwords travel in the clear: put a proxy with https before it, and \
                    say --public-url https://...";
        let _ = writeln!(anstream::stderr(), "{} {text}", paint(HINT, "warning:"));
    }
    Ok(())
}

/// How somebody says that the server is to end: Ctrl-C, or SIGTERM.
#[cfg(unix)]
struct Stop {
    interrupt: signal::unix::Signal,
    terminate: signal::unix::Signal,
}

#[cfg(unix)]
impl Stop {
    fn listen() -> Result<Self> {
        use signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    async fn interrupt(&mut self) {
        self.interrupt.recv().await;
    }
}

#[cfg(not(unix))]
struct Stop;

#[cfg(not(unix))]
impl Stop {
    fn listen() -> Result<Self> {
        Ok(Self)
    }

    async fn any(&mut self) {
        self.interrupt().await;
    }

    async fn interrupt(&mut self) {
        let _ = signal::ctrl_c().await;
    }
}

impl Stop {
    /// Waits for the first word; another Ctrl-C ends the program at once. What sends SIGTERM may send it twice.
    async fn asked(mut self) {
        self.any().await;
        tracing::info!("finishing what is under way; Ctrl-C ends at once");
        tokio::spawn(async move {
            self.interrupt().await;
            std::process::exit(INTERRUPTED.into());
        });
    }
}
