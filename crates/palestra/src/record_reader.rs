//! Reads a position from a file of game records.

use anyhow::{Context, Result, anyhow};
use palestra_games::{GameKind, Record};
use palestra_protocol::shown;

use crate::file;
use crate::start::Reached;
use crate::ui::error::HintExt;
use crate::ui::units::counted;

/// Longer names of players are truncated.
const MAX_NAME_CHARS: usize = 40;

/// Reads the position after `ply` moves of game `number`: by default after all moves of the first game. If a `game` is
/// named the record must be one of it.
pub(crate) fn read(path: &str, number: Option<u32>, ply: Option<u32>, game: Option<&GameKind>) -> Result<Reached> {
    let record = find(path, number.unwrap_or(1))?;
    let found = record.kind();
    if let Some(named) = game.filter(|named| named.id() != found.id()) {
        let error = anyhow!("'{path}' contains a game of {}, not of {}", found.about.name, named.about.name);
        return Err(error).hint(|| "with --from the game can be omitted".to_owned());
    }
    let all = record.moves().len();
    let plies = ply.map_or(all, |ply| ply as usize);
    if plies > all {
        let error = anyhow!("the game has {}, there is no ply {plies}", counted(all as u64, "move", "moves"));
        return Err(error).hint(|| format!("choose --ply 0 to {all}"));
    }
    Ok(Reached { about: Some(about(&record, plies)), record: record.up_to(plies) })
}

/// The record with this number in a file, counted from 1.
fn find(path: &str, number: u32) -> Result<Record> {
    let bytes = file::read_records(path)?;
    let mut count = 0;
    for record in Record::read(&bytes).with_context(|| format!("'{path}'"))? {
        let record = record.with_context(|| format!("'{path}', game {}", count + 1));
        let record = record.hint(|| not_records(&bytes))?;
        count += 1;
        if count == number {
            return Ok(record);
        }
    }
    let games = counted(count.into(), "game", "games");
    Err(anyhow!("'{path}' has {games}, there is no game {number}")).hint(|| match count {
        0 => "--record and --export write files of records".to_owned(),
        _ => format!("choose --game 1 to {count}"),
    })
}

/// A hint for a file that does not hold records.
fn not_records(bytes: &[u8]) -> String {
    let is_json = bytes.trim_ascii_start().starts_with(b"{");
    let hint = if is_json {
        "the file is in JSON Lines; to write records, use 'palestra tournament --record FILE', \
         or 'palestra selfplay --export FILE' with a name that does not end in .jsonl"
    } else {
        "files of records are written by --record and --export, and can be downloaded from a server"
    };
    hint.to_owned()
}

/// The players, and after how many moves the position stands.
fn about(record: &Record, plies: usize) -> String {
    let name = |tag| record.tag(tag).map(|name| shown(name, MAX_NAME_CHARS).to_string());
    let names = name("Player1").zip(name("Player2")).map(|(one, two)| format!("{one} against {two}, "));
    let moves = counted(record.moves().len() as u64, "move", "moves");
    format!("{}after {plies} of {moves}", names.unwrap_or_default())
}
