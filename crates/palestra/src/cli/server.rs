//! The commands of the server.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use ipnet::IpNet;
use palestra_web::OwnBot;

use super::values::{network, socket_address, whole};

#[derive(Debug, Default, Args)]
pub(crate) struct Serve {
    /// Address to listen on (default: 127.0.0.1:4242, reachable from this machine only).
    #[arg(long, value_name = "ADDR", value_parser = socket_address)]
    pub(crate) listen: Option<SocketAddr>,

    #[command(flatten)]
    pub(crate) place: Place,

    /// Public address of the server, such as https://play.example; for links, cookies and WebSockets.
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,

    /// Trust this proxy to report the addresses of clients, such as 127.0.0.1/32; can be repeated.
    #[arg(long, value_name = "CIDR", value_parser = network)]
    pub(crate) trust_proxy: Vec<IpNet>,

    /// Sender of mails, such as 'Palestra <palestra@play.example>'. The environment variable PALESTRA_SMTP sets the mail
    /// server, such as smtps://user:password@host:465; without one, mails are written to files in the data folder and
    /// their links to the log.
    #[arg(long, value_name = "SENDER")]
    pub(crate) mail_from: Option<String>,

    /// Who runs the server, for its privacy page, such as 'Department of Computer Science, Example University'.
    #[arg(long, value_name = "NAME")]
    pub(crate) operator: Option<String>,

    /// Whom to ask about personal data, for the privacy page: a mail address or a sentence.
    #[arg(long, value_name = "WORDS")]
    pub(crate) contact: Option<String>,

    /// How many compilations and games of leagues run at the same time (default: one for each core, and one less while
    /// something else thinks).
    #[arg(long, value_name = "N", value_parser = whole(1..=1024u16))]
    pub(crate) slots: Option<u16>,

    /// Offer one of your programs as an opponent; can be repeated. Only on a server for this machine alone. The games that
    /// it plays are detected, or listed: NAME:GAME,GAME=PATH.
    #[arg(long, value_name = "NAME=PATH")]
    pub(crate) bot: Vec<OwnBot>,

    /// Format of the log on stderr; the environment variable PALESTRA_LOG filters it, such as debug or
    /// palestra_web=debug.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) log: LogFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// A new or empty folder for its data.
    #[arg(long, value_name = "DIR", default_value = "palestra-demo", value_hint = ValueHint::DirPath)]
    pub(crate) data: PathBuf,

    /// Address to listen on, of this machine alone.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:4242", value_parser = socket_address)]
    pub(crate) listen: SocketAddr,
}

/// Where a server stores its data.
#[derive(Debug, Default, Args)]
pub(crate) struct Place {
    /// Data folder (default: ./palestra-data).
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<PathBuf>,

    /// Database, postgres://user@host/name or sqlite:path (default: a file in the data folder). The environment variable
    /// PALESTRA_DATABASE does the same, and hides a password from other users.
    #[arg(long, value_name = "URL")]
    pub(crate) database: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Plain lines.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Admin {
    /// Create an admin account. The password is prompted for, or read from stdin.
    Create(CreateAdmin),
}

#[derive(Debug, Args)]
pub(crate) struct CreateAdmin {
    /// Public nickname.
    #[arg(long)]
    pub(crate) nickname: String,

    /// Full name.
    #[arg(long)]
    pub(crate) name: String,

    /// Email address, used to sign in.
    #[arg(long)]
    pub(crate) email: String,

    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The new file to write; only you can read it.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// A file written by `palestra backup`.
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

pub(super) const DEMO_EXAMPLES: &str = "\
Examples:
  palestra demo
  palestra demo --data /tmp/demo --listen 127.0.0.1:4243";

pub(super) const ADMIN_EXAMPLES: &str = "\
Examples:
  palestra admin create --nickname ada --name 'Ada Lovelace' --email ada@example.org";

pub(super) const BACKUP_EXAMPLES: &str = "\
Examples:
  palestra backup monday.backup
  palestra backup monday.backup --database postgres://arena@db/arena
  palestra restore monday.backup --data ./another-folder";
