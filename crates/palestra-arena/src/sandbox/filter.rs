//! Which calls of the system a program in a box may make.
//!
//! Two filters. The first is a list of what programs need: anything else is answered as an old kernel would, so that
//! the C library falls back to what there was before. The second ends a program that tries what only an attack needs.

use std::collections::BTreeMap;
use std::fmt;

use libc::{
    CLONE_NEWCGROUP, CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWUSER, CLONE_NEWUTS, CLONE_THREAD,
    c_int, c_long,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

/// What the filters are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// One process and its threads.
    Play,
    /// A compiler that starts others.
    Build,
}

type Table = BTreeMap<i64, Vec<SeccompRule>>;

/// The calls that every program may make, whatever it says with them.
#[rustfmt::skip]
const ALLOWED: &[c_long] = &[
    // Memory.
    libc::SYS_brk, libc::SYS_membarrier, libc::SYS_mincore, libc::SYS_mmap, libc::SYS_mprotect,
    libc::SYS_mremap, libc::SYS_msync, libc::SYS_munmap,
    // Files: what can be reached is decided by what lies in the box. Not fadvise64, which empties the machine's cache.
    libc::SYS_chdir, libc::SYS_close, libc::SYS_close_range, libc::SYS_copy_file_range, libc::SYS_dup, libc::SYS_dup3,
    libc::SYS_faccessat, libc::SYS_faccessat2, libc::SYS_fallocate, libc::SYS_fchdir,
    libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_fdatasync, libc::SYS_fstat, libc::SYS_fstatfs, libc::SYS_fsync,
    libc::SYS_ftruncate, libc::SYS_getcwd, libc::SYS_getdents64, libc::SYS_lseek, libc::SYS_mkdirat,
    libc::SYS_newfstatat, libc::SYS_openat, libc::SYS_pipe2, libc::SYS_pread64, libc::SYS_preadv, libc::SYS_pwrite64,
    libc::SYS_pwritev, libc::SYS_read, libc::SYS_readlinkat, libc::SYS_readv, libc::SYS_renameat, libc::SYS_renameat2,
    libc::SYS_sendfile, libc::SYS_statfs, libc::SYS_statx, libc::SYS_truncate, libc::SYS_umask, libc::SYS_unlinkat,
    libc::SYS_utimensat, libc::SYS_write, libc::SYS_writev,
    // Waiting.
    libc::SYS_clock_getres, libc::SYS_clock_gettime, libc::SYS_clock_nanosleep, libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl, libc::SYS_epoll_pwait, libc::SYS_eventfd2, libc::SYS_getitimer,
    libc::SYS_gettimeofday, libc::SYS_nanosleep, libc::SYS_ppoll, libc::SYS_pselect6, libc::SYS_restart_syscall,
    libc::SYS_sched_yield, libc::SYS_setitimer, libc::SYS_timerfd_create, libc::SYS_timerfd_gettime,
    libc::SYS_timerfd_settime, libc::SYS_times, libc::SYS_wait4, libc::SYS_waitid,
    // Itself, and its threads.
    libc::SYS_capget, libc::SYS_execve, libc::SYS_exit, libc::SYS_exit_group, libc::SYS_getcpu, libc::SYS_getegid,
    libc::SYS_geteuid, libc::SYS_getgid, libc::SYS_getgroups, libc::SYS_getpgid, libc::SYS_getpid, libc::SYS_getppid,
    libc::SYS_getpriority, libc::SYS_getresgid, libc::SYS_getresuid, libc::SYS_getrusage, libc::SYS_getsid,
    libc::SYS_gettid, libc::SYS_getuid, libc::SYS_rseq, libc::SYS_rt_sigaction,
    libc::SYS_rt_sigpending, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigreturn, libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait, libc::SYS_sched_getaffinity, libc::SYS_sched_getparam, libc::SYS_sched_getscheduler,
    libc::SYS_set_robust_list, libc::SYS_get_robust_list, libc::SYS_set_tid_address, libc::SYS_sigaltstack,
    libc::SYS_sysinfo, libc::SYS_uname, libc::SYS_getrandom,
];

/// The older calls for the same, which newer machines do without.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const ALLOWED_HERE: &[c_long] = &[
    libc::SYS_access, libc::SYS_alarm, libc::SYS_arch_prctl, libc::SYS_chmod, libc::SYS_creat, libc::SYS_dup2,
    libc::SYS_epoll_create, libc::SYS_epoll_wait, libc::SYS_eventfd, libc::SYS_getdents, libc::SYS_getpgrp,
    libc::SYS_getrlimit, libc::SYS_lstat, libc::SYS_mkdir, libc::SYS_open, libc::SYS_pause, libc::SYS_pipe,
    libc::SYS_poll, libc::SYS_readlink, libc::SYS_rename, libc::SYS_rmdir, libc::SYS_select, libc::SYS_stat,
    libc::SYS_time, libc::SYS_unlink, libc::SYS_utime, libc::SYS_utimes,
];

#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_HERE: &[c_long] = &[];

/// What a compiler needs beyond that.
const ALLOWED_BUILD: &[c_long] = &[libc::SYS_setpgid, libc::SYS_setsid];

#[cfg(target_arch = "x86_64")]
const ALLOWED_BUILD_HERE: &[c_long] = &[libc::SYS_fork, libc::SYS_vfork];

#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_BUILD_HERE: &[c_long] = &[];

/// No program that plays a game makes these.
#[rustfmt::skip]
const DEADLY: &[c_long] = &[
    // Other views of the machine.
    libc::SYS_chroot, libc::SYS_fsconfig, libc::SYS_fsmount, libc::SYS_fsopen, libc::SYS_fspick, libc::SYS_mount,
    libc::SYS_mount_setattr, libc::SYS_move_mount, libc::SYS_open_by_handle_at, libc::SYS_open_tree,
    libc::SYS_pivot_root, libc::SYS_setns, libc::SYS_umount2, libc::SYS_unshare,
    // Other processes.
    libc::SYS_kcmp, libc::SYS_pidfd_getfd, libc::SYS_process_madvise, libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev, libc::SYS_ptrace,
    // Large parts of the kernel that were broken before.
    libc::SYS_add_key, libc::SYS_bpf, libc::SYS_fanotify_init, libc::SYS_io_uring_enter, libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup, libc::SYS_keyctl, libc::SYS_perf_event_open, libc::SYS_request_key,
    libc::SYS_userfaultfd,
    // The machine itself.
    libc::SYS_acct, libc::SYS_adjtimex, libc::SYS_clock_adjtime, libc::SYS_clock_settime, libc::SYS_delete_module,
    libc::SYS_finit_module, libc::SYS_init_module, libc::SYS_kexec_load, libc::SYS_quotactl, libc::SYS_reboot,
    libc::SYS_setdomainname, libc::SYS_sethostname, libc::SYS_settimeofday, libc::SYS_swapoff, libc::SYS_swapon,
    libc::SYS_syslog, libc::SYS_vhangup,
];

#[cfg(target_arch = "x86_64")]
const DEADLY_HERE: &[c_long] =
    &[libc::SYS_ioperm, libc::SYS_iopl, libc::SYS_kexec_file_load, libc::SYS_modify_ldt, libc::SYS_uselib];

#[cfg(not(target_arch = "x86_64"))]
const DEADLY_HERE: &[c_long] = &[];

/// New worlds, whoever asks for them.
const WORLDS: [c_int; 7] =
    [CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP];

/// No locks, which two programs could signal each other with, no leases, and no signals when something happens.
const FCNTL: [c_int; 8] = [
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETPIPE_SZ,
    libc::F_GETOWN,
];

/// Calls that may be made, except with this value of this argument.
///
/// Whoever is stopped until its turn must not wake itself, and a signal to go on undoes one to stop that is on its way.
/// In its own world of processes nobody else can be signalled. Memory that the kernel shares wherever it is the same
/// would show a bot what the other has in its own.
const EXCEPT: [(c_long, u8, c_int); 4] = [
    (libc::SYS_kill, 1, libc::SIGCONT),
    (libc::SYS_tkill, 1, libc::SIGCONT),
    (libc::SYS_tgkill, 2, libc::SIGCONT),
    (libc::SYS_madvise, 2, libc::MADV_MERGEABLE),
];

/// Waiting for each other, without the inheritance of priorities: nobody has any, and it was broken more than once.
const FUTEX: [c_int; 7] = [
    libc::FUTEX_WAIT,
    libc::FUTEX_WAKE,
    libc::FUTEX_REQUEUE,
    libc::FUTEX_CMP_REQUEUE,
    libc::FUTEX_WAKE_OP,
    libc::FUTEX_WAIT_BITSET,
    libc::FUTEX_WAKE_BITSET,
];

/// What C libraries ask of a file to see what it is.
const IOCTL: [libc::Ioctl; 6] =
    [libc::TCGETS, libc::TIOCGWINSZ, libc::FIONREAD, libc::FIONBIO, libc::FIOCLEX, libc::FIONCLEX];

const PRCTL: [c_int; 6] = [
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_GET_DUMPABLE,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_GET_SECCOMP,
    libc::PR_SET_VMA,
];

/// The filters, in the order in which they are to be set: from then on no more can be.
pub(super) fn filters(rules: Rules) -> Result<[BpfProgram; 2], FilterError> {
    Ok([deadly()?, allowed(rules)?])
}

/// Why there is no filter.
#[derive(Debug)]
pub(super) struct FilterError(String);

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<seccompiler::BackendError> for FilterError {
    fn from(error: seccompiler::BackendError) -> Self {
        Self(error.to_string())
    }
}

#[allow(clippy::unnecessary_cast, reason = "C libraries do not agree on the type of these numbers")]
fn allowed(rules: Rules) -> Result<BpfProgram, FilterError> {
    let mut table = Table::new();
    let always = ALLOWED.iter().chain(ALLOWED_HERE);
    let build = ALLOWED_BUILD.iter().chain(ALLOWED_BUILD_HERE).filter(|_| rules == Rules::Build);
    table.extend(always.chain(build).map(|&call| (call, vec![])));
    table.insert(libc::SYS_fcntl, one_of(1, FCNTL.map(|it| it as u64))?);
    #[allow(clippy::unnecessary_cast, reason = "the type differs between C libraries")]
    table.insert(libc::SYS_ioctl, one_of(1, IOCTL.map(|it| it as u64))?);
    table.insert(libc::SYS_prctl, one_of(0, PRCTL.map(|it| it as u64))?);
    for (call, argument, value) in EXCEPT {
        let is_other = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value as u64)?;
        table.insert(call, vec![SeccompRule::new(vec![is_other])?]);
    }
    let operation = SeccompCmpOp::MaskedEq(libc::FUTEX_CMD_MASK as u32 as u64);
    let futex = FUTEX.map(|it| SeccompCondition::new(1, SeccompCmpArgLen::Dword, operation.clone(), it as u64));
    let futex = futex.into_iter().map(|it| SeccompRule::new(vec![it?]));
    table.insert(libc::SYS_futex, futex.collect::<Result<_, _>>()?);
    // Limits may be read, not set.
    let no_new_limits = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
    table.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![no_new_limits])?]);
    // What clone3 is asked for cannot be seen by a filter: the C library falls back to clone.
    let clone = match rules {
        Rules::Play => vec![SeccompRule::new(vec![masked(0, CLONE_THREAD as u64)?])?],
        Rules::Build => vec![],
    };
    table.insert(libc::SYS_clone, clone);
    program(table, SeccompAction::Errno(libc::ENOSYS as u32), SeccompAction::Allow)
}

fn deadly() -> Result<BpfProgram, FilterError> {
    let mut table: Table = DEADLY.iter().chain(DEADLY_HERE).map(|&call| (call, vec![])).collect();
    let worlds = WORLDS.into_iter().map(|world| SeccompRule::new(vec![masked(0, u64::from(world.cast_unsigned()))?]));
    table.insert(libc::SYS_clone, worlds.collect::<Result<_, _>>()?);
    let program = program(table, SeccompAction::Allow, SeccompAction::KillProcess)?;
    Ok(foreign_numbers().into_iter().chain(program).collect())
}

/// On x86-64 the kernel may know a second set of calls, of 32 bits, by numbers of its own. Nobody needs them; they would
/// be a way around the list.
fn foreign_numbers() -> Vec<sock_filter> {
    if cfg!(not(target_arch = "x86_64")) {
        return vec![];
    }
    let step = |code: u32, jf: u8, k: u32| sock_filter { code: code as u16, jt: 0, jf, k };
    vec![
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 1, 0x4000_0000),
        step(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_KILL_PROCESS),
    ]
}

/// The argument is one of these.
fn one_of<const N: usize>(argument: u8, values: [u64; N]) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let is = |value| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value);
    values.into_iter().map(|value| SeccompRule::new(vec![is(value)?])).collect()
}

/// The argument has all of these bits.
fn masked(argument: u8, bits: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(bits), bits)
}

/// The compiled filter. Calls of another architecture end the program.
fn program(table: Table, otherwise: SeccompAction, listed: SeccompAction) -> Result<BpfProgram, FilterError> {
    let arch = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(table, otherwise, listed, arch)?.try_into()?)
}
