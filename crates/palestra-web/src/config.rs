//! How a server is set up.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use axum::http::Uri;
use ipnet::IpNet;

/// How a server is set up.
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
    /// How long a request waits for a database that is busy or away.
    pub patience: Duration,
    /// How long a server that was told to stop waits for those who are connected.
    pub grace: Duration,
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
            patience: palestra_store::PATIENCE,
            grace: Duration::from_secs(10),
        }
    }
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The public address is none.
    #[error("{0:?} cannot be the public address: write https://host, without a path")]
    PublicUrl(String),
}

/// The addresses under which pages of this server may be shown: what `Origin` must say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origins {
    /// The one that links are made with.
    main: String,
    others: Vec<String>,
}

impl Origins {
    /// Those of a server that listens there. What a request says of its host is never believed.
    pub(crate) fn new(public_url: Option<&str>, listen: SocketAddr) -> Result<Self, ConfigError> {
        if let Some(url) = public_url {
            return Ok(Self { main: origin(url)?, others: vec![] });
        }
        let main = format!("http://{listen}");
        let port = listen.port();
        let is_local = listen.ip().is_loopback() || listen.ip().is_unspecified();
        let local = ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:{port}"));
        Ok(Self { main, others: if is_local { local.to_vec() } else { vec![] } })
    }

    /// Whether a page with this origin is one of ours.
    pub(crate) fn has(&self, origin: &str) -> bool {
        self.main == origin || self.others.iter().any(|other| other == origin)
    }

    /// The address of a path, for mails and invitations.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.main)
    }

    /// Whether the world sees it by https.
    pub(crate) fn is_secure(&self) -> bool {
        self.main.starts_with("https://")
    }
}

fn origin(url: &str) -> Result<String, ConfigError> {
    let wrong = || ConfigError::PublicUrl(url.to_owned());
    let uri: Uri = url.trim_end_matches('/').parse().map_err(|_| wrong())?;
    let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme)).ok_or_else(wrong)?;
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@')).ok_or_else(wrong)?;
    let has_path = uri.path_and_query().is_some_and(|rest| rest.as_str() != "/");
    if has_path { Err(wrong()) } else { Ok(format!("{scheme}://{}", authority.as_str().to_lowercase())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listen(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_server_on_loopback_is_known_by_all_its_names() {
        let origins = Origins::new(None, listen("127.0.0.1:4242")).unwrap();
        assert!(origins.has("http://localhost:4242") && origins.has("http://127.0.0.1:4242"));
        assert!(!origins.has("http://localhost:4243") && !origins.has("http://evil.example") && !origins.has("null"));
        assert_eq!(origins.link("/t/x"), "http://127.0.0.1:4242/t/x");
    }

    #[test]
    fn a_public_address_is_the_only_one() {
        let origins = Origins::new(Some("https://Play.example/"), listen("127.0.0.1:4242")).unwrap();
        assert!(origins.has("https://play.example") && origins.is_secure());
        assert!(!origins.has("http://play.example") && !origins.has("http://localhost:4242"));
        for wrong in ["play.example", "https://", "ftp://play.example", "https://play.example/path", "https://a@b"] {
            assert!(Origins::new(Some(wrong), listen("127.0.0.1:1")).is_err(), "{wrong}");
        }
    }
}
