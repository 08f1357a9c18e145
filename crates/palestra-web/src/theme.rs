//! The theme of the pages: light, dark, or what the visitor's system prefers. A cookie keeps the choice and the server writes it on the
//! root element, so that no page flashes and no script is needed.

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use crate::home::back;
use crate::http::error::Refused;
use crate::http::form::Posted;
use crate::visitor::cookie_value;

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
    pub(crate) fn asked(headers: &HeaderMap) -> Self {
        cookie_value(headers, COOKIE).and_then(|word| word.parse().ok()).unwrap_or_default()
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
    let theme: Theme = form.theme.parse().map_err(|_| Refused::bad("refused.form"))?;
    let cookie = format!("{COOKIE}={}; Path=/; Max-Age=31536000; SameSite=Lax", theme.word());
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&back(&headers))).into_response())
}
