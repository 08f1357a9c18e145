//! CPU time: what a thread, or a child process, has used so far.

use std::time::Duration;

/// The CPU time of the calling thread.
#[cfg(target_os = "linux")]
pub(crate) fn thread_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where it cannot be asked for, time counts instead: right on an idle machine.
#[cfg(not(target_os = "linux"))]
pub(crate) fn thread_cpu() -> Duration {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed()
}
