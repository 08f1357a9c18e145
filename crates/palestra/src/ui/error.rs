//! How the program ends: `error:` and `hint:` lines, and the exit code.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::Style;
use clap::error::ErrorKind;

use crate::ui::style::{ERROR, HINT, paint};

/// The exit code of a command line that cannot be understood.
const USAGE: u8 = 2;

/// The exit code of a command that Ctrl-C ended: 128 plus the number of SIGINT, as in shells.
pub(crate) const INTERRUPTED: u8 = 130;

/// Gives an error a hint: what to do about it.
pub(crate) trait HintExt<T> {
    fn hint(self, hint: impl FnOnce() -> String) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> HintExt<T> for Result<T, E> {
    fn hint(self, hint: impl FnOnce() -> String) -> anyhow::Result<T> {
        self.map_err(|error| Hinted { error: error.into(), hint: hint() }.into())
    }
}

/// An error that also knows a hint. In a chain of causes it stands for the error itself.
#[derive(Debug)]
struct Hinted {
    error: anyhow::Error,
    hint: String,
}

impl Display for Hinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Hinted {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}

/// The end of a command that was understood: 0, or 1 with its error on stderr.
pub(crate) fn exit(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_broken_pipe(&error) {
        // The reader of the pipe, such as `head`, has seen enough.
        return ExitCode::SUCCESS;
    }
    complain(ERROR, "error:", format!("{error:#}"));
    for hinted in error.chain().filter_map(|cause| cause.downcast_ref::<Hinted>()) {
        complain(HINT, "hint:", &hinted.hint);
    }
    ExitCode::FAILURE
}

/// The end of a command line that was not understood, or that asks for help or the version.
pub(crate) fn exit_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return exit(write!(anstream::stdout(), "{}", error.render().ansi()).map_err(Into::into));
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = write!(anstream::stderr(), "{}", error.render().ansi());
        return ExitCode::from(USAGE);
    }
    // The parser's message, reformatted like our own errors.
    for line in error.render().to_string().lines().filter(|line| !line.is_empty()) {
        match line.trim_start().split_once(": ") {
            Some(("error", message)) => complain(ERROR, "error:", message),
            Some(("tip", tip)) => complain(HINT, "hint:", tip),
            Some(("Usage", usage)) => complain(HINT, "hint:", format!("usage: {usage}")),
            _ if line.starts_with("For more information") => {
                complain(HINT, "hint:", "for more information, try '--help'")
            }
            _ => {
                let _ = writeln!(anstream::stderr(), "{line}");
            }
        }
    }
    ExitCode::from(USAGE)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes a line on stderr. A failure to write it is ignored: there is nowhere else to report it.
fn complain(style: Style, label: &str, message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{} {message}", paint(style, label));
}
