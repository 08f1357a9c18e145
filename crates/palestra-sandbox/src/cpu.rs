//! CPU time: what a thread, or a child process, has used so far.

use std::time::Duration;

/// The CPU time of the calling thread.
#[cfg(target_os = "linux")]
pub fn thread_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where it cannot be asked for, time counts instead: right on an idle machine.
#[cfg(not(target_os = "linux"))]
pub fn thread_cpu() -> Duration {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed()
}

/// The CPU-time clock of another process, all its threads together, ended ones included. It can be read until
/// the process is reaped.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
pub struct CpuClock(libc::clockid_t);

#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "two calls of the C library that nobody wraps")]
impl CpuClock {
    /// The clock of a child that was not reaped yet.
    pub fn of(pid: rustix::process::Pid) -> std::io::Result<Self> {
        let mut clock = 0;
        // SAFETY: the only pointer is to a variable that outlives the call.
        match unsafe { libc::clock_getcpuclockid(pid.as_raw_pid(), &raw mut clock) } {
            0 => Ok(Self(clock)),
            error => Err(std::io::Error::from_raw_os_error(error)),
        }
    }

    /// What the process has used so far; `None` once it was reaped.
    pub fn read(self) -> Option<Duration> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the only pointer is to a variable that outlives the call.
        let failed = unsafe { libc::clock_gettime(self.0, &raw mut time) };
        let (seconds, nanos) = (u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?);
        (failed == 0).then(|| Duration::new(seconds, nanos))
    }
}
