//! Forms: their CSRF check, and what is said beside a field when they come back.

use askama::Template;
use askama::filters::HtmlSafe;
use axum::extract::{FromRequest, FromRequestParts, RawForm, Request};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::visitor::{UNSENT, Visitor};

/// A form that came from one of our own pages: it holds the visitor's CSRF token, and if the browser says where it comes
/// from, that is here.
pub(crate) struct Posted<T>(pub(crate) T);

#[derive(Deserialize)]
struct Csrf {
    csrf: String,
}

impl<T: DeserializeOwned> FromRequest<App> for Posted<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        let (mut parts, body) = request.into_parts();
        let Ok(visitor) = Visitor::from_request_parts(&mut parts, app).await;
        app.origins.check(&parts.headers, &visitor)?;
        let request = Request::from_parts(parts, body);
        let RawForm(form) = RawForm::from_request(request, app).await.map_err(|_| Refused::bad("refused.form"))?;
        let Csrf { csrf } = serde_urlencoded::from_bytes(&form).map_err(|_| Refused::Stale)?;
        check_csrf(&visitor, &csrf)?;
        serde_urlencoded::from_bytes(&form).map(Self).map_err(|_| Refused::bad("refused.form"))
    }
}

/// Whether what was sent comes from a page that was shown to this visitor.
pub(crate) fn check_csrf(visitor: &Visitor, csrf: &str) -> Result<(), Refused> {
    if visitor.has_csrf(csrf) { Ok(()) } else { Err(Refused::Stale) }
}

/// What is wrong with a form that is shown again: the sentence, and the field beside which it stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wrong {
    /// The name of the field; empty if the sentence concerns the whole form.
    field: &'static str,
    text: String,
    /// Whether it is news and no fault: the form was sent only to be shown again.
    is_news: bool,
}

impl Wrong {
    /// A refusal, said beside a field.
    pub(crate) fn at(field: &'static str, refused: &Refused, locale: Locale) -> Self {
        let is_news = matches!(refused, Refused::Bad(UNSENT, _));
        Self { field: if is_news { "" } else { field }, text: refused.text(locale), is_news }
    }

    /// The attributes of a field without a hint: whether it is the wrong one, and what describes it then.
    pub(crate) fn marks(&self, field: &str) -> Marks {
        Marks { is_wrong: self.is_at(field), has_hint: false, is_group: false, id: id(field) }
    }

    /// The attributes of a field with a hint, whose id is that of the field and `-hint`.
    pub(crate) fn marks_with_hint(&self, field: &str) -> Marks {
        Marks { has_hint: true, ..self.marks(field) }
    }

    /// The attributes of a group of fields: a group cannot be marked as wrong.
    pub(crate) fn marks_group(&self, field: &str) -> Marks {
        Marks { is_group: true, ..self.marks(field) }
    }

    /// The sentence, if it concerns this field; with an empty name the one for the whole form.
    pub(crate) fn shown(&self, field: &str) -> Shown {
        let is_here = self.field == field;
        let text = if is_here { self.text.clone() } else { String::new() };
        Shown { is_field: !field.is_empty(), is_news: self.is_news, id: id(field), text }
    }

    fn is_at(&self, field: &str) -> bool {
        self.field == field && !self.text.is_empty() && !self.is_news
    }
}

/// What ids of a field begin with.
fn id(field: &str) -> String {
    if field.is_empty() { "form".to_owned() } else { field.to_owned() }
}

/// The attributes of a field.
#[derive(Template)]
#[template(
    source = "{% if is_wrong && !is_group %} aria-invalid=\"true\"{% endif %}{% if is_wrong || has_hint %} aria-describedby=\"\
              {% if is_wrong %}{{ id }}-error{% if has_hint %} {% endif %}{% endif %}\
              {% if has_hint %}{{ id }}-hint{% endif %}\"{% endif %}",
    ext = "html"
)]
pub(crate) struct Marks {
    is_wrong: bool,
    has_hint: bool,
    is_group: bool,
    id: String,
}

/// The sentence that says what is wrong; nothing if nothing is.
#[derive(Template)]
#[template(path = "parts/error.html")]
pub(crate) struct Shown {
    is_field: bool,
    is_news: bool,
    id: String,
    text: String,
}

// What they render is escaped already.
impl HtmlSafe for Marks {}
impl HtmlSafe for Shown {}
