//! The options of `palestra copies`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use palestra_arena::copies::THRESHOLD;

use super::values::whole;

pub(super) const COPIES_EXAMPLES: &str = "\
Examples:
  palestra copies hand-ins                        a folder for each program
  palestra copies ana/ bea.cpp last-year/*/
  palestra copies hand-ins --given template/      without the code that all were given
  palestra copies hand-ins --share 10             pairs that are less alike, too";

#[derive(Debug, Args)]
pub(crate) struct Copies {
    /// Folders or files with a program each; or one folder whose folders and files are the programs.
    #[arg(value_name = "FOLDER", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) programs: Vec<PathBuf>,

    /// A folder or file with code that was given to all, and does not count.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::AnyPath)]
    pub(crate) given: Vec<PathBuf>,

    /// Show pairs of which one program shares this percentage with the other.
    #[arg(long, value_name = "PERCENT", default_value_t = (THRESHOLD * 100.0) as u8, value_parser = whole::<u8>(1..=100))]
    pub(crate) share: u8,
}
