//! `palestra demo`: a server with a course that has been played, to look at.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use palestra_web::{Config, Demo, DemoAccount, DemoError, DemoNews, Server, blocking, raise_descriptor_limit};

use super::serve::{environment, exit_at_once, with_hint};
use crate::cli::{self, LogFormat};
use crate::contest_setup::{interrupt, quoted};
use crate::ui::error::HintExt;
use crate::ui::progress::{Progress, bar};
use crate::ui::style::{HEADING, HINT, paint};
use crate::{log, sandboxes};

/// The filter of the log, unless the environment names one: what is made says enough of itself.
const LOG_FILTER: &str = "warn";

pub(crate) fn run(args: &cli::Demo, out: &mut impl Write) -> Result<()> {
    let filter = environment("PALESTRA_LOG")?.unwrap_or_else(|| LOG_FILTER.to_owned());
    log::start(LogFormat::Text, &filter)?;
    raise_descriptor_limit();
    let config =
        Config { listen: args.listen, data: args.data.clone(), sandbox: sandboxes::for_uploads(), ..Config::default() };
    let mut told = Told { progress: Progress::new() };
    let mut on_start = |server: &Server, demo: &Demo| {
        if let Err(error) = write_all(server, demo, &args.data, out) {
            tracing::warn!(%error, "the passwords cannot be printed");
        }
    };
    let served = blocking::demo(config, &mut |news| told.tell(&news), &mut on_start, exit_at_once);
    served.or_else(|error| explain(error, &args.data))
}

/// What is told while the demonstration is made.
struct Told {
    progress: Progress,
}

impl Told {
    fn tell(&mut self, news: &DemoNews) {
        match news {
            DemoNews::BuiltIn(reason) => {
                self.warn(reason);
                self.warn("built-in players play in place of the bots; 'palestra doctor' says what to do");
            }
            DemoNews::NoBot { bot, reason } => self.warn(&format!("{bot} does not play: {reason}")),
            DemoNews::Built { done, of } => self.show(*done as u64, *of as u64, "bots are compiled and tried"),
            DemoNews::Played { done, of } => {
                self.show(done.unsigned_abs(), of.unsigned_abs(), "games of the league are played");
            }
        }
    }

    fn show(&mut self, done: u64, of: u64, what: &str) {
        let count = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        self.progress.show(|| format!("{} {done} of {of} {what}", bar(count(done), count(of))));
    }

    fn warn(&mut self, text: &str) {
        self.progress.erase();
        let _ = writeln!(anstream::stderr(), "{} {text}", paint(HINT, "warning:"));
    }
}

/// Where everything is, and the passwords.
fn write_all(server: &Server, demo: &Demo, data: &Path, out: &mut impl Write) -> Result<()> {
    let url = server.url();
    let at = |path: &str| format!("{}{path}", url.trim_end_matches('/'));
    writeln!(out, "Palestra's demonstration is at {}", paint(HEADING, &url))?;
    writeln!(out, "  the course  {}", at(&demo.course))?;
    writeln!(out, "  the league  {}", at(&demo.run))?;
    writeln!(out, "  the marks   {}", at(&demo.marks))?;
    writeln!(out, "Sign in as one of these. The passwords are not shown again:")?;
    for DemoAccount { role, email, password } in &demo.accounts {
        writeln!(out, "  {role:<7}  {email:<20}  {password}")?;
    }
    writeln!(
        out,
        "Press Ctrl-C to stop; 'palestra serve --data {}' goes on with it.",
        quoted(&data.to_string_lossy())
    )?;
    Ok(out.flush()?)
}

fn explain(error: DemoError, data: &Path) -> Result<()> {
    let folder = quoted(&data.to_string_lossy());
    match error {
        DemoError::Start(error) => with_hint(error),
        DemoError::Interrupted => {
            interrupt();
            Err(error).hint(|| format!("remove the folder {folder} to begin anew"))
        }
        error @ DemoError::NotEmpty(_) => Err(error).hint(|| {
            format!("choose a new one with --data DIR; 'palestra serve --data {folder}' serves a folder that has data")
        }),
        error @ DemoError::NotLoopback(_) => {
            Err(error).hint(|| "leave --listen out, or listen on 127.0.0.1 with another port".to_owned())
        }
        error => Err(error.into()),
    }
}
