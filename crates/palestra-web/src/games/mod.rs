//! Archive of finished games: the list, pages with a replay, and downloads of records.

mod download;
mod list;
mod replay;
mod show;

pub(crate) use download::{download, download_all};
pub(crate) use list::list;
pub(crate) use replay::{REPLAY_BYTES, Replays};
pub(crate) use show::{scene, show};

use palestra_games::{GameKind, Record};
use palestra_store::{KeptGame, Player, PlayerKind};

use crate::calendar::Utc;
use crate::http::error::Refused;
use crate::locale::Locale;

/// A player as pages show one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) name: String,
    /// The kind of player in words; `None` for accounts.
    pub(crate) kind: Option<String>,
}

impl Shown {
    fn new(player: &Player, locale: Locale) -> Self {
        if player.is_deleted() {
            return Self { name: locale.t("games.deleted").to_owned(), kind: None };
        }
        let kind = match player.kind {
            PlayerKind::Account => None,
            kind => Some(locale.t(&format!("games.kind.{kind}")).to_owned()),
        };
        Self { name: player.name.clone(), kind }
    }
}

/// The display name of a game; its id if the game is unknown.
fn game_name(id: &str) -> String {
    GameKind::find(id).map_or(id, |kind| kind.about.name).to_owned()
}

/// The result of a game in words.
fn result(game: &KeptGame, locale: Locale) -> String {
    let winner = game.winner.and_then(|side| game.players.get(usize::try_from(side).ok()?.checked_sub(1)?));
    match winner {
        Some(player) => locale.with("games.won", &[("what", &Shown::new(player, locale).name)]),
        None => locale.t("games.drawn").to_owned(),
    }
}

/// The reason for which a game ended, in words.
fn reason(word: &str, locale: Locale) -> String {
    locale.t(&format!("reason.{word}")).to_owned()
}

/// A time in UTC, as pages show it.
pub(crate) fn moment(ms: i64) -> String {
    let Utc { year, month, day, hour, minute, .. } = Utc::from_ms(ms);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

/// Parses the stored record of a game.
fn record(game: &KeptGame) -> Result<Record, Refused> {
    let read = Record::read_all(game.record.as_bytes()).map(|records| records.into_iter().next());
    match read {
        Ok(Some(record)) => Ok(record),
        other => {
            tracing::error!(code = game.code, error = ?other.err(), "a record cannot be read");
            Err(Refused::Fault)
        }
    }
}
