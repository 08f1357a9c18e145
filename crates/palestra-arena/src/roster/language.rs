//! Which language a program speaks: found by talking with it, in a process that plays no game.

use std::io;
use std::time::{Duration, Instant};

use palestra_protocol::{Dialect, Found, Probe};

use crate::process::{Launch, Process};
use crate::transport::{Received, Transport};

/// After so long a silence the program is greeted in protocol 1.
const SILENCE: Duration = Duration::from_millis(250);

/// How long a program may take for all of it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts the program to see whether that works, and asks for its language where there is more than one.
pub(super) fn of(game: &str, launch: &Launch) -> io::Result<Found> {
    launch.try_out()?;
    if game != "mancala" {
        return Ok(Found { dialect: Dialect::One, name: None });
    }
    Ok(ask(&mut Process::start(launch)?))
}

fn ask(process: &mut Process) -> Found {
    let (mut probe, mut out, mut line) = (Probe::default(), String::new(), String::new());
    let (begun, mut is_quiet) = (Instant::now(), false);
    probe.start(&mut out);
    while begun.elapsed() < PATIENCE {
        process.send(&out);
        out.clear();
        let patience = if is_quiet { PATIENCE } else { SILENCE };
        match process.receive(patience.saturating_sub(begun.elapsed()), &mut line) {
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
            Received::Fault(_) | Received::Gone(_) => break,
        }
    }
    probe.give_up()
}
