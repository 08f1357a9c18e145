//! From the words of a command line to a position.

use anyhow::{Context, Result};
use palestra_games::{AnyGame, GameKind, Played};

use crate::cli::Start;
use crate::error::HintExt;
use crate::file;

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
        read(without_newline(&file::read(path)?)).with_context(|| format!("'{path}'")).hint(|| notation_hint(self.game))
    }
}

fn notation_hint(kind: &GameKind) -> String {
    format!("'palestra games {}' tells the rules, and how moves, positions and options are written", kind.id())
}

/// The text without the newline that editors put at the end.
fn without_newline(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}
