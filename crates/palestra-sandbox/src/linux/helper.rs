//! The helper: the process that builds a box around itself and starts the program in it.
//!
//! Three processes. The helper stays outside, waits, and ends as the program ended. Inside, the first process of the
//! PID namespace builds the root file system, drops all privileges, starts the program and reaps; when it ends, the
//! kernel kills all that is left in there. Only trusted code runs in these two, and nothing that the program can reach.
//!
//! The order matters: nothing of the machine may be open, and no process may be root, before the namespaces are made.

use std::env;
use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, PipeWriter, Read, Write};
use std::os::fd::{OwnedFd, RawFd};
use std::path::Path;
use std::process::ExitCode;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, Gid, Mode, OFlags, ResolveFlags, Uid, chown, fstat, openat2};
use rustix::mount::{MountPropagationFlags, mount_bind_recursive, mount_change};
use rustix::process::{
    DumpableBehavior, Pid, Resource, Rlimit, Signal, getgid, getpid, getppid, getuid, set_dumpable_behavior,
    set_parent_process_death_signal, setrlimit, setsid,
};
use rustix::system::sethostname;
use rustix::thread::{
    CapabilitySet, CapabilitySets, CpuSet, UnshareFlags, clear_ambient_capability_set,
    remove_capability_from_bounding_set, sched_setaffinity, set_capabilities, set_no_new_privs, set_thread_groups,
    set_thread_res_gid, set_thread_res_uid,
};

use super::landlock_rules;
use super::page_count::{self, COUNT_WORD};
use super::plan::{Limits, Plan, Purpose};
use super::probe::{self, PROBE_WORD};
use super::root_filesystem::{self, Step, trying};
use super::seccomp_policy::{Policy, filter};
use super::sys::{self, Status};

/// The descriptor to which the helper writes why there is no box. The program never has it.
pub(super) const REPORT_FD: RawFd = 3;

/// The descriptor of the memfd with the plan. The plan is not on the command line, which every user of the machine can
/// read: it says where the program's files lie.
pub(super) const PLAN_FD: RawFd = 4;

/// The step `execve`: what fails here is the program's own fault.
pub(super) const EXEC_STEP: &str = "start it";

/// The step in which the output of a compiler is collected.
pub(super) const COLLECT_STEP: &str = "take what was made";

/// The exit code of the helper when there is no box.
const EXIT_NO_BOX: u8 = 125;

/// Boxes of root run under uids that no other user has: this, plus the pid of the helper.
const FIRST_BOX_UID: u32 = 2_000_000_000;

/// The uid and gid in the box.
const BOX_UID: u32 = 1000;

/// Builds the box that the inherited plan describes, runs the program in it, and ends as it ends. Or, asked to by the
/// last argument, looks around in such a box, or counts the pages of the PDF in it.
#[must_use]
pub fn helper_main() -> ExitCode {
    if env::args_os().next_back().is_some_and(|word| word == PROBE_WORD) {
        return probe::look_around();
    }
    if env::args_os().next_back().is_some_and(|word| word == COUNT_WORD) {
        return page_count::count();
    }
    match run() {
        Ok(status) => sys::end_like(status),
        Err(failure) => {
            report(&failure);
            ExitCode::from(EXIT_NO_BOX)
        }
    }
}

/// Reports why there is no box to the process that started the helper.
fn report((what, error): &(String, io::Error)) {
    let _ = sys::inherited(REPORT_FD).write_all(format!("{what}: {error}").as_bytes());
}

fn run() -> Step<Status> {
    let plan = trying("read the plan", io::read_to_string(&*sys::inherited(PLAN_FD)))?;
    let mut plan = trying("read the plan", Plan::from_text(&plan))?;
    isolate_from_parent(&plan)?;
    let group =
        plan.inner.as_deref().map(|folder| trying("open the program's group", open_folder(folder))).transpose()?;
    if getuid().is_root() {
        bind_for_unprivileged(&mut plan)?;
        drop_root(&plan)?;
    }
    enter_namespaces()?;
    let (mut told, tell) = trying("make a pipe", io::pipe())?;
    sys::block_signals();
    match trying("start the first process", sys::fork())? {
        None => {
            drop(told);
            run_init(&plan, group, tell)
        }
        Some(first) => {
            drop(tell);
            // What the program closes must be closed: nobody else may hold its pipes.
            (0..=REPORT_FD).for_each(sys::close);
            trying("wait", sys::wait_or_kill(first))?;
            let mut status = [0; 4];
            // Without a word from the first process all were killed together.
            let heard = told.read_exact(&mut status).is_ok();
            Ok(if heard { Status::from_ne_bytes(status) } else { libc::SIGKILL })
        }
    }
}

/// Closes inherited descriptors, sets `PR_SET_PDEATHSIG`, leaves the session, joins the cgroups and takes its CPU.
fn isolate_from_parent(plan: &Plan) -> Step<()> {
    trying("close what was inherited", sys::close_from(REPORT_FD + 1))?;
    trying("set close-on-exec", rustix::io::fcntl_setfd(&*sys::inherited(REPORT_FD), rustix::io::FdFlags::CLOEXEC))?;
    die_with_parent(plan)?;
    trying("lead a session", setsid())?;
    // When the machine runs out of memory, boxes are the first to go, and not the arena.
    trying("be the first to go", fs::write("/proc/self/oom_score_adj", "1000"))?;
    for door in &plan.cgroups {
        trying("join the control group", fs::write(door, "0"))?;
    }
    if let Some(cpu) = plan.cpu {
        let mut one = CpuSet::new();
        one.set(cpu);
        trying("stay on one CPU", sched_setaffinity(None, &one))?;
    }
    Ok(())
}

fn die_with_parent(plan: &Plan) -> Step<()> {
    trying("die with the parent", set_parent_process_death_signal(Some(Signal::KILL)))?;
    // The parent may have ended before the line above.
    let is_there = getppid().map(Pid::as_raw_pid) == Some(plan.parent);
    if is_there { Ok(()) } else { Err(("die with the parent".to_owned(), ErrorKind::BrokenPipe.into())) }
}

/// What only root can reach gets a place that the box can reach, in a view of the mounts that ends with this process.
fn bind_for_unprivileged(plan: &mut Plan) -> Step<()> {
    if plan.more.is_empty() {
        return Ok(());
    }
    trying("a view of the mounts", sys::unshare(UnshareFlags::NEWNS))?;
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    trying("cut off the mounts", mount_change("/", private))?;
    for more in &mut plan.more {
        let place = plan.root.with_file_name(&more.to);
        trying("share a folder", mount_bind_recursive(&more.from, &place))?;
        more.from = place;
    }
    Ok(())
}

fn open_folder(folder: &Path) -> rustix::io::Result<OwnedFd> {
    rustix::fs::open(folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// Changes to a uid that no user of the machine has.
fn drop_root(plan: &Plan) -> Step<()> {
    let own = FIRST_BOX_UID + getpid().as_raw_pid().cast_unsigned();
    let (uid, gid) = (Uid::from_raw(own), Gid::from_raw(own));
    // The first process inside starts the program in a group of its own, and needs the right to.
    for folder in plan.inner.iter().flat_map(|inner| [inner.as_path(), inner.parent().unwrap_or(inner)]) {
        trying("hand over the program's group", chown(folder.join("cgroup.procs"), Some(uid), Some(gid)))?;
    }
    trying("leave all groups", set_thread_groups(&[]))?;
    trying("change the group", set_thread_res_gid(gid, gid, gid))?;
    trying("change the user", set_thread_res_uid(uid, uid, uid))?;
    // Both are forgotten when the user changes. Without the second our own files in /proc would be root's.
    die_with_parent(plan)?;
    trying("stay visible to itself", set_dumpable_behavior(DumpableBehavior::Dumpable))
}

/// Enters new user, mount, PID, network, IPC, UTS and cgroup namespaces.
fn enter_namespaces() -> Step<()> {
    let (uid, gid) = (getuid(), getgid());
    if uid.is_root() {
        return Err(("enter the box".to_owned(), io::Error::other("root never goes in")));
    }
    let namespaces = UnshareFlags::NEWUSER
        | UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWCGROUP;
    trying("make namespaces", sys::unshare(namespaces))?;
    trying("deny groups", fs::write("/proc/self/setgroups", "deny"))?;
    trying("map the user", fs::write("/proc/self/uid_map", format!("{BOX_UID} {} 1", uid.as_raw())))?;
    trying("map the group", fs::write("/proc/self/gid_map", format!("{BOX_UID} {} 1", gid.as_raw())))
}

/// PID 1 of the box.
fn run_init(plan: &Plan, group: Option<OwnedFd>, tell: PipeWriter) -> ! {
    let ended = init(plan, group, tell);
    if let Err(failure) = &ended {
        report(failure);
    }
    sys::exit(if ended.is_ok() { 0 } else { EXIT_NO_BOX })
}

fn init(plan: &Plan, group: Option<OwnedFd>, mut tell: PipeWriter) -> Step<()> {
    die_with_helper(&tell)?;
    // The program is in the group of this process, which it cannot stop, and not in that of the helper.
    trying("lead a session", setsid())?;
    trying("name the box", sethostname(b"box"))?;
    root_filesystem::build_and_pivot(plan)?;
    if plan.purpose != Purpose::Play {
        // A compiler may have /proc and has the same user: it must not look into this process, which knows where things
        // lie outside. Where there is no /proc there is no way to look, and the arena has to find the program through
        // this process.
        trying("stay closed to the compiler", set_dumpable_behavior(DumpableBehavior::NotDumpable))?;
    }
    drop_privileges()?;
    let program = match trying("start the program", sys::clone_into_cgroup(group.as_ref()))? {
        None => program(plan),
        Some(program) => program,
    };
    drop(group);
    // What the program closes must be closed, and the report says that it runs by ending. Only a compiler's work goes
    // on after the compiler.
    let kept = if plan.purpose == Purpose::Play { &[][..] } else { &[libc::STDOUT_FILENO, REPORT_FD] };
    (0..=REPORT_FD).filter(|it| !kept.contains(it)).for_each(sys::close);
    let status = trying("wait for the program", sys::reap_until(program))?;
    if let Purpose::Build { artefact: Some(name), most, .. } = &plan.purpose {
        sys::kill_all_others();
        if status == 0 {
            trying(COLLECT_STEP, File::open("/tmp").and_then(|folder| write_artefact(&folder, name, *most)))?;
        }
    }
    trying("tell how it ended", tell.write_all(&status.to_ne_bytes()))
}

fn die_with_helper(tell: &PipeWriter) -> Step<()> {
    trying("die with the helper", set_parent_process_death_signal(Some(Signal::KILL)))?;
    // The helper may have ended before the line above. Its number is not known in here, but it reads what is told.
    let mut reader = [PollFd::new(tell, PollFlags::empty())];
    trying("look for the helper", poll(&mut reader, Some(&Timespec::default())))?;
    let is_there = !reader[0].revents().contains(PollFlags::ERR);
    if is_there { Ok(()) } else { Err(("die with the helper".to_owned(), ErrorKind::BrokenPipe.into())) }
}

/// Drops all capabilities and sets `no_new_privs`.
fn drop_privileges() -> Step<()> {
    for capability in CapabilitySet::all().iter() {
        match remove_capability_from_bounding_set(capability) {
            // Not every kernel knows all of them.
            Ok(()) | Err(rustix::io::Errno::INVAL) => {}
            Err(error) => return trying("give up capabilities", Err(error)),
        }
    }
    trying("give up capabilities", clear_ambient_capability_set())?;
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    trying("give up capabilities", set_capabilities(None, sets))?;
    trying("gain no privileges", set_no_new_privs(true))
}

/// The process that becomes the program by `execve`.
fn program(plan: &Plan) -> ! {
    let failure = match prepare(plan) {
        Ok((command, environment)) => (EXEC_STEP.to_owned(), sys::become_program(&command, &environment)),
        Err(failure) => failure,
    };
    report(&failure);
    sys::exit(EXIT_NO_BOX)
}

fn prepare(plan: &Plan) -> Step<(Vec<CString>, Vec<CString>)> {
    let texts = |texts: &[String]| texts.iter().map(|text| CString::new(text.as_str())).collect::<Result<_, _>>();
    let command: Vec<CString> = trying("read the command", texts(&plan.command))?;
    let environment = trying("read the environment", texts(&plan.environment))?;
    trying("die with the box", set_parent_process_death_signal(Some(Signal::KILL)))?;
    let policy = match plan.purpose {
        Purpose::Play => Policy::Play,
        Purpose::Build { .. } => {
            trying("join output and errors", sys::output_to_errors())?;
            Policy::Build
        }
    };
    trying("go to the program", rustix::process::chdir("/bot"))?;
    set_rlimits(&plan.limits)?;
    trying("put up the fence", landlock_rules::restrict_self_to_box().map_err(io::Error::other))?;
    let filter = filter(policy);
    sys::reset_signals();
    trying("set the filter", sys::set_filter(&filter))?;
    Ok((command, environment))
}

fn set_rlimits(limits: &Limits) -> Step<()> {
    let both = |most| Rlimit { current: Some(most), maximum: Some(most) };
    let cpu = Rlimit { current: Some(limits.cpu), maximum: Some(limits.cpu + 1) };
    let all = [
        // Not 0, which only keeps files from being written: at 1 the kernel does not start the machine's own program
        // for crashes either, which runs as root and reads what the bot has left.
        (Resource::Core, both(1)),
        (Resource::Fsize, both(limits.file)),
        (Resource::Nofile, both(limits.files)),
        (Resource::Nproc, both(limits.tasks)),
        (Resource::Cpu, cpu),
        (Resource::Memlock, both(0)),
        (Resource::Msgqueue, both(0)),
        (Resource::As, both(limits.address_space)),
        (Resource::Stack, both(limits.stack)),
    ];
    all.into_iter().try_for_each(|(resource, limit)| trying("set a limit", setrlimit(resource, limit)))
}

/// Writes a file that the program made to the standard output.
fn write_artefact(folder: &File, name: &str, most: u64) -> io::Result<()> {
    io::copy(&mut open_artefact(folder, name, most)?, &mut *sys::inherited(libc::STDOUT_FILENO)).map(drop)
}

/// A file that the program made, and no more of it than allowed. It may be anything: a link, a pipe, a name of another
/// file, without end. Only a plain file of its own is taken.
fn open_artefact(folder: &File, name: &str, most: u64) -> io::Result<impl Read + use<>> {
    let how = ResolveFlags::NO_SYMLINKS | ResolveFlags::BENEATH | ResolveFlags::NO_XDEV;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat2(folder, name, flags, Mode::empty(), how)?);
    let found = fstat(&file)?;
    let is_plain = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile && found.st_nlink == 1;
    let is_small = u64::try_from(found.st_size).is_ok_and(|size| size <= most);
    if !is_plain {
        return Err(io::Error::other("the compiler's output is no plain file"));
    }
    if !is_small {
        return Err(io::Error::other(format!("the program is larger than {} MiB", most >> 20)));
    }
    Ok(file.take(most))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{FileExt, symlink};

    use rustix::fs::{CWD, mkfifoat};

    use super::*;

    /// An attacker who controls the compiler makes its output a link to something else. The filter does not let it make
    /// links or pipes; here they are made by us, and none of them is taken.
    #[test]
    fn attack_output_replaced_by_a_link_a_pipe_or_a_name_of_another_file() {
        let place = env::temp_dir().join(format!("palestra-take-{}", getpid().as_raw_pid()));
        fs::create_dir_all(&place).expect("a folder");
        let path = |name: &str| place.join(name);
        fs::write(path("secret"), "a secret").expect("a file");
        symlink(path("secret"), path("symlink")).expect("a link");
        symlink("secret", path("near")).expect("a link");
        fs::hard_link(path("secret"), path("hardlink")).expect("a link");
        mkfifoat(CWD, path("pipe"), Mode::RUSR | Mode::WUSR).expect("a pipe");
        fs::create_dir(path("folder")).expect("a folder");
        File::create(path("large")).and_then(|file| file.write_all_at(b"x", 1000)).expect("a file");
        fs::write(path("plain"), "a program").expect("a file");

        // The control: simply opening the link gives the secret.
        for link in ["symlink", "near", "hardlink"] {
            assert_eq!(fs::read_to_string(path(link)).expect("read"), "a secret");
        }
        let folder = File::open(&place).expect("the folder");
        let taken = |name: &str| open_artefact(&folder, name, 1000).and_then(io::read_to_string);
        for name in ["symlink", "near", "hardlink", "pipe", "folder", "large", "none", "../plain", "/etc/hostname"] {
            assert!(taken(name).is_err(), "{name} was taken");
        }
        assert_eq!(taken("plain").expect("it is one"), "a program");
        fs::remove_dir_all(&place).expect("removed");
    }
}
