//! The few calls of the system that have no safe form: forking, waiting for a signal, becoming another program.
#![allow(unsafe_code, reason = "each wraps one call, in a process that has a single thread")]

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::process::ExitCode;
use std::ptr;
use std::time::Duration;

use rustix::process::Pid;
use rustix::thread::{UnshareFlags, unshare_unsafe};

/// A process as it ended, in the numbers of the system.
pub(super) type Status = i32;

/// A descriptor that was inherited, and is not closed when this is dropped.
pub(super) fn inherited(descriptor: RawFd) -> ManuallyDrop<File> {
    // SAFETY: nothing else in this process owns it, and a closed one only makes writing fail.
    ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) })
}

/// Closes a descriptor that was inherited, if it is open.
pub(super) fn close(descriptor: RawFd) {
    // SAFETY: nothing in this process owns the descriptors that are closed so.
    unsafe { libc::close(descriptor) };
}

/// Gives a descriptor to the program that this process is about to become, under this number.
pub(super) fn pass_on(descriptor: RawFd, number: RawFd) -> io::Result<()> {
    // SAFETY: only numbers are passed.
    let passed = unsafe {
        if descriptor == number { libc::fcntl(number, libc::F_SETFD, 0) } else { libc::dup2(descriptor, number) }
    };
    checked(passed).map(drop)
}

/// Closes all descriptors from this one on.
pub(super) fn close_from(first: RawFd) -> io::Result<()> {
    // SAFETY: as above; it is the first thing that is done.
    checked(unsafe { libc::close_range(first.cast_unsigned(), u32::MAX, 0) }).map(drop)
}

/// A second process; `None` in the new one.
pub(super) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: there is one thread, so no lock is held by another.
    checked(unsafe { libc::fork() }).map(Pid::from_raw)
}

/// Forks into another cgroup, if there is one (`CLONE_INTO_CGROUP`): to move there later would take the kernel much
/// longer.
pub(super) fn clone_into_cgroup(group: Option<&OwnedFd>) -> io::Result<Option<Pid>> {
    let Some(group) = group else { return fork() };
    // SAFETY: all fields are numbers, for which 0 is a valid value.
    let mut how: libc::clone_args = unsafe { std::mem::zeroed() };
    how.flags = CLONE_INTO_CGROUP;
    how.exit_signal = libc::SIGCHLD as u64;
    how.cgroup = group.as_raw_fd() as u64;
    // SAFETY: as with fork, of which this is the other name; the size is that of the structure.
    let pid = unsafe { libc::syscall(libc::SYS_clone3, &raw mut how, size_of_val(&how)) };
    checked(i32::try_from(pid).unwrap_or(-1)).map(Pid::from_raw)
}

/// A flag that does not fit into the type that the C library gives the others.
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

/// Enters new namespaces.
pub(super) fn unshare(namespaces: UnshareFlags) -> io::Result<()> {
    // SAFETY: open files, the one thing that must not be torn from a running thread, are not among them.
    Ok(unsafe { unshare_unsafe(namespaces) }?)
}

/// Ends this process at once.
pub(super) fn exit(code: u8) -> ! {
    // SAFETY: ends the process.
    unsafe { libc::_exit(code.into()) }
}

/// Ends as another process has ended: with its code, or by the same signal.
pub(super) fn end_like(status: Status) -> ExitCode {
    if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        // SAFETY: the signal's own effect is wanted.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            reset_signals();
            libc::raise(signal);
        }
    }
    ExitCode::from(u8::try_from(libc::WEXITSTATUS(status)).unwrap_or(u8::MAX))
}

/// Blocks the signals that [`wait_or_kill`] waits for.
pub(super) fn block_signals() {
    // SAFETY: the set is made by the calls that fill it.
    unsafe { libc::sigprocmask(libc::SIG_BLOCK, &blocked_signals(), ptr::null_mut()) };
}

/// Unblocks all signals and resets `SIGPIPE`, as a program expects them when it starts.
pub(super) fn reset_signals() {
    let mut none = MaybeUninit::uninit();
    // SAFETY: the set is made by the call before; no handler is set, only the system's own effect.
    unsafe {
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}

fn blocked_signals() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the first call makes the set.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGCHLD);
        libc::sigaddset(set.as_mut_ptr(), libc::SIGTERM);
        set.assume_init()
    }
}

/// Waits until a child has ended, and reaps it. A signal that asks this process to end kills the child first, and all
/// that is left is gone when it ends.
pub(super) fn wait_or_kill(child: Pid) -> io::Result<()> {
    let set = blocked_signals();
    loop {
        let mut status = 0;
        // SAFETY: the pointers are to variables that outlive the calls.
        match unsafe { libc::waitpid(child.as_raw_pid(), &raw mut status, libc::WNOHANG) } {
            0 => {}
            -1 => return Err(io::Error::last_os_error()),
            _ => return Ok(()),
        }
        // SAFETY: likewise. A signal that came before is still there.
        let signal = unsafe { libc::sigwaitinfo(&raw const set, ptr::null_mut()) };
        if signal == libc::SIGTERM {
            // SAFETY: the child was not reaped yet, so the number is its own.
            unsafe { libc::kill(child.as_raw_pid(), libc::SIGKILL) };
        }
    }
}

/// Reaps children as they end, until this one has ended.
pub(super) fn reap_until(child: Pid) -> io::Result<Status> {
    loop {
        let mut status = 0;
        // SAFETY: the pointer is to a variable that outlives the call.
        let ended = unsafe { libc::waitpid(-1, &raw mut status, 0) };
        match ended {
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            -1 => return Err(io::Error::last_os_error()),
            ended if ended == child.as_raw_pid() => return Ok(status),
            _ => {}
        }
    }
}

/// Kills all other processes of this PID namespace, and reaps them.
pub(super) fn kill_all_others() {
    // SAFETY: the caller is the first process of its own world: -1 are all others in it.
    unsafe {
        libc::kill(-1, libc::SIGKILL);
        while libc::waitpid(-1, ptr::null_mut(), 0) > 0 {}
    }
}

/// Output goes where errors go.
pub(super) fn output_to_errors() -> io::Result<()> {
    // SAFETY: two descriptors that every process has.
    checked(unsafe { libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) }).map(drop)
}

/// Installs a seccomp filter, which nothing can undo.
pub(super) fn set_filter(filter: &[libc::sock_filter]) -> io::Result<()> {
    let length = u16::try_from(filter.len()).map_err(io::Error::other)?;
    let program = libc::sock_fprog { len: length, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the program has this length, outlives the call, and is only read.
    let failed = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
    if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Number of attempts to execute a program that is still open for writing (`ETXTBSY`).
const EXEC_TRIES: u32 = 100;

/// Becomes the program. Returns only if it cannot.
///
/// A program that was just written may be busy for a moment: a child that the arena is starting meanwhile holds all
/// that the arena had open, until it becomes a program of its own.
pub(super) fn become_program(command: &[CString], environment: &[CString]) -> io::Error {
    let pointers = |texts: &[CString]| -> Vec<*const libc::c_char> {
        texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
    };
    let (command, environment) = (pointers(command), pointers(environment));
    let mut failure = io::Error::from(io::ErrorKind::ExecutableFileBusy);
    for _ in 0..EXEC_TRIES {
        // SAFETY: both lists end with null, and their texts outlive the call.
        unsafe { libc::execve(command[0], command.as_ptr(), environment.as_ptr()) };
        failure = io::Error::last_os_error();
        if failure.kind() != io::ErrorKind::ExecutableFileBusy {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    failure
}

/// The version of Landlock that the kernel knows, if any.
pub(super) fn landlock_version() -> Option<u32> {
    const VERSION: u32 = 1;
    // SAFETY: asked for the version, the call takes no memory.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<u8>(), 0_usize, VERSION) };
    u32::try_from(version).ok().filter(|&version| version > 0)
}

fn checked(result: i32) -> io::Result<i32> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
