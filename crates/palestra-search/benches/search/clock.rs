//! CPU time: on a shared machine it says what a search costs, where time on the wall says who else was there.

use std::time::Duration;

/// CPU time of this process so far.
#[cfg(target_os = "linux")]
pub(crate) fn process_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where CPU time cannot be asked for, time counts: right for one thread on an idle machine.
#[cfg(not(target_os = "linux"))]
pub(crate) fn process_cpu() -> Duration {
    use std::time::Instant;

    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}
