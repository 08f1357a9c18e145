//! Which language a program speaks: found by talking with it, in a process that plays no game.

use std::io::{self, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

use palestra_protocol::{Dialect, Found, Probe, Received, Transport};
use palestra_sandbox::Process;

use super::{EntrantError, Program, file};

/// After so long a silence the program is greeted in protocol 1.
const SILENCE: Duration = Duration::from_millis(250);

/// How long a program may take for all of it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// A program in a box whose input has ended may take so long to leave.
const LEAVE: Duration = Duration::from_millis(500);

/// How long a file that is open for writing is waited for, and how often it is tried.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
const BUSY_POLL_INTERVAL: Duration = Duration::from_millis(2);

/// What a program may use of CPU time to tell its language.
const CPU: Duration = Duration::from_secs(10);

/// How the loader of programs begins when it does not find what a program needs.
const NO_LIBRARY: &str = "error while loading shared libraries";

/// Starts the program to see whether that works, and asks for its language where there is more than one.
pub(super) fn of(game: &str, program: &Program) -> Result<Found, EntrantError> {
    if program.in_box.is_some() {
        try_in_box(program)?;
    } else {
        try_out(program).map_err(|error| file::explain(&program.command, error))?;
    }
    if game != "mancala" {
        return Ok(Found { dialect: Dialect::One, name: None });
    }
    Ok(ask(&mut program.start(None, CPU)?))
}

/// Starts the program once. A copy that was just written may still be open in a child that another thread is starting,
/// and cannot be executed until that child has become another program.
fn try_out(program: &Program) -> io::Result<()> {
    let begun = Instant::now();
    loop {
        match program.launch(None).try_out() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && begun.elapsed() < BUSY_TIMEOUT => {
                thread::sleep(BUSY_POLL_INTERVAL);
            }
            tried => return tried,
        }
    }
}

/// Lets the program run without input. In a box it may lack what it has outside, which the system tells only then.
fn try_in_box(program: &Program) -> Result<(), EntrantError> {
    let mut process = program.start(None, CPU)?;
    process.hang_up();
    let (begun, mut line) = (Instant::now(), String::new());
    loop {
        match process.receive(LEAVE.saturating_sub(begun.elapsed()), &mut line) {
            Received::Line | Received::BadLine(_) => {}
            Received::Quiet => return Ok(()),
            Received::Gone(_) => break,
        }
    }
    match process.stderr() {
        message if message.contains(NO_LIBRARY) => {
            let path = program.command.first().cloned().unwrap_or_default().into();
            Err(EntrantError::NoLibrary { path, message: message.trim().to_owned() })
        }
        _ => Ok(()),
    }
}

fn ask(process: &mut Process) -> Found {
    let (mut probe, mut out, mut line) = (Probe::default(), String::new(), String::new());
    let (begun, mut is_quiet) = (Instant::now(), false);
    probe.start(&mut out);
    while begun.elapsed() < ANSWER_TIMEOUT {
        process.send(&out);
        out.clear();
        let wait = if is_quiet { ANSWER_TIMEOUT } else { SILENCE };
        match process.receive(wait.saturating_sub(begun.elapsed()), &mut line) {
            Received::Line => {
                if let Some(found) = probe.hear(&line, &mut out) {
                    return found;
                }
            }
            Received::Quiet if !is_quiet => {
                is_quiet = true;
                probe.quiet(&mut out);
            }
            Received::Quiet => {}
            Received::BadLine(_) | Received::Gone(_) => break,
        }
    }
    probe.give_up()
}
