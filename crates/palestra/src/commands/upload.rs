//! `palestra upload`: uploads a version of a bot, and shows how the server builds and tries it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use palestra_arena::{handed_in, zip};
use palestra_protocol::shown;
use serde::Deserialize;

use crate::cli::Upload;
use crate::client::Client;
use crate::file::check_exists;
use crate::ui::error::HintExt;
use crate::ui::style::{ERROR, GOOD, HEADING, HINT, paint};

/// How often the server is asked how far it has come.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Maximum length of a shown text of the server.
const MAX_SHOWN_CHARS: usize = 400;

/// Where the text of a line begins, after `ok`, `wrong` or `warn`.
const INDENT: usize = 7;

/// A version, as the server describes it.
#[derive(Debug, Deserialize)]
struct Version {
    number: i64,
    state: String,
    is_active: bool,
    is_stuck: bool,
    message: String,
    first_error: Option<FirstError>,
    steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
struct FirstError {
    file: String,
    line: usize,
    text: String,
    excerpt: Vec<Line>,
}

#[derive(Debug, Deserialize)]
struct Line {
    number: usize,
    text: String,
    is_it: bool,
}

#[derive(Debug, Deserialize)]
struct Step {
    state: String,
    title: String,
    notes: Vec<Note>,
}

#[derive(Debug, Deserialize)]
struct Note {
    text: String,
    details: Vec<String>,
}

/// Uploads the program, and fails if the server refuses it.
pub(crate) fn run(args: &Upload, out: &mut impl Write) -> Result<()> {
    check_exists(&args.bot)?;
    let client = Client::new(args.server.clone(), args.token.as_deref())?;
    let body = body(&args.bot)?;
    let name = args.name.clone().map_or_else(|| usual_name(&args.bot), Ok)?;
    let note = serde_urlencoded::to_string([("note", args.note.as_deref().unwrap_or_default())])?;
    let path = format!("/api/v1/bots/{name}/versions");
    let answer = client.post(&format!("{path}?{note}"), "application/zip", &body);
    let page = client.address().link(&format!("/bots/{name}"));
    let answer = answer.hint(|| format!("bots are registered at {}", client.address().link("/bots")))?;
    let mut version: Version = answer.json()?;
    writeln!(out, "{}", paint(HEADING, format!("Uploaded {name} as version {}.", version.number)))?;
    out.flush()?;
    let mut told = 0;
    loop {
        told = tell(&version, told, out)?;
        match version.state.as_str() {
            "ready" => {
                let plays = if version.is_active { " and plays from now on" } else { "" };
                writeln!(out, "\nVersion {} is ready{plays}: {page}", version.number)?;
                return Ok(());
            }
            "refused" => {
                tell_error(&version, out)?;
                return Err(anyhow!("version {} of {name} was refused", version.number))
                    .hint(|| format!("all that was found is at {page}?version={}", version.number));
            }
            _ if version.is_stuck => {
                return Err(anyhow!("the server could not try version {}", version.number))
                    .hint(|| format!("that is not the program's fault; it can be tried again at {page}"));
            }
            _ => thread::sleep(POLL_INTERVAL),
        }
        version = client.get(&format!("{path}/{}", version.number))?.json()?;
    }
}

/// The zip to send: of a folder or a file with source, or a zip as it is.
fn body(bot: &Path) -> Result<Vec<u8>> {
    if bot.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) {
        return fs::read(bot).with_context(|| format!("cannot read {}", bot.display()));
    }
    let files = handed_in(bot)?;
    if files.is_empty() {
        let missing = Err(anyhow!("{} has no source files", bot.display()));
        return missing.hint(|| "name a folder with source in C++, Rust or Python, a file of it, or a zip".to_owned());
    }
    let files = files.iter().map(|(name, text)| (name.as_str(), text.as_slice()));
    zip(files).context("the files cannot be put into a zip")
}

/// The name of the folder or the file.
fn usual_name(bot: &Path) -> Result<String> {
    let bot = fs::canonicalize(bot).with_context(|| format!("cannot read {}", bot.display()))?;
    let name = bot.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let wrong = || anyhow!("'{}' cannot be the name of a bot", shown(&name, MAX_SHOWN_CHARS));
    if is_name { Ok(name) } else { Err(wrong()).hint(|| "add --name NAME".to_owned()) }
}

/// Writes the steps that have ended since, and returns their number.
fn tell(version: &Version, told: usize, out: &mut impl Write) -> Result<usize> {
    let ended = version.steps.iter().take_while(|step| step.state != "running").count();
    for step in version.steps.iter().take(ended).skip(told) {
        let (style, word) = match step.state.as_str() {
            "failed" => (ERROR, "wrong"),
            "warned" => (HINT, "warn"),
            _ => (GOOD, "ok"),
        };
        let gap = " ".repeat(INDENT - word.len());
        writeln!(out, "{}{gap}{}", paint(style, word), plain(&step.title))?;
        for note in &step.notes {
            writeln!(out, "{:INDENT$}{}", "", plain(&note.text))?;
            for detail in note.details.iter().flat_map(|detail| detail.lines()) {
                writeln!(out, "{:INDENT$}  {}", "", plain(detail))?;
            }
        }
    }
    out.flush()?;
    Ok(ended.max(told))
}

/// Writes the compiler's first error at its line of source, or all that the compiler says.
fn tell_error(version: &Version, out: &mut impl Write) -> Result<()> {
    let Some(error) = version.first_error.as_ref().filter(|error| !error.excerpt.is_empty()) else {
        for line in version.message.lines() {
            writeln!(out, "{}", plain(line))?;
        }
        return Ok(out.flush()?);
    };
    writeln!(out, "\n{}:{}: {}", plain(&error.file), error.line, plain(&error.text))?;
    for line in &error.excerpt {
        let sign = if line.is_it { '>' } else { ' ' };
        writeln!(out, "{sign}{:5}  {}", line.number, plain(&line.text))?;
    }
    Ok(out.flush()?)
}

fn plain(text: &str) -> String {
    shown(text, MAX_SHOWN_CHARS).to_string()
}
