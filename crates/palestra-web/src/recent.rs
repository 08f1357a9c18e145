//! The tables at which a browser played last: a cookie, so that guests find their finished games again.

use axum::http::HeaderMap;

use crate::visitor::cookie_value;

/// The name of the cookie.
const COOKIE: &str = "tables";

/// Tables that are remembered.
const MAX_TABLES: usize = 20;

/// The longest code of a table that is believed.
const MAX_CODE: usize = 32;

/// Codes of tables, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecentTables(Vec<String>);

impl RecentTables {
    /// Those that a browser remembers.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let is_code =
            |code: &&str| (1..=MAX_CODE).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let codes = cookie_value(headers, COOKIE).unwrap_or_default().split('.').filter(is_code);
        Self(codes.take(MAX_TABLES).map(str::to_owned).collect())
    }

    /// These with others before them.
    pub(crate) fn with(&self, codes: impl IntoIterator<Item = String>) -> Self {
        let mut all: Vec<String> = codes.into_iter().collect();
        all.extend(self.0.iter().cloned());
        let mut kept: Vec<String> = vec![];
        for code in all {
            if kept.len() < MAX_TABLES && !kept.contains(&code) {
                kept.push(code);
            }
        }
        Self(kept)
    }

    pub(crate) fn codes(&self) -> &[String] {
        &self.0
    }

    /// The header that makes a browser remember them.
    pub(crate) fn cookie(&self) -> String {
        format!("{COOKIE}={}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax", self.0.join("."))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    #[test]
    fn the_latest_tables_are_remembered_once() {
        let mut headers = HeaderMap::new();
        assert_eq!(RecentTables::of(&headers), RecentTables::default());
        headers.insert(header::COOKIE, "lang=es; tables=abc.d-e.f.abc".parse().unwrap());
        let recent = RecentTables::of(&headers).with(["f".to_owned(), "g".to_owned()]);
        assert_eq!(recent.codes(), ["f", "g", "abc"]);
        assert!(recent.cookie().starts_with("tables=f.g.abc; "));
        let many = recent.with((0..100).map(|number| format!("n{number}")));
        assert_eq!((many.codes().len(), many.codes()[0].as_str()), (MAX_TABLES, "n0"));
    }
}
