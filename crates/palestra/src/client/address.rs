//! The address of a server.

use std::fmt;
use std::str::FromStr;

use tungstenite::http::Uri;

/// The address of a server, such as `https://play.example`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerAddress {
    pub(super) is_secure: bool,
    /// Host and port as they were typed.
    authority: String,
    pub(super) host: String,
    pub(super) port: u16,
}

impl ServerAddress {
    /// Host and port, for the header.
    pub(super) fn authority(&self) -> &str {
        &self.authority
    }

    /// The address of a path on the server.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{self}{path}")
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_secure { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.authority)
    }
}

impl FromStr for ServerAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "a server's address looks like https://play.example or http://127.0.0.1:4242".to_owned();
        let uri: Uri = text.trim_end_matches('/').parse().map_err(|_| wrong())?;
        let is_secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(wrong()),
        };
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@')).ok_or_else(wrong)?;
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err(wrong());
        }
        Ok(Self {
            is_secure,
            authority: authority.to_string(),
            host: authority.host().trim_matches(['[', ']']).to_owned(),
            port: authority.port_u16().unwrap_or(if is_secure { 443 } else { 80 }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_browsers_show_them() {
        let address: ServerAddress = "https://play.example/".parse().unwrap();
        assert_eq!(
            (&*address.host, address.port, address.link("/bots")),
            ("play.example", 443, "https://play.example/bots".to_owned())
        );
        let address: ServerAddress = "http://[::1]:4242".parse().unwrap();
        assert_eq!((&*address.host, address.port, address.authority()), ("::1", 4242, "[::1]:4242"));
    }

    #[test]
    fn what_is_no_server_is_refused() {
        for text in
            ["", "play.example", "ftp://play.example", "https://", "https://a@b", "https://a/courses", "https://a/?x"]
        {
            assert!(text.parse::<ServerAddress>().is_err(), "{text}");
        }
    }
}
