//! Archive of finished games: the list, pages with a replay, and downloads of records.

pub(crate) mod api;
mod download;
mod list;
mod replay;
mod show;

pub(crate) use download::{download, download_all, named};
pub(crate) use list::{Row, list};
pub(crate) use replay::{REPLAY_BYTES, Replays};
pub(crate) use show::{analyse, show};

use palestra_games::{GameKind, Record};
use palestra_store::KeptGame;

use crate::http::error::Refused;
use crate::locale::Locale;
use crate::player_name::PlayerName;

/// The display name of a game; its id if the game is unknown.
fn game_name(id: &str) -> String {
    GameKind::find(id).map_or(id, |kind| kind.about.name).to_owned()
}

/// The result of a game in words.
fn result(game: &KeptGame, locale: Locale) -> String {
    let winner = game.winner.and_then(|side| game.players.get(usize::try_from(side).ok()?.checked_sub(1)?));
    match winner {
        Some(player) => locale.with("games.won", &[("what", &PlayerName::of(player, locale).name)]),
        None => locale.t("games.drawn").to_owned(),
    }
}

/// The reason for which a game ended, in words.
fn reason(word: &str, locale: Locale) -> String {
    locale.t(&format!("reason.{word}")).to_owned()
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
