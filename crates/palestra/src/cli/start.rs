//! The start of a game: which game, and which position.

use std::ffi::OsStr;

use clap::builder::TypedValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, ValueHint};
use palestra_games::GameKind;

use super::values::{GameOrWord, GameOrWordParser, GameParser, whole};
use super::{Cli, Command, Perft, Play, perft_depth};

/// A game, and where to begin in it.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// The game.
    #[arg(value_parser = GameParser)]
    pub(crate) game: &'static GameKind,

    #[command(flatten)]
    pub(crate) setup: Setup,
}

/// How a position of a game is reached: from its start or another position, by moves.
#[derive(Clone, Debug, Args)]
pub(crate) struct Setup {
    /// Start from this position; `@FILE` reads it from a file.
    #[arg(short, long)]
    pub(crate) position: Option<String>,

    /// Start a game with these options; `@FILE` reads them from a file.
    #[arg(short, long, conflicts_with = "position")]
    pub(crate) options: Option<String>,

    /// Play these moves first, such as '4 1 5' or 4,1,5.
    #[arg(short, long, default_value = "", hide_default_value = true)]
    pub(crate) moves: String,
}

/// A position: one of a game that is named, or one of a recorded game.
#[derive(Debug, Args)]
pub(crate) struct Origin {
    /// The game; not needed with --from.
    #[arg(value_name = "GAME", value_parser = GameOrWordParser, required_unless_present = "from")]
    game: Option<GameOrWord>,

    #[command(flatten)]
    pub(crate) setup: Setup,

    /// Start from a game in this file of records.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["position", "options", "moves"])]
    pub(crate) from: Option<String>,

    /// Number of the game in the file (default: 1).
    #[arg(long = "game", id = "number", value_name = "N", requires = "from", value_parser = whole::<u32>(1..=u32::MAX))]
    pub(crate) number: Option<u32>,

    /// Number of moves of that game to play (default: all).
    #[arg(long, value_name = "N", requires = "from", value_parser = whole::<u32>(0..=u32::MAX))]
    pub(crate) ply: Option<u32>,
}

impl Origin {
    /// The game that was named, if one was.
    pub(crate) fn game(&self) -> Option<&'static GameKind> {
        match self.game {
            Some(GameOrWord::Game(kind)) => Some(kind),
            _ => None,
        }
    }

    /// The word in the game's place: with `--from`, where the game may be left out, the first of the words after it.
    fn take_word(&mut self) -> Option<String> {
        match self.game.take_if(|game| matches!(game, GameOrWord::Word(_))) {
            Some(GameOrWord::Word(word)) => Some(word),
            _ => None,
        }
    }
}

impl Command {
    /// Gives words their places where the game was left out, and refuses words that are not a game where one is needed.
    pub(super) fn settle(&mut self) -> Result<(), clap::Error> {
        match self {
            Self::Show { start } => no_word("show", start),
            Self::Analyse(args) => no_word("analyse", &mut args.start),
            Self::Tree(args) => no_word("tree", &mut args.start),
            Self::Perft(args) => args.settle(),
            Self::Play(args) => args.settle(),
            _ => Ok(()),
        }
    }
}

impl Perft {
    fn settle(&mut self) -> Result<(), clap::Error> {
        if self.start.from.is_some()
            && self.depth.is_none()
            && let Some(word) = self.start.take_word()
        {
            self.depth = Some(parse("perft", "depth", perft_depth(), &word)?);
        }
        no_word("perft", &mut self.start)?;
        if self.depth.is_some() { Ok(()) } else { Err(missing("perft", "<DEPTH>")) }
    }
}

impl Play {
    fn settle(&mut self) -> Result<(), clap::Error> {
        if self.start.from.is_some()
            && self.second.is_none()
            && let Some(word) = self.start.take_word()
        {
            self.second = self.first.replace(word);
        }
        no_word("play", &mut self.start)
    }
}

/// Refuses a word in the place of the game.
fn no_word(command: &str, start: &mut Origin) -> Result<(), clap::Error> {
    start.take_word().map_or(Ok(()), |word| parse(command, "game", GameParser, &word).map(drop))
}

/// Parses a word as an argument of a command; an error is the same as the parser's own.
fn parse<P: TypedValueParser>(command: &str, arg: &str, parser: P, word: &str) -> Result<P::Value, clap::Error> {
    let cli = built();
    let command = cli.find_subcommand(command).expect("a command of this program");
    let arg = command.get_arguments().find(|found| found.get_id() == arg);
    parser.parse_ref(command, arg, OsStr::new(word))
}

fn missing(command: &str, arg: &str) -> clap::Error {
    let cli = built();
    let command = cli.find_subcommand(command).expect("a command of this program");
    let mut error = clap::Error::new(ErrorKind::MissingRequiredArgument).with_cmd(command);
    error.insert(ContextKind::InvalidArg, ContextValue::Strings(vec![arg.to_owned()]));
    error.insert(ContextKind::Usage, ContextValue::StyledStr(command.clone().render_usage()));
    error
}

fn built() -> clap::Command {
    let mut cli = Cli::command();
    cli.build();
    cli
}
