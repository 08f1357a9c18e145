//! `palestra course`: what teachers do with a course at the shell.

mod league;
mod marks;

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use palestra_web::{Config, ListedCourse, blocking, utc_time};
use serde::Deserialize;

use crate::cli::{Course, Source};
use crate::client::Client;
use crate::commands::archive::{check_existing, draft};
use crate::ui::style::{HEADING, paint};
use crate::ui::units::counted;

pub(crate) fn run(command: &Course, out: &mut impl Write) -> Result<()> {
    match command {
        Course::List { source } => list(&courses(source)?, out),
        Course::Export { code, file, source } => export(code, file, source, out),
        Course::RunLeague(args) => league::run(args, out),
        Course::Marks(args) => marks::run(args, out),
    }
}

/// Where courses are.
enum Place {
    Server(Client),
    Folder(Box<Config>),
}

impl Source {
    fn open(&self) -> Result<Place> {
        if let Some(server) = &self.server {
            return Ok(Place::Server(Client::new(server.clone(), self.token.as_deref())?));
        }
        check_existing(&self.place)?;
        let config = Config { data: self.place.data(), database: self.place.database()?, ..Config::default() };
        Ok(Place::Folder(Box::new(config)))
    }
}

/// A page of a list of the server.
#[derive(Deserialize)]
struct Page<T> {
    items: Vec<T>,
    next: Option<String>,
}

fn courses(source: &Source) -> Result<Vec<ListedCourse>> {
    let client = match source.open()? {
        Place::Folder(config) => return Ok(blocking::courses(&config)?),
        Place::Server(client) => client,
    };
    let (mut all, mut path) = (vec![], "/api/v1/courses".to_owned());
    loop {
        let page: Page<ListedCourse> = client.get(&path)?.json()?;
        all.extend(page.items);
        let Some(next) = page.next else { return Ok(all) };
        let cursor = serde_urlencoded::to_string([("cursor", next)]).context("this is no cursor")?;
        path = format!("/api/v1/courses?{cursor}");
    }
}

fn list(courses: &[ListedCourse], out: &mut impl Write) -> Result<()> {
    if courses.is_empty() {
        writeln!(out, "There are no courses.")?;
    }
    for course in courses {
        let ListedCourse { code, name, year, game, ends_ms, groups, members, leagues, assignments } = course;
        let (name, members) = (plain(name), counted(*members as u64, "member", "members"));
        writeln!(out, "{code}  {} {}", paint(HEADING, name), plain(year))?;
        let groups: Vec<String> = groups.iter().map(|group| plain(group)).collect();
        writeln!(out, "    {game}, {members}, groups {}, ends {}", groups.join(" "), moment(*ends_ms))?;
        for league in leagues {
            let group = league.group.as_ref().map(|group| format!(" of group {}", plain(group))).unwrap_or_default();
            let next = league.due_ms.map(|ms| format!(", next run {}", moment(ms))).unwrap_or_default();
            writeln!(out, "    league  {}  {}{group}{next}", league.code, plain(&league.name))?;
        }
        for assignment in assignments {
            let (title, due) = (plain(&assignment.title), moment(assignment.due_ms));
            writeln!(out, "    assignment  {}  {title}, due {due}", assignment.code)?;
        }
    }
    Ok(())
}

/// A moment in UTC.
fn moment(ms: i64) -> String {
    utc_time(ms).replace('T', " ").replace('Z', " UTC")
}

/// A text that another person has typed, made safe for a terminal.
fn plain(text: &str) -> String {
    palestra_protocol::shown(text, 100).to_string()
}

fn export(code: &str, path: &Path, source: &Source, out: &mut impl Write) -> Result<()> {
    if path.exists() {
        bail!("{} exists: exports never replace files", path.display());
    }
    check_code(code)?;
    let place = source.open()?;
    let draft = draft(path)?;
    let mut file = BufWriter::new(draft.as_file());
    match place {
        Place::Folder(config) => blocking::archive_course(&config, code, &mut file)?,
        Place::Server(client) => {
            client.get(&format!("/api/v1/courses/{code}/archive"))?.copy_to(&mut file)?;
        }
    }
    file.flush()?;
    drop(file);
    draft.as_file().sync_all()?;
    draft.persist_noclobber(path).with_context(|| format!("cannot write {}", path.display()))?;
    writeln!(out, "The course is in {}.", path.display())?;
    Ok(())
}

/// A code stands in an address: it has letters and digits alone.
fn check_code(code: &str) -> Result<()> {
    let is_code = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_code { Ok(()) } else { bail!("'{code}' is no code: 'palestra course list' shows them") }
}
