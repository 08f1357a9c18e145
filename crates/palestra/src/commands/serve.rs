//! `palestra serve`: runs the server.

use std::io::{ErrorKind, Write};
use std::net::SocketAddr;

use anyhow::{Context, Result};
use palestra_store::StoreError;
use palestra_web::{Config, FolderError, Server, Smtp, StartError, blocking, raise_descriptor_limit};

use crate::cli::{Place, Serve};
use crate::ui::error::{HintExt, INTERRUPTED};
use crate::ui::style::{HEADING, HINT, paint};
use crate::{log, sandboxes};

/// Serves until Ctrl-C or SIGTERM.
pub(crate) fn run(args: &Serve, out: &mut impl Write) -> Result<()> {
    log::start(args.log, &environment("PALESTRA_LOG")?.unwrap_or_default())?;
    let descriptors = raise_descriptor_limit();
    let mut on_start = |server: &Server| {
        tracing::info!(descriptors, "raised the limit of open files");
        // A closed stdout is no reason to stop the server.
        if let Err(error) = write_address(server, out) {
            tracing::warn!(%error, "the address cannot be printed");
        }
    };
    blocking::serve(config(args)?, &mut on_start, exit_at_once).or_else(with_hint)?;
    tracing::info!("the server has stopped");
    Ok(())
}

pub(super) fn exit_at_once() {
    std::process::exit(INTERRUPTED.into());
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
        operator: args.operator.clone(),
        contact: args.contact.clone(),
        slots: args.slots.map(usize::from),
        bots: args.bot.clone(),
        sandbox: sandboxes::for_uploads()
            .inspect_err(|error| tracing::warn!(error, "uploaded programs will not run; see palestra doctor")),
        ..usual
    })
}

/// The mail server, from the environment rather than an option, because its address holds a password.
fn smtp(args: &Serve) -> Result<Option<Smtp>> {
    let Some(url) = environment("PALESTRA_SMTP")? else { return Ok(None) };
    let from = args.mail_from.clone().context("PALESTRA_SMTP is set, but --mail-from is not");
    let from = from.hint(|| "add --mail-from 'Palestra <palestra@play.example>'".to_owned())?;
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

/// A variable of the environment; an empty one counts as unset.
pub(super) fn environment(name: &str) -> Result<Option<String>> {
    let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else { return Ok(None) };
    value.into_string().map(Some).map_err(|_| anyhow::anyhow!("{name} is not UTF-8 text"))
}

pub(super) fn with_hint(error: StartError) -> Result<()> {
    match &error {
        StartError::Listen(address, cause) if cause.kind() == ErrorKind::AddrInUse => {
            let other = SocketAddr::new(address.ip(), address.port().wrapping_add(1));
            Err(error).hint(|| format!("another program uses this port; try --listen {other}"))
        }
        StartError::Folder(FolderError::InUse(_)) => {
            Err(error).hint(|| "stop the other server first, or choose another folder with --data DIR".to_owned())
        }
        StartError::Store(StoreError::Empty(path)) => {
            let path = path.display().to_string();
            Err(error).hint(|| {
                format!("'palestra restore FILE --data NEW_FOLDER' restores a backup; remove {path} to start with an empty database")
            })
        }
        _ => Err(error.into()),
    }
}

fn write_address(server: &Server, out: &mut impl Write) -> Result<()> {
    writeln!(out, "Palestra serves at {}", paint(HEADING, server.url()))?;
    if let Some(link) = server.setup_link() {
        writeln!(out, "There is no admin yet. Create one with this link, which works once: {link}")?;
    }
    writeln!(out, "Press Ctrl-C to stop.")?;
    out.flush()?;
    if server.is_exposed() {
        let text = "this server is reachable from other machines, and passwords are sent unencrypted: put it behind an HTTPS \
                    proxy, and add --public-url https://...";
        let _ = writeln!(anstream::stderr(), "{} {text}", paint(HINT, "warning:"));
    }
    Ok(())
}
