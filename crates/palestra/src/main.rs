//! `palestra`, the one binary: everything of Palestra that prints, reads files or ends the program.

mod admin;
mod analyse;
mod archive;
mod bench;
mod board;
mod boxes;
mod check;
mod cli;
mod clock;
mod completions;
mod connect;
mod contest;
#[cfg(target_os = "linux")]
mod doctor;
mod error;
mod file;
mod games;
mod journal;
mod ladder;
mod man;
mod maps;
mod match_report;
mod matches;
mod new;
mod openings;
mod pairs;
mod perft;
mod play;
mod progress;
mod recorded;
mod score;
mod selfplay;
mod serve;
mod show;
mod sprt;
mod start;
mod style;
mod text;
mod tournament;
mod tune;
mod units;
mod watch;

use std::io::Write;
use std::process::ExitCode;

use palestra_arena::sandbox::{HELPER_WORD, helper_main};

use cli::{Cli, Command, Serve};

fn main() -> ExitCode {
    // In front of a box, and in it, this program is another one, which knows nothing of the command line.
    if std::env::args_os().nth(1).is_some_and(|word| word == HELPER_WORD) {
        return helper_main();
    }
    match Cli::read() {
        Ok(cli) => {
            style::choose(cli.color);
            let code = error::exit(run(&cli));
            if contest::is_interrupted() { ExitCode::from(error::INTERRUPTED) } else { code }
        }
        Err(error) => {
            style::choose(cli::color_asked(std::env::args_os()));
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
        Some(Command::Admin { command }) => admin::run(command, &mut out)?,
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
        Some(Command::Check(args)) => check::run(args, &mut out)?,
        #[cfg(target_os = "linux")]
        Some(Command::Doctor) => doctor::run(&mut out)?,
        #[cfg(not(target_os = "linux"))]
        Some(Command::Doctor) => drop(boxes::sandbox(true)?),
        Some(Command::Connect(args)) => connect::run(args, &mut out)?,
        Some(Command::Selfplay(args)) => selfplay::run(args, &mut out)?,
        Some(Command::Analyse(args)) => analyse::run(args, &mut out)?,
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
