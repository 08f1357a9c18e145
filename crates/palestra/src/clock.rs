//! The clocks, cores and memory of this machine, which the libraries never read themselves.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use crate::ui::error::HintExt;
use crate::ui::units::written_memory;

/// Measures wall time since its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// The wall time since the start.
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

/// Wall time, where CPU time is not available: the same for one thread on an idle machine.
#[cfg(not(target_os = "linux"))]
pub(crate) fn process_cpu() -> Duration {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}

/// The number of threads to use: as requested, at most one per core, since more would be slower and late to stop. 0 is
/// one per core.
pub(crate) fn threads(requested: u16) -> Result<usize> {
    let cores = std::thread::available_parallelism().context("cannot find the number of cores")?.get();
    Ok(if requested == 0 { cores } else { cores.min(requested.into()) })
}

/// Refuses more memory than is free. The kernel would overcommit, and kill the program later.
pub(crate) fn check_memory(bytes: usize) -> Result<()> {
    match free_memory() {
        Some(free) if bytes as u64 > free => {
            let (requested, free) = (written_memory(bytes as u64), written_memory(free));
            Err(anyhow!("{requested} of memory requested, {free} free"))
                .hint(|| "choose less: --memory 256MiB is enough for a search of a minute".to_owned())
        }
        _ => Ok(()),
    }
}

/// The available memory in bytes, on Linux.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes.saturating_mul(1024))
}
