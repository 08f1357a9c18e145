//! The process tree of a program in `/proc`: its descendants and threads, their CPU time and memory.
//!
//! A program may be a script that starts the real one, or let several processes share its work. Their time and memory
//! are its own. What a program detaches from itself is beyond reach without a box.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use rustix::process::Pid;

use crate::cpu::CpuClock;

/// The most processes, and threads of a process, that are looked at.
const MAX_PROCESSES: usize = 64;

/// The times in a process's `stat` are counted in hundredths of a second, on every machine that matters here.
const TICK: Duration = Duration::from_millis(10);

/// The children of a process that live, and theirs.
pub(crate) fn descendants(pid: Pid) -> Vec<Pid> {
    let mut found = vec![];
    let mut next = children(pid);
    while let Some(child) = next.pop() {
        if found.len() == MAX_PROCESSES {
            break;
        }
        next.extend(children(child));
        found.push(child);
    }
    found
}

/// The live children of a process. Each thread has its own list of the ones that it started.
pub(crate) fn children(pid: Pid) -> Vec<Pid> {
    let of = |thread| fs::read_to_string(format!("/proc/{}/task/{thread}/children", pid.as_raw_pid()));
    let lists = threads(pid).filter_map(|thread| of(thread).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(pid_of).collect::<Vec<_>>()).collect()
}

/// Whether a process has more than one thread: each is a folder, which the folder of all counts among its links.
pub(crate) fn has_threads(pid: Pid) -> bool {
    fs::metadata(format!("/proc/{}/task", pid.as_raw_pid())).is_ok_and(|folder| folder.nlink() > 3)
}

/// The numbers of the threads of a process.
pub(crate) fn threads(pid: Pid) -> impl Iterator<Item = i32> {
    let threads = fs::read_dir(format!("/proc/{}/task", pid.as_raw_pid())).into_iter().flatten().flatten();
    threads.take(MAX_PROCESSES).filter_map(|thread| thread.file_name().to_str()?.parse().ok())
}

fn pid_of(word: &str) -> Option<Pid> {
    word.parse().ok().and_then(Pid::from_raw)
}

/// The CPU time of all children of a process, live ones and reaped ones.
pub(crate) fn children_cpu(pid: Pid) -> Duration {
    let alive = descendants(pid);
    let own = alive.iter().filter_map(|&child| CpuClock::of(child).ok()?.read()).sum::<Duration>();
    let ended = alive.iter().copied().chain([pid]).filter_map(ended_cpu).sum::<Duration>();
    own + ended
}

/// What the children that a process has waited for have used.
fn ended_cpu(pid: Pid) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    // The name of the program stands in parentheses, and may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(13);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    Some(TICK * ticks()?.saturating_add(ticks()?))
}

/// The most memory that a process has ever held, in bytes. `None` once it has ended.
///
/// A process may go on without its first thread, whose status then says nothing of memory: any other thread's does.
pub(crate) fn peak_memory(pid: Pid) -> Option<u64> {
    peak_in(pid, pid.as_raw_pid()).or_else(|| threads(pid).find_map(|thread| peak_in(pid, thread)))
}

fn peak_in(pid: Pid, thread: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/task/{thread}/status", pid.as_raw_pid())).ok()?;
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = most.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}
