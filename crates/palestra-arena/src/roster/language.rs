//! Detects which protocol a program speaks, by talking with a process that plays no game.

use std::io::{self, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

use palestra_protocol::{Dialect, Found, Probe, Received, Transport};
use palestra_sandbox::Process;

use super::{EntrantError, Program, file};

/// Time to wait for a line of the course's protocol before the program is greeted in protocol 1.
const GREETING_DELAY: Duration = Duration::from_millis(250);

/// Time for a program to answer the greeting.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Time for a program in a box to exit after its input has ended.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Time to wait for a program file that is still open for writing (`ETXTBSY`), and the interval between attempts.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
const BUSY_POLL_INTERVAL: Duration = Duration::from_millis(2);

/// CPU time limit of a program while its protocol is detected.
const PROBE_CPU: Duration = Duration::from_secs(10);

/// Message of the dynamic loader when it does not find a shared library.
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
    Ok(ask(&mut program.start(None, PROBE_CPU)?))
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
    let mut process = program.start(None, PROBE_CPU)?;
    process.hang_up();
    let (begun, mut line) = (Instant::now(), String::new());
    loop {
        match process.receive(EXIT_TIMEOUT.saturating_sub(begun.elapsed()), &mut line) {
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
        let wait = if is_quiet { ANSWER_TIMEOUT } else { GREETING_DELAY };
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
