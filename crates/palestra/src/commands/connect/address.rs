//! The address of a table.

use std::str::FromStr;

use tungstenite::http::Uri;

/// The address of a table at which a program takes a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(super) is_secure: bool,
    /// Host and port as they were typed.
    authority: String,
    pub(super) host: String,
    pub(super) port: u16,
    /// `/t/CODE`.
    path: String,
}

impl Address {
    /// The path and query of the request for a seat, with a name, a side, and the key of an earlier connection.
    pub(super) fn url(&self, name: &str, seat: Option<u8>, key: Option<&str>) -> String {
        let mut words = vec![("name", name.to_owned())];
        words.extend(seat.map(|seat| ("seat", seat.to_string())));
        words.extend(key.map(|key| ("key", key.to_owned())));
        let words = serde_urlencoded::to_string(words).expect("words can be written in an address");
        let scheme = if self.is_secure { "wss" } else { "ws" };
        format!("{scheme}://{}{}/bot?{words}", self.authority, self.path)
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "a table's link looks like http://host/t/CODE: copy it from the browser".to_owned();
        let uri: Uri = text.trim_end_matches('/').parse().map_err(|_| wrong())?;
        let is_secure = match uri.scheme_str() {
            Some("http" | "ws") => false,
            Some("https" | "wss") => true,
            _ => return Err(wrong()),
        };
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@')).ok_or_else(wrong)?;
        let path = uri.path().strip_suffix("/bot").unwrap_or(uri.path());
        let is_table = path.strip_prefix("/t/").is_some_and(|code| !code.is_empty() && !code.contains('/'));
        if !is_table {
            return Err(wrong());
        }
        Ok(Self {
            is_secure,
            authority: authority.to_string(),
            host: authority.host().trim_matches(['[', ']']).to_owned(),
            port: authority.port_u16().unwrap_or(if is_secure { 443 } else { 80 }),
            path: path.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_as_browsers_show_them() {
        let address: Address = "http://localhost:4242/t/abc".parse().unwrap();
        assert_eq!(address.url("My Bot", None, None), "ws://localhost:4242/t/abc/bot?name=My+Bot");
        assert_eq!((&*address.host, address.port), ("localhost", 4242));
        let address: Address = "https://play.example/t/abc/".parse().unwrap();
        assert_eq!(address.url("b&c", Some(2), Some("k")), "wss://play.example/t/abc/bot?name=b%26c&seat=2&key=k");
        assert_eq!((&*address.host, address.port), ("play.example", 443));
        let address: Address = "ws://[::1]:80/t/abc/bot".parse().unwrap();
        assert_eq!((&*address.host, address.port), ("::1", 80));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in [
            "",
            "abc",
            "http://host",
            "http://host/",
            "http://host/t/",
            "ftp://host/t/a",
            "http://a@b/t/c",
            "http://h/t/a/b",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_an_address_or_refused(text in r"(https?|wss?)://[\PC]{0,20}(/t/)?\PC{0,10}") {
            if let Ok(address) = text.parse::<Address>() {
                proptest::prop_assert!(address.url("b", None, None).parse::<Uri>().is_ok());
            }
        }
    }
}
