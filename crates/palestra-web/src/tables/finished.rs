//! The record of a finished game, as it is stored.

use palestra_arena::Verdict;
use palestra_games::Record;
use palestra_store::{NewGame, Player, PlayerKind};

use super::occupant::Occupant;
use super::table::Table;

/// The game of a table that has just ended; `players` are those of side 1 and side 2.
pub(super) fn finished(
    table: &Table,
    record: &Record,
    verdict: &Verdict,
    code: &str,
    players: [&Occupant; 2],
    ended_ms: i64,
) -> NewGame {
    let setup = &table.setup;
    NewGame {
        code: code.to_owned(),
        game: setup.game.clone(),
        options: setup.options.clone(),
        table_code: Some(table.code.clone()),
        is_public: setup.is_public,
        is_rated: setup.is_rated,
        points: verdict.points.map(i64::from),
        winner: verdict.winner.map(|side| side.index() as i64 + 1),
        reason: verdict.reason.word().to_owned(),
        started_ms: table.started_ms,
        ended_ms,
        record: record.to_string(),
        players: players.map(player),
    }
}

fn player(occupant: &Occupant) -> Player {
    let (kind, account) = match occupant {
        Occupant::Account { id, .. } => (PlayerKind::Account, Some(*id)),
        Occupant::BuiltIn(_) => (PlayerKind::BuiltIn, None),
        Occupant::Own(_) | Occupant::Remote { .. } => (PlayerKind::Program, None),
        Occupant::Guest { .. } | Occupant::Open | Occupant::Reserved(_) => (PlayerKind::Guest, None),
    };
    Player { kind, account, name: occupant.name().to_owned() }
}
