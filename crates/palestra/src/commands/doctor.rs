//! `palestra doctor`: whether untrusted programs can be sandboxed on this machine.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow};
use palestra_sandbox::{Costs, Helper, Layer, LayerState, Layers, Sandbox, SandboxError};

use crate::clock;
use crate::ui::error::HintExt;
use crate::ui::progress::{Progress, bar};
use crate::ui::style::{ERROR, GOOD, HEADING, HINT, paint};
use crate::ui::text::{hang, width};
use crate::ui::units::{counted, spent};

/// The number of sandboxes that are started to measure one.
const MEASURED_STARTS: usize = 20;

/// Where the second and the third column begin.
const STATE_COLUMN: usize = 15;
const DETAIL_COLUMN: usize = 24;

/// Prints the layers of the sandbox, what it costs, the compilers and a verdict; fails if programs cannot be sandboxed.
pub(crate) fn run(out: &mut impl Write) -> Result<()> {
    let root = rustix::process::getuid().is_root();
    let role = if root { "root" } else { "an ordinary user" };
    let cpus = counted(clock::threads(0)? as u64, "CPU", "CPUs");
    let kernel = rustix::system::uname();
    let heading =
        format!("Sandboxes for untrusted programs: Linux {}, {cpus}, as {role}", kernel.release().to_string_lossy());
    writeln!(out, "{}\n", paint(HEADING, heading))?;
    out.flush()?;
    match Sandbox::new(Helper::this_program().context("cannot open this program")?) {
        Ok(sandbox) => {
            write_layers(sandbox.layers(), out)?;
            write_costs(&sandbox, out)?;
            write_compilers(out)?;
            writeln!(out, "\n{}", verdict(sandbox.layers()))?;
            Ok(())
        }
        Err(SandboxError::Lacking(layers)) => {
            write_layers(&layers, out)?;
            write_compilers(out)?;
            out.flush()?;
            bad_verdict(&layers)
        }
        Err(error) => Err(error).context("untrusted programs cannot run on this machine"),
    }
}

fn verdict(layers: &Layers) -> String {
    let missing: Vec<&str> = layers.missing().map(|(layer, _)| layer.name).collect();
    match missing.as_slice() {
        [] => "Untrusted programs can run safely on this machine.".to_owned(),
        missing => {
            let missing = missing.join(", ");
            format!(
                "Untrusted programs can run on this machine, but layers are missing: {missing}. Leagues are played \
                 all the same, and each run says that its boxes were without them."
            )
        }
    }
}

fn bad_verdict(layers: &Layers) -> Result<()> {
    let (layer, missing) = layers.lacking().context("a layer is missing")?;
    let error = anyhow!("untrusted programs cannot run on this machine: {}: {}", layer.name, missing.why);
    Err(error).hint(|| missing.advice.clone())
}

fn write_layers(layers: &Layers, out: &mut impl Write) -> Result<()> {
    let mut layers = layers.iter().peekable();
    while let Some(Layer { name, state, .. }) = layers.next() {
        match state {
            LayerState::Found(detail) => row(out, name, &paint(GOOD, "found"), "found", detail)?,
            LayerState::Untried => row(out, name, "untried", "untried", "no sandbox could be started")?,
            LayerState::Missing(missing) => {
                row(out, name, &paint(ERROR, "missing"), "missing", &missing.why)?;
                row(out, "", "so", "so", missing.follows)?;
                // Advice that applies to several layers is printed after the last of them.
                let is_repeated_below = layers.peek().is_some_and(
                    |next| matches!(&next.state, LayerState::Missing(other) if other.advice == missing.advice),
                );
                if !is_repeated_below {
                    row(out, "", &paint(HINT, "do"), "do", &missing.advice)?;
                }
            }
        }
    }
    Ok(out.flush()?)
}

/// A line of the table; `painted` is `word` with its colour codes, which have no width.
fn row(out: &mut impl Write, name: &str, painted: &str, word: &str, detail: &str) -> Result<()> {
    let gap = " ".repeat((DETAIL_COLUMN - STATE_COLUMN).saturating_sub(word.len()));
    writeln!(out, "{name:STATE_COLUMN$}{painted}{gap}{}", hang(DETAIL_COLUMN, detail.split(' '), width()))?;
    Ok(())
}

fn write_costs(sandbox: &Sandbox, out: &mut impl Write) -> Result<()> {
    let mut progress = Progress::new();
    let measured = sandbox.costs(MEASURED_STARTS, &mut |done| {
        progress.show(|| format!("{} measuring a sandbox", bar(done as u32, MEASURED_STARTS as u32)));
    });
    drop(progress);
    let Costs { start, freeze } = measured?;
    writeln!(out)?;
    fact(out, "program folder", &sandbox.folder().display().to_string())?;
    fact(out, "start", &format!("{} until the first line (median of {MEASURED_STARTS})", spent(start)))?;
    fact(out, "freeze and thaw", &format!("{} (median of {MEASURED_STARTS})", spent(freeze)))
}

fn write_compilers(out: &mut impl Write) -> Result<()> {
    let system = |path: &'static str| first_line(path, &["--version"]).map(|version| format!("{path}: {version}"));
    let rust = first_line("rustc", &["--print", "sysroot"]);
    let compilers = [
        ("C++", system("/usr/bin/g++"), "apt install g++"),
        ("Rust", rust, "https://rustup.rs"),
        ("Python", system("/usr/bin/python3"), "apt install python3"),
    ];
    writeln!(out)?;
    for (language, found, advice) in compilers {
        let text = found.unwrap_or_else(|| format!("not found; install: {advice}"));
        fact(out, language, &text)?;
    }
    Ok(())
}

fn fact(out: &mut impl Write, name: &str, value: &str) -> Result<()> {
    writeln!(out, "{name:17}{value}")?;
    Ok(())
}

/// The first line that a compiler prints, or `None` if it cannot be run.
fn first_line(program: &str, args: &[&str]) -> Option<String> {
    let is_there = !program.starts_with('/') || Path::new(program).is_file();
    let mut command = Command::new(program);
    let output = is_there.then(|| command.args(args).stdin(Stdio::null()).output().ok()).flatten()?;
    let line = String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned();
    output.status.success().then_some(line)
}
