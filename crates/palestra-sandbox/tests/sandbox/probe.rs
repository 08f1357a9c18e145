//! Looking for damage: processes that are left, files, limits, and what attackers say that they did.

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use palestra_sandbox::Process;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

/// How long killed processes may take to disappear on a busy machine.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(30);

/// The last count that an attacker told: "did 12 threads".
pub(crate) fn count(stderr: &str, what: &str) -> u64 {
    let told = |line: &str| line.strip_prefix("did ")?.strip_suffix(what)?.trim().parse().ok();
    stderr.lines().rev().find_map(told).unwrap_or_else(|| panic!("no count of {what}: {stderr:?}"))
}

/// The processes of a box from the outside in: the helper, the first inside, the program.
pub(crate) fn family(attacker: &Process) -> Vec<i32> {
    let mut family = vec![attacker.id().cast_signed()];
    loop {
        let children = children(family[family.len() - 1]);
        match children[..] {
            [] => return family,
            [only] => family.push(only),
            _ => panic!("more than one child: {children:?}"),
        }
    }
}

/// The children of all threads of a process.
fn children(pid: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<_>>()).collect()
}

/// The children of a process, theirs, and so on, down to this number of levels.
pub(crate) fn descendants(pid: i32, levels: usize) -> Vec<i32> {
    let mut all = vec![];
    let mut next: Vec<(i32, usize)> = children(pid).into_iter().map(|child| (child, 1)).collect();
    while let Some((child, level)) = next.pop() {
        all.push(child);
        if level < levels {
            next.extend(children(child).into_iter().map(|child| (child, level + 1)));
        }
    }
    all
}

/// The command line of a process, which everybody can read; empty once it has ended.
pub(crate) fn command_line(pid: i32) -> String {
    String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default()).into_owned()
}

/// Whether a process is there, neither stopped nor dead.
pub(crate) fn is_well(pid: i32) -> bool {
    !["T", "Z"].contains(&stat(pid, 0).as_str())
}

/// The number of the process group that a process is in.
pub(crate) fn group(pid: i32) -> String {
    stat(pid, 2)
}

/// A field of a process's `stat` after its name.
fn stat(pid: i32, field: usize) -> String {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process");
    let (_, fields) = stat.rsplit_once(')').expect("a name");
    fields.split_whitespace().nth(field).expect("a field").to_owned()
}

/// The soft and the hard limit of a process, by its name in `/proc`.
pub(crate) fn limit(pid: i32, name: &str) -> [String; 2] {
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).expect("a process");
    let line = limits.lines().find_map(|line| line.strip_prefix(name)).expect("a limit");
    let mut words = line.split_whitespace().map(str::to_owned);
    [words.next(), words.next()].map(|word| word.expect("two limits"))
}

/// Processes that are watched until they end, whoever has them by then.
pub(crate) struct Watched(Vec<(i32, OwnedFd)>);

impl Watched {
    pub(crate) fn new(pids: &[i32]) -> Self {
        let open = |&pid: &i32| (pid, pidfd_open(number(pid), PidfdFlags::empty()).expect("a process that lives"));
        Self(pids.iter().map(open).collect())
    }

    /// Watches these too, as far as they still live.
    pub(crate) fn add(&mut self, pids: &[i32]) {
        for &pid in pids {
            if self.0.iter().any(|(known, _)| *known == pid) {
                continue;
            }
            self.0.extend(pidfd_open(number(pid), PidfdFlags::empty()).ok().map(|fd| (pid, fd)));
        }
    }

    /// How many are watched.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Those that live.
    pub(crate) fn alive(&self) -> Vec<i32> {
        self.left(Duration::ZERO)
    }

    /// All end, if given a moment.
    #[track_caller]
    pub(crate) fn are_gone(&self) {
        let left = self.left(CLEANUP_TIMEOUT);
        assert!(left.is_empty(), "still there: {left:?}");
    }

    fn left(&self, wait: Duration) -> Vec<i32> {
        let deadline = Instant::now() + wait;
        let lives = |fd: &OwnedFd| {
            let left = Timespec::try_from(deadline.saturating_duration_since(Instant::now())).expect("a short time");
            poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&left)).expect("polled") == 0
        };
        self.0.iter().filter(|(_, fd)| lives(fd)).map(|(pid, _)| *pid).collect()
    }
}

/// Sends a signal to a process of this test.
pub(crate) fn signal(pid: i32, signal: Signal) {
    kill_process(number(pid), signal).expect("a process of ours");
}

fn number(pid: i32) -> Pid {
    Pid::from_raw(pid).expect("a number of a process")
}

/// What lies in a folder, or so many levels below it, under a name that begins so. Links are not followed.
pub(crate) fn find(folder: &Path, prefix: &str, levels: u32) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix)) {
            found.push(entry.path());
        } else if levels > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(find(&entry.path(), prefix, levels - 1));
        }
    }
    found
}
