//! The commands of a course, for teachers.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::server::Place;
use crate::client::ServerAddress;

#[derive(Debug, Subcommand)]
pub(crate) enum Course {
    /// List the courses, with the codes of their leagues and assignments.
    List {
        #[command(flatten)]
        source: Source,
    },

    /// Write all that a course holds to a ZIP file: roster, sources, hand-ins.
    Export {
        /// Code of the course, the last part of its page's address.
        #[arg(value_name = "COURSE")]
        code: String,

        /// The new file to write; only you can read it.
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,

        #[command(flatten)]
        source: Source,
    },

    /// Play a run of a league: here, to its end, or on a server, which goes on by itself.
    ///
    /// In a data folder that no server uses, a run that was interrupted goes on; Ctrl-C interrupts it again, and each game
    /// counts once.
    RunLeague(RunLeague),

    /// Print the marks of an assignment, and which games they come from.
    Marks(Marks),
}

#[derive(Debug, Args)]
pub(crate) struct RunLeague {
    /// Code of the league, the last part of its page's address.
    #[arg(value_name = "LEAGUE")]
    pub(crate) code: String,

    /// Why a new run is played; the members of the course see it.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,

    /// Play a new run that counts for marks.
    #[arg(long)]
    pub(crate) counted: bool,

    /// Play a new run that is the last one.
    #[arg(long = "final")]
    pub(crate) last: bool,

    /// Wait until the server has played the run.
    #[arg(long, requires = "server")]
    pub(crate) wait: bool,

    #[command(flatten)]
    pub(crate) source: Source,
}

#[derive(Debug, Args)]
pub(crate) struct Marks {
    /// Code of the assignment, the last part of its page's address.
    #[arg(value_name = "ASSIGNMENT")]
    pub(crate) code: String,

    /// What to print.
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    pub(crate) format: MarksFormat,

    /// How numbers are written in CSV.
    #[arg(long, value_name = "SIGN", default_value = "point")]
    pub(crate) decimal: DecimalSign,

    #[command(flatten)]
    pub(crate) source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MarksFormat {
    /// A row for each student, as Moodle reads it.
    Csv,
    /// A row for each game that points come from.
    Games,
    /// The marks with their games.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecimalSign {
    /// 2.75, with commas between the columns.
    Point,
    /// 2,75, with semicolons between the columns.
    Comma,
}

/// Where the courses are: on a server, or in a data folder.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// Ask this server, such as https://play.example, with an API token that has the scope course. The token comes from the
    /// environment variable PALESTRA_TOKEN or a file.
    #[arg(long, value_name = "URL", conflicts_with_all = ["data", "database"])]
    pub(crate) server: Option<ServerAddress>,

    /// File with the API token (default: the environment variable PALESTRA_TOKEN).
    #[arg(long, value_name = "FILE", requires = "server", value_hint = ValueHint::FilePath)]
    pub(crate) token: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) place: Place,
}

pub(super) const COURSE_EXAMPLES: &str = "\
Examples:
  palestra course list
  palestra course list --server https://play.example --token ~/.palestra-token
  palestra course export hx3k9mwp2abc ai-2026.zip
  palestra course run-league k2m8xw5tpq4d --counted
  palestra course run-league k2m8xw5tpq4d --server https://play.example --token ~/.palestra-token --wait
  palestra course marks r7n3vb6hzs9j --decimal comma > marks.csv
  palestra course marks r7n3vb6hzs9j --format games";
