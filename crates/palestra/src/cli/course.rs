//! The commands of a course, for teachers.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::server::Place;
use crate::client::ServerAddress;

#[derive(Debug, Subcommand)]
pub(crate) enum Course {
    /// List the courses, with the codes of their assignments.
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
  palestra course export hx3k9mwp2abc ai-2026.zip";
