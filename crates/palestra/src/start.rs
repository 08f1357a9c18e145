//! From the words of a command line to a position.

use std::fs::File;
use std::io::{self, Read};

use anyhow::{Context, Result, anyhow, bail};
use palestra_games::{AnyGame, GameKind, Played};

use crate::cli::Start;
use crate::error::HintExt;

/// No position or map is nearly as long; a file that is cannot be meant.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Where a game stands, and how it came there.
pub(crate) struct Reached {
    pub(crate) position: Box<dyn AnyGame>,
    /// The last move of `--moves`, and what it did.
    pub(crate) last: Option<(String, Played)>,
}

impl Start {
    /// The position that the moves lead to.
    pub(crate) fn reach(&self) -> Result<Reached> {
        let mut position = self.position()?;
        let mut last = None;
        let moves: Vec<&str> = self.moves.split_whitespace().collect();
        for (number, &mv) in (1..).zip(&moves) {
            let played = position.play(mv);
            let played = played.with_context(|| format!("move {number} of {} ({mv})", moves.len()));
            last = Some((mv.to_owned(), played.hint(|| notation_hint(self.game))?));
        }
        Ok(Reached { position, last })
    }

    fn position(&self) -> Result<Box<dyn AnyGame>> {
        let (text, read) = match (&self.position, &self.options) {
            (Some(position), _) => (position.as_str(), self.game.parse),
            (None, options) => (options.as_deref().unwrap_or("-"), self.game.start),
        };
        let Some(path) = text.strip_prefix('@') else {
            return read(text).hint(|| notation_hint(self.game));
        };
        read(without_newline(&content(path)?)).with_context(|| format!("'{path}'")).hint(|| notation_hint(self.game))
    }
}

fn notation_hint(kind: &GameKind) -> String {
    format!("'palestra games {}' tells the rules, and how moves, positions and options are written", kind.id())
}

/// The text of a file.
fn content(path: &str) -> Result<String> {
    let bytes = bytes(path).with_context(|| format!("cannot read '{path}'"));
    let bytes = bytes.hint(|| "what follows @ is the name of a file".to_owned())?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        bail!("'{path}' has more than {} MiB", MAX_FILE_BYTES >> 20);
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        anyhow!("'{path}' is not UTF-8 text: byte {:#04x} at offset {offset}", error.as_bytes()[offset])
    });
    text.hint(|| "save the file as UTF-8".to_owned())
}

/// A file's bytes, or one more than the most that is of use.
fn bytes(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text without the newline that editors put at the end.
fn without_newline(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}
