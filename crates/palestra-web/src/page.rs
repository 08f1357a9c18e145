//! What all pages have in common.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use palestra_store::{Role, Scope};

use crate::app::now_ms;
use crate::assets::{self, Scripts};
use crate::calendar::Utc;
use crate::http::error::Refused;
use crate::locale::Locale;
use crate::moment::Moment;
use crate::theme::Theme;
use crate::visitor::Visitor;

/// What all pages have in common: the language, who is signed in, what forms must hold.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) locale: Locale,
    pub(crate) theme: Theme,
    /// The path of the page, which the navigation marks.
    path: String,
    /// The address of the form that came back with what was typed. Its id is its address.
    pub(crate) returned: Option<String>,
    pub(crate) csrf: String,
    /// The nickname of the account that is signed in.
    pub(crate) nickname: Option<String>,
    pub(crate) is_admin: bool,
    /// Whether the navigation leads to courses.
    pub(crate) has_courses: bool,
}

/// A place in the navigation.
pub(crate) struct Place {
    pub(crate) key: &'static str,
    pub(crate) href: &'static str,
    pub(crate) icon: &'static str,
    /// Whether it stands in the bar of phones, which has room for five.
    pub(crate) is_main: bool,
    /// The value of `aria-current`: `page` on the place itself, `true` on a page below it.
    pub(crate) current: Option<&'static str>,
}

/// The places of the navigation: key of the name, address, icon, and whether it is in the bar of phones.
const PLACES: [(&str, &str, &str, bool); 9] = [
    ("shell.play", "/", include_str!("../templates/icons/play.svg"), true),
    ("table.title", "/tables", include_str!("../templates/icons/tables.svg"), true),
    ("league.title", "/leagues", include_str!("../templates/icons/leagues.svg"), false),
    ("games.title", "/games", include_str!("../templates/icons/games.svg"), false),
    ("maps.title", "/maps", include_str!("../templates/icons/maps.svg"), false),
    ("bots.title", BOTS, include_str!("../templates/icons/bots.svg"), false),
    ("analyse.title", "/analyse", include_str!("../templates/icons/analysis.svg"), true),
    ("rules.think", "/tree", include_str!("../templates/icons/think.svg"), true),
    ("rules.title", "/rules", include_str!("../templates/icons/book.svg"), true),
];

/// A visitor's bots: guests have none.
const BOTS: &str = "/bots";

/// The form for a new table belongs to playing, not to the list of tables.
const NEW_TABLE: &str = "/tables/new";

impl Frame {
    pub(crate) fn new(visitor: &Visitor) -> Self {
        let account = visitor.account.as_ref();
        let has = |role| account.is_some_and(|account| account.role >= role);
        Self {
            locale: visitor.locale,
            theme: visitor.theme,
            path: visitor.path.clone(),
            returned: None,
            csrf: visitor.csrf(),
            nickname: account.map(|account| account.nickname.clone()),
            is_admin: has(Role::Admin),
            has_courses: visitor.has_courses,
        }
    }

    /// For a visitor who could not be found out.
    pub(crate) fn anonymous() -> Self {
        Self {
            locale: Locale::default(),
            theme: Theme::default(),
            path: String::new(),
            returned: None,
            csrf: String::new(),
            nickname: None,
            is_admin: false,
            has_courses: false,
        }
    }

    /// For a page with a form that comes back with what was typed: the switches of language and theme send it along.
    pub(crate) fn returned(visitor: &Visitor) -> Self {
        Self { returned: Some(visitor.path.clone()), ..Self::new(visitor) }
    }

    /// The text with this key.
    pub(crate) fn t<'a>(&self, key: &'a str) -> &'a str {
        self.locale.t(key)
    }

    /// The address of a style sheet or a script.
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address(name)
    }

    /// The scripts of a page.
    pub(crate) fn scripts(&self, names: &'static [&'static str]) -> Scripts {
        Scripts::new(names)
    }

    /// The version of the server.
    pub(crate) fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// The places of the navigation.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> {
        let is_shown = |href| href != BOTS || self.nickname.is_some();
        let places = PLACES.into_iter().filter(move |&(_, href, ..)| is_shown(href));
        places.map(|(key, href, icon, is_main)| Place { key, href, icon, is_main, current: self.current(href) })
    }

    /// The value of `aria-current` for the place at an address; `None` if this page is elsewhere.
    pub(crate) fn current(&self, href: &str) -> Option<&'static str> {
        // Tables, new ones too, are where people play.
        let is_play = self.path == NEW_TABLE || self.path.starts_with("/t/");
        let place = if is_play { "/" } else { &self.path };
        let rest = place.strip_prefix(href)?;
        match rest {
            "" if self.path == href => Some("page"),
            "" => Some("true"),
            _ => (href != "/" && rest.starts_with('/')).then_some("true"),
        }
    }

    /// Whether the page itself is about having an account, so that its own button is the primary one.
    pub(crate) fn is_form(&self) -> bool {
        self.path != "/" && !PLACES.iter().any(|(_, href, ..)| self.current(href) == Some("page"))
    }

    /// The first letter of a name.
    pub(crate) fn initial(&self, name: &str) -> String {
        initial(name)
    }

    /// The text for a role.
    pub(crate) fn role(&self, role: &Role) -> &'static str {
        self.t(match role {
            Role::Student => "role.student",
            Role::Teacher => "role.teacher",
            Role::Admin => "role.admin",
        })
    }

    /// What a scope of a token allows.
    pub(crate) fn scope(&self, scope: &Scope) -> String {
        self.t(&format!("token.scope.{}", scope.word())).to_owned()
    }

    /// What an option of a game is like.
    pub(crate) fn option(&self, game: &str, word: &str) -> String {
        self.t(&format!("option.{game}.{word}")).to_owned()
    }

    /// A moment as it is shown: how long ago, with the exact time behind it.
    pub(crate) fn when(&self, ms: &i64) -> Moment {
        Moment::new(*ms, now_ms(), self.locale)
    }

    /// The text with this key, with a value for its `%{what}`.
    pub(crate) fn what(&self, key: &str, what: impl std::fmt::Display) -> String {
        self.locale.with(key, &[("what", &what.to_string())])
    }
}

/// The first letter of a name.
pub(crate) fn initial(name: &str) -> String {
    name.chars().find(|letter| letter.is_alphanumeric()).into_iter().collect()
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

/// A time for programs, in UTC.
#[must_use]
pub fn time(ms: i64) -> String {
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

/// A page whose form comes back because something in it is wrong.
pub(crate) fn page_again(template: &impl Template) -> Result<Response, Refused> {
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page(template)?).into_response())
}

#[cfg(test)]
mod tests {
    use palestra_games::GAMES;

    use super::*;

    #[test]
    fn every_option_has_a_text_in_every_language() {
        for &locale in Locale::ALL {
            let frame = Frame { locale, ..Frame::anonymous() };
            for kind in GAMES {
                for (word, _) in kind.about.options {
                    let text = frame.option(kind.id(), word);
                    assert!(!text.starts_with("option."), "{text}");
                }
            }
        }
    }

    #[test]
    fn the_bar_of_phones_has_five_places() {
        let main: Vec<&str> =
            Frame::anonymous().places().filter(|place| place.is_main).map(|place| place.href).collect();
        assert_eq!(main, ["/", "/tables", "/analyse", "/tree", "/rules"]);
    }

    #[test]
    fn the_navigation_marks_where_a_page_belongs() {
        let current = |path: &str| -> Vec<(&str, &str)> {
            let frame = Frame { path: path.to_owned(), ..Frame::anonymous() };
            frame.places().filter_map(|place| Some((place.href, place.current?))).collect()
        };
        assert_eq!(current("/"), [("/", "page")]);
        assert_eq!(current("/tables/new"), [("/", "true")]);
        assert_eq!(current("/t/abc"), [("/", "true")]);
        assert_eq!(current("/tables"), [("/tables", "page")]);
        assert_eq!(current("/games/abc"), [("/games", "true")]);
        assert_eq!(current("/rules"), [("/rules", "page")]);
        assert_eq!(current("/rules/mancala"), [("/rules", "true")]);
        assert_eq!(current("/tree"), [("/tree", "page")]);
        assert_eq!(current("/games.txt"), []);
        assert_eq!(current("/settings"), []);
    }
}
