//! Which calls of the system a program in a box may make.
//!
//! Two lists. One has what programs need. The other has what only an attack needs, and ends a program that tries it.
//! Whatever is in neither is answered as an old kernel would, so that the C library falls back to what there was before.

use std::collections::BTreeMap;

use libc::{
    CLONE_NEWCGROUP, CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWUSER, CLONE_NEWUTS, CLONE_THREAD,
    c_int, c_long, sock_filter,
};

use super::bpf::{self, Answer, Half, Is, Rule, Test};

/// What a filter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// One process and its threads.
    Play,
    /// A compiler that starts others.
    Build,
}

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
const EXCEPT: [(c_long, u32, c_int); 4] = [
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

/// The filter for a program.
pub(super) fn filter(rules: Rules) -> Vec<sock_filter> {
    bpf::program(&table(rules))
}

#[allow(clippy::unnecessary_cast, reason = "C libraries do not agree on the type of these numbers")]
fn table(rules: Rules) -> BTreeMap<u32, Rule> {
    let mut table = BTreeMap::new();
    let mut add = |calls: &[c_long], rule: &Rule| table.extend(calls.iter().map(|&call| (call as u32, rule.clone())));
    let allow = Rule::Always(Answer::Allow);
    add(ALLOWED, &allow);
    add(ALLOWED_HERE, &allow);
    if rules == Rules::Build {
        add(ALLOWED_BUILD, &allow);
        add(ALLOWED_BUILD_HERE, &allow);
    }
    add(DEADLY, &Rule::Always(Answer::Kill));
    add(DEADLY_HERE, &Rule::Always(Answer::Kill));
    add(&[libc::SYS_fcntl], &one_of(1, u32::MAX, &FCNTL.map(|it| it as u32)));
    add(&[libc::SYS_ioctl], &one_of(1, u32::MAX, &IOCTL.map(|it| it as u32)));
    add(&[libc::SYS_prctl], &one_of(0, u32::MAX, &PRCTL.map(|it| it as u32)));
    add(&[libc::SYS_futex], &one_of(1, libc::FUTEX_CMD_MASK as u32, &FUTEX.map(|it| it as u32)));
    for (call, argument, value) in EXCEPT {
        let is = Is::OneOf(vec![value as u32]);
        let test = Test { half: Half::Lower(argument), mask: u32::MAX, is, then: Answer::Unknown };
        add(&[call], &Rule::Tested(vec![test], Answer::Allow));
    }
    // Limits may be read, not set: nothing points to new ones.
    let points = |half| Test { half, mask: u32::MAX, is: Is::NotZero, then: Answer::Unknown };
    add(&[libc::SYS_prlimit64], &Rule::Tested(vec![points(Half::Lower(2)), points(Half::Upper(2))], Answer::Allow));
    add(&[libc::SYS_clone], &clone(rules));
    table
}

/// New worlds are deadly. A thread may be started, and by a compiler a process. What clone3 is asked for cannot be seen by
/// a filter: the C library falls back to this.
fn clone(rules: Rules) -> Rule {
    let worlds = WORLDS.into_iter().fold(0, |all, world| all | world.cast_unsigned());
    let bits = |mask, then| Test { half: Half::Lower(0), mask, is: Is::NotZero, then };
    let world = bits(worlds, Answer::Kill);
    match rules {
        Rules::Play => Rule::Tested(vec![world, bits(CLONE_THREAD.cast_unsigned(), Answer::Allow)], Answer::Unknown),
        Rules::Build => Rule::Tested(vec![world], Answer::Allow),
    }
}

/// Allowed if these bits of the argument are one of these values.
fn one_of(argument: u32, mask: u32, values: &[u32]) -> Rule {
    let is = Is::OneOf(values.to_vec());
    let test = Test { half: Half::Lower(argument), mask, is, then: Answer::Allow };
    Rule::Tested(vec![test], Answer::Unknown)
}
