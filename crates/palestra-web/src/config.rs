//! Configuration of a server.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use axum::http::Uri;
use ipnet::IpNet;
use palestra_games::{GAMES, GameKind};
use palestra_search::player::any_player;

use crate::connections::ConnectionLimits;
use crate::programs::OwnBot;

/// Configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The folder for everything it keeps.
    pub data: PathBuf,
    /// The address of its database; a file in the folder if there is none.
    pub database: Option<String>,
    /// Under which address the world sees it, without a slash at the end.
    pub public_url: Option<String>,
    /// The proxies whose word on where a request comes from is taken.
    pub trust_proxy: Vec<IpNet>,
    /// How mail is sent; without it mails are files in the folder `mail` of the data.
    pub smtp: Option<Smtp>,
    /// How many threads think, at least one.
    pub threads: usize,
    /// Programs of the owner of the server, offered as opponents; only on loopback.
    pub bots: Vec<OwnBot>,
    /// How long a request waits for a database that is busy or away.
    pub patience: Duration,
    /// How long a server that was told to stop waits for those who are connected.
    pub grace: Duration,
    /// Time for reading a request and making its response; analyses wait in a queue.
    pub request_timeout: Duration,
    /// Bounds on connections.
    pub connections: ConnectionLimits,
}

/// A mail server.
#[derive(Clone)]
pub struct Smtp {
    /// Its address, such as `smtps://user:password@host:465` or `smtp://host:25`.
    pub url: String,
    /// From whom mails come, such as `Palestra <palestra@example.org>`.
    pub from: String,
}

/// Without the address, which holds the password.
impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Smtp").field("from", &self.from).finish_non_exhaustive()
    }
}

/// The port of a server that was told nothing.
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
            threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            bots: vec![],
            patience: palestra_store::BUSY_TIMEOUT,
            grace: Duration::from_secs(10),
            request_timeout: Duration::from_secs(60),
            connections: ConnectionLimits::default(),
        }
    }
}

/// What is wrong with a configuration.
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
    /// A bot without a name or a path, with a name that is taken, or for a game that there is not.
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
    /// Whether it makes sense, as far as that can be told without trying.
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

/// Whether only this machine reaches that address.
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
