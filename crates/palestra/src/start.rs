//! From the words of a command line to a position.

use std::hash::{BuildHasher, RandomState};

use anyhow::{Context, Result};
use palestra_games::{AnyGame, GameKind, Played, Record};

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
        let record = self.record()?;
        let last = record.moves().last().map(|mv| (mv.text.clone(), mv.played));
        Ok(Reached { position: record.position().boxed_clone(), last })
    }

    /// The game up to there.
    pub(crate) fn record(&self) -> Result<Record> {
        let mut record = self.begin()?;
        let moves: Vec<&str> = self.moves.split_whitespace().collect();
        for (number, &mv) in (1..).zip(&moves) {
            let played = record.play(mv).with_context(|| format!("move {number} of {} ({mv})", moves.len()));
            played.hint(|| notation_hint(self.game))?;
        }
        Ok(record)
    }

    fn begin(&self) -> Result<Record> {
        let (text, is_position) = match (&self.position, &self.options) {
            (Some(position), _) => (position.as_str(), true),
            (None, options) => (options.as_deref().unwrap_or("-"), false),
        };
        let read = |text: &str| {
            if is_position {
                (self.game.parse)(text).map(|position| Record::from_position(&*position))
            } else {
                Record::new(self.game, text)
            }
        };
        let Some(path) = text.strip_prefix('@') else {
            return read(text).hint(|| notation_hint(self.game));
        };
        read(without_newline(&file::read(path)?)).with_context(|| format!("'{path}'")).hint(|| notation_hint(self.game))
    }
}

/// A seed for those who did not choose one, short enough to be typed again.
pub(crate) fn short_seed() -> u64 {
    RandomState::new().hash_one(0) >> 40
}

fn notation_hint(kind: &GameKind) -> String {
    format!("'palestra games {}' tells the rules, and how moves, positions and options are written", kind.id())
}

/// The text without the newline that editors put at the end.
fn without_newline(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}
