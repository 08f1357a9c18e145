//! Who shall have a seat, as forms and commands say it.

use std::fmt;

use palestra_protocol::shown;
use palestra_search::{PlayerError, any_player};
use serde::Deserialize;

use super::create::MAX_NICKNAME;
use super::occupant::{Invited, Occupant, Who};
use super::setup::Setup;
use crate::app::App;
use crate::http::error::Refused;
use crate::text::clean;

/// Who shall have a seat: `me`, `open`, `reserved`, `own:NAME` for a program of the server's owner, or the name of a
/// built-in player.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(as = "String"))]
#[serde(from = "String")]
pub(crate) enum SeatChoice {
    Me,
    Open,
    Reserved,
    Own(String),
    BuiltIn(String),
}

/// Maximum length, in characters, of an unknown program's name in the error message.
const MAX_OWN_NAME: usize = 40;

/// Maximum depth of a textbook player at a table, because the server's threads are shared by all visitors.
const MAX_TEXTBOOK_DEPTH: u32 = 10;

impl From<String> for SeatChoice {
    fn from(word: String) -> Self {
        match &*word {
            "me" => Self::Me,
            "open" => Self::Open,
            "reserved" => Self::Reserved,
            _ => match word.strip_prefix("own:") {
                Some(name) => Self::Own(name.to_owned()),
                None => Self::BuiltIn(word),
            },
        }
    }
}

impl fmt::Display for SeatChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Me => f.write_str("me"),
            Self::Open => f.write_str("open"),
            Self::Reserved => f.write_str("reserved"),
            Self::Own(name) => write!(f, "own:{name}"),
            Self::BuiltIn(name) => f.write_str(name),
        }
    }
}

impl SeatChoice {
    /// The occupant of a seat that a visitor has chosen. `nickname` is the visitor's own, `reserved` that of the person
    /// for whom a seat is reserved.
    pub(crate) async fn occupant(
        &self,
        app: &App,
        setup: &Setup,
        (who, nickname): (&Who, &str),
        reserved: &str,
    ) -> Result<Occupant, Refused> {
        if *self != Self::Reserved && !reserved.trim().is_empty() {
            return Err(Refused::bad_with("tables.not_reserved", clean(reserved, MAX_NICKNAME)));
        }
        match self {
            Self::Me => Ok(Occupant::person(who, nickname)),
            Self::Open => Ok(Occupant::Open),
            Self::Reserved => {
                let account = app.store.account_by_nickname(reserved.trim()).await?;
                let account =
                    account.ok_or_else(|| Refused::bad_with("tables.nobody", clean(reserved, MAX_NICKNAME)))?;
                Ok(Occupant::Reserved(Invited { account: Some(account.id), nickname: account.nickname }))
            }
            Self::Own(name) if app.offers.has(name, setup.kind()).await => Ok(Occupant::Own(name.clone())),
            Self::Own(name) => Err(Refused::bad_with("tables.not_offered", clean(name, MAX_OWN_NAME))),
            Self::BuiltIn(name) => {
                any_player(&setup.game, name, 0).map_err(no_player)?;
                if textbook_depth(name).is_some_and(|depth| depth > MAX_TEXTBOOK_DEPTH) {
                    return Err(Refused::bad_with("tables.depth", MAX_TEXTBOOK_DEPTH.to_string()));
                }
                Ok(Occupant::BuiltIn(name.clone()))
            }
        }
    }
}

/// The refusal of a name that makes no player.
fn no_player(error: PlayerError) -> Refused {
    let cut = |name: &str| shown(name, MAX_OWN_NAME).to_string();
    match error {
        PlayerError::UnknownGame(_) => Refused::bad("tables.no_such_game"),
        PlayerError::Unknown { name, .. } => Refused::bad_with("tables.player.unknown", cut(&name)),
        PlayerError::Human => Refused::bad_with("tables.player.unknown", "human".to_owned()),
        PlayerError::NoHouse { .. } => Refused::bad_with("tables.player.unknown", "house".to_owned()),
        PlayerError::Depth { name, .. } => Refused::bad_with("tables.player.depth", cut(&name)),
        PlayerError::UnknownEvaluation { evaluation, .. } => {
            Refused::bad_with("tables.player.evaluation", cut(&evaluation))
        }
        PlayerError::Memory(error) => {
            tracing::error!(%error, "a built-in player cannot be made");
            Refused::Fault
        }
    }
}

/// The depth of a textbook player such as `alphabeta:6:strong`.
fn textbook_depth(name: &str) -> Option<u32> {
    name.split(':').nth(1)?.parse().ok()
}
