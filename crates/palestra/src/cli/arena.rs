//! The commands of the arena: what can be typed, and the help.

use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use palestra_games::GameKind;
use palestra_search::engine;
use palestra_search::openings::OPENINGS;

use super::values::{GameParser, PLAYERS, PlayerParser, elo, error_rate, seed, whole};
use super::{MAX_THREADS, Start};
use crate::commands::connect::Address;
use crate::ui::units;

pub(super) const NEW_EXAMPLES: &str = "\
Examples:
  palestra new cpp mancala mybot
  palestra new python conecta4boom fourbot --name Cuatro
  palestra new rust parchis race";

pub(super) const MATCH_EXAMPLES: &str = "\
Examples:
  palestra match mancala greedy ninja1 --games 20
  palestra match mancala ./mybot ninja2 --games 20 --cpu 2s --record games.txt --html match.html
  palestra match mancala new=./mybot old=./mybot-1 --wall 2s
  palestra match conecta4boom mybot.py ninja1 --games 2 --show --debug
  palestra match mancala ./stranger ninja1 --sandbox
  palestra match bandera ninja1 ninja2 --options lagoon";

pub(super) const TOURNAMENT_EXAMPLES: &str = "\
Examples:
  palestra tournament mancala random greedy ninja1 ./mybot --journal cup.jsonl
  palestra tournament mancala ./mybot ninja1 ninja2 ninja3 --format gauntlet --rounds 10 --journal test.jsonl
  palestra tournament parchis bots/* --format swiss --rounds 7 --journal league.jsonl --html league.html
  palestra tournament mancala random greedy --journal cup.jsonl --order wins,difference";

pub(super) const SPRT_EXAMPLES: &str = "\
Examples:
  palestra sprt mancala ./mybot ./mybot-1
  palestra sprt mancala ninja2 ninja1 --elo0 0 --elo1 30 --alpha 0.01 --beta 0.01";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  palestra check ./mybot --game mancala
  palestra check mybot.py";

pub(super) const CONNECT_EXAMPLES: &str = "\
Examples:
  palestra connect ./mybot --table http://localhost:4242/t/abcdefghijkm --name Pioneer
  palestra connect bot.py --table https://play.example/t/abcdefghijkm --name Pioneer --seat 2";

pub(super) const SELFPLAY_EXAMPLES: &str = "\
Examples:
  palestra selfplay mancala ninja2 --games 1000 --export games.txt
  palestra selfplay parchis ./mybot --games 100 --export games.jsonl";

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The language of the bot.
    pub(crate) language: Language,

    /// The game that it plays.
    #[arg(value_parser = GameParser)]
    pub(crate) game: &'static GameKind,

    /// The folder to make.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: String,

    /// The name that the bot tells the referee, the folder's unless told. Tables have the folder's name: write
    /// NAME=./folder for another.
    #[arg(long)]
    pub(crate) name: Option<String>,
}

/// The languages that bots can be made in; the order of the kits.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Language {
    /// C++17, built by g++.
    Cpp,
    /// Python 3.
    Python,
    /// Rust, built by rustc.
    Rust,
}

/// How the games of a contest are played.
#[derive(Clone, Debug, Args)]
pub(crate) struct Conditions {
    /// CPU time for a move, 2s unless told; up to three times as long may pass by the clock.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) cpu: Option<Duration>,

    /// Time by the clock for a move: without --cpu the strict rule of the courses, with it the bound.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) wall: Option<Duration>,

    /// How many positions built-in players may visit for a move; programs are told and trusted.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) states: Option<u64>,

    /// How many plies built-in players may look ahead; programs are told and trusted.
    #[arg(short, long, value_name = "D", value_parser = whole::<u32>(1..=engine::MAX_DEPTH))]
    pub(crate) depth: Option<u32>,

    /// Turn all clocks off, to look at a program with a debugger.
    #[arg(long, conflicts_with_all = ["cpu", "wall"])]
    pub(crate) debug: bool,

    /// Let who makes an illegal move try again while the clock runs, as in El Juego de la Bandera's course.
    #[arg(long)]
    pub(crate) retry: bool,

    /// From how many openings the games begin; 0 begins all of them at the start.
    #[arg(long, value_name = "K", value_parser = whole::<u16>(0..=OPENINGS as u16))]
    #[arg(conflicts_with_all = ["position", "options", "moves"])]
    pub(crate) openings: Option<u16>,

    /// How much memory a program may use: 512MiB, 1GiB; a bare number is MiB. 1GiB unless told, 512MiB with --sandbox.
    #[arg(long, value_name = "SIZE", value_parser = units::program_memory)]
    pub(crate) memory: Option<usize>,

    /// Run programs in boxes, as those of strangers should be: without network, files, or other programs.
    #[arg(long)]
    pub(crate) sandbox: bool,

    /// The same seed makes the same choices, on every machine.
    #[arg(long, default_value_t = 1, value_parser = seed)]
    pub(crate) seed: u64,

    /// How many games are played at a time; one a core unless told, one with --wall.
    #[arg(short, long, value_name = "N", value_parser = whole::<u16>(1..=MAX_THREADS))]
    pub(crate) concurrency: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Match {
    #[command(flatten)]
    pub(crate) start: Start,

    /// Who plays side 1 in the first game.
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) first: String,

    /// Who plays side 2 in the first game.
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) second: String,

    /// How many games.
    #[arg(short, long, value_name = "N", default_value_t = 2, value_parser = whole::<u32>(1..=10_000_000))]
    pub(crate) games: u32,

    #[command(flatten)]
    pub(crate) conditions: Conditions,

    /// Write the games to this file, which must not exist yet, each as it is finished.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<String>,

    /// Write a page with the result, plots and all games to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<String>,

    /// Show each move, the board, and what programs write on stderr.
    #[arg(long)]
    pub(crate) show: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Tournament {
    #[command(flatten)]
    pub(crate) start: Start,

    /// Who takes part.
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) players: Vec<String>,

    /// Everybody against everybody (roundrobin), the first against all others (gauntlet), or swiss.
    #[arg(short, long, default_value = "roundrobin", value_parser = ["roundrobin", "gauntlet", "swiss"])]
    pub(crate) format: String,

    /// How often: in each round a pair plays two games, sides changed.
    #[arg(short, long, value_name = "N", value_parser = whole::<u32>(1..=100_000))]
    pub(crate) rounds: Option<u32>,

    /// Where finished games are kept; begun anew if it is not there, gone on with if it is.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) journal: String,

    #[command(flatten)]
    pub(crate) conditions: Conditions,

    /// By what players are ranked, the first first: points (3 a win, 1 a draw), score (1 and a half), timeouts, charged,
    /// difference, scored, wins, buchholz.
    #[arg(long, value_name = "WORDS")]
    pub(crate) order: Option<String>,

    /// Write a page with tables and plots to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<String>,

    /// Write the standings, the cross table and all games as CSV files whose names begin so.
    #[arg(long, value_name = "PREFIX")]
    pub(crate) csv: Option<String>,

    /// Write all games to this file, as records.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Sprt {
    #[command(flatten)]
    pub(crate) start: Start,

    /// The new version.
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) new: String,

    /// The old one.
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) old: String,

    /// The Elo difference up to which the new version is not worth having.
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true, value_parser = elo)]
    pub(crate) elo0: f64,

    /// The Elo difference from which on it is.
    #[arg(long, value_name = "ELO", default_value_t = 20.0, allow_negative_numbers = true, value_parser = elo)]
    pub(crate) elo1: f64,

    /// How often a version that is not better may pass.
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    pub(crate) alpha: f64,

    /// How often a better version may fail.
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    pub(crate) beta: f64,

    /// Give up after so many games.
    #[arg(short, long, value_name = "N", default_value_t = 20_000, value_parser = whole::<u32>(2..=10_000_000))]
    pub(crate) games: u32,

    #[command(flatten)]
    pub(crate) conditions: Conditions,

    /// Write the games to this file, which must not exist yet, each as it is finished.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<String>,

    /// Write a page with the verdict and plots to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The program.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) bot: String,

    /// The game that it plays.
    #[arg(short, long, default_value = "mancala", value_parser = GameParser)]
    pub(crate) game: &'static GameKind,

    /// Run the program in boxes, as one of a stranger should be: without network, files, or other programs.
    #[arg(long)]
    pub(crate) sandbox: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Connect {
    /// The program, or the name of a built-in player.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) bot: String,

    /// The table's link.
    #[arg(long, value_name = "LINK")]
    pub(crate) table: Address,

    /// What it is called at the table.
    #[arg(long, value_name = "NICK")]
    pub(crate) name: String,

    /// Which side it plays, 1 or 2; any that is free unless told.
    #[arg(long, value_name = "SIDE", value_parser = whole::<u8>(1..=2))]
    pub(crate) seat: Option<u8>,
}

#[derive(Debug, Args)]
pub(crate) struct Selfplay {
    #[command(flatten)]
    pub(crate) start: Start,

    /// Who plays both sides.
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) player: String,

    /// How many games.
    #[arg(short, long, value_name = "N", default_value_t = 100, value_parser = whole::<u32>(1..=100_000_000))]
    pub(crate) games: u32,

    /// Write the games to this file, which must not exist yet: as records, or as lines of JSON if its name ends in .jsonl.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) export: String,

    #[command(flatten)]
    pub(crate) conditions: Conditions,
}
