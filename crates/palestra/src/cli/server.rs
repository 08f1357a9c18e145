//! The commands of the server.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use ipnet::IpNet;
use palestra_web::OwnBot;

use super::values::{network, socket_address};

#[derive(Debug, Default, Args)]
pub(crate) struct Serve {
    /// Where to listen; 127.0.0.1:4242 unless told, for this machine alone.
    #[arg(long, value_name = "ADDR", value_parser = socket_address)]
    pub(crate) listen: Option<SocketAddr>,

    #[command(flatten)]
    pub(crate) place: Place,

    /// Under which address the world sees the server, such as https://play.example; for links, cookies and WebSockets.
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,

    /// The address of a proxy that is believed on where requests come from, such as 127.0.0.1/32; may be given again.
    #[arg(long, value_name = "CIDR", value_parser = network)]
    pub(crate) trust_proxy: Vec<IpNet>,

    /// From whom mails come, such as 'Palestra <palestra@play.example>'. The mail server is named by PALESTRA_SMTP in the
    /// environment, such as smtps://user:password@host:465; without one, mails are files in the folder for data, and
    /// their links are shown here.
    #[arg(long, value_name = "SENDER")]
    pub(crate) mail_from: Option<String>,

    /// A program of yours, offered as an opponent for the games that it plays; may be given again. Only for this machine.
    /// Which games those are is tried, or said: NAME:GAME,GAME=PATH.
    #[arg(long, value_name = "NAME=PATH")]
    pub(crate) bot: Vec<OwnBot>,

    /// How the log on stderr is written; PALESTRA_LOG says how much, such as debug or palestra_web=debug.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) log: LogFormat,
}

/// Where a server keeps everything.
#[derive(Debug, Default, Args)]
pub(crate) struct Place {
    /// The folder for everything that is kept; ./palestra-data unless told.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<PathBuf>,

    /// The database, postgres://user@host/name or sqlite:path; a file in the folder unless told. PALESTRA_DATABASE in the
    /// environment does the same and keeps a password from other users' eyes.
    #[arg(long, value_name = "URL")]
    pub(crate) database: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// A JSON object a line, for programs.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Admin {
    /// Make an account for an admin. The password is asked for, or read from a pipe.
    Create(CreateAdmin),
}

#[derive(Debug, Args)]
pub(crate) struct CreateAdmin {
    /// What everybody will call them.
    #[arg(long)]
    pub(crate) nickname: String,

    /// Their name.
    #[arg(long)]
    pub(crate) name: String,

    /// Their address, with which they sign in.
    #[arg(long)]
    pub(crate) email: String,

    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The file to write, which must not exist yet; only its owner can read it.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// A file that `palestra backup` wrote.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) place: Place,
}

pub(super) const SERVE_EXAMPLES: &str = "\
Examples:
  palestra serve
  palestra serve --listen 127.0.0.1:4243 --data ~/arena
  palestra serve --public-url https://play.example --trust-proxy 127.0.0.1/32
  PALESTRA_DATABASE=postgres://arena:secret@db/arena palestra serve --log json";

pub(super) const ADMIN_EXAMPLES: &str = "\
Examples:
  palestra admin create --nickname ada --name 'Ada Lovelace' --email ada@example.org";

pub(super) const BACKUP_EXAMPLES: &str = "\
Examples:
  palestra backup monday.backup
  palestra backup monday.backup --database postgres://arena@db/arena
  palestra restore monday.backup --data ./another-folder";
