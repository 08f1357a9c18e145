//! The clocks and the memory of this machine: what the libraries never ask for themselves.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use crate::ui::error::HintExt;
use crate::ui::units::written_memory;

/// Counts the time that passes from its making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// How much time has passed.
    pub(crate) fn wall(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The CPU time of all threads of this process.
#[cfg(target_os = "linux")]
pub(crate) fn process_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where CPU time cannot be asked for, time counts instead: right for one thread on an idle machine.
#[cfg(not(target_os = "linux"))]
pub(crate) fn process_cpu() -> Duration {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}

/// As many threads as were asked for, but no more than there are cores: they would be slower, and late to stop. 0 asks
/// for one a core.
pub(crate) fn threads(asked: u16) -> Result<usize> {
    let cores = std::thread::available_parallelism().context("cannot tell the number of cores")?.get();
    Ok(if asked == 0 { cores } else { cores.min(asked.into()) })
}

/// Refuses a size that this machine has not got to give. The system would promise it, and end the program later.
pub(crate) fn check_memory(bytes: usize) -> Result<()> {
    match free_memory() {
        Some(there_is) if bytes as u64 > there_is => {
            let (asked, there_is) = (written_memory(bytes as u64), written_memory(there_is));
            Err(anyhow!("{asked} of memory were asked for, {there_is} are free")).hint(|| {
                "leave some of it to other programs: --memory 256MiB is plenty for a minute's search".to_owned()
            })
        }
        _ => Ok(()),
    }
}

/// What programs can still have, in bytes. Only Linux says so in this file.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes.saturating_mul(1024))
}
