//! Lists in pages, each of which says with which cursor the next one is asked for.
//!
//! A cursor names the last item of a page, so that no item is left out or comes twice when others are added meanwhile.

use std::fmt::{self, Write};

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::error::Refused;

/// Items on a page if the request does not say, and at most.
const USUAL_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

/// The longest cursor, in bytes.
const MAX_CURSOR_BYTES: usize = 200;

/// Which page of a list is asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct Asked {
    /// The `next` of the page before; the first page if there is none.
    cursor: Option<String>,
    /// The most items of a page.
    #[param(default = 50, minimum = 1, maximum = 200)]
    limit: Option<u32>,
}

/// The page of a list that a request asks for: an extractor.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Paging {
    /// The key of the last item of the page before.
    pub(crate) after: Option<String>,
    /// The most items of the page.
    limit: u32,
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Page<T> {
    items: Vec<T>,
    /// The `cursor` with which the next page is asked for; null on the last page.
    next: Option<String>,
}

impl Paging {
    /// The number of items to read: one more than the page has, which tells whether there is a next one.
    pub(crate) const fn wanted(&self) -> u32 {
        self.limit + 1
    }

    /// The page with these items, of which there are as many as [`wanted`](Self::wanted) if more follow. `key` is what the
    /// next request finds in [`after`](Self::after).
    pub(crate) fn page<T, K: fmt::Display, R>(
        &self,
        mut found: Vec<T>,
        key: impl Fn(&T) -> K,
        item: impl Fn(T) -> R,
    ) -> Page<R> {
        let limit = self.limit as usize;
        let has_more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| has_more).map(|last| cursor(&key(last).to_string()));
        Page { items: found.into_iter().map(item).collect(), next }
    }

    /// Of a list in memory the items behind the page before, as many as [`wanted`](Self::wanted).
    pub(crate) fn cut<T, K: fmt::Display>(&self, all: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
        let last = self.after.as_ref().and_then(|after| all.iter().position(|item| key(item).to_string() == *after));
        let begin = if self.after.is_some() { last.map_or(all.len(), |last| last + 1) } else { 0 };
        all.into_iter().skip(begin).take(self.wanted() as usize).collect()
    }

    fn new(asked: Asked) -> Result<Self, Refused> {
        let limit = asked.limit.unwrap_or(USUAL_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(Refused::bad_with("api.limit", MAX_LIMIT.to_string()));
        }
        let after = asked.cursor.map(|cursor| key(&cursor).ok_or(Refused::bad("api.cursor"))).transpose()?;
        Ok(Self { after, limit })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Paging {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refused> {
        let asked: Result<Query<Asked>, QueryRejection> = Query::from_request_parts(parts, state).await;
        Self::new(asked.map_err(|_| Refused::bad_with("api.limit", MAX_LIMIT.to_string()))?.0)
    }
}

/// A cursor shows nothing that a client could build upon.
fn cursor(key: &str) -> String {
    key.bytes().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn key(cursor: &str) -> Option<String> {
    let is_one = cursor.len() <= MAX_CURSOR_BYTES
        && cursor.len().is_multiple_of(2)
        && cursor.bytes().all(|byte| byte.is_ascii_hexdigit());
    let pairs = is_one.then(|| cursor.as_bytes().chunks(2))?;
    let bytes: Option<Vec<u8>> =
        pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect();
    String::from_utf8(bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(cursor: Option<String>, limit: u32) -> Paging {
        Paging::new(Asked { cursor, limit: Some(limit) }).unwrap()
    }

    /// The page of a list of numbers, the greatest first.
    fn numbers(paging: &Paging) -> Page<u32> {
        paging.page(paging.cut((0..7).rev().collect(), |number| *number), |number| *number, |number| number)
    }

    #[test]
    fn pages_have_every_item_once() {
        for limit in 1..=8 {
            let (mut seen, mut paging) = (vec![], asked(None, limit));
            loop {
                let page = numbers(&paging);
                assert!(page.items.len() <= limit as usize && !page.items.is_empty());
                seen.extend(page.items);
                let Some(next) = page.next else { break };
                paging = asked(Some(next), limit);
            }
            assert_eq!(seen, [6, 5, 4, 3, 2, 1, 0], "{limit} a page");
        }
    }

    #[test]
    fn a_cursor_that_no_page_gave_is_refused() {
        for text in ["é", "0", "zz", "+1", "ff", &"00".repeat(101)] {
            let refused = Paging::new(Asked { cursor: Some(text.to_owned()), limit: None }).unwrap_err();
            assert_eq!(refused, Refused::bad("api.cursor"), "{text:?}");
        }
        assert_eq!(key(&cursor("año 1")).as_deref(), Some("año 1"));
    }

    #[test]
    fn a_page_has_bounds() {
        for limit in [0, 201, u32::MAX] {
            assert!(Paging::new(Asked { cursor: None, limit: Some(limit) }).is_err(), "{limit}");
        }
        assert_eq!(Paging::new(Asked::default()).unwrap().wanted(), 51);
    }
}
