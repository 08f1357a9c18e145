//! What all pages have in common.

use std::borrow::Cow;

use askama::Template;
use axum::response::{Html, IntoResponse, Response};

use crate::app::App;
use crate::locale::Locale;
use crate::refused::Refused;
use crate::visitor::Visitor;

/// What all pages have in common: the language, who is signed in, what forms must hold.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) locale: Locale,
    pub(crate) csrf: String,
    /// Whoever is signed in.
    pub(crate) nickname: Option<String>,
    pub(crate) is_teacher: bool,
    pub(crate) is_admin: bool,
}

impl Frame {
    pub(crate) fn new(_: &App, visitor: &Visitor) -> Self {
        let account = visitor.account.as_ref();
        let has = |role| account.is_some_and(|account| account.role >= role);
        Self {
            locale: visitor.locale,
            csrf: visitor.csrf(),
            nickname: account.map(|account| account.nickname.clone()),
            is_teacher: has(palestra_store::Role::Teacher),
            is_admin: has(palestra_store::Role::Admin),
        }
    }

    /// For a visitor who could not be found out.
    pub(crate) fn anonymous(_: &App) -> Self {
        Self { locale: Locale::default(), csrf: String::new(), nickname: None, is_teacher: false, is_admin: false }
    }

    /// The text with this key.
    pub(crate) fn t<'a>(&self, key: &'a str) -> Cow<'a, str> {
        self.locale.t(key)
    }

    /// The text with this key, with a value for its `%{what}`.
    pub(crate) fn what(&self, key: &str, what: impl std::fmt::Display) -> String {
        self.locale.with(key, &[("what", &what.to_string())])
    }
}

/// A page.
pub(crate) fn page(template: &impl Template) -> Result<Response, Refused> {
    match template.render() {
        Ok(text) => Ok(Html(text).into_response()),
        Err(error) => {
            tracing::error!(%error, "a page cannot be made");
            Err(Refused::Fault)
        }
    }
}
