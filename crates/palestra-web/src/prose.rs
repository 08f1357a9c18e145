//! Pages to read: help, how to write a bot, privacy. Each is a template a language.

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::page::{Frame, page};
use crate::visitor::Visitor;

/// A page with a title and a text that is HTML already.
#[derive(Template)]
#[template(path = "prose.html")]
struct ProsePage {
    frame: Frame,
    title: &'static str,
    body: String,
}

fn prose(visitor: &Visitor, title: &'static str, body: String) -> Result<Response, Refused> {
    page(&ProsePage { frame: Frame::new(visitor), title, body })
}

/// What Palestra is, and how to play.
pub(crate) async fn help(visitor: Visitor) -> Result<Response, Refused> {
    let body = match visitor.locale {
        Locale::English => include_str!("../templates/prose/help.en.html"),
        Locale::Spanish => include_str!("../templates/prose/help.es.html"),
    };
    prose(&visitor, "shell.help", body.to_owned())
}

/// The essentials of the guide for authors of bots.
pub(crate) async fn write_a_bot(visitor: Visitor) -> Result<Response, Refused> {
    let body = match visitor.locale {
        Locale::English => include_str!("../templates/prose/write-a-bot.en.html"),
        Locale::Spanish => include_str!("../templates/prose/write-a-bot.es.html"),
    };
    prose(&visitor, "shell.write_a_bot", body.to_owned())
}

#[derive(Template)]
#[template(path = "prose/privacy.en.html")]
struct EnglishPrivacy<'a> {
    operator: Option<&'a str>,
    contact: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "prose/privacy.es.html")]
struct SpanishPrivacy<'a> {
    operator: Option<&'a str>,
    contact: Option<&'a str>,
}

/// Who runs this server, what it keeps, and for how long.
pub(crate) async fn privacy(State(app): State<App>, visitor: Visitor) -> Result<Response, Refused> {
    let (operator, contact) = (app.config.operator.as_deref(), app.config.contact.as_deref());
    let body = match visitor.locale {
        Locale::English => EnglishPrivacy { operator, contact }.render(),
        Locale::Spanish => SpanishPrivacy { operator, contact }.render(),
    };
    prose(&visitor, "shell.privacy", body.map_err(|_| Refused::Fault)?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_page_has_the_same_parts_in_every_language() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/prose");
        for name in ["help", "write-a-bot", "privacy"] {
            let parts = |locale: &str| {
                let text = fs::read_to_string(folder.join(format!("{name}.{locale}.html"))).unwrap();
                ["<h2>", "<p>", "<li>", "<pre", "<tr>", "<a href="].map(|tag| text.matches(tag).count())
            };
            assert_eq!(parts("en"), parts("es"), "{name}");
        }
    }
}
