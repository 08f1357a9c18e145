//! `palestra copies`: programs whose sources are alike, with the lines.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use palestra_arena::copies::{Given, Lines, Pair, Program, Sources, clusters, compare, passages};
use palestra_protocol::shown;

use crate::cli;
use crate::file::check_exists;
use crate::ui::error::HintExt;
use crate::ui::style::{HEADING, paint};

/// The characters of a name that are shown.
const MAX_SHOWN_NAME: usize = 60;

/// Compares the programs and writes the pairs that are alike.
pub(crate) fn run(args: &cli::Copies, out: &mut impl Write) -> Result<()> {
    args.programs.iter().chain(&args.given).try_for_each(|path| check_exists(path))?;
    let programs = read(args)?;
    let mut given = Given::kits().clone();
    for path in &args.given {
        read_one(path)?.files.iter().for_each(|(name, text)| given.add(name, text));
    }
    let scanned: Vec<Program> = programs.iter().map(|sources| Program::new(&sources.files, &given)).collect();
    let found = compare(&scanned.iter().map(Program::fingerprint).collect::<Vec<_>>(), &[]);
    let alike: Vec<&Pair> = found.pairs.iter().filter(|pair| pair.share() * 100.0 >= f64::from(args.share)).collect();
    let names: Vec<String> = programs.iter().map(|sources| shown(&sources.name, MAX_SHOWN_NAME).to_string()).collect();
    for pair in &alike {
        write_pair(pair, &names, &scanned, out)?;
    }
    for group in clusters(programs.len(), alike.iter().copied()).iter().filter(|group| group.len() > 2) {
        let group: Vec<&str> = group.iter().map(|&program| names[program].as_str()).collect();
        writeln!(out, "{} {}\n", paint(HEADING, "Group:"), group.join(", "))?;
    }
    let (count, advice) = (programs.len(), "Look at the lines: only a person can tell why.");
    match alike.len() {
        0 => writeln!(out, "{count} programs compared; none are alike by {} % or more", args.share)?,
        1 => writeln!(out, "{count} programs compared, 1 pair is alike. {advice}")?,
        alike => writeln!(out, "{count} programs compared, {alike} pairs are alike. {advice}")?,
    }
    Ok(())
}

/// The programs, of which there must be two at least.
fn read(args: &cli::Copies) -> Result<Vec<Sources>> {
    let programs = match &args.programs[..] {
        [folder] if folder.is_dir() => Sources::read_all(folder).with_context(|| folder.display().to_string())?,
        several => several.iter().map(|path| read_one(path)).collect::<Result<_>>()?,
    };
    if programs.len() < 2 {
        return Err(anyhow!("there is nothing to compare"))
            .hint(|| "name two programs, or a folder with a folder for each program".to_owned());
    }
    Ok(programs)
}

fn read_one(path: &Path) -> Result<Sources> {
    let sources = Sources::read(path).with_context(|| path.display().to_string())?;
    if sources.files.is_empty() {
        return Err(anyhow!("{} has no source files", path.display()))
            .hint(|| "sources are files in C, C++, Java, Python or Rust".to_owned());
    }
    Ok(sources)
}

fn write_pair(pair: &Pair, names: &[String], scanned: &[Program], out: &mut impl Write) -> Result<()> {
    let [one, other] = pair.programs;
    let [share, its] = pair.shares.map(|share| format!("{:.0} %", share * 100.0));
    let heading = format!("{share} of {}, {its} of {}", names[one], names[other]);
    writeln!(out, "{}", paint(HEADING, heading))?;
    let rows: Vec<[String; 2]> =
        passages(&scanned[one], &scanned[other]).iter().map(|passage| passage.places.each_ref().map(place)).collect();
    let width = rows.iter().map(|[place, _]| place.chars().count()).max().unwrap_or(0);
    rows.iter().try_for_each(|[place, its]| writeln!(out, "  {place:width$}  {its}"))?;
    Ok(writeln!(out)?)
}

/// A place as editors understand it, with the last line: `a.cpp:12-30`.
fn place(lines: &Lines) -> String {
    format!("{}:{}-{}", shown(&lines.file, MAX_SHOWN_NAME), lines.lines.start(), lines.lines.end())
}
