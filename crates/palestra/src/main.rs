//! The `palestra` binary: the only crate that prints, reads files the user names, or ends the process.

mod cli;
mod client;
mod clock;
mod commands;
mod contest_setup;
mod file;
mod journal;
mod log;
mod pair_pool;
mod record_reader;
mod sandboxes;
mod start;
mod ui;

use std::io::Write;
use std::process::ExitCode;

use palestra_sandbox::{HELPER_WORD, helper_main};

use cli::{Cli, Command, Serve};
use commands::*;
use ui::{error, style};

fn main() -> ExitCode {
    // The sandbox starts this binary again as its helper, which has no command line.
    if std::env::args_os().nth(1).is_some_and(|word| word == HELPER_WORD) {
        return helper_main();
    }
    match Cli::read() {
        Ok(cli) => {
            style::choose(cli.color);
            let code = error::exit(run(&cli));
            if contest_setup::is_interrupted() { ExitCode::from(error::INTERRUPTED) } else { code }
        }
        Err(error) => {
            style::choose(cli::requested_color(std::env::args_os()));
            error::exit_usage(&error)
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    // Not locked: `match --show` also writes from the thread that plays.
    let mut out = anstream::stdout();
    match &cli.command {
        None => serve::run(&Serve::default(), &mut out)?,
        Some(Command::Serve(args)) => serve::run(args, &mut out)?,
        Some(Command::Demo(args)) => demo::run(args, &mut out)?,
        Some(Command::Admin { command }) => admin::run(command, &mut out)?,
        Some(Command::Course { command }) => course::run(command, &mut out)?,
        Some(Command::Backup(args)) => archive::backup(args, &mut out)?,
        Some(Command::Restore(args)) => archive::restore(args, &mut out)?,
        Some(Command::Games { game: None }) => games::list(&mut out)?,
        Some(Command::Games { game: Some(kind) }) => games::describe(kind, &mut out)?,
        Some(Command::Show { start }) => show::run(start, &mut out)?,
        Some(Command::Perft(args)) => perft::run(args, &mut out)?,
        Some(Command::Play(args)) => play::run(args, &mut out)?,
        Some(Command::New(args)) => new::run(args, &mut out)?,
        Some(Command::Match(args)) => matches::run(args, &mut out)?,
        Some(Command::Tournament(args)) => tournament::run(args, &mut out)?,
        Some(Command::Sprt(args)) => sprt::run(args, &mut out)?,
        Some(Command::Rubric(args)) => rubric::run(args, &mut out)?,
        Some(Command::Check(args)) => check::run(args, &mut out)?,
        Some(Command::Copies(args)) => copies::run(args, &mut out)?,
        #[cfg(target_os = "linux")]
        Some(Command::Doctor) => doctor::run(&mut out)?,
        #[cfg(not(target_os = "linux"))]
        Some(Command::Doctor) => drop(sandboxes::sandbox(true)?),
        Some(Command::Upload(args)) => upload::run(args, &mut out)?,
        Some(Command::Connect(args)) => connect::run(args, &mut out)?,
        Some(Command::Selfplay(args)) => selfplay::run(args, &mut out)?,
        Some(Command::Analyse(args)) => analyse::run(args, &mut out)?,
        Some(Command::Tree(args)) => tree::run(args, &mut out)?,
        Some(Command::Bench { threads }) => bench::run(*threads, &mut out)?,
        Some(Command::Ladder(args)) => ladder::run(args, &mut out)?,
        Some(Command::Openings { game, seed }) => openings::run(game, *seed, &mut out)?,
        Some(Command::Tune(args)) => tune::run(args, &mut out)?,
        Some(Command::Maps { command }) => maps::run(command, &mut out)?,
        Some(Command::Completions { shell }) => completions::run(*shell, &mut out)?,
        Some(Command::Man { folder }) => man::run(folder, &mut out)?,
    }
    out.flush()?;
    Ok(())
}
