//! Records and positions that a visitor pastes or drops: read here, because a page knows no notation.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::HeaderMap;
use palestra_arena::{Beginning, begin};
use palestra_games::{GAMES, GameKind, ParseError, Record};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::http::error::Refused;
use crate::line::{MAX_MOVES, cut, sent};
use crate::ratelimit::Key;
use crate::rendering::Load;
use crate::visitor::Visitor;

/// The most bytes of a request: a file with a few hundred games.
pub(crate) const MAX_BODY_BYTES: usize = 512 << 10;

/// The most games that are read from a file; the rest is left out.
const MAX_GAMES: usize = 100;

/// A text that was pasted or dropped.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pasted {
    /// The game that the page shows: whose position or moves it is, if the text does not say.
    #[serde(default)]
    game: String,
    text: String,
    /// Whether it is only the beginning of a longer file: its last record is not whole.
    #[serde(default)]
    is_cut: bool,
}

/// What was found in the text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Imported {
    games: Vec<ImportedGame>,
    /// Whether there were more games than are read at once.
    has_more: bool,
}

/// A game as a record tells it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ImportedGame {
    game: &'static str,
    /// Where it begins; none for the usual start.
    position: Option<String>,
    moves: Vec<String>,
    /// The headers, such as the names of the players.
    tags: Vec<(String, String)>,
    /// Notes, with the number of moves made when they were written.
    notes: Vec<(usize, String)>,
    /// The points and the reason, if the record tells how it ended.
    result: Option<String>,
}

/// Reads a text: records, or a position, or moves.
pub(crate) async fn api(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    pasted: Result<Json<Pasted>, JsonRejection>,
) -> Result<Json<Imported>, Refused> {
    app.origins.check(&headers, &visitor)?;
    app.limits.heavy.check(Key::visitor(&visitor))?;
    let pasted = sent(pasted)?;
    Ok(Json(app.rendering.run(Load::Heavy, move || read(&pasted)).await??))
}

fn read(pasted: &Pasted) -> Result<Imported, Refused> {
    // Some editors begin a file with a byte order mark. Files that were joined have several.
    let text = pasted.text.replace('\u{feff}', "");
    let text = text.trim();
    if text.is_empty() {
        return Err(Refused::bad("replay.empty_text"));
    }
    if text.lines().any(|line| line.starts_with("Game:")) {
        return records(text, pasted.is_cut);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let imported = match *words {
        [word] => position_or_move(&pasted.game, word)?,
        _ => moves(&pasted.game, &words)?,
    };
    Ok(Imported { games: vec![imported], has_more: false })
}

fn records(text: &str, is_cut: bool) -> Result<Imported, Refused> {
    let whole = if is_cut { text.rfind("\nGame:").map(|end| &text[..end]) } else { None };
    let (text, has_rest) = (whole.unwrap_or(text), whole.is_some());
    let unreadable = |error: ParseError| Refused::bad_with("replay.bad_record", error.phrase());
    let mut read = Record::read(text.as_bytes()).map_err(unreadable)?;
    let games: Vec<Record> = read.by_ref().take(MAX_GAMES).collect::<Result<_, _>>().map_err(unreadable)?;
    if let Some(hidden) = games.iter().find(|record| !record.kind().is_listed) {
        return Err(Refused::bad_with("analyse.game", hidden.kind().id().to_owned()));
    }
    if games.iter().any(|record| record.moves().len() > MAX_MOVES) {
        return Err(Refused::bad("analyse.long"));
    }
    Ok(Imported { games: games.iter().map(ImportedGame::from).collect(), has_more: has_rest || read.next().is_some() })
}

impl From<&Record> for ImportedGame {
    fn from(record: &Record) -> Self {
        let usual = (record.kind().start)("-").map(|start| start.notation());
        let start = record.start().notation();
        let notes = (1..).zip(record.moves()).filter_map(|(ply, mv)| Some((ply, mv.note.clone()?)));
        Self {
            game: record.kind().id(),
            position: (usual.as_ref() != Ok(&start)).then_some(start),
            moves: record.moves().iter().map(|mv| mv.text.clone()).collect(),
            tags: record.tags().to_vec(),
            notes: notes.collect(),
            result: record.result().map(ToString::to_string),
        }
    }
}

/// A position of the game that the page shows, or else of any other; or a single move of it.
fn position_or_move(game: &str, word: &str) -> Result<ImportedGame, Refused> {
    let shown = GameKind::find(game).filter(|kind| kind.is_listed);
    let found = shown.into_iter().chain(GAMES).find_map(|kind| (kind.parse)(word).ok());
    if let Some(position) = found {
        return Ok(ImportedGame::from(&Record::from_position(&*position)));
    }
    let Some(kind) = shown else { return Err(Refused::bad_with("replay.no_position", cut(word))) };
    moves(game, &[word]).map_err(|refused| match (kind.parse)(word) {
        // Hardly a move: what stops it from being a position says more.
        Err(error) if word.len() > MAX_MOVE_LENGTH => Refused::bad_with("analyse.position", error.phrase()),
        _ => refused,
    })
}

/// No move of any game is longer.
const MAX_MOVE_LENGTH: usize = 12;

/// Moves of the game that the page shows, from its usual start or from the position before them.
fn moves(game: &str, words: &[&str]) -> Result<ImportedGame, Refused> {
    let kind = GameKind::find(game).filter(|kind| kind.is_listed);
    let kind = kind.ok_or_else(|| Refused::bad_with("replay.no_game", cut(words[0])))?;
    if words.len() > MAX_MOVES {
        return Err(Refused::bad("analyse.long"));
    }
    // Records say `pass` where a side cannot act. It is no move.
    let is_move = |word: &&&str| **word != "pass";
    let begun = match (kind.parse)(words[0]) {
        Ok(position) => begin(kind, Beginning::Position(&*position), words[1..].iter().filter(is_move)),
        Err(_) => begin(kind, Beginning::Options("-"), words.iter().filter(is_move)),
    };
    begun.map(|record| ImportedGame::from(&record)).map_err(|error| Refused::bad_with("analyse.move", error.phrase()))
}
