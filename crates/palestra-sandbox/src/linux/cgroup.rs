//! cgroups: memory and processes of a whole box are limited, frozen and killed as one.
//!
//! cgroup v2 does all of it where it is delegated to us. Many machines still have cgroup v1 for memory and processes
//! beside a cgroup v2 without these controllers; then each does what it can.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Time allowed for a killed cgroup to become empty.
const CGROUP_EMPTY_TIMEOUT: Duration = Duration::from_secs(5);

/// `pids.max` of a box: more than its `RLIMIT_NPROC`, because the helper counts here too.
const MAX_TASKS: u32 = 64;

/// The names of our cgroups begin with this, followed by the number of our process.
const GROUP_PREFIX: &str = "palestra-";

/// How many sandboxes this process has made.
static SANDBOXES: AtomicU64 = AtomicU64::new(0);

/// The cgroups of this machine in which groups for boxes can be made.
#[derive(Debug)]
pub(super) struct Cgroups {
    /// Our folder in the second version: boxes are frozen and killed there.
    unified: Option<PathBuf>,
    /// Where memory is bounded, and by which version.
    memory: Option<(Version, PathBuf)>,
    /// Where processes are counted.
    pids: Option<PathBuf>,
    /// The group that this process left for a leaf below it.
    moved_from: Option<PathBuf>,
    next: AtomicU64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// What a machine's control groups can do for a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CgroupPowers {
    /// Freeze and kill it.
    pub freeze: bool,
    /// Bound its memory.
    pub memory: bool,
    /// Bound the number of its processes.
    pub pids: bool,
}

/// Which version of control groups does what; none, if neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Versions {
    pub(super) freeze: Option<u8>,
    pub(super) memory: Option<u8>,
    pub(super) pids: Option<u8>,
}

impl Cgroups {
    /// Looks what this process may do.
    pub(super) fn find() -> Self {
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let name = format!("{GROUP_PREFIX}{}-{}", process::id(), SANDBOXES.fetch_add(1, Ordering::Relaxed));
        let (unified, moved_from) = unified(&mounts, &own, &name);
        let with = |controller: &str| unified.as_ref().filter(|folder| has_controller(folder, controller));
        let first = |controller: &str| {
            let parent = group_folder(&mounts, &own, Some(controller))?;
            sweep(&parent);
            let folder = parent.join(&name);
            make(&folder).ok().map(|()| folder)
        };
        let second = |controller| with(controller).map(|folder| (Version::Two, folder.clone()));
        let memory = second("memory").or_else(|| first("memory").map(|folder| (Version::One, folder)));
        let pids = second("pids").map(|(_, folder)| folder).or_else(|| first("pids"));
        Self { unified, memory, pids, moved_from, next: AtomicU64::new(0) }
    }

    /// What they can do.
    pub(super) const fn powers(&self) -> CgroupPowers {
        CgroupPowers { freeze: self.unified.is_some(), memory: self.memory.is_some(), pids: self.pids.is_some() }
    }

    /// Which version does what.
    pub(super) fn versions(&self) -> Versions {
        let of = |folder: &PathBuf| if self.unified.as_ref() == Some(folder) { 2 } else { 1 };
        Versions {
            freeze: self.unified.as_ref().map(of),
            memory: self.memory.as_ref().map(|(_, folder)| of(folder)),
            pids: self.pids.as_ref().map(of),
        }
    }

    /// A group for a box that may hold so many bytes of memory. `None` where there are no groups at all.
    pub(super) fn group(&self, memory: u64) -> io::Result<Option<Cgroup>> {
        let name = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let mut group = Cgroup::default();
        if let Some(folder) = &self.unified {
            let folder = group.add(folder.join(&name))?;
            let inner = group.add(folder.join("program"))?;
            group.freezer = Some(File::options().write(true).open(inner.join("cgroup.freeze"))?);
            group.unified = Some(folder);
            group.inner = Some(inner);
        }
        if let Some((version, folder)) = &self.memory {
            let folder = group.add(folder.join(&name))?;
            limit_memory(*version, &folder, memory)?;
            group.memory = Some((*version, folder));
        }
        if let Some(folder) = &self.pids {
            let folder = group.add(folder.join(&name))?;
            fs::write(folder.join("pids.max"), MAX_TASKS.to_string())?;
        }
        Ok(Some(group).filter(|group| !group.folders.is_empty()))
    }
}

impl Drop for Cgroups {
    fn drop(&mut self) {
        let memory = self.memory.as_ref().map(|(_, folder)| folder);
        for folder in [self.unified.as_ref(), memory, self.pids.as_ref()].into_iter().flatten() {
            let _ = fs::remove_dir(folder);
        }
        if let Some(folder) = &self.moved_from {
            move_back(folder);
        }
    }
}

/// The cgroup of one box, removed when dropped: processes that are still in it are killed.
#[derive(Debug, Default)]
pub(super) struct Cgroup {
    folders: Vec<PathBuf>,
    unified: Option<PathBuf>,
    /// The group of the program alone, below the former: to freeze the processes that only wait for it too would take
    /// three times as long.
    inner: Option<PathBuf>,
    freezer: Option<File>,
    memory: Option<(Version, PathBuf)>,
}

impl Cgroup {
    fn add(&mut self, folder: PathBuf) -> io::Result<PathBuf> {
        if !self.folders.contains(&folder) {
            make(&folder)?;
            self.folders.push(folder.clone());
        }
        Ok(folder)
    }

    /// The `cgroup.procs` files in which a process joins by writing its number.
    pub(super) fn procs_files(&self) -> Vec<PathBuf> {
        let outer = self.folders.iter().filter(|&folder| Some(folder) != self.inner.as_ref());
        outer.map(|folder| folder.join("cgroup.procs")).collect()
    }

    /// The folder of the group that the program is started in, which is the one to be frozen.
    pub(super) fn inner(&self) -> Option<PathBuf> {
        self.inner.clone()
    }

    /// Whether it can be frozen.
    pub(super) const fn can_freeze(&self) -> bool {
        self.freezer.is_some()
    }

    /// Freezes all in it, or lets them go on.
    pub(super) fn freeze(&self, on: bool) {
        if let Some(freezer) = &self.freezer {
            let _ = freezer.write_all_at(if on { b"1" } else { b"0" }, 0);
        }
    }

    /// Kills all in it at once; whether it could.
    pub(super) fn kill(&self) -> bool {
        self.unified.as_ref().is_some_and(|folder| fs::write(folder.join("cgroup.kill"), "1").is_ok())
    }

    /// The most memory that all in it held at a time.
    pub(super) fn peak_memory(&self) -> Option<u64> {
        let (version, folder) = self.memory.as_ref()?;
        let file = match version {
            Version::One => "memory.max_usage_in_bytes",
            Version::Two => "memory.peak",
        };
        fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()
    }

    /// Whether the OOM killer ended a process in it.
    pub(super) fn ran_out_of_memory(&self) -> bool {
        let Some((version, folder)) = &self.memory else { return false };
        let file = match version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
        text.lines().filter_map(|line| line.strip_prefix("oom_kill ")).any(|count| count.trim() != "0")
    }

    /// Waits until no process is left in it.
    fn await_empty(&self) {
        let Some(folder) = &self.unified else { return };
        let deadline = Instant::now() + CGROUP_EMPTY_TIMEOUT;
        while Instant::now() < deadline {
            let Ok(events) = File::open(folder.join("cgroup.events")) else { return };
            let is_empty = io::read_to_string(&events).is_ok_and(|text| text.contains("populated 0"));
            if is_empty {
                return;
            }
            let soon = Timespec::try_from(Duration::from_millis(10)).ok();
            let _ = poll(&mut [PollFd::new(&events, PollFlags::PRI)], soon.as_ref());
        }
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        self.kill();
        self.await_empty();
        let deadline = Instant::now() + CGROUP_EMPTY_TIMEOUT;
        // The last was made in one of the others.
        for folder in self.folders.iter().rev() {
            // cgroup v1 does not notify when the last process leaves, which is a matter of microseconds.
            while fs::remove_dir(folder).is_err() && folder.exists() && Instant::now() < deadline {
                std::thread::yield_now();
            }
        }
    }
}

fn make(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Removes the empty groups of arenas that were killed.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for folder in entries.flatten() {
        let name = folder.file_name();
        let owner =
            name.to_str().and_then(|name| name.strip_prefix(GROUP_PREFIX)?.split('-').next()?.parse::<u32>().ok());
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists()) {
            remove_empty(&folder.path());
        }
    }
}

/// Removes a group and those below it, as far as they are empty.
fn remove_empty(folder: &Path) {
    for own_group in fs::read_dir(folder).into_iter().flatten().flatten() {
        if own_group.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&own_group.path());
        }
    }
    let _ = fs::remove_dir(folder);
}

fn limit_memory(version: Version, folder: &Path, bytes: u64) -> io::Result<()> {
    let limits = match version {
        Version::One => ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"],
        Version::Two => ["memory.max", "memory.swap.max"],
    };
    fs::write(folder.join(limits[0]), bytes.to_string())?;
    // Not every kernel counts what is swapped out. In the first version it is counted with the rest.
    let swap = if version == Version::One { bytes } else { 0 };
    let _ = fs::write(folder.join(limits[1]), swap.to_string());
    Ok(())
}

/// Our folder in the second version, with all that can be had.
///
/// The new cgroup lies below that of this process. If that cannot enable controllers, root makes a group at the top, as
/// it may; other users move to a leaf below their group, whose only process they may be: only a group without processes
/// can enable controllers. The second value is the group that was left.
fn unified(mounts: &str, own: &str, name: &str) -> (Option<PathBuf>, Option<PathBuf>) {
    let (Some(parent), Some(top)) = (group_folder(mounts, own, None), group_folder(mounts, "0::/", None)) else {
        return (None, None);
    };
    let place = [&parent, &top].into_iter().find(|parent| enable_controllers(parent).is_ok());
    let moved_from = Some(&parent).filter(|parent| place.is_none() && move_to_leaf(parent).is_ok());
    let place = place.unwrap_or(&parent);
    (own_group(place, name), moved_from.cloned())
}

/// Our folder in this group, if the kernel is new enough.
fn own_group(parent: &Path, name: &str) -> Option<PathBuf> {
    sweep(parent);
    let folder = parent.join(name);
    make(&folder).ok()?;
    if !folder.join("cgroup.kill").exists() {
        let _ = fs::remove_dir(&folder);
        return None;
    }
    let _ = enable_controllers(&folder);
    Some(folder)
}

/// Enables the controllers `memory` and `pids` for the groups below this one.
fn enable_controllers(folder: &Path) -> io::Result<()> {
    if !has_controllers(folder) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    write(&folder.join("cgroup.subtree_control"), "+memory +pids")
}

/// Moves this process from its group to a leaf below it.
fn move_to_leaf(folder: &Path) -> io::Result<()> {
    if !has_controllers(folder) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let leaf = leaf(folder);
    make(&leaf)?;
    let divided = write(&leaf.join("cgroup.procs"), "0").and_then(|()| enable_controllers(folder));
    if divided.is_err() {
        move_back(folder);
    }
    divided
}

/// Undoes [`move_to_leaf`].
fn move_back(folder: &Path) {
    let _ = write(&folder.join("cgroup.subtree_control"), "-memory -pids");
    let _ = write(&folder.join("cgroup.procs"), "0");
    let _ = fs::remove_dir(leaf(folder));
}

fn leaf(folder: &Path) -> PathBuf {
    folder.join(format!("{GROUP_PREFIX}{}-leaf", process::id()))
}

/// Groups are changed by writing to files that are there already.
fn write(file: &Path, text: &str) -> io::Result<()> {
    File::options().write(true).open(file)?.write_all(text.as_bytes())
}

fn has_controllers(folder: &Path) -> bool {
    has_controller(folder, "memory") && has_controller(folder, "pids")
}

/// Whether a group has this controller.
fn has_controller(folder: &Path, controller: &str) -> bool {
    let controllers = fs::read_to_string(folder.join("cgroup.controllers")).unwrap_or_default();
    controllers.split_whitespace().any(|name| name == controller)
}

/// The folder of the group that we are in: of this controller in the first version, or of the second version.
fn group_folder(mounts: &str, own: &str, controller: Option<&str>) -> Option<PathBuf> {
    let mount = mounts.lines().find_map(|line| Mount::of(line, controller))?;
    let path = own.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (names, path) = (fields.next()?, fields.next()?);
        let is_ours = controller.map_or(names.is_empty(), |wanted| names.split(',').any(|name| name == wanted));
        is_ours.then_some(path)
    })?;
    let own_group = path.strip_prefix(mount.root).unwrap_or(path);
    Some(Path::new(mount.point).join(own_group.trim_start_matches('/')))
}

/// A line of the list of mounts.
struct Mount<'a> {
    root: &'a str,
    point: &'a str,
}

impl<'a> Mount<'a> {
    fn of(line: &'a str, controller: Option<&str>) -> Option<Self> {
        let (place, kind) = line.split_once(" - ")?;
        let mut fields = place.split(' ').skip(3);
        let (root, point) = (fields.next()?, fields.next()?);
        let mut kind = kind.split(' ');
        let (name, options) = (kind.next()?, kind.nth(1)?);
        let is_it = match controller {
            None => name == "cgroup2",
            Some(controller) => name == "cgroup" && options.split(',').any(|option| option == controller),
        };
        let root = if root == "/" { "" } else { root };
        is_it.then_some(Self { root, point })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIXED: &str = "\
30 24 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
31 30 0:27 / /sys/fs/cgroup/unified rw,nosuid - cgroup2 cgroup2 rw\n\
33 30 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
36 30 0:32 /docker/ab /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";

    #[test]
    fn our_group_is_found_among_the_mounts() {
        let own = "4:memory:/docker/ab/c\n2:cpu,cpuacct:/\n0::/user.slice/x\n";
        let found = |controller| group_folder(MIXED, own, controller);
        assert_eq!(found(None), Some("/sys/fs/cgroup/unified/user.slice/x".into()));
        assert_eq!(found(Some("memory")), Some("/sys/fs/cgroup/memory/c".into()));
        assert_eq!(found(Some("cpu")), Some("/sys/fs/cgroup/cpu,cpuacct".into()));
        assert_eq!(found(Some("pids")), None);
    }

    /// The files that the kernel reads, in a folder that only looks like a cgroup: machines have one of the two
    /// versions.
    #[test]
    fn memory_is_limited_by_the_files_of_each_version() {
        let folder = std::env::temp_dir().join(format!("palestra-cgroup-{}", process::id()));
        for (version, limit, swap, bytes) in [
            (Version::Two, "memory.max", "memory.swap.max", "0"),
            (Version::One, "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "4096"),
        ] {
            fs::create_dir(&folder).expect("a folder");
            limit_memory(version, &folder, 4096).expect("it is written");
            let written = |file: &str| fs::read_to_string(folder.join(file)).ok();
            assert_eq!(written(limit).as_deref(), Some("4096"), "{limit}");
            assert_eq!(written(swap).as_deref(), Some(bytes), "{swap}");
            fs::remove_dir_all(&folder).expect("removed");
        }
    }
}
