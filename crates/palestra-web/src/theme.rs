//! The theme of the pages: light, dark, or what the visitor's system prefers. A cookie keeps the choice and the server writes it on the
//! root element, so that no page flashes and no script is needed.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use crate::home::back;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::visitor::{cookie_value, kept};

/// The name of the cookie.
const COOKIE: &str = "theme";

/// A theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Theme {
    /// What the system prefers.
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    /// The theme that a browser has chosen.
    pub(crate) fn chosen(headers: &HeaderMap) -> Self {
        cookie_value(headers, COOKIE).and_then(Self::find).unwrap_or_default()
    }

    /// The theme with this word.
    pub(crate) fn find(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// The cookie that keeps the choice.
    pub(crate) fn cookie(self) -> HeaderValue {
        kept(COOKIE, self.word())
    }

    /// The word for it, in forms and cookies.
    pub(crate) fn word(self) -> &'static str {
        self.into()
    }

    /// The value of the root element's `data-theme`; `None` if the system decides.
    pub(crate) fn attribute(&self) -> Option<&'static str> {
        (*self != Self::Auto).then(|| self.word())
    }

    /// The theme that the button leads to.
    pub(crate) const fn next(&self) -> Self {
        match self {
            Self::Auto => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::Auto,
        }
    }

    /// The key of the button's text.
    pub(crate) const fn key(&self) -> &'static str {
        match self {
            Self::Auto => "shell.theme.auto",
            Self::Light => "shell.theme.light",
            Self::Dark => "shell.theme.dark",
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Choice {
    theme: String,
}

/// Chooses a theme, and goes back to where that was asked.
pub(crate) async fn choose(headers: HeaderMap, Posted(form): Posted<Choice>) -> Result<Response, Refused> {
    let theme = Theme::find(&form.theme).ok_or(Refused::bad("refused.form"))?;
    Ok(([(header::SET_COOKIE, theme.cookie())], Redirect::to(&back(&headers))).into_response())
}
