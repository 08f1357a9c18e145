//! Control of a program in a box from outside: CPU clock, cgroup freezer (or `SIGSTOP`), kill.

use std::sync::Arc;
use std::time::Duration;

use palestra_protocol::{Fault, ForfeitKind};
use rustix::process::{Pid, Signal, kill_process};

use super::cgroup::Cgroup;
use super::stage::Staged;
use crate::cpu::CpuClock;
use crate::process::{ProcessControl, process_tree, run_delay};

/// Measures, freezes and kills a program in a box.
#[derive(Debug)]
pub(super) struct BoxControl {
    helper: Pid,
    /// The program and its CPU clock, once it was found in the process tree.
    program: Option<(Pid, CpuClock)>,
    group: Option<Cgroup>,
    /// The CPU time after which the kernel ends it.
    cpu_limit: Duration,
    /// What it runs lies there as long as it does.
    _staged: Arc<Staged>,
}

impl BoxControl {
    pub(super) const fn new(helper: Pid, group: Option<Cgroup>, cpu_limit: Duration, staged: Arc<Staged>) -> Self {
        Self { helper, program: None, group, cpu_limit, _staged: staged }
    }

    /// The program is the only child of the first process in the box, which is the only child of the helper. It cannot
    /// start others, so its clock is the box's.
    fn program(&mut self) -> Option<(Pid, CpuClock)> {
        let only_child = |pid| process_tree::children(pid).first().copied();
        if self.program.is_none() {
            let pid = only_child(self.helper).and_then(only_child)?;
            self.program = Some((pid, CpuClock::of(pid).ok()?));
        }
        self.program
    }

    /// Whether the OOM killer ended a process of the box.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        self.group.as_ref().is_some_and(Cgroup::ran_out_of_memory)
    }

    fn freezer(&self) -> Option<&Cgroup> {
        self.group.as_ref().filter(|group| group.can_freeze())
    }

    /// Stops the process by a signal to each thread: the first one that receives it stops all. A signal to the process
    /// would go to an idle thread, which busy threads can keep from the CPU for milliseconds.
    fn stop_threads(&mut self) {
        let Some((pid, _)) = self.program() else { return };
        if !process_tree::has_threads(pid) {
            return self.signal(Signal::STOP);
        }
        for thread in process_tree::threads(pid) {
            signal_thread(pid, thread, Signal::STOP);
        }
    }

    fn signal(&mut self, signal: Signal) {
        if let Some((pid, _)) = self.program() {
            let _ = kill_process(pid, signal);
        }
    }
}

/// Sends a signal to one thread, if it is there.
#[allow(unsafe_code, reason = "a call of the system that nobody wraps")]
fn signal_thread(process: Pid, thread: i32, signal: Signal) {
    // SAFETY: only numbers are passed.
    unsafe { libc::syscall(libc::SYS_tgkill, process.as_raw_pid(), thread, signal.as_raw()) };
}

impl ProcessControl for BoxControl {
    fn cpu(&mut self, _: bool) -> Option<Duration> {
        let own = self.program().and_then(|(_, clock)| clock.read());
        // Once it has ended, those who waited for it know.
        own.or_else(|| Some(process_tree::children_cpu(self.helper)))
    }

    fn tasks(&mut self) -> run_delay::Tasks {
        run_delay::tasks(self.program().map(|(pid, _)| pid))
    }

    fn peak_memory(&mut self) -> Option<u64> {
        let (pid, _) = self.program()?;
        self.group.as_ref().and_then(Cgroup::peak_memory).or_else(|| process_tree::peak_memory(pid))
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn stop(&mut self) {
        match self.freezer() {
            Some(group) => group.freeze(true),
            None => self.stop_threads(),
        }
    }

    fn resume(&mut self) {
        match self.freezer() {
            Some(group) => group.freeze(false),
            None => self.signal(Signal::CONT),
        }
    }

    fn kill(&mut self) {
        if !self.group.as_ref().is_some_and(Cgroup::kill) {
            // The helper kills all in the box, and ends when they have.
            let _ = kill_process(self.helper, Signal::TERM);
        }
    }

    fn fault_of_signal(&self, signal: i32) -> Option<Fault> {
        if self.ran_out_of_memory() {
            return Some(Fault::new(ForfeitKind::Memory, "it used more memory than it has"));
        }
        // A process that ignores the first signal is killed a second later.
        let is_out_of_time = || signal == libc::SIGKILL && process_tree::children_cpu(self.helper) >= self.cpu_limit;
        match signal {
            libc::SIGSYS => {
                Some(Fault::new(ForfeitKind::Security, "it was ended for a call of the system that is forbidden"))
            }
            signal if signal == libc::SIGXCPU || is_out_of_time() => {
                Some(Fault::new(ForfeitKind::Budget, "it used up the CPU time that it has in all"))
            }
            libc::SIGXFSZ => Some(Fault::new(ForfeitKind::Output, "it wrote a file that is too large")),
            _ => None,
        }
    }
}
