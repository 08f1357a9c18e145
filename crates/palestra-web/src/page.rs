//! What all pages have in common.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use palestra_store::Role;

use crate::assets;
use crate::calendar::Utc;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::visitor::Visitor;

/// What all pages have in common: the language, who is signed in, what forms must hold.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) locale: Locale,
    pub(crate) csrf: String,
    /// The nickname of the account that is signed in.
    pub(crate) nickname: Option<String>,
    pub(crate) is_teacher: bool,
    pub(crate) is_admin: bool,
}

impl Frame {
    pub(crate) fn new(visitor: &Visitor) -> Self {
        let account = visitor.account.as_ref();
        let has = |role| account.is_some_and(|account| account.role >= role);
        Self {
            locale: visitor.locale,
            csrf: visitor.csrf(),
            nickname: account.map(|account| account.nickname.clone()),
            is_teacher: has(Role::Teacher),
            is_admin: has(Role::Admin),
        }
    }

    /// For a visitor who could not be found out.
    pub(crate) fn anonymous() -> Self {
        Self { locale: Locale::default(), csrf: String::new(), nickname: None, is_teacher: false, is_admin: false }
    }

    /// The text with this key.
    pub(crate) fn t<'a>(&self, key: &'a str) -> &'a str {
        self.locale.t(key)
    }

    /// The address of a style sheet or a script.
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address(name)
    }

    /// The text for a role.
    pub(crate) fn role(&self, role: &Role) -> &'static str {
        self.t(match role {
            Role::Student => "role.student",
            Role::Teacher => "role.teacher",
            Role::Admin => "role.admin",
        })
    }

    /// A time as it is shown.
    pub(crate) fn time(&self, ms: &i64) -> String {
        time(*ms)
    }

    /// The text with this key, with a value for its `%{what}`.
    pub(crate) fn what(&self, key: &str, what: impl std::fmt::Display) -> String {
        self.locale.with(key, &[("what", &what.to_string())])
    }
}

/// A page that says one thing.
#[derive(Template)]
#[template(path = "note.html")]
pub(crate) struct Note {
    frame: Frame,
    title: &'static str,
    text: &'static str,
}

impl Note {
    /// A page with the texts of these keys.
    pub(crate) fn new(visitor: &Visitor, title: &'static str, text: &'static str) -> Self {
        Self { frame: Frame::new(visitor), title, text }
    }

    pub(crate) fn page(&self) -> Result<Response, Refused> {
        page(self)
    }
}

/// A time as it is shown, in UTC.
pub(crate) fn time(ms: i64) -> String {
    let Utc { year, month, day, hour, minute, .. } = Utc::from_ms(ms);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}Z")
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
