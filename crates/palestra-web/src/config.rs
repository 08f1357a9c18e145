//! Configuration of a server.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Uri;
use ipnet::IpNet;
use palestra_games::{GAMES, GameKind};
use palestra_sandbox::Sandbox;
use palestra_search::player::any_player;
use palestra_store::Quotas;

use crate::connections::ConnectionLimits;
use crate::programs::OwnBot;

/// Configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address on which the server listens.
    pub listen: SocketAddr,
    /// The data folder.
    pub data: PathBuf,
    /// The URL of the database; by default a SQLite file in the data folder.
    pub database: Option<String>,
    /// The public URL of the server, without a slash at the end.
    pub public_url: Option<String>,
    /// The reverse proxies whose `X-Forwarded-For` is trusted.
    pub trust_proxy: Vec<IpNet>,
    /// The SMTP server; without it mails are written to files in the folder `mail` of the data folder.
    pub smtp: Option<Smtp>,
    /// Whether mails are sent or written at all.
    pub sends_mails: bool,
    /// Who runs the server, as the privacy page says it.
    pub operator: Option<String>,
    /// Whom to ask about personal data: a mail address or a sentence.
    pub contact: Option<String>,
    /// Number of threads for built-in players and analyses, at least one.
    pub threads: usize,
    /// How many jobs (compilations, games of leagues) are done at the same time; by default as many as there are cores, less one
    /// while something else thinks.
    pub slots: Option<usize>,
    /// How long a job is leased: after a crash what was under way is taken up again when that has passed.
    pub lease: Duration,
    /// Programs of the owner of the server, offered as opponents; only on loopback.
    pub bots: Vec<OwnBot>,
    /// The sandbox in which uploaded programs are built and run, or why there is none.
    pub sandbox: Result<Arc<Sandbox>, String>,
    /// Limits on the bots of an account.
    pub quotas: Quotas,
    /// Time that a request waits for a database that is locked or unreachable.
    pub database_timeout: Duration,
    /// Time that a server that is shutting down waits for open connections.
    pub grace: Duration,
    /// Time for reading a request and making its response, an analysis that waits in the queue included.
    pub request_timeout: Duration,
    /// Time that a report on similar sources may take.
    pub copies_timeout: Duration,
    /// Limits on connections.
    pub connections: ConnectionLimits,
}

/// A mail server.
#[derive(Clone)]
pub struct Smtp {
    /// The URL of the mail server, such as `smtps://user:password@host:465` or `smtp://host:25`.
    pub url: String,
    /// The sender of mails, such as `Palestra <palestra@example.org>`.
    pub from: String,
}

/// Omits the URL, which holds the password.
impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Smtp").field("from", &self.from).finish_non_exhaustive()
    }
}

/// The default port.
const PORT: u16 = 4242;

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT),
            data: PathBuf::from("palestra-data"),
            database: None,
            public_url: None,
            trust_proxy: vec![],
            smtp: None,
            sends_mails: true,
            operator: None,
            contact: None,
            threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            slots: None,
            lease: palestra_arena::queue::LEASE,
            bots: vec![],
            sandbox: Err("the server was started without a sandbox".to_owned()),
            quotas: Quotas::default(),
            database_timeout: palestra_store::BUSY_TIMEOUT,
            grace: Duration::from_secs(10),
            request_timeout: Duration::from_secs(60),
            copies_timeout: crate::copies::TIMEOUT,
            connections: ConnectionLimits::default(),
        }
    }
}

/// An error in a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The public address is not a URL of the form `https://host`.
    #[error("{0:?} cannot be the public address: write https://host, without a path")]
    PublicUrl(String),
    /// The address of the mail server is not an SMTP URL; it is not repeated, as it holds a password.
    #[error("the mail server's address is wrong: write smtps://user:password@host:465, or smtp://host:25")]
    Smtp,
    /// The sender of mails is not a mailbox.
    #[error("{0:?} cannot send mail: write Palestra <palestra@example.org>")]
    MailFrom(String),
    /// A bot without a name or a path, with a name that is taken, or for an unknown game.
    #[error(
        "{0:?} cannot be a bot: write NAME=PATH, such as mine=./bot, with a name that no other player has, or \
         NAME:GAME,GAME=PATH with the games that it plays"
    )]
    Bot(String),
    /// Bots of the owner on a server that listens beyond loopback.
    #[error(
        "a program of yours would play for everybody who can reach {0}: listen on 127.0.0.1, or leave --bot out and \
             seat it with 'palestra connect'"
    )]
    BotsBeyondLoopback(SocketAddr),
    /// Bots of the owner on a server that others reach through a proxy.
    #[error(
        "a program of yours would play for everybody who comes through the proxy: leave --public-url and --trust-proxy \
         out, or leave --bot out and seat it with 'palestra connect'"
    )]
    BotsForAll,
}

impl Config {
    /// Checks the configuration, as far as possible without using it.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let is_built_in = |name: &str| GAMES.iter().any(|kind| any_player(kind.id(), name, 0).is_ok());
        for (index, bot @ OwnBot { name, games, path }) in self.bots.iter().enumerate() {
            let is_taken = self.bots[..index].iter().any(|other| other.name == *name) || is_built_in(name);
            let are_games = games.iter().all(|game| GameKind::find(game).is_some());
            if name.is_empty() || path.is_empty() || is_taken || !are_games {
                return Err(ConfigError::Bot(bot.to_string()));
            }
        }
        let is_public = self.public_url.as_deref().is_some_and(|url| !is_local(url)) || !self.trust_proxy.is_empty();
        match self.bots.is_empty() {
            false if !self.listen.ip().is_loopback() => Err(ConfigError::BotsBeyondLoopback(self.listen)),
            false if is_public => Err(ConfigError::BotsForAll),
            _ => Ok(()),
        }
    }
}

/// Whether a URL has a loopback host.
fn is_local(url: &str) -> bool {
    let uri: Option<Uri> = url.parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listen(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn bots_have_names_and_are_for_loopback_alone() {
        let config = |listen_at: &str, bots: &[&str]| Config {
            listen: listen(listen_at),
            bots: bots.iter().map(|text| text.parse().unwrap()).collect(),
            ..Config::default()
        };
        assert_eq!(config("127.0.0.1:0", &["mine=./bot", "other:mancala,parchis=./bot"]).check(), Ok(()));
        for wrong in [
            &["./bot"][..],
            &["mine="],
            &["ninja1=./bot"],
            &["mine=./a", "mine=./b"],
            &["mine:chess=./a"],
            &["mine:=./a"],
        ] {
            let written = wrong.last().unwrap().to_string();
            assert_eq!(config("127.0.0.1:0", wrong).check(), Err(ConfigError::Bot(written)), "{wrong:?}");
        }
        let open = config("192.0.2.1:0", &["mine=./bot"]).check();
        assert!(matches!(open, Err(ConfigError::BotsBeyondLoopback(_))));
        assert_eq!(config("0.0.0.0:0", &[]).check(), Ok(()));
        let behind = |url: &str, proxies: &[&str]| Config {
            public_url: Some(url.to_owned()),
            trust_proxy: proxies.iter().map(|net| net.parse().unwrap()).collect(),
            ..config("127.0.0.1:0", &["mine=./bot"])
        };
        for (url, proxies) in [("https://play.example", &[][..]), ("http://localhost:80", &["127.0.0.1/32"])] {
            assert_eq!(behind(url, proxies).check(), Err(ConfigError::BotsForAll), "{url}");
        }
        for url in ["http://localhost:4242", "http://127.0.0.1:4242", "http://[::1]:4242"] {
            assert_eq!(behind(url, &[]).check(), Ok(()), "{url}");
        }
    }
}
