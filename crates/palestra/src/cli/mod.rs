//! The command line: what can be typed, and the help.

mod arena;
#[allow(rustdoc::bare_urls, reason = "what is written there is the help, and shown as it is")]
mod server;
mod start;
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
    CHECK_EXAMPLES, CONNECT_EXAMPLES, MATCH_EXAMPLES, NEW_EXAMPLES, SELFPLAY_EXAMPLES, SPRT_EXAMPLES,
    TOURNAMENT_EXAMPLES,
};
pub(crate) use arena::{Check, Conditions, Connect, Match, New, Selfplay, Sprt, Tournament};
use server::{ADMIN_EXAMPLES, BACKUP_EXAMPLES, SERVE_EXAMPLES};
pub(crate) use server::{Admin, Backup, CreateAdmin, LogFormat, Place, Restore, Serve};
pub(crate) use start::{Origin, Setup, Start};
pub(crate) use values::PLAYERS;
use values::{GameParser, PEOPLE_AND_PLAYERS, PlayerParser, even, seed, size, whole};

use crate::ui::units;

/// An arena for programs that play board games by adversarial search.
#[derive(Debug, Parser)]
#[command(version = env!("PALESTRA_VERSION"), max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Colours: auto (on a terminal, unless NO_COLOR is set), always or never.
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
  palestra games                        all games and their options
  palestra games mancala                rules, options and notation of one
  palestra show mancala --moves '4 1'   the board after two moves
  palestra perft mancala 8              how many sequences of 8 moves there are
  palestra play mancala                 a game against ninja1
  palestra match mancala ./bot ninja1   your program against ninja1
  palestra analyse mancala              the best move, and what follows
  palestra maps check                   are the maps for Bandera fair and good?";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the arena to browsers: play, watch, and let programs play. Without a command the program does this.
    ///
    /// Everything is kept in one folder, which only you can look into. Ctrl-C or SIGTERM ends the server when what is
    /// under way is finished. docs/server.md tells how to run one for others.
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(Serve),

    /// Look after a server's accounts.
    #[command(after_help = ADMIN_EXAMPLES)]
    Admin {
        #[command(subcommand)]
        command: Admin,
    },

    /// Write all that a server keeps to one file, also while it runs.
    ///
    /// The file fits both kinds of database: what was kept in SQLite can be restored into PostgreSQL, and the other way
    /// round. Mails that wait in the folder are not part of it.
    #[command(after_help = BACKUP_EXAMPLES)]
    Backup(Backup),

    /// Fill a new folder or an empty database with a backup.
    ///
    /// All of it or nothing: a file that is damaged or cut off changes nothing.
    #[command(after_help = BACKUP_EXAMPLES)]
    Restore(Restore),

    /// List the games, or tell the rules, options and notation of one.
    Games {
        /// The game to tell about.
        #[arg(value_parser = GameParser)]
        game: Option<&'static GameKind>,
    },

    /// Draw a position, and say who moves and what the legal moves are.
    #[command(after_help = SHOW_EXAMPLES)]
    Show {
        #[command(flatten)]
        start: Origin,
    },

    /// Count the move sequences of a given length, per first move and in all.
    ///
    /// A line per first move comes as soon as it is counted. Sequences that end the game before the given length do not
    /// count; those whose last move ends it do, and are counted once more as finished.
    #[command(after_help = PERFT_EXAMPLES)]
    Perft(Perft),

    /// Play a game in the terminal, against a built-in player, a program or another person.
    ///
    /// The board is drawn after each move. Besides moves you can say undo, hint, moves, board, rules, resign, quit and help.
    /// Ctrl-C lets a player that thinks move at once, and at the prompt leaves the game. Players and programs play by
    /// themselves. Input may also come from a file or a pipe.
    #[command(after_help = PLAY_EXAMPLES)]
    Play(Play),

    /// Make a folder with a new bot that plays at once, in C++, Python or Rust.
    ///
    /// The folder holds the bot, an alpha-beta player to be made better, and beside it one file with the rules of all games
    /// and the talk with the referee. `match`, `check` and the other commands take the folder for a player and build it
    /// when it has changed.
    #[command(after_help = NEW_EXAMPLES)]
    New(New),

    /// Let two players play a match: built-in players, or programs of yours.
    ///
    /// Every opening is played twice, sides changed. A line for each game, and in the end who is better and how sure that
    /// is, what went wrong, and where the lost games were lost. A player is the name of a built-in player, a program, or
    /// a Python file; a name of your own may stand before it: new=./bot. Programs speak Palestra's protocol
    /// (docs/arena.md), or the protocol of the Mancala course of 2018. They run as you, with all that you may do;
    /// --sandbox keeps those that you do not trust in boxes.
    #[command(after_help = MATCH_EXAMPLES)]
    Match(Match),

    /// Let many players play a tournament, and rank them.
    ///
    /// Every finished game is kept in the journal at once. A tournament that was interrupted, by Ctrl-C or by the power
    /// going out, goes on where it was when the same command is given again; one that is finished is shown again.
    /// Programs run as you, with all that you may do; --sandbox keeps those that you do not trust in boxes.
    #[command(after_help = TOURNAMENT_EXAMPLES)]
    Tournament(Tournament),

    /// Play until it is clear whether a new version of a player is better than the old one.
    ///
    /// A sequential probability ratio test on pairs of games: it ends as soon as the result is sure enough, with as many
    /// games as that takes.
    #[command(after_help = SPRT_EXAMPLES)]
    Sprt(Sprt),

    /// Try a program of yours, and say in one sentence each what is wrong with it.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),

    /// Say whether strangers' programs can run on this machine, and what to do if not.
    ///
    /// A program is run in a box and looks around: each layer of the box is found or missing, what follows, and what to
    /// do. Then what a box costs here, and which compilers there are. The command fails if programs cannot run in boxes.
    Doctor,

    /// Seat a program of yours at somebody's table, over the network.
    ///
    /// The link is that of the table's page. The program plays all games of the table, against whoever sits there, and stays
    /// until the table is closed or Ctrl-C is pressed. A connection that is lost is made again, and the program goes on
    /// thinking meanwhile. Programs of the Mancala course play too.
    #[command(after_help = CONNECT_EXAMPLES)]
    Connect(Connect),

    /// Let a player play against itself, and write the games down for other programs to learn from.
    #[command(after_help = SELFPLAY_EXAMPLES)]
    Selfplay(Selfplay),

    /// Search a position ever deeper, and say what is best and how the game would go on.
    ///
    /// A line for each depth: what the position is worth for the side to move, the positions visited (nodes), and the
    /// moves that both sides would play. Depths, and the distances in `wins in 7` and `loses in 12`, are counted in
    /// single moves of either side. A score without a word is the evaluation's guess; with `proven` it is how the game
    /// ends if nobody errs. The search ends when the result is proven or a limit is reached.
    #[command(after_help = ANALYSE_EXAMPLES)]
    Analyse(Analyse),

    /// Search fixed positions of every game to fixed depths: how fast the engine is here, and whether it still searches
    /// the same.
    ///
    /// With one thread the nodes are the same on every machine. A change of the code that changes their sum changes what
    /// the engine does.
    Bench {
        /// How many threads search, 1 unless told; 0 takes all cores. With more than one the nodes vary.
        #[arg(long, value_name = "N", value_parser = whole::<u16>(0..=MAX_THREADS))]
        #[arg(default_value_t = 1, hide_default_value = true)]
        threads: u16,
    },

    /// Let the graded players of a game, or of all, play against each other, and say whether each is as strong as its name.
    ///
    /// Each match is played from the game's openings, each of them twice with the sides changed. A grade must score 75 %
    /// against the one below, and surely more than 65 %; the students' evaluations no more than 25 % against ninja3.
    /// The command fails if a demand is not met.
    #[command(after_help = LADDER_EXAMPLES)]
    Ladder(Ladder),

    /// Make the openings from which matches of a game are played: random and balanced.
    ///
    /// A line for each: the options, the value that a search found for the side to move, and the moves.
    Openings {
        /// The game.
        #[arg(value_parser = GameParser)]
        game: &'static GameKind,

        /// The same seed gives the same openings, on every machine.
        #[arg(long, default_value_t = palestra_search::openings::OPENINGS_SEED, value_parser = seed)]
        seed: u64,
    },

    /// Set the weights of a game's strong evaluation anew, by letting it play against itself.
    ///
    /// Begins with the plain weights and plays rounds: all weights are moved a step up or down at random, the evaluation
    /// so changed plays the one changed the other way, and the weights go a little the way of the winner. In the end the
    /// new weights, the plain ones and those that are shipped meet in matches. The same seed gives the same weights,
    /// whatever the number of threads.
    #[command(after_help = TUNE_EXAMPLES)]
    Tune(Tune),

    /// List, draw, judge and make maps for El Juego de la Bandera.
    #[command(after_help = MAPS_EXAMPLES)]
    Maps {
        #[command(subcommand)]
        command: Maps,
    },

    /// Print the script with which a shell completes this command line.
    ///
    /// Commands, options, games, built-in players and files are completed.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell.
        #[arg(value_parser = shell())]
        shell: Shell,
    },

    /// Write the manual pages, one for each command, into a folder.
    ///
    /// The folder is made if it is not there. Pages that are there already are replaced.
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
  palestra completions zsh > ~/.zfunc/_palestra      # a folder of $fpath
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

    /// Draw a map, and say whether it is fair.
    Show {
        /// The name of a bundled map, or a map file.
        #[arg(value_name = "MAP")]
        map: String,
    },

    /// Print each guideline's value on each map, and fail if one is out of its range.
    Check {
        /// Names of bundled maps, or map files; all bundled maps unless told.
        #[arg(value_name = "MAP")]
        maps: Vec<String>,
    },

    /// Make a fair map at random.
    New {
        /// The same seed gives the same map, on every machine; at random unless told.
        #[arg(long, value_parser = seed)]
        seed: Option<u64>,

        /// Rows and columns.
        #[arg(long, value_name = "RxC", default_value = "10x12", value_parser = size)]
        size: (usize, usize),

        /// Players a team; what suits the size unless told.
        #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MAX_TEAM))]
        players: Option<usize>,

        /// Write the map to this file, which must not exist yet.
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Perft {
    #[command(flatten)]
    pub(crate) start: Origin,

    /// How many moves a sequence has.
    #[arg(value_parser = perft_depth(), required_unless_present = "from")]
    pub(crate) depth: Option<u32>,

    /// How many threads count, 1 unless told; 0 takes all cores.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0..=MAX_THREADS))]
    #[arg(default_value_t = 1, hide_default_value = true)]
    pub(crate) threads: u16,

    /// Count the last move without playing it: much faster, but cannot tell which sequences end the game.
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

    /// Who plays side 1: human (or me), a built-in player, or a program as `palestra match` takes it; human unless told.
    #[arg(value_parser = PlayerParser(&PEOPLE_AND_PLAYERS), hide_possible_values = true)]
    pub(crate) first: Option<String>,

    /// Who plays side 2, ninja1 unless told.
    #[arg(value_parser = PlayerParser(&PEOPLE_AND_PLAYERS), hide_possible_values = true)]
    pub(crate) second: Option<String>,

    /// How much time each side has for the whole game: 5m, 90s. Who runs out of it loses.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) clock: Option<Duration>,

    /// How much CPU time built-in players and programs may use for a move; 2s for programs unless told.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) cpu: Option<Duration>,

    /// The same seed makes the player random play the same; any unless told.
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

    /// The evaluation that guesses where the search ends; `palestra games GAME` lists them.
    #[arg(short, long, value_name = "NAME", default_value = "strong")]
    pub(crate) eval: String,

    #[command(flatten)]
    pub(crate) budget: BudgetOptions,

    /// How many of the best moves to tell about, 1 unless told.
    #[arg(short, long, value_name = "K", value_parser = whole::<u8>(1..=MAX_MOVES as u8))]
    #[arg(default_value_t = 1, hide_default_value = true)]
    pub(crate) lines: u8,

    /// How many threads search, 1 unless told; 0 takes all cores.
    #[arg(short, long, value_name = "N", value_parser = whole::<u16>(0..=MAX_THREADS))]
    #[arg(default_value_t = 1, hide_default_value = true)]
    pub(crate) threads: u16,

    /// How much to remember: 256MiB, 1GiB; a bare number is MiB, 0 does without.
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = units::memory)]
    pub(crate) memory: usize,
}

#[derive(Debug, Args)]
pub(crate) struct Ladder {
    /// The game; all of them unless told.
    #[arg(value_parser = GameParser)]
    pub(crate) game: Option<&'static GameKind>,

    /// How many games a match has; an even number, as every opening is played on both sides.
    #[arg(long, value_name = "N", default_value_t = LADDER_GAMES, value_parser = even(LADDER_GAMES))]
    pub(crate) games: usize,

    /// How many threads play, 1 unless told; 0 takes all cores. The results are the same.
    #[arg(short, long, value_name = "N", value_parser = whole::<u16>(0..=MAX_THREADS))]
    #[arg(default_value_t = 1, hide_default_value = true)]
    pub(crate) threads: u16,

    /// Print a table for a page in Markdown.
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

    /// The same seed gives the same weights, on every machine.
    #[arg(long, default_value_t = 1, value_parser = seed)]
    pub(crate) seed: u64,

    /// How many rounds.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) iterations: u32,

    /// How many games a round has; an even number, as every opening is played on both sides.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = even(100_000))]
    pub(crate) games: usize,

    /// How many games each of the matches in the end has; an even number too.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = even(1_000_000))]
    pub(crate) match_games: usize,

    /// How deep the players look.
    #[arg(short, long, value_name = "D", default_value_t = 4)]
    #[arg(value_parser = whole::<u32>(1..=engine::MAX_DEPTH))]
    pub(crate) depth: u32,

    /// How many threads play, 1 unless told; 0 takes all cores. The weights are the same.
    #[arg(short, long, value_name = "N", value_parser = whole::<u16>(0..=MAX_THREADS))]
    #[arg(default_value_t = 1, hide_default_value = true)]
    pub(crate) threads: u16,
}

/// How much to search. Of several limits the first that is reached counts.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct BudgetOptions {
    /// Stop after this much CPU time of all threads: 5s, 500ms, 2m. Without any limit it is 5s.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) cpu: Option<Duration>,

    /// Stop after this much time.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub(crate) wall: Option<Duration>,

    /// Stop after visiting this many positions.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) states: Option<u64>,

    /// Stop at this depth.
    #[arg(short, long, value_name = "D", value_parser = whole::<u32>(1..=engine::MAX_DEPTH))]
    pub(crate) depth: Option<u32>,
}

/// The deepest perft: beyond what can be counted, and shallow enough for the stack.
const MAX_PERFT_DEPTH: u32 = 100;

const MAX_THREADS: u16 = 1024;

/// The value of `--color` in a command line that could not be parsed or that asks for help.
pub(crate) fn requested_color(args: impl IntoIterator<Item = OsString>) -> ColorChoice {
    let mut args = args.into_iter().filter_map(|arg| arg.into_string().ok());
    let mut asked = None;
    while let Some(arg) = args.next() {
        let value = if arg == "--color" { args.next() } else { arg.strip_prefix("--color=").map(str::to_owned) };
        asked = value.and_then(|value| ColorChoice::from_str(&value, false).ok()).or(asked);
    }
    asked.unwrap_or(ColorChoice::Auto)
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
    fn the_colour_asked_for_is_found_in_any_command_line() {
        let asked = |line: &str| requested_color(line.split(' ').map(Into::into));
        assert_eq!(asked("palestra --help"), ColorChoice::Auto);
        assert_eq!(asked("palestra nonsense --color never"), ColorChoice::Never);
        assert_eq!(asked("palestra --color=always --help"), ColorChoice::Always);
        assert_eq!(asked("palestra --color"), ColorChoice::Auto);
        assert_eq!(asked("palestra --color red"), ColorChoice::Auto);
    }
}
