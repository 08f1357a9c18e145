//! The command line: commands, options and help.

mod arena;
#[allow(rustdoc::bare_urls, reason = "the doc comments are the help, which shows URLs as they are")]
mod bot;
mod copies;
#[allow(rustdoc::bare_urls, reason = "the doc comments are the help, which shows URLs as they are")]
mod course;
#[allow(rustdoc::bare_urls, reason = "the doc comments are the help, which shows URLs as they are")]
mod server;
mod start;
mod tree;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use palestra_games::bandera::MAX_TEAM;
use palestra_games::{GameKind, MAX_MOVES};
use palestra_search::engine;

use arena::{
    CHECK_EXAMPLES, CONNECT_EXAMPLES, MATCH_EXAMPLES, NEW_EXAMPLES, RUBRIC_EXAMPLES, SELFPLAY_EXAMPLES, SPRT_EXAMPLES,
    TOURNAMENT_EXAMPLES,
};
pub(crate) use arena::{Check, Conditions, Connect, Match, New, Rubric, Selfplay, Sprt, Tournament};
use bot::UPLOAD_EXAMPLES;
pub(crate) use bot::Upload;
use copies::COPIES_EXAMPLES;
pub(crate) use copies::Copies;
use course::COURSE_EXAMPLES;
pub(crate) use course::{Course, DecimalSign, Marks, MarksFormat, RunLeague, Source};
use server::{ADMIN_EXAMPLES, BACKUP_EXAMPLES, DEMO_EXAMPLES, SERVE_EXAMPLES};
pub(crate) use server::{Admin, Backup, CreateAdmin, Demo, LogFormat, Place, Restore, Serve};
pub(crate) use start::{Origin, Setup, Start};
use tree::TREE_EXAMPLES;
pub(crate) use tree::{Tree, TreeFormat};
pub(crate) use values::PLAYERS;
use values::{GameParser, PEOPLE_AND_PLAYERS, PlayerParser, even, seed, size, whole};

use crate::ui::units;

/// An arena for programs that play board games by adversarial search.
#[derive(Debug, Parser)]
#[command(version = env!("PALESTRA_VERSION"), max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Use colours: auto (on a terminal, unless NO_COLOR is set), always or never.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 100)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(crate) color: ColorChoice,
}

impl Cli {
    /// The command line of this process.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let mut cli = Self::try_parse()?;
        cli.command.as_mut().map_or(Ok(()), Command::settle)?;
        Ok(cli)
    }
}

const EXAMPLES: &str = "\
Examples:
  palestra                              serve the arena at http://127.0.0.1:4242
  palestra games                        list the games and their options
  palestra games mancala                rules, options and notation of a game
  palestra show mancala --moves '4 1'   draw the board after two moves
  palestra perft mancala 8              count the sequences of 8 moves
  palestra play mancala                 play against ninja1
  palestra match mancala ./bot ninja1   let your program play against ninja1
  palestra analyse mancala              search for the best move
  palestra tree mancala                 show the tree of an alpha-beta search
  palestra maps check                   check the maps for Bandera";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a server: people and programs play and watch games in the browser. This is the default command.
    ///
    /// All data is stored in one folder that only you can read. Ctrl-C or SIGTERM shuts the server down after the requests
    /// in progress. To run a server for others, see docs/server.md.
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(Serve),

    /// Run a server with a course to look at: two groups, twelve bots, an assignment, and a league that has been played.
    ///
    /// It fills a new or empty folder, which takes a minute or two, and listens on this machine alone. The bots are sources of
    /// the starter kits, compiled and played in sandboxes; where there are none, built-in players play in their place.
    #[command(after_help = DEMO_EXAMPLES)]
    Demo(Demo),

    /// Manage the accounts of a server.
    #[command(after_help = ADMIN_EXAMPLES)]
    Admin {
        #[command(subcommand)]
        command: Admin,
    },

    /// List and export courses, play their leagues and print marks, on a server or in its data folder.
    #[command(after_help = COURSE_EXAMPLES)]
    Course {
        #[command(subcommand)]
        command: Course,
    },

    /// Back up all data of a server to one file, even while it runs.
    ///
    /// The file does not depend on the database: a backup of SQLite can be restored into PostgreSQL and vice versa. Mails
    /// waiting in the folder are not included.
    #[command(after_help = BACKUP_EXAMPLES)]
    Backup(Backup),

    /// Restore a backup into a new folder or an empty database.
    ///
    /// A backup is restored completely or not at all: a damaged or truncated file changes nothing.
    #[command(after_help = BACKUP_EXAMPLES)]
    Restore(Restore),

    /// List the games, or show the rules, options and notation of one.
    Games {
        /// The game to describe.
        #[arg(value_parser = GameParser)]
        game: Option<&'static GameKind>,
    },

    /// Draw a position, with the side to move and its legal moves.
    #[command(after_help = SHOW_EXAMPLES)]
    Show {
        #[command(flatten)]
        start: Origin,
    },

    /// Count the move sequences of a given length, per first move and in total.
    ///
    /// Prints a line for each first move as soon as it is counted. Sequences that end the game before the given length do
    /// not count; those whose last move ends it do, and are also counted as finished.
    #[command(after_help = PERFT_EXAMPLES)]
    Perft(Perft),

    /// Play a game in the terminal, against a built-in player, a program or another person.
    ///
    /// The board is drawn after each move. Besides moves you can say undo, hint, moves, board, rules, resign, quit and help.
    /// Ctrl-C lets a player that thinks move at once, and at the prompt leaves the game. Players and programs play by
    /// themselves. Input may also come from a file or a pipe.
    #[command(after_help = PLAY_EXAMPLES)]
    Play(Play),

    /// Create a folder with a working bot in C++, Python or Rust.
    ///
    /// The folder contains the bot, an alpha-beta player to improve, and one file with the rules of all games and the
    /// protocol. `match`, `check` and the other commands accept the folder as a player, and rebuild it when it has changed.
    #[command(after_help = NEW_EXAMPLES)]
    New(New),

    /// Play a match between two players: built-in players or your own programs.
    ///
    /// Each opening is played twice, with sides changed. Prints a line for each game, then the Elo difference with its
    /// confidence interval, the faults, and the moves that lost games. A player is the name of a built-in player, a program,
    /// or a Python file; put a name and = before it to rename it: new=./bot. Programs use Palestra's protocol
    /// (docs/arena.md) or that of the 2018 Mancala course. They run with your permissions; use --sandbox for programs that
    /// you do not trust.
    #[command(after_help = MATCH_EXAMPLES)]
    Match(Match),

    /// Play a tournament between many players, and rank them.
    ///
    /// Each finished game is written to the journal immediately. To resume a tournament after Ctrl-C or a power failure,
    /// run the same command again; a finished tournament is shown again. Programs run with your permissions; use
    /// --sandbox for programs that you do not trust.
    #[command(after_help = TOURNAMENT_EXAMPLES)]
    Tournament(Tournament),

    /// Test whether a new version of a player is better than the old one.
    ///
    /// Runs a sequential probability ratio test (SPRT) on pairs of games, which stops as soon as the result is significant.
    #[command(after_help = SPRT_EXAMPLES)]
    Sprt(Sprt),

    /// Play the games of a rubric with your bot, and compute the mark as far as games decide it.
    ///
    /// A rubric says how a course makes a mark of games, the league and what a teacher enters. RUBRIC is the name of a bundled
    /// one or a file. Prints a line for each game, a table with a row for each opponent and a column for each side, and the
    /// points of each part. Without a bot the rubric is checked and described.
    #[command(after_help = RUBRIC_EXAMPLES)]
    Rubric(Rubric),

    /// Check a program for common mistakes, and explain each in a sentence.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),

    /// Find programs whose sources are alike.
    ///
    /// Compares each program with each other one, regardless of names, comments and layout, without the code of the starter kits
    /// and of the courses' headers. Prints the pairs that are alike, with the share of each program that the other one has too, the
    /// lines, and the groups that they form. Similar programs need not be copies: look at the lines before you decide. See
    /// docs/copies.md.
    #[command(after_help = COPIES_EXAMPLES)]
    Copies(Copies),

    /// Check whether untrusted programs can be sandboxed on this machine.
    ///
    /// Runs a probe in a sandbox. Prints for each layer of the sandbox whether it works, and if not, the consequences and
    /// what to do; then the overhead of a sandbox, and the compilers. Fails if programs cannot be sandboxed.
    Doctor,

    /// Upload a version of a bot to a server, which builds and tries it.
    ///
    /// The bot is registered on the server's page of bots before. Each step is shown as it ends; the exit code says whether the
    /// version is ready to play.
    #[command(after_help = UPLOAD_EXAMPLES)]
    Upload(Upload),

    /// Connect one of your programs to a table on a server.
    ///
    /// The link is that of the table's page. The program plays all games of the table, against any opponent, and stays
    /// until the table is closed or Ctrl-C is pressed. A connection that is lost is made again, and the program goes on
    /// thinking meanwhile. Programs of the Mancala course play too.
    #[command(after_help = CONNECT_EXAMPLES)]
    Connect(Connect),

    /// Play games of a player against itself, and export them as training data.
    #[command(after_help = SELFPLAY_EXAMPLES)]
    Selfplay(Selfplay),

    /// Search a position by iterative deepening, and print the best moves.
    ///
    /// Prints a line for each depth: the score for the side to move, the positions visited (nodes), and the principal
    /// variation. Depths, and the distances in `wins in 7` and `loses in 12`, are in plies: single moves of either side. A
    /// bare score is the evaluation's estimate; a `proven` score is the result under perfect play. The search stops when
    /// the result is proven or a limit is reached.
    #[command(after_help = ANALYSE_EXAMPLES)]
    Analyse(Analyse),

    /// Show the tree of a search: minimax or alpha-beta, as courses teach them.
    ///
    /// Prints a line for each position (node): the move that leads there, its value, and the window of alpha and beta with which it
    /// was entered. Triangles that point up mark nodes where MAX moves, those that point down MIN's, and * the principal variation.
    /// MAX is the side to move at the root, and all values are from its point of view. Where a node is cut off, its line says which
    /// bound the value met, which ancestor set that bound, and which moves were skipped. `+7 below` counts nodes that are not
    /// shown.
    ///
    /// Ctrl-C stops the search.
    #[command(after_help = TREE_EXAMPLES)]
    Tree(Tree),

    /// Measure the speed of the engine on fixed positions of every game.
    ///
    /// With one thread the node counts are the same on every machine. A change to the code that changes their sum changes
    /// the behaviour of the engine.
    Bench {
        /// Number of threads; 0 uses all cores. With more than one the node counts vary.
        #[arg(long, value_name = "N", value_parser = whole::<u16>(0..=MAX_THREADS))]
        #[arg(default_value_t = 1)]
        threads: u16,
    },

    /// Check the strength of the graded players by matches between them.
    ///
    /// Each match is played from the game's openings, each of them twice with sides changed. A grade must score at least
    /// 75 % against the one below, with a lower confidence bound above 65 %; the students' evaluations at most 25 % against
    /// ninja3. Fails if a demand is not met.
    #[command(after_help = LADDER_EXAMPLES)]
    Ladder(Ladder),

    /// Generate random balanced openings for the matches of a game.
    ///
    /// Prints a line for each: the options, the score of a search for the side to move, and the moves.
    Openings {
        /// The game.
        #[arg(value_parser = GameParser)]
        game: &'static GameKind,

        /// Seed; the same seed gives the same openings on every machine.
        #[arg(long, default_value_t = palestra_search::openings::OPENINGS_SEED, value_parser = seed)]
        seed: u64,
    },

    /// Tune the weights of a game's strong evaluation by self-play (SPSA).
    ///
    /// Starts from the plain weights. In each round all weights are perturbed by a step at random, the result plays against
    /// the opposite perturbation, and the weights move towards the winner. At the end the new, the plain and the shipped
    /// weights play matches. The same seed gives the same weights, for any number of threads.
    #[command(after_help = TUNE_EXAMPLES)]
    Tune(Tune),

    /// List, draw, check and generate maps for El Juego de la Bandera.
    #[command(after_help = MAPS_EXAMPLES)]
    Maps {
        #[command(subcommand)]
        command: Maps,
    },

    /// Print a shell completion script.
    ///
    /// Commands, options, games, built-in players and files are completed.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell.
        #[arg(value_parser = shell())]
        shell: Shell,
    },

    /// Write the manual pages, one for each command, to a folder.
    ///
    /// The folder is created if needed. Existing pages are replaced.
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// The folder.
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  palestra completions bash > ~/.local/share/bash-completion/completions/palestra
  palestra completions zsh > ~/.zfunc/_palestra      # a folder in $fpath
  palestra completions fish > ~/.config/fish/completions/palestra.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  palestra man ~/.local/share/man/man1";

/// The shells that have a script.
fn shell() -> impl TypedValueParser<Value = Shell> {
    PossibleValuesParser::new(["bash", "zsh", "fish"])
        .map(|name| Shell::from_str(&name, false).expect("only shells of the list are accepted"))
}

const SHOW_EXAMPLES: &str = "\
Examples:
  palestra show mancala
  palestra show mancala --moves '4 1 5'
  palestra show mancala --position 2:1,5,5,5,0,4,4/0,4,4,4,4,4,4
  palestra show mancala --position @position.txt
  palestra show --from games.txt --game 2 --ply 12";

const PERFT_EXAMPLES: &str = "\
Examples:
  palestra perft mancala 8
  palestra perft mancala 12 --bulk --threads 0
  palestra perft mancala 6 --moves '4 1'
  palestra perft 6 --from game.txt --ply 20";

const PLAY_EXAMPLES: &str = "\
Examples:
  palestra play mancala
  palestra play mancala me ./bot
  palestra play conecta4boom ninja2 human --clock 5m
  palestra play parchis human human --options ALTERNED
  palestra play mancala random greedy --seed 7 --record game.txt
  palestra play --from game.txt --ply 20 human ninja2";

const ANALYSE_EXAMPLES: &str = "\
Examples:
  palestra analyse mancala
  palestra analyse mancala --moves '4 1' --lines 3 --depth 12
  palestra analyse conecta4boom --cpu 30s --memory 1GiB --threads 0
  palestra analyse parchis --options ALTERNED --eval test --states 1000000
  palestra analyse --from games.txt --game 2 --ply 12";

const LADDER_EXAMPLES: &str = "\
Examples:
  palestra ladder mancala
  palestra ladder --threads 0 --markdown
  palestra ladder parchis --games 20";

const TUNE_EXAMPLES: &str = "\
Examples:
  palestra tune mancala --threads 0
  palestra tune conecta4boom --iterations 1000 --games 64 --depth 5";

const MAPS_EXAMPLES: &str = "\
Examples:
  palestra maps list
  palestra maps show lagoon
  palestra maps check
  palestra maps new --seed 7 --size 12x16 --output hills.map
  palestra maps check hills.map
  palestra show bandera --options @hills.map";

#[derive(Debug, Subcommand)]
pub(crate) enum Maps {
    /// List the bundled maps.
    List,

    /// Draw a map, and check whether it is fair.
    Show {
        /// The name of a bundled map, or a map file.
        #[arg(value_name = "MAP")]
        map: String,
    },

    /// Measure maps by the guidelines, and fail if a value is out of range.
    Check {
        /// Names of bundled maps, or map files (default: all bundled maps).
        #[arg(value_name = "MAP")]
        maps: Vec<String>,
    },

    /// Generate a fair random map.
    New {
        /// Seed; the same seed gives the same map on every machine (default: random).
        #[arg(long, value_parser = seed)]
        seed: Option<u64>,

        /// Number of rows and columns.
        #[arg(long, value_name = "RxC", default_value = "10x12", value_parser = size)]
        size: (usize, usize),

        /// Players per team (default: depends on the size).
        #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MAX_TEAM))]
        players: Option<usize>,

        /// Write the map to this new file instead of stdout.
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Perft {
    #[command(flatten)]
    pub(crate) start: Origin,

    /// Length of the sequences, in moves.
    #[arg(value_parser = perft_depth(), required_unless_present = "from")]
    pub(crate) depth: Option<u32>,

    /// Number of threads; 0 uses all cores.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0..=MAX_THREADS))]
    #[arg(default_value_t = 1)]
    pub(crate) threads: u16,

    /// Count the last moves without playing them: much faster, but does not count finished games.
    #[arg(long)]
    pub(crate) bulk: bool,
}

/// The length of the sequences that `perft` counts.
fn perft_depth() -> impl TypedValueParser<Value = u32> {
    whole(0..=MAX_PERFT_DEPTH)
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) start: Origin,

    /// Player of side 1: human (or me), a built-in player, or a program as in `palestra match` (default: human).
    #[arg(value_parser = PlayerParser(&PEOPLE_AND_PLAYERS), hide_possible_values = true)]
    pub(crate) first: Option<String>,

    /// Player of side 2 (default: ninja1).
    #[arg(value_parser = PlayerParser(&PEOPLE_AND_PLAYERS), hide_possible_values = true)]
    pub(crate) second: Option<String>,

    /// How much time each side has for the whole game: 5m, 90s. Who runs out of it loses.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) clock: Option<Duration>,

    /// CPU time of built-in players and programs for a move (default: 2s for programs).
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) cpu: Option<Duration>,

    /// Seed of the player random: the same seed gives the same moves (default: a new one).
    #[arg(long, value_parser = seed)]
    pub(crate) seed: Option<u64>,

    /// Write the game to this file, which must not exist yet.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Analyse {
    #[command(flatten)]
    pub(crate) start: Origin,

    /// Evaluation at the leaves of the search; `palestra games GAME` lists them.
    #[arg(short, long, value_name = "NAME", default_value = "strong")]
    pub(crate) eval: String,

    #[command(flatten)]
    pub(crate) budget: BudgetOptions,

    /// Number of best moves to show.
    #[arg(short, long, value_name = "K", value_parser = whole::<u8>(1..=MAX_MOVES as u8))]
    #[arg(default_value_t = 1)]
    pub(crate) lines: u8,

    /// Number of threads; 0 uses all cores.
    #[arg(short, long, value_name = "N", value_parser = whole::<u16>(0..=MAX_THREADS))]
    #[arg(default_value_t = 1)]
    pub(crate) threads: u16,

    /// Size of the transposition table: 256MiB, 1GiB; a bare number is in MiB, 0 disables the table.
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = units::memory)]
    pub(crate) memory: usize,
}

#[derive(Debug, Args)]
pub(crate) struct Ladder {
    /// The game (default: all games).
    #[arg(value_parser = GameParser)]
    pub(crate) game: Option<&'static GameKind>,

    /// Games per match; even, because each opening is played from both sides.
    #[arg(long, value_name = "N", default_value_t = LADDER_GAMES, value_parser = even(LADDER_GAMES))]
    pub(crate) games: usize,

    /// Number of threads; 0 uses all cores. It does not change the results.
    #[arg(short, long, value_name = "N", value_parser = whole::<u16>(0..=MAX_THREADS))]
    #[arg(default_value_t = 1)]
    pub(crate) threads: u16,

    /// Print a Markdown table.
    #[arg(long)]
    pub(crate) markdown: bool,
}

/// As many games as the openings give.
const LADDER_GAMES: usize = 2 * palestra_search::openings::OPENINGS;

#[derive(Debug, Args)]
pub(crate) struct Tune {
    /// The game.
    #[arg(value_parser = GameParser)]
    pub(crate) game: &'static GameKind,

    /// Seed; the same seed gives the same weights on every machine.
    #[arg(long, default_value_t = 1, value_parser = seed)]
    pub(crate) seed: u64,

    /// Number of rounds.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) iterations: u32,

    /// Games per round; even, because each opening is played from both sides.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = even(100_000))]
    pub(crate) games: usize,

    /// Games per match at the end; even.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = even(1_000_000))]
    pub(crate) match_games: usize,

    /// Search depth of the players, in plies.
    #[arg(short, long, value_name = "D", default_value_t = 4)]
    #[arg(value_parser = whole::<u32>(1..=engine::MAX_DEPTH))]
    pub(crate) depth: u32,

    /// Number of threads; 0 uses all cores. It does not change the weights.
    #[arg(short, long, value_name = "N", value_parser = whole::<u16>(0..=MAX_THREADS))]
    #[arg(default_value_t = 1)]
    pub(crate) threads: u16,
}

/// The limits of a search, which stops at the first that it reaches.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct BudgetOptions {
    /// Stop after this CPU time of all threads: 5s, 500ms, 2m (default without any limit: 5s).
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) cpu: Option<Duration>,

    /// Stop after this wall time.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) wall: Option<Duration>,

    /// Stop after this many positions.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) states: Option<u64>,

    /// Stop at this depth, in plies.
    #[arg(short, long, value_name = "D", value_parser = whole::<u32>(1..=engine::MAX_DEPTH))]
    pub(crate) depth: Option<u32>,
}

/// The deepest perft: beyond what can be counted, and shallow enough for the stack.
const MAX_PERFT_DEPTH: u32 = 100;

const MAX_THREADS: u16 = 1024;

/// The value of `--color` in a command line that could not be parsed or that asks for help.
pub(crate) fn requested_color(args: impl IntoIterator<Item = OsString>) -> ColorChoice {
    let mut args = args.into_iter().filter_map(|arg| arg.into_string().ok());
    let mut requested = None;
    while let Some(arg) = args.next() {
        let value = if arg == "--color" { args.next() } else { arg.strip_prefix("--color=").map(str::to_owned) };
        requested = value.and_then(|value| ColorChoice::from_str(&value, false).ok()).or(requested);
    }
    requested.unwrap_or(ColorChoice::Auto)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_requested_colour_is_found_in_any_command_line() {
        let requested = |line: &str| requested_color(line.split(' ').map(Into::into));
        assert_eq!(requested("palestra --help"), ColorChoice::Auto);
        assert_eq!(requested("palestra nonsense --color never"), ColorChoice::Never);
        assert_eq!(requested("palestra --color=always --help"), ColorChoice::Always);
        assert_eq!(requested("palestra --color"), ColorChoice::Auto);
        assert_eq!(requested("palestra --color red"), ColorChoice::Auto);
    }
}
