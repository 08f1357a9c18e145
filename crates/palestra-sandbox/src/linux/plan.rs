//! What the helper is told: everything about one box.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How a box is to be made, and what runs in it. The helper inherits it as a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    /// The process that starts the helper, which ends when that one does.
    pub(super) parent: i32,
    /// An empty folder on which the root of the box is built.
    pub(super) root: PathBuf,
    /// What lies in `/bot`, read-only.
    pub(super) bot: PathBuf,
    /// What else lies in the box, read-only.
    pub(super) more: Vec<Mount>,
    /// The control groups to join.
    pub(super) cgroups: Vec<PathBuf>,
    /// The folder of the control group that the program alone is in.
    pub(super) inner: Option<PathBuf>,
    /// The one CPU that it may use.
    pub(super) cpu: Option<usize>,
    /// The program and its arguments, as they are called inside.
    pub(super) command: Vec<String>,
    /// Its whole environment.
    pub(super) environment: Vec<String>,
    /// What it may use.
    pub(super) limits: Limits,
    /// What it is for.
    pub(super) purpose: Purpose,
}

/// A folder of the machine in the box.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Mount {
    /// Where it is on the machine.
    pub(super) from: PathBuf,
    /// What it is called inside, in the root.
    pub(super) to: String,
}

/// What a box is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Purpose {
    /// A program plays a game: one process, and its threads.
    Play,
    /// A compiler works: it starts others, and what it made is written to the standard output when all have ended.
    Build {
        /// The file that it makes, in `/tmp`.
        artefact: Option<String>,
        /// The most that the file may have, in bytes.
        most: u64,
        /// Whether it needs `/proc`.
        proc: bool,
    },
}

/// What a program may use, in bytes unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Limits {
    /// Of addresses.
    pub(super) address_space: u64,
    /// Of the stack of its first thread; others have as much unless they ask for another.
    pub(super) stack: u64,
    /// Of a file.
    pub(super) file: u64,
    /// Of `/tmp`.
    pub(super) tmp: u64,
    /// Open files.
    pub(super) files: u64,
    /// Processes and threads, with the two that keep the box.
    pub(super) tasks: u64,
    /// Seconds of CPU time.
    pub(super) cpu: u64,
}

impl Plan {
    /// As the helper reads it.
    pub(super) fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// From what the helper read.
    pub(super) fn from_text(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}
