//! CPU time: on a shared machine it says what a search costs, where time on the wall says who else was there.

use std::time::{Duration, Instant};

/// What something took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// CPU seconds of all threads of this process.
    pub(crate) cpu: f64,
    /// Seconds.
    pub(crate) wall: f64,
    /// Of whatever is counted: positions, games.
    pub(crate) count: u64,
}

/// Does something that returns a count, and says what it took.
pub(crate) fn measure(work: impl FnOnce() -> u64) -> Cost {
    let (wall, cpu) = (Instant::now(), process_cpu());
    let count = work();
    Cost { cpu: (process_cpu() - cpu).as_secs_f64(), wall: wall.elapsed().as_secs_f64(), count }
}

/// CPU time of this process so far.
#[cfg(target_os = "linux")]
pub(crate) fn process_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where CPU time cannot be asked for, time counts: right for one thread on an idle machine.
#[cfg(not(target_os = "linux"))]
pub(crate) fn process_cpu() -> Duration {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}
