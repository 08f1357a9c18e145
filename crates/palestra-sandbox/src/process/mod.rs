//! A program at the other end of three pipes.
//!
//! This is the plain way to run a program: as the caller, with all that the caller may do. It is meant for one's own
//! programs; what keeps strangers' programs in a box is another way to start one, and attends to it in the same way.

#[cfg(target_os = "linux")]
mod control;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) mod process_tree;
#[cfg(target_os = "linux")]
pub(crate) mod run_delay;
mod stderr_tail;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

#[cfg(target_os = "linux")]
pub(crate) use control::ProcessControl;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::Process;
#[cfg(target_os = "linux")]
pub use linux::Process;

/// How long a program may take to exit when the game is over.
const EXIT_TIMEOUT: Duration = Duration::from_millis(100);

/// What to start, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program.
    pub program: OsString,
    /// What it is told on its command line.
    pub args: Vec<OsString>,
    /// Where it runs; where the caller is, if not said.
    pub dir: Option<PathBuf>,
    /// The most memory that it may hold at a time, in bytes.
    pub memory: Option<u64>,
}

impl Launch {
    /// The command, with its three pipes. It has the caller's environment.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }

    /// Starts the program and ends it at once, to see whether it can be started at all.
    ///
    /// The system's own answer is wanted: what runs between fork and exec would hide it, because a file that is no
    /// program is then given to the shell, to be run as a script.
    pub fn try_out(&self) -> io::Result<()> {
        let mut child = self.command().spawn()?;
        let _ = child.kill();
        child.wait().map(drop)
    }
}

/// A sentence about a program that ended.
pub(crate) fn ended(code: Option<i32>, signal: Option<i32>) -> String {
    match (code, signal) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(signal)) => match signal_name(signal) {
            Some(name) => format!("it was killed by signal {signal} ({name})"),
            None => format!("it was killed by signal {signal}"),
        },
        (None, None) => "it ended".to_owned(),
    }
}

/// What the signals that end programs mean; they have the same numbers on all machines that matter here.
const fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "hangup",
        2 => "interrupt",
        4 => "illegal instruction",
        6 => "abort",
        8 => "division by zero",
        9 => "kill: perhaps the machine ran out of memory",
        11 => "segmentation fault",
        13 => "broken pipe",
        15 => "termination",
        _ => return None,
    })
}
