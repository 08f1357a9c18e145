//! From the words of a command line to a position, and back.

use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};

use anyhow::{Result, anyhow};
use palestra_arena::{BeginError, Beginning, begin};
use palestra_games::{AnyGame, GameKind, PlayError, Record, Side};

use crate::cli::{Origin, Setup, Start};
use crate::commands::show;
use crate::contest_setup::quoted;
use crate::ui::error::HintExt;
use crate::{file, record_reader};

/// A position, with the moves that led to it.
pub(crate) struct Reached {
    /// The game up to the position.
    pub(crate) record: Record,
    /// For a game read from a file: the players, and after how many moves the position stands.
    pub(crate) about: Option<String>,
}

impl Reached {
    pub(crate) fn kind(&self) -> &'static GameKind {
        self.record.kind()
    }

    pub(crate) fn position(&self) -> &dyn AnyGame {
        self.record.position()
    }

    /// The last move, and the side that made it.
    pub(crate) fn last(&self) -> Option<(Side, &str)> {
        self.record.moves().last().map(|mv| (mv.played.side, mv.text.as_str()))
    }
}

impl Origin {
    /// The requested position.
    pub(crate) fn reach(&self) -> Result<Reached> {
        match (&self.from, self.game()) {
            (Some(path), game) => record_reader::read(path, self.number, self.ply, game),
            (None, Some(game)) => Ok(Reached { record: self.setup.record(game)?, about: None }),
            (None, None) => unreachable!("the command line has a game or --from"),
        }
    }
}

impl Start {
    /// The game up to where it begins.
    pub(crate) fn record(&self) -> Result<Record> {
        self.setup.record(self.game)
    }
}

impl Setup {
    /// Whether any option asks for another start than the game's usual one.
    pub(crate) fn is_custom(&self) -> bool {
        self.position.is_some() || self.options.is_some() || !self.moves.is_empty()
    }

    fn record(&self, kind: &GameKind) -> Result<Record> {
        let is_gap = |c: char| c.is_whitespace() || c == ',';
        let moves: Vec<&str> = self.moves.split(is_gap).filter(|mv| !mv.is_empty()).collect();
        let text = self.position.as_deref().or(self.options.as_deref()).unwrap_or("-");
        let path = text.strip_prefix('@');
        let read = path.map(file::read).transpose()?;
        let text = read.as_deref().map_or(text, without_newline);
        let beginning = if self.position.is_some() { Beginning::Notation(text) } else { Beginning::Options(text) };
        let record = begin(kind, beginning, &moves).map_err(|error| match error {
            BeginError::Start(error) => match path {
                Some(path) => anyhow!(error).context(format!("'{path}'")),
                None => error.into(),
            },
            BeginError::Move { index, error, before } => {
                let why = match error {
                    PlayError::GameOver { .. } => anyhow!(why_over(&before)),
                    other => other.into(),
                };
                why.context(format!("move {} of {} ({})", index + 1, moves.len(), moves[index]))
            }
        });
        record.hint(|| notation_hint(kind))
    }
}

/// Explains why no move follows the last one of a record.
fn why_over(record: &Record) -> String {
    let ending = show::ending(record.position());
    let Some((count, last)) = record.moves().len().checked_sub(1).zip(record.moves().last()) else {
        return format!("the game is already over: {ending}");
    };
    let before = record.up_to(count);
    let [one, two] = record.position().points();
    match record.kind().about.losing_choice {
        Some(choice) if !before.position().moves().contains(&last.text) => {
            format!("the game is over: move {} ({}) {choice}, which ends it {one}-{two}", count + 1, last.text)
        }
        _ => format!("the game is over since move {} ({}): {ending}", count + 1, last.text),
    }
}

/// The options with which a command starts at the end of a record, each after a blank: `--options`, `--position`, `--moves`.
pub(crate) fn words_to(record: &Record) -> String {
    let (kind, start) = (record.kind(), record.start().notation());
    let is_of_options = (kind.start)(record.options()).is_ok_and(|usual| usual.notation() == start);
    let mut words = match record.options() {
        _ if !is_of_options => format!(" --position {}", quoted(&start)),
        "-" => String::new(),
        options => format!(" --options {}", quoted(options)),
    };
    let moves: Vec<&str> = record.moves().iter().map(|mv| mv.text.as_str()).collect();
    if !moves.is_empty() {
        let _ = write!(words, " --moves {}", quoted(&moves.join(" ")));
    }
    words
}

/// A random seed, short enough to be typed again.
pub(crate) fn short_seed() -> u64 {
    RandomState::new().hash_one(0) >> 40
}

fn notation_hint(kind: &GameKind) -> String {
    format!("run 'palestra games {}' for the rules and the notation of moves, positions and options", kind.id())
}

/// The text without the newline that editors put at the end.
fn without_newline(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text)
}
