//! The root file system of a box: bind mounts of the system's programs and libraries and of the program itself, all
//! read-only, and a small tmpfs at `/tmp`; then `pivot_root`.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::fs::CWD;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount, mount_change, move_mount,
    open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};

use super::plan::{Plan, Purpose};

/// The devices that programs expect. None of them knows anything.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Folders below `/usr` that are not the system's, hidden by an empty tmpfs: people keep their own things there.
const HIDDEN_FOLDERS: [&str; 2] = ["usr/local", "usr/src"];

/// Mount options of the root: room for a dozen folders and links.
const ROOT_TMPFS_OPTIONS: &CStr = c"size=64k,nr_inodes=64,mode=755";

/// A step that failed: what was tried, and what the system says.
pub(super) type Step<T> = Result<T, (String, io::Error)>;

/// Says what was tried.
pub(super) fn trying<T>(what: &str, result: Result<T, impl Into<io::Error>>) -> Step<T> {
    result.map_err(|error| (what.to_owned(), error.into()))
}

/// Builds the root file system of the box in this mount namespace, and pivots into it.
pub(super) fn build_and_pivot(plan: &Plan) -> Step<()> {
    // Whatever is mounted from now on stays in here.
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    trying("cut off the mounts", mount_change("/", private))?;
    trying("mount the root", tmpfs(&plan.root, ROOT_TMPFS_OPTIONS, MountFlags::NOEXEC))?;
    trying("go to the root", chdir(&plan.root))?;
    for (folder, mode) in [("usr", 0o755), ("bot", 0o755), ("tmp", 0o755), ("dev", 0o755), ("old", 0o755)] {
        trying("make a folder", make(folder, mode))?;
    }
    trying("bring in /usr", bind_read_only("/usr", "usr", Access::Run))?;
    for hidden in HIDDEN_FOLDERS.iter().filter(|folder| Path::new(folder).is_dir()) {
        let empty = c"size=4k,nr_inodes=1,mode=555";
        trying("hide what is not the system's", tmpfs(Path::new(hidden), empty, MountFlags::RDONLY))?;
    }
    for link in ["bin", "lib", "lib32", "lib64", "sbin"] {
        trying("bring in the libraries", link_or_bind(link))?;
    }
    trying("bring in the program", bind_read_only(&plan.bot, "bot", Access::Run))?;
    for more in &plan.more {
        trying("make a folder", make(&more.to, 0o755))?;
        trying("bring in a folder", bind_read_only(&more.from, &more.to, Access::Run))?;
    }
    for device in DEVICES {
        trying("bring in a device", bind_device(device))?;
    }
    let size = format!("size={},nr_inodes={},mode=700", plan.limits.tmp, tmp_inodes(plan));
    let size = CString::new(size).unwrap_or_default();
    trying("mount /tmp", tmpfs(Path::new("tmp"), &size, MountFlags::NOEXEC))?;
    if matches!(plan.purpose, Purpose::Build { proc: true, .. }) {
        trying("make a folder", make("proc", 0o755))?;
        trying("mount /proc", mount_proc())?;
    }
    trying("change the root", pivot_root(".", "old"))?;
    trying("leave the old root", unmount("old", UnmountFlags::DETACH))?;
    trying("remove the old root's place", fs::remove_dir("old"))?;
    trying("make the root read-only", set_mount_attributes(Path::new("/"), READ_ONLY_ATTRIBUTES, false))?;
    trying("go to the root", chdir("/"))
}

/// The inodes of `/tmp`: a compiler makes more files than a bot.
const fn tmp_inodes(plan: &Plan) -> u32 {
    match plan.purpose {
        Purpose::Play => 1024,
        Purpose::Build { .. } => 4096,
    }
}

fn make(folder: &str, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(mode).create(folder)
}

fn tmpfs(at: &Path, options: &CStr, flags: MountFlags) -> rustix::io::Result<()> {
    mount("tmpfs", at, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV | flags, options)
}

/// The compiler's own processes and nothing else of the kernel, if it can do that. The first process of the box, whose
/// arguments tell where things lie outside, is not among them.
fn mount_proc() -> rustix::io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let with = |options: &CStr| mount("proc", "proc", "proc", flags, options);
    with(c"subset=pid,hidepid=ptraceable").or_else(|_| with(c"hidepid=2"))
}

/// On most systems these are links into `/usr`; on others, folders of their own.
fn link_or_bind(name: &str) -> io::Result<()> {
    let original = Path::new("/").join(name);
    match fs::symlink_metadata(&original) {
        Ok(found) if found.is_symlink() => symlink(fs::read_link(&original)?, name),
        Ok(found) if found.is_dir() => {
            make(name, 0o755)?;
            bind_read_only(&original, name, Access::Run)
        }
        _ => Ok(()),
    }
}

/// What may be done with what is brought in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// Read it, and run it.
    Run,
    /// A device node.
    Device,
}

const READ_ONLY_ATTRIBUTES: u64 = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV;

/// Bind-mounts a folder of the machine read-only, with all that is mounted below it.
fn bind_read_only(from: impl AsRef<Path>, to: &str, access: Access) -> io::Result<()> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, from.as_ref(), flags)?;
    let set = match access {
        Access::Run => READ_ONLY_ATTRIBUTES,
        // It can be written to all the same; but its times could be set, for everybody on the machine to see.
        Access::Device => libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NOEXEC,
    };
    mount_setattr(tree.as_fd(), c"", set, true)?;
    move_mount(tree.as_fd(), "", CWD, to, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
    Ok(())
}

fn bind_device(name: &str) -> io::Result<()> {
    let place = format!("dev/{name}");
    fs::write(&place, "")?;
    bind_read_only(Path::new("/dev").join(name), &place, Access::Device)
}

fn set_mount_attributes(path: &Path, set: u64, recursive: bool) -> io::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    let path = CString::new(path.as_os_str().as_bytes())?;
    mount_setattr(CWD, &path, set, recursive)
}

#[allow(unsafe_code, reason = "a call of the system that nobody wraps")]
fn mount_setattr(folder: std::os::fd::BorrowedFd<'_>, path: &CStr, set: u64, recursive: bool) -> io::Result<()> {
    let set_mount_attributes = libc::mount_attr { attr_set: set, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let flags = if path.is_empty() { libc::AT_EMPTY_PATH } else { 0 };
    let flags = flags | if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: both pointers are to values that outlive the call, and the size is that of the structure.
    let failed = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            folder.as_raw_fd(),
            path.as_ptr(),
            flags,
            &raw const set_mount_attributes,
            size_of_val(&set_mount_attributes),
        )
    };
    if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
