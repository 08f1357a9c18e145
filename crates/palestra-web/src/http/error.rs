//! Refusals: errors of requests, with their HTTP status and a page or JSON in the visitor's language.

use std::time::Duration;

use askama::Template;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use palestra_games::Phrase;
use palestra_protocol::shown;
use palestra_store::StoreError;
use serde_json::json;

use crate::api::{self, Problem, is_under};
use crate::locale::Locale;
use crate::metrics::STORE_ERRORS;
use crate::page::Frame;
use crate::visitor::Visitor;

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// There is no such thing, or the visitor must not know of it.
    NotFound,
    /// Only for those who are signed in.
    SignIn,
    /// The visitor lacks the role or the scope.
    Forbidden,
    /// The form did not come from a page of ours, or from one that is too old.
    Stale,
    /// Invalid input: the key of the error text, and the value of its `%{what}`.
    Bad(&'static str, What),
    /// A rate limit: retry after that time.
    Limited(Duration),
    /// The disk is full: nothing can be kept.
    Full,
    /// The database is busy or away.
    Busy,
    /// A fault of ours; it is in the log.
    Fault,
}

/// The value that an error text has in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Reads the same in every language: a number, or something that was typed.
    Plain(String),
    /// A library's reason, to be said in the visitor's language.
    Said(Phrase),
}

/// The longest reason that is shown, in characters: it may repeat what was typed.
const MAX_REASON: usize = 300;

impl What {
    fn text(&self, locale: Locale) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Said(phrase) => shown(&locale.phrase(phrase), MAX_REASON).to_string(),
        }
    }
}

impl From<String> for What {
    fn from(text: String) -> Self {
        Self::Plain(text)
    }
}

impl From<Phrase> for What {
    fn from(phrase: Phrase) -> Self {
        Self::Said(phrase)
    }
}

impl Refused {
    /// An invalid request, with the text of this key.
    pub(crate) fn bad(key: &'static str) -> Self {
        Self::bad_with(key, String::new())
    }

    /// An invalid request, with the text of this key and the value of its `%{what}`.
    pub(crate) fn bad_with(key: &'static str, what: impl Into<What>) -> Self {
        Self::Bad(key, what.into())
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::SignIn => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::Stale => StatusCode::FORBIDDEN,
            Self::Bad(..) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Limited(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Full => StatusCode::INSUFFICIENT_STORAGE,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Fault => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The reason as a word for programs, as exact as there is one.
    pub(crate) const fn key(&self) -> &'static str {
        if let Self::Bad(key, _) = self { key } else { self.word() }
    }

    /// A code for programs: `error` in JSON.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::SignIn => "sign_in",
            Self::Forbidden => "forbidden",
            Self::Stale => "stale",
            Self::Bad(..) => "bad",
            Self::Limited(_) => "limited",
            Self::Full => "full",
            Self::Busy => "busy",
            Self::Fault => "fault",
        }
    }

    /// The message for a visitor, in their language.
    pub(crate) fn text(&self, locale: Locale) -> String {
        match self {
            Self::Bad(key, what) => locale.with(key, &[("what", &what.text(locale))]),
            Self::Limited(wait) => locale.with("refused.limited", &[("seconds", &seconds(*wait).to_string())]),
            other => locale.t(&format!("refused.{}", other.word())).to_owned(),
        }
    }
}

/// Rounded up: who comes back then is not refused again.
fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + 1
}

/// The layer that knows the visitor makes a page of it; see [`answer`].
impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        let (refused, word) = match error {
            StoreError::Text => return Self::bad("refused.form"),
            StoreError::Full => (Self::Full, "full"),
            StoreError::Busy => (Self::Busy, "busy"),
            _ => (Self::Fault, "fault"),
        };
        metrics::counter!(STORE_ERRORS, "kind" => word).increment(1);
        tracing::error!(%error, "the store failed");
        refused
    }
}

#[derive(Template)]
#[template(path = "refused.html")]
struct RefusedPage {
    frame: Frame,
    status: u16,
    title: String,
    text: String,
    way: Way,
}

/// The way on that an error page offers besides home.
enum Way {
    SignIn,
    /// The list of finished games.
    Search,
    Home,
}

impl RefusedPage {
    fn new(refused: &Refused, frame: Frame) -> Self {
        let title = frame.locale.t(&format!("refused.head.{}", refused.word())).to_owned();
        let (text, way) = match refused {
            Refused::NotFound => (frame.t("refused.lost").to_owned(), Way::Search),
            Refused::SignIn => (refused.text(frame.locale), Way::SignIn),
            Refused::Full | Refused::Busy | Refused::Fault => (refused.text(frame.locale), Way::Home),
            _ => (format!("{} {}", refused.text(frame.locale), frame.t("refused.unchanged")), Way::Home),
        };
        Self { frame, status: refused.status().as_u16(), title, text, way }
    }
}

/// The form of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Page,
    /// For the scripts of pages.
    Json,
    /// For programs.
    Problem,
}

impl Format {
    /// The form in which the addresses with this path refuse.
    pub(crate) fn of(path: &str) -> Self {
        match path {
            _ if is_under(api::PREFIX, path) => Self::Problem,
            _ if is_under("/api", path) => Self::Json,
            _ => Self::Page,
        }
    }
}

/// A refusal in the form that an address has.
pub(crate) fn answer(refused: &Refused, visitor: Option<&Visitor>, format: Format) -> Response {
    let frame = visitor.map_or_else(Frame::anonymous, Frame::new);
    let text = refused.text(frame.locale);
    let mut response = match format {
        Format::Problem => Problem::new(refused, frame.locale).into_response(),
        Format::Json => Json(json!({"error": refused.word(), "message": text})).into_response(),
        Format::Page => Html(RefusedPage::new(refused, frame).render().unwrap_or(text)).into_response(),
    };
    *response.status_mut() = refused.status();
    if let Refused::Limited(wait) = refused {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds(*wait)));
    }
    response
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    #[test]
    fn errors_of_the_store_are_shown_and_counted() {
        for (error, status, kind) in
            [(StoreError::Full, 507, "full"), (StoreError::Busy, 503, "busy"), (StoreError::Address, 500, "fault")]
        {
            // A recorder of this test alone: other tests count too.
            let recorder = PrometheusBuilder::new().build_recorder();
            let refused = metrics::with_local_recorder(&recorder, || Refused::from(error));
            let counted = recorder.handle().render();
            assert!(counted.contains(&format!("{STORE_ERRORS}{{kind=\"{kind}\"}} 1")), "{kind}: {counted}");
            let text = refused.text(Locale::Spanish);
            assert!(text.ends_with('.') && !text.contains("refused."), "{text}");
            assert_eq!(answer(&refused, None, Format::Page).status(), status);
        }
    }
}
