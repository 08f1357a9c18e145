//! Run delay: how long a program was ready to run while other processes had the CPU.
//!
//! The kernel counts CPU time and run delay of each task (`/proc/PID/task/TID/schedstat`). The delays of several tasks
//! must not be added up: threads that share one CPU delay each other, and would gain time by it.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use rustix::process::Pid;

use super::process_tree;

/// Tasks that are looked at in a program.
const MAX_TASKS: usize = 64;

/// CPU time and run delay of a task since it was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TaskTimes {
    pub(crate) cpu: Duration,
    pub(crate) delay: Duration,
}

/// The tasks of a program at a moment, by their numbers.
pub(crate) type Tasks = BTreeMap<i32, TaskTimes>;

/// The CPU time of a program, and its tasks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// CPU time of all tasks, ended ones included.
    pub(crate) cpu: Duration,
    pub(crate) tasks: Tasks,
}

impl Snapshot {
    /// A lower bound of the time since an earlier snapshot in which the program was ready to run and did not run.
    ///
    /// While a task waits, either no task of the program runs or another one does. The others run for no longer than
    /// their CPU time together, so that of the delay `d` of a task with CPU time `c`, in a program with `C` in all, at
    /// least `d - (C - c)` is waiting for other programs. This holds for every task, hence for the best of them. Two
    /// threads that spin on one CPU delay each other: `d` of one is `c` of the other, and nothing is left.
    pub(crate) fn waited_since(&self, earlier: &Self) -> Duration {
        let cpu = self.cpu.saturating_sub(earlier.cpu);
        let waits = self.tasks.iter().filter_map(|(task, now)| {
            let before = match earlier.tasks.get(task) {
                Some(before) => *before,
                // An unknown task is a new one, unless there were more than were looked at.
                None if earlier.tasks.len() < MAX_TASKS => TaskTimes::default(),
                None => return None,
            };
            let others = cpu.saturating_sub(now.cpu.saturating_sub(before.cpu));
            Some(now.delay.saturating_sub(before.delay).saturating_sub(others))
        });
        waits.max().unwrap_or_default()
    }
}

/// The tasks of these processes. Empty where the kernel does not count run delay.
pub(crate) fn tasks(processes: impl IntoIterator<Item = Pid>) -> Tasks {
    let of = |pid: Pid| process_tree::threads(pid).filter_map(move |task| Some((task, times(pid, task)?)));
    processes.into_iter().flat_map(of).take(MAX_TASKS).collect()
}

fn times(pid: Pid, task: i32) -> Option<TaskTimes> {
    parse(&fs::read_to_string(format!("/proc/{}/task/{task}/schedstat", pid.as_raw_pid())).ok()?)
}

/// CPU time and run delay in nanoseconds, and a number of time slices.
fn parse(schedstat: &str) -> Option<TaskTimes> {
    let mut numbers = schedstat.split_ascii_whitespace().map(str::parse);
    let mut time = || numbers.next()?.ok().map(Duration::from_nanos);
    Some(TaskTimes { cpu: time()?, delay: time()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A snapshot in milliseconds: CPU time of the program, then number, CPU time and delay of each task.
    fn snapshot(cpu: u64, tasks: &[(i32, u64, u64)]) -> Snapshot {
        let ms = Duration::from_millis;
        let tasks = tasks.iter().map(|&(task, cpu, delay)| (task, TaskTimes { cpu: ms(cpu), delay: ms(delay) }));
        Snapshot { cpu: ms(cpu), tasks: tasks.collect() }
    }

    fn waited(cpu: u64, tasks: &[(i32, u64, u64)]) -> u128 {
        snapshot(cpu, tasks).waited_since(&snapshot(0, &[])).as_millis()
    }

    #[test]
    fn one_thread_waits_for_other_programs() {
        assert_eq!(waited(1100, &[(1, 1100, 4800)]), 4800);
        assert_eq!(waited(1100, &[(1, 1100, 0)]), 0);
        assert_eq!(waited(0, &[]), 0, "the kernel does not tell");
    }

    #[test]
    fn threads_that_wait_for_each_other_gain_nothing() {
        assert_eq!(waited(1000, &[(1, 500, 500), (2, 500, 500)]), 0);
        assert_eq!(waited(1000, &[(1, 250, 750), (2, 250, 750), (3, 250, 750), (4, 250, 750)]), 0);
        assert_eq!(waited(1000, &[(1, 0, 900)]), 0, "a child that has ended had the CPU");
    }

    #[test]
    fn threads_that_wait_together_wait_once() {
        // Two threads and another program share a CPU for 3 s: each runs for 1 s and waits for 2 s.
        assert_eq!(waited(2000, &[(1, 1000, 2000), (2, 1000, 2000)]), 1000);
        assert_eq!(waited(1000, &[(1, 1000, 2000), (2, 0, 0)]), 2000, "the other thread sleeps");
    }

    #[test]
    fn what_was_before_does_not_count() {
        let earlier = snapshot(700, &[(1, 700, 9000), (2, 0, 50)]);
        let later = snapshot(800, &[(1, 800, 9300), (2, 0, 60), (3, 0, 250)]);
        assert_eq!(later.waited_since(&earlier).as_millis(), 300);
        let reused = snapshot(800, &[(1, 10, 20)]);
        assert_eq!(reused.waited_since(&earlier).as_millis(), 0, "another task under an old number");
    }

    #[test]
    fn where_tasks_were_left_out_unknown_ones_do_not_count() {
        let many: Vec<_> = (0..64).map(|task| (task, 0, 0)).collect();
        let later = snapshot(0, &[(99, 0, 5000)]);
        assert_eq!(later.waited_since(&snapshot(0, &many)).as_millis(), 0);
        assert_eq!(later.waited_since(&snapshot(0, &many[1..])).as_millis(), 5000);
    }

    #[test]
    fn the_kernels_line_is_read() {
        let times = TaskTimes { cpu: Duration::from_nanos(1_500_000_000), delay: Duration::from_nanos(2_000_001) };
        assert_eq!(parse("1500000000 2000001 17\n"), Some(times));
        assert_eq!([parse(""), parse("1"), parse("x y z")], [None; 3]);
    }
}
