//! The clocks and the memory of this machine: what the libraries never ask for themselves.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use crate::error::HintExt;
use crate::units::written_memory;

/// Counts the time that passes and the CPU time that this process uses, both from its making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    begun: Instant,
    cpu: Duration,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { begun: Instant::now(), cpu: process_cpu() }
    }

    /// How much time has passed.
    pub(crate) fn wall(&self) -> Duration {
        self.begun.elapsed()
    }

    /// How much CPU time all threads of the process have used together.
    pub(crate) fn cpu(&self) -> Duration {
        process_cpu().saturating_sub(self.cpu)
    }
}

#[cfg(target_os = "linux")]
fn process_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where CPU time cannot be asked for, time counts instead: right for one thread on an idle machine.
#[cfg(not(target_os = "linux"))]
fn process_cpu() -> Duration {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}

/// As many threads as were asked for; 0 asks for one a core.
pub(crate) fn threads(asked: u16) -> Result<usize> {
    match asked {
        0 => Ok(std::thread::available_parallelism().context("cannot tell the number of cores")?.get()),
        threads => Ok(usize::from(threads)),
    }
}

/// Refuses a size that this machine has not got. The system would promise it, and end the program later.
pub(crate) fn check_memory(bytes: usize) -> Result<()> {
    match machine_memory() {
        Some(there_is) if bytes as u64 > there_is => {
            let (asked, there_is) = (written_memory(bytes as u64), written_memory(there_is));
            Err(anyhow!("{asked} of memory were asked for, this machine has {there_is}")).hint(|| {
                "leave some of it to other programs: --memory 256MiB is plenty for a minute's search".to_owned()
            })
        }
        _ => Ok(()),
    }
}

#[cfg(target_os = "linux")]
fn machine_memory() -> Option<u64> {
    let info = rustix::system::sysinfo();
    // The field has the width of a word of the machine.
    #[allow(clippy::useless_conversion, reason = "64 bits only here")]
    Some(u64::from(info.totalram).saturating_mul(u64::from(info.mem_unit)))
}

#[cfg(not(target_os = "linux"))]
fn machine_memory() -> Option<u64> {
    None
}
