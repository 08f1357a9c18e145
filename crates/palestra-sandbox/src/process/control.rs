//! Process control: CPU time, run delay, memory, stop, resume and kill of a program.

use std::fmt::Debug;
use std::io;
use std::time::Duration;

use palestra_protocol::Fault;
use rustix::process::{Pid, Signal, kill_process_group};

use super::{process_tree, run_delay};
use crate::cpu::CpuClock;

/// Measures, stops and kills a program. Not used once the program was reaped.
pub(crate) trait ProcessControl: Debug + Send {
    /// The CPU time of the program, all threads together; with its children if `all`, which takes longer.
    fn cpu(&mut self, all: bool) -> Option<Duration>;

    /// CPU time and run run_delay of each of its tasks; nothing where the kernel does not count them.
    fn tasks(&mut self) -> run_delay::Tasks;

    /// The most memory that it has ever held, in bytes.
    fn peak_memory(&mut self) -> Option<u64>;

    /// Whether it is stopped whenever it is not its turn, or only if it goes on computing.
    fn is_strict(&self) -> bool {
        false
    }

    /// Stops the program.
    fn stop(&mut self);

    /// Lets a stopped program run again.
    fn resume(&mut self);

    /// Kills the program and all processes that belong to it.
    fn kill(&mut self);

    /// The fault that a death by this signal means, if it says more than the signal itself.
    fn fault_of_signal(&self, _signal: i32) -> Option<Fault> {
        None
    }
}

/// A plain child process, which leads a process group of its own.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    pid: Pid,
    clock: CpuClock,
}

impl ProcessGroup {
    pub(super) fn of(pid: Pid) -> io::Result<Self> {
        Ok(Self { pid, clock: CpuClock::of(pid)? })
    }

    /// Sends a signal to the whole process group. A process that has ended already needs none.
    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.pid, signal);
    }
}

impl ProcessControl for ProcessGroup {
    fn cpu(&mut self, all: bool) -> Option<Duration> {
        let own = self.clock.read()?;
        Some(if all { own + process_tree::children_cpu(self.pid) } else { own })
    }

    fn tasks(&mut self) -> run_delay::Tasks {
        run_delay::tasks([self.pid].into_iter().chain(process_tree::descendants(self.pid)))
    }

    fn peak_memory(&mut self) -> Option<u64> {
        let own = process_tree::peak_memory(self.pid)?;
        Some(own + process_tree::descendants(self.pid).into_iter().filter_map(process_tree::peak_memory).sum::<u64>())
    }

    fn stop(&mut self) {
        self.signal(Signal::STOP);
    }

    fn resume(&mut self) {
        self.signal(Signal::CONT);
    }

    fn kill(&mut self) {
        self.signal(Signal::KILL);
    }
}
