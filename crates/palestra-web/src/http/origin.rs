//! Origins: which pages may send forms to this server, against cross-site request forgery.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use axum::http::{HeaderMap, Uri, header};

use crate::config::ConfigError;
use crate::http::error::Refused;
use crate::visitor::Visitor;

/// The addresses under which pages of this server may be shown: what `Origin` must say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origins {
    /// The one that links are made with.
    main: String,
    others: Vec<String>,
    /// Whether it listens at all addresses of the machine: then also the one that a browser came to.
    is_anywhere: bool,
}

impl Origins {
    /// Those of a server that listens there. What a request says of its host is never believed.
    pub(crate) fn new(public_url: Option<&str>, listen: SocketAddr) -> Result<Self, ConfigError> {
        if let Some(url) = public_url {
            return Ok(Self { main: origin(url)?, others: vec![], is_anywhere: false });
        }
        let (port, is_anywhere) = (listen.port(), listen.ip().is_unspecified());
        let main = if is_anywhere { SocketAddr::new(own_address(), port) } else { listen };
        let is_local = listen.ip().is_loopback() || is_anywhere;
        let local = ["localhost", "127.0.0.1", "[::1]"].map(|host| origin(&format!("http://{host}:{port}")));
        let others = if is_local { local.into_iter().collect::<Result<_, _>>()? } else { vec![] };
        Ok(Self { main: at(main)?, others, is_anywhere })
    }

    /// Whether a page with this origin is one of ours, for a browser that came to that address.
    fn has(&self, origin: &str, reached: Option<SocketAddr>) -> bool {
        let reached = reached.filter(|_| self.is_anywhere).and_then(|reached| at(reached).ok());
        self.main == origin || reached.as_deref() == Some(origin) || self.others.iter().any(|other| other == origin)
    }

    /// Refuses a request from a page of another origin (CSRF). A client that sends no `Origin` is not a browser.
    pub(crate) fn check(&self, headers: &HeaderMap, visitor: &Visitor) -> Result<(), Refused> {
        let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
        if origin.is_none_or(|origin| self.has(origin, visitor.reached)) {
            return Ok(());
        }
        tracing::debug!(origin, "refused: --public-url says under which address pages may be shown");
        Err(Refused::Stale)
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

/// The origin of pages at an address.
fn at(address: SocketAddr) -> Result<String, ConfigError> {
    origin(&format!("http://{}", SocketAddr::new(address.ip().to_canonical(), address.port())))
}

/// The address by which this machine reaches others, and they reach it as a rule. Nothing is sent.
fn own_address() -> IpAddr {
    let look = || {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        // An address reserved for documentation, which no host has.
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    };
    look().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |address| address.ip())
}

fn origin(url: &str) -> Result<String, ConfigError> {
    let wrong = || ConfigError::PublicUrl(url.to_owned());
    let uri: Uri = url.trim_end_matches('/').parse().map_err(|_| wrong())?;
    let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme)).ok_or_else(wrong)?;
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@')).ok_or_else(wrong)?;
    if uri.path_and_query().is_some_and(|rest| rest.as_str() != "/") {
        return Err(wrong());
    }
    // Browsers leave the usual port out.
    let usual = if scheme == "https" { ":443" } else { ":80" };
    let authority = authority.as_str().to_lowercase();
    Ok(format!("{scheme}://{}", authority.strip_suffix(usual).unwrap_or(&authority)))
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
        assert!(origins.has("http://localhost:4242", None) && origins.has("http://127.0.0.1:4242", None));
        assert!(
            !origins.has("http://localhost:4243", None)
                && !origins.has("http://evil.example", None)
                && !origins.has("null", None)
        );
        assert_eq!(origins.link("/t/x"), "http://127.0.0.1:4242/t/x");
    }

    #[test]
    fn a_server_for_everybody_is_known_by_the_address_that_was_reached() {
        for (all, port) in [("0.0.0.0:4242", 4242), ("[::]:4242", 4242)] {
            let origins = Origins::new(None, listen(all)).unwrap();
            let reached = |address: &str| Some(SocketAddr::new(address.parse().unwrap(), port));
            assert!(origins.has("http://192.0.2.7:4242", reached("192.0.2.7")));
            assert!(origins.has("http://192.0.2.7:4242", reached("::ffff:192.0.2.7")));
            assert!(origins.has("http://[2001:db8::1]:4242", reached("2001:db8::1")));
            assert!(origins.has("http://localhost:4242", None));
            for wrong in
                ["http://192.0.2.8:4242", "http://192.0.2.7", "https://192.0.2.7:4242", "http://evil.example:4242"]
            {
                assert!(!origins.has(wrong, reached("192.0.2.7")), "{wrong}");
            }
            assert!(!origins.link("/").contains("0.0.0.0") && !origins.link("/").contains("[::]"));
        }
        let usual = Origins::new(None, listen("0.0.0.0:80")).unwrap();
        assert!(usual.has("http://192.0.2.7", Some(listen("192.0.2.7:80"))) && usual.has("http://localhost", None));
        let bound = Origins::new(None, listen("192.0.2.1:4242")).unwrap();
        assert!(!bound.has("http://192.0.2.7:4242", Some(listen("192.0.2.7:4242"))));
    }

    #[test]
    fn a_public_address_is_the_only_one() {
        let origins = Origins::new(Some("https://Play.example/"), listen("127.0.0.1:4242")).unwrap();
        assert!(origins.has("https://play.example", None) && origins.is_secure());
        assert!(!origins.has("http://play.example", None) && !origins.has("http://localhost:4242", None));
        for (url, origin) in
            [("https://a.example:443", "https://a.example"), ("http://a.example:443", "http://a.example:443")]
        {
            assert!(Origins::new(Some(url), listen("127.0.0.1:4242")).unwrap().has(origin, None), "{url}");
        }
        for wrong in ["play.example", "https://", "ftp://play.example", "https://play.example/path", "https://a@b"] {
            assert!(Origins::new(Some(wrong), listen("127.0.0.1:1")).is_err(), "{wrong}");
        }
    }
}
