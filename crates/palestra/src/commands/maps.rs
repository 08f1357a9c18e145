//! `palestra maps`: lists, draws, checks and generates maps of El Juego de la Bandera.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use palestra_games::Draw;
use palestra_games::Game;
use palestra_games::bandera::{BUNDLED, Bandera, BanderaOptions, Bundled, Map, MapFile, MapPlan, MapReport, generate};

use crate::cli::Maps;
use crate::commands::show::legend;
use crate::file;
use crate::start::short_seed;
use crate::ui::board;
use crate::ui::error::HintExt;
use crate::ui::style::{ERROR, HEADING, HINT, paint};

/// Runs a subcommand of `palestra maps`.
pub(crate) fn run(command: &Maps, out: &mut impl Write) -> Result<()> {
    match command {
        Maps::List => Ok(list(out)?),
        Maps::Show { map } => show(&read(map)?, out),
        Maps::Check { maps } if maps.is_empty() => check(&BUNDLED.map(|bundled| bundled.name.to_owned()), out),
        Maps::Check { maps } => check(maps, out),
        Maps::New { seed, size, players, output } => new(*seed, *size, *players, output.as_deref(), out),
    }
}

fn list(out: &mut impl Write) -> io::Result<()> {
    let width = BUNDLED.iter().map(|bundled| bundled.name.len()).max().unwrap_or(0);
    BUNDLED.iter().try_for_each(|bundled| writeln!(out, "{:width$}  {}", bundled.name, bundled.about))
}

/// A bundled map, or one from a file, with or without an `@` before its name.
fn read(name: &str) -> Result<MapFile> {
    if let Some(bundled) = Bundled::find(name) {
        return Ok(bundled.file());
    }
    let path = name.strip_prefix('@').unwrap_or(name);
    if !Path::new(path).exists() {
        return Err(anyhow!("no bundled map or file '{path}'"))
            .hint(|| "run 'palestra maps list' for the bundled maps".to_owned());
    }
    let text = file::read(path)?;
    text.parse()
        .with_context(|| format!("'{path}'"))
        .hint(|| "run 'palestra maps new' for a map to start from".to_owned())
}

fn show(file: &MapFile, out: &mut impl Write) -> Result<()> {
    let map = file.map();
    writeln!(out, "{}\n", paint(HEADING, file.title()))?;
    let start = Bandera::new(&BanderaOptions::from_map(map.clone()));
    let lines = board::draw(&start.layout(), &start.scene(None));
    for line in &lines {
        writeln!(out, "{}", format!("  {line}").trim_end())?;
    }
    writeln!(out, "\n{}", legend(&lines))?;
    let (rows, cols) = (map.torus().rows(), map.torus().cols());
    writeln!(out, "{rows}x{cols}, {} a side, the edges meet; {}", map.team_size(), fairness(map))?;
    Ok(())
}

fn fairness(map: &Map) -> String {
    map.fairness().map_or_else(|unfair| format!("not fair: {unfair}"), |()| "fair".to_owned())
}

fn check(names: &[String], out: &mut impl Write) -> Result<()> {
    let mut failed = Vec::new();
    for name in names {
        let file = read(name)?;
        let report = MapReport::of(file.map());
        writeln!(out, "{}: {}, {}", paint(HEADING, name), file.title(), fairness(file.map()))?;
        write_report(&report, out)?;
        if !report.is_good() {
            failed.push(name.as_str());
        }
    }
    if !failed.is_empty() {
        out.flush()?;
        bail!("outside the guidelines: {}", failed.join(", "));
    }
    let all = if names.len() == 1 { "The map is".to_owned() } else { format!("All {} maps are", names.len()) };
    writeln!(out, "{all} fair and within the guidelines.")?;
    Ok(())
}

fn write_report(report: &MapReport, out: &mut impl Write) -> io::Result<()> {
    for row in report.rows() {
        let mark = if row.ok { "ok".to_owned() } else { paint(ERROR, "out of range") };
        writeln!(out, "  {:<26}  {:>9}  {:>10}  {mark}", row.name, row.value, row.range)?;
    }
    writeln!(out)
}

fn new(
    seed: Option<u64>,
    (rows, cols): (usize, usize),
    players: Option<usize>,
    output: Option<&str>,
    out: &mut impl Write,
) -> Result<()> {
    let seed = seed.unwrap_or_else(short_seed);
    let team_size = players.unwrap_or_else(|| usual_team(rows.saturating_mul(cols)));
    let map = generate(seed, MapPlan { rows, cols, team_size })
        .hint(|| "suitable sizes are 8x8, 10x12, 12x16 and 16x20".to_owned())?;
    let missed: Vec<_> = MapReport::of(&map).rows().iter().filter(|row| !row.ok).map(|row| row.name).collect();
    let file = MapFile::new(format!("Random map {rows}x{cols}, {team_size} a side, seed {seed}"), map)?;
    match output {
        None => write!(out, "{file}")?,
        Some(path) => {
            file::create(path, &file.to_string())?;
            writeln!(out, "{path}: {}", file.title())?;
        }
    }
    if !missed.is_empty() {
        let _ = writeln!(anstream::stderr(), "{} outside the guidelines: {}", paint(HINT, "hint:"), missed.join(", "));
    }
    Ok(())
}

/// The default team size: that of the largest standard board with at most this many cells.
fn usual_team(cells: usize) -> usize {
    let fitting = MapPlan::STANDARD.iter().filter(|plan| plan.rows * plan.cols <= cells);
    fitting.map(|plan| plan.team_size).max().unwrap_or(1)
}
