//! Players as pages show them: a person with a round initial, a program with a square one, a built-in player with the mark.

use askama::Template;
use palestra_store::{Player, PlayerKind};

use crate::locale::Locale;
use crate::page::initial;
use crate::rules::players::page_of;

/// A player as pages show one.
#[derive(Clone, Debug, PartialEq, Eq, Template)]
#[template(path = "parts/player.html")]
pub(crate) struct PlayerName {
    pub(crate) name: String,
    looks: Looks,
    /// The kind of player in words; `None` for accounts.
    kind: Option<String>,
}

/// What the sign before a name looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looks {
    Person,
    Program,
    BuiltIn,
}

// What it renders is escaped already.
impl askama::filters::HtmlSafe for PlayerName {}

impl PlayerName {
    /// The player of a finished game.
    pub(crate) fn of(player: &Player, locale: Locale) -> Self {
        if player.is_deleted() {
            return Self { name: locale.t("games.deleted").to_owned(), looks: Looks::Person, kind: None };
        }
        Self::new(player.kind, player.name.clone(), locale)
    }

    /// A player of this kind.
    pub(crate) fn new(kind: PlayerKind, name: String, locale: Locale) -> Self {
        let looks = match kind {
            PlayerKind::Account | PlayerKind::Guest => Looks::Person,
            PlayerKind::Program => Looks::Program,
            PlayerKind::BuiltIn => Looks::BuiltIn,
        };
        let kind = match kind {
            PlayerKind::Account => None,
            kind => Some(locale.t(&format!("games.kind.{kind}")).to_owned()),
        };
        Self { name, looks, kind }
    }

    /// The name of the page that tells about a built-in player.
    fn page(&self) -> Option<&'static str> {
        if self.looks == Looks::BuiltIn { page_of(&self.name) } else { None }
    }

    fn initial(&self) -> String {
        initial(&self.name)
    }
}
