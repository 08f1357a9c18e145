//! The commands of the arena: options and help.

use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use palestra_games::GameKind;
use palestra_search::engine;
use palestra_search::openings::OPENINGS;

use super::values::{GameParser, PLAYERS, PlayerParser, elo, error_rate, seed, whole};
use super::{MAX_THREADS, Setup, Start};
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
  palestra check ./mybot --game mancala --search
  palestra check mybot.py";

pub(super) const RUBRIC_EXAMPLES: &str = "\
Examples:
  palestra rubric --list
  palestra rubric --show mancala > mine.toml
  palestra rubric mine.toml
  palestra rubric mancala ./mybot
  palestra rubric boom ./mybot --game conecta4boom --depth 8
  palestra rubric mine.toml ./mybot --opponent Sparta=./sparta";

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
    /// Programming language of the bot.
    pub(crate) language: Language,

    /// The game to play.
    #[arg(value_parser = GameParser)]
    pub(crate) game: &'static GameKind,

    /// The folder to create.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: String,

    /// Name that the bot sends to the referee (default: the folder's name). Tables show the folder's name: write
    /// NAME=./folder to show another.
    #[arg(long)]
    pub(crate) name: Option<String>,
}

/// The languages of the starter kits, in the order of `KITS`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Language {
    /// C++17, built by g++.
    Cpp,
    /// Python 3.
    Python,
    /// Rust, built by rustc.
    Rust,
}

/// The conditions under which the games of a contest are played.
#[derive(Clone, Debug, Args)]
pub(crate) struct Conditions {
    /// CPU time per move (default: 2s); the wall time may be up to three times as long.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) cpu: Option<Duration>,

    /// Wall time per move: the strict limit of the courses, or with --cpu an upper bound.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) wall: Option<Duration>,

    /// Positions that built-in players may visit per move; programs are trusted to comply.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) states: Option<u64>,

    /// Search depth of built-in players, in plies; programs are trusted to comply.
    #[arg(short, long, value_name = "D", value_parser = whole::<u32>(1..=engine::MAX_DEPTH))]
    pub(crate) depth: Option<u32>,

    /// Turn off all clocks, to run a program under a debugger.
    #[arg(long, conflicts_with_all = ["cpu", "wall"])]
    pub(crate) debug: bool,

    /// Let a player retry after an illegal move while the clock runs, as in the course of El Juego de la Bandera.
    #[arg(long)]
    pub(crate) retry: bool,

    /// Number of openings to play; 0 plays all games from the start position.
    #[arg(long, value_name = "K", value_parser = whole::<u16>(0..=OPENINGS as u16))]
    #[arg(conflicts_with_all = ["position", "options", "moves"])]
    pub(crate) openings: Option<u16>,

    /// Memory limit of a program: 512MiB, 1GiB; a bare number is in MiB (default: 1GiB, with --sandbox 512MiB).
    #[arg(long, value_name = "SIZE", value_parser = units::program_memory)]
    pub(crate) memory: Option<usize>,

    /// Run programs in sandboxes, without access to the network, files or other processes.
    #[arg(long)]
    pub(crate) sandbox: bool,

    /// Seed; the same seed gives the same random choices on every machine.
    #[arg(long, default_value_t = 1, value_parser = seed)]
    pub(crate) seed: u64,

    /// Number of games to play in parallel (default: one per core, with --wall one).
    #[arg(short, long, value_name = "N", value_parser = whole::<u16>(1..=MAX_THREADS))]
    pub(crate) concurrency: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Match {
    #[command(flatten)]
    pub(crate) start: Start,

    /// Player of side 1 in the first game.
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) first: String,

    /// Player of side 2 in the first game.
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) second: String,

    /// Number of games.
    #[arg(short, long, value_name = "N", default_value_t = 2, value_parser = whole::<u32>(1..=10_000_000))]
    pub(crate) games: u32,

    #[command(flatten)]
    pub(crate) conditions: Conditions,

    /// Write each finished game to this new file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<String>,

    /// Write an HTML page with the result, plots and all games to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<String>,

    /// Show each move, the board, and the programs' stderr.
    #[arg(long)]
    pub(crate) show: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Tournament {
    #[command(flatten)]
    pub(crate) start: Start,

    /// The players.
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) players: Vec<String>,

    /// All against all (roundrobin), the first against all others (gauntlet), or Swiss pairings (swiss).
    #[arg(short, long, default_value = "roundrobin", value_parser = ["roundrobin", "gauntlet", "swiss"])]
    pub(crate) format: String,

    /// Number of rounds; in each a pair plays two games, with sides changed.
    #[arg(short, long, value_name = "N", value_parser = whole::<u32>(1..=100_000))]
    pub(crate) rounds: Option<u32>,

    /// File for finished games; created if it does not exist, otherwise the tournament is resumed from it.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) journal: String,

    #[command(flatten)]
    pub(crate) conditions: Conditions,

    /// Ranking criteria in order of priority: points (3 for a win, 1 for a draw), score (1 and 1/2), timeouts, charged,
    /// difference, scored, wins, buchholz.
    #[arg(long, value_name = "WORDS")]
    pub(crate) order: Option<String>,

    /// Write an HTML page with tables and plots to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<String>,

    /// Write the standings, the cross table and all games as CSV files with this prefix.
    #[arg(long, value_name = "PREFIX")]
    pub(crate) csv: Option<String>,

    /// Write the records of all games to this file.
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

    /// The old version.
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) old: String,

    /// Null hypothesis: the new version is better by at most this Elo difference.
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true, value_parser = elo)]
    pub(crate) elo0: f64,

    /// Alternative hypothesis: the new version is better by at least this Elo difference.
    #[arg(long, value_name = "ELO", default_value_t = 20.0, allow_negative_numbers = true, value_parser = elo)]
    pub(crate) elo1: f64,

    /// Probability that a version that is not better passes.
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    pub(crate) alpha: f64,

    /// Probability that a better version fails.
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    pub(crate) beta: f64,

    /// Stop after this many games.
    #[arg(short, long, value_name = "N", default_value_t = 20_000, value_parser = whole::<u32>(2..=10_000_000))]
    pub(crate) games: u32,

    #[command(flatten)]
    pub(crate) conditions: Conditions,

    /// Write each finished game to this new file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<String>,

    /// Write an HTML page with the verdict and plots to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The program.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) bot: String,

    /// The game to play.
    #[arg(short, long, default_value = "mancala", value_parser = GameParser)]
    pub(crate) game: &'static GameKind,

    /// Compare its search with the teaching alpha-beta, if it answers 'option eval test' (see docs/arena.md).
    #[arg(long)]
    pub(crate) search: bool,

    /// Run the program in a sandbox, without access to the network, files or other processes.
    #[arg(long)]
    pub(crate) sandbox: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Rubric {
    /// The name of a bundled rubric, or a file.
    #[arg(value_hint = ValueHint::FilePath, required_unless_present_any = ["list", "show"])]
    #[arg(conflicts_with_all = ["list", "show"])]
    pub(crate) rubric: Option<String>,

    /// Your bot.
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) bot: Option<String>,

    /// List the bundled rubrics.
    #[arg(long, conflicts_with = "show")]
    pub(crate) list: bool,

    /// Print a bundled rubric, to be changed.
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,

    /// The game to play (default: the rubric's, if it is for one alone).
    #[arg(short, long, value_parser = GameParser)]
    pub(crate) game: Option<&'static GameKind>,

    /// A program that stands in for a house bot of the rubric.
    #[arg(long, value_name = "NAME=PROGRAM")]
    pub(crate) opponent: Vec<String>,

    #[command(flatten)]
    pub(crate) setup: Setup,

    #[command(flatten)]
    pub(crate) conditions: Conditions,

    /// Write each finished game to this new file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<String>,
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

    /// Side to play, 1 or 2 (default: any free side).
    #[arg(long, value_name = "SIDE", value_parser = whole::<u8>(1..=2))]
    pub(crate) seat: Option<u8>,
}

#[derive(Debug, Args)]
pub(crate) struct Selfplay {
    #[command(flatten)]
    pub(crate) start: Start,

    /// Player of both sides.
    #[arg(value_parser = PlayerParser(&PLAYERS), hide_possible_values = true)]
    pub(crate) player: String,

    /// Number of games.
    #[arg(short, long, value_name = "N", default_value_t = 100, value_parser = whole::<u32>(1..=100_000_000))]
    pub(crate) games: u32,

    /// Write the games to this new file: as records, or as JSON Lines if its name ends in .jsonl.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) export: String,

    #[command(flatten)]
    pub(crate) conditions: Conditions,
}
