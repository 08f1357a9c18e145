//! What can be done with a program beside talking to it: measured, stopped, ended.

use std::fmt::Debug;
use std::io;
use std::time::Duration;

use palestra_protocol::Fault;
use rustix::process::{Pid, Signal, kill_process_group};

use super::{delay, family};
use crate::cpu::CpuClock;

/// Whoever can measure, stop and end a program. Nothing of it is asked once the program was reaped.
pub(crate) trait Keeper: Debug + Send {
    /// The CPU time of the program, all threads together; with its children if `all`, which takes longer.
    fn cpu(&mut self, all: bool) -> Option<Duration>;

    /// CPU time and run delay of each of its tasks; nothing where the kernel does not count them.
    fn tasks(&mut self) -> delay::Tasks;

    /// The most memory that it has ever held, in bytes.
    fn peak_memory(&mut self) -> Option<u64>;

    /// Whether it is stopped whenever it is not its turn, or only if it goes on computing.
    fn is_strict(&self) -> bool {
        false
    }

    /// Stops it.
    fn stop(&mut self);

    /// Lets it go on.
    fn go_on(&mut self);

    /// Kills it and all that belongs to it.
    fn kill(&mut self);

    /// What is to be said about its end by this signal, if more than the signal itself.
    fn judge(&self, _signal: i32) -> Option<Fault> {
        None
    }
}

/// The keeper of a plain child, which leads a process group of its own.
#[derive(Debug)]
pub(super) struct Group {
    pid: Pid,
    clock: CpuClock,
}

impl Group {
    pub(super) fn of(pid: Pid) -> io::Result<Self> {
        Ok(Self { pid, clock: CpuClock::of(pid)? })
    }

    /// To all of its group. Whoever has ended already needs no signal.
    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.pid, signal);
    }
}

impl Keeper for Group {
    fn cpu(&mut self, all: bool) -> Option<Duration> {
        let own = self.clock.read()?;
        Some(if all { own + family::children_cpu(self.pid) } else { own })
    }

    fn tasks(&mut self) -> delay::Tasks {
        delay::tasks([self.pid].into_iter().chain(family::descendants(self.pid)))
    }

    fn peak_memory(&mut self) -> Option<u64> {
        let own = family::peak_memory(self.pid)?;
        Some(own + family::descendants(self.pid).into_iter().filter_map(family::peak_memory).sum::<u64>())
    }

    fn stop(&mut self) {
        self.signal(Signal::STOP);
    }

    fn go_on(&mut self) {
        self.signal(Signal::CONT);
    }

    fn kill(&mut self) {
        self.signal(Signal::KILL);
    }
}
