//! The spawner thread: it starts all programs, and never ends.
//!
//! A program dies with the arena by `PR_SET_PDEATHSIG`, and to the kernel the parent of a process is the *thread* that
//! started it: a program started by a worker would die with the worker.

use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// What to start, on which CPUs, and where to answer.
type Order = (Command, Option<CpuSet>, Sender<io::Result<Child>>);

/// Starts a program on that thread. It may run where the caller may.
pub(crate) fn spawn(command: Command) -> io::Result<Child> {
    static SPAWNER: OnceLock<Sender<Order>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (orders, received) = channel::<Order>();
        thread::spawn(move || {
            for (mut command, cpus, answer) in received {
                if let Some(cpus) = cpus {
                    let _ = sched_setaffinity(None, &cpus);
                }
                let _ = answer.send(command.spawn());
            }
        });
        orders
    });
    let (answer, child) = channel();
    let gone = |_| io::Error::other("the thread that starts programs has ended");
    spawner.send((command, sched_getaffinity(None).ok(), answer)).map_err(|_| gone(()))?;
    child.recv().map_err(|_| gone(()))?
}
