//! The seccomp policy: which system calls a program in a box may make.
//!
//! Two lists. One has what programs need. The other has what only an attack needs, and kills a process that tries it
//! (`SECCOMP_RET_KILL_PROCESS`). Whatever is in neither fails with `ENOSYS`, as on an old kernel, so that the C library
//! falls back to older calls. A snapshot beside this file has the verdict on every call that is listed: read its difference
//! when you change a list.

use std::collections::BTreeMap;

use libc::{
    CLONE_NEWCGROUP, CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWUSER, CLONE_NEWUTS, CLONE_THREAD,
    c_int, c_long, sock_filter,
};

use super::seccomp_bpf::{self, ArgumentHalf, Comparison, Rule, Test, Verdict};

/// Which of the two policies a process gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// For a program that plays: one process and its threads.
    Play,
    /// For a compiler, which starts other processes.
    Build,
}

/// A system call: the name of its number in the C library, and the number on this machine.
type Syscall = (&'static str, c_long);

/// System calls by their names.
macro_rules! syscalls {
    ($($name:ident),* $(,)?) => { &[$((stringify!($name), libc::$name)),*] };
}

/// The calls that every program may make, with any arguments.
#[rustfmt::skip]
const ALLOWED: &[Syscall] = syscalls![
    // Memory.
    SYS_brk, SYS_membarrier, SYS_mincore, SYS_mmap, SYS_mprotect,
    SYS_mremap, SYS_msync, SYS_munmap,
    // Files: what can be reached is decided by what lies in the box. Not fadvise64, which empties the machine's cache.
    SYS_chdir, SYS_close, SYS_close_range, SYS_copy_file_range, SYS_dup, SYS_dup3,
    SYS_faccessat, SYS_faccessat2, SYS_fallocate, SYS_fchdir,
    SYS_fchmod, SYS_fchmodat, SYS_fdatasync, SYS_fstat, SYS_fstatfs, SYS_fsync,
    SYS_ftruncate, SYS_getcwd, SYS_getdents64, SYS_lseek, SYS_mkdirat,
    SYS_newfstatat, SYS_openat, SYS_pipe2, SYS_pread64, SYS_preadv, SYS_pwrite64,
    SYS_pwritev, SYS_read, SYS_readlinkat, SYS_readv, SYS_renameat, SYS_renameat2,
    SYS_sendfile, SYS_statfs, SYS_statx, SYS_truncate, SYS_umask, SYS_unlinkat,
    SYS_utimensat, SYS_write, SYS_writev,
    // Waiting.
    SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep, SYS_epoll_create1,
    SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2, SYS_getitimer,
    SYS_gettimeofday, SYS_nanosleep, SYS_ppoll, SYS_pselect6, SYS_restart_syscall,
    SYS_sched_yield, SYS_setitimer, SYS_timerfd_create, SYS_timerfd_gettime,
    SYS_timerfd_settime, SYS_times, SYS_wait4, SYS_waitid,
    // Itself, and its threads.
    SYS_capget, SYS_execve, SYS_exit, SYS_exit_group, SYS_getcpu, SYS_getegid,
    SYS_geteuid, SYS_getgid, SYS_getgroups, SYS_getpgid, SYS_getpid, SYS_getppid,
    SYS_getpriority, SYS_getresgid, SYS_getresuid, SYS_getrusage, SYS_getsid,
    SYS_gettid, SYS_getuid, SYS_rseq, SYS_rt_sigaction,
    SYS_rt_sigpending, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait, SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_sigaltstack,
    SYS_sysinfo, SYS_uname, SYS_getrandom,
];

/// Older calls for the same purposes, which newer architectures do without.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const ALLOWED_X86_64: &[Syscall] = syscalls![
    SYS_access, SYS_alarm, SYS_arch_prctl, SYS_chmod, SYS_creat, SYS_dup2,
    SYS_epoll_create, SYS_epoll_wait, SYS_eventfd, SYS_getdents, SYS_getpgrp,
    SYS_getrlimit, SYS_lstat, SYS_mkdir, SYS_open, SYS_pause, SYS_pipe,
    SYS_poll, SYS_readlink, SYS_rename, SYS_rmdir, SYS_select, SYS_stat,
    SYS_time, SYS_unlink, SYS_utime, SYS_utimes,
];

#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_X86_64: &[Syscall] = syscalls![];

/// What a compiler needs beyond [`ALLOWED`].
const ALLOWED_BUILD: &[Syscall] = syscalls![SYS_setpgid, SYS_setsid];

#[cfg(target_arch = "x86_64")]
const ALLOWED_BUILD_X86_64: &[Syscall] = syscalls![SYS_fork, SYS_vfork];

#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_BUILD_X86_64: &[Syscall] = syscalls![];

/// Calls that kill the process: no program that plays a game makes them.
#[rustfmt::skip]
const KILLED: &[Syscall] = syscalls![
    // Other views of the machine.
    SYS_chroot, SYS_fsconfig, SYS_fsmount, SYS_fsopen, SYS_fspick, SYS_mount,
    SYS_mount_setattr, SYS_move_mount, SYS_open_by_handle_at, SYS_open_tree,
    SYS_pivot_root, SYS_setns, SYS_umount2, SYS_unshare,
    // Other processes.
    SYS_kcmp, SYS_pidfd_getfd, SYS_process_madvise, SYS_process_vm_readv,
    SYS_process_vm_writev, SYS_ptrace,
    // Large parts of the kernel that were broken before.
    SYS_add_key, SYS_bpf, SYS_fanotify_init, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_io_uring_setup, SYS_keyctl, SYS_perf_event_open, SYS_request_key,
    SYS_userfaultfd,
    // The machine itself.
    SYS_acct, SYS_adjtimex, SYS_clock_adjtime, SYS_clock_settime, SYS_delete_module,
    SYS_finit_module, SYS_init_module, SYS_kexec_load, SYS_quotactl, SYS_reboot,
    SYS_setdomainname, SYS_sethostname, SYS_settimeofday, SYS_swapoff, SYS_swapon,
    SYS_syslog, SYS_vhangup,
];

#[cfg(target_arch = "x86_64")]
const KILLED_X86_64: &[Syscall] = syscalls![SYS_ioperm, SYS_iopl, SYS_kexec_file_load, SYS_modify_ldt, SYS_uselib];

#[cfg(not(target_arch = "x86_64"))]
const KILLED_X86_64: &[Syscall] = syscalls![];

/// The flags by which `clone` makes namespaces.
const NAMESPACE_FLAGS: [c_int; 7] =
    [CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP];

/// The allowed commands of `fcntl`: no locks, which two programs could signal each other with, no leases, no `SIGIO`.
const FCNTL_COMMANDS: [c_int; 8] = [
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETPIPE_SZ,
    libc::F_GETOWN,
];

/// Calls that are allowed, except with this value of this argument.
///
/// A program that is stopped until its turn must not wake itself, and a `SIGCONT` undoes a `SIGSTOP` that is on its way.
/// In its PID namespace it cannot signal any other process. Memory that the kernel shares wherever it is the same
/// would show a bot what the other has in its own.
const ALLOWED_EXCEPT: [(&[Syscall], u32, c_int); 4] = [
    (syscalls![SYS_kill], 1, libc::SIGCONT),
    (syscalls![SYS_tkill], 1, libc::SIGCONT),
    (syscalls![SYS_tgkill], 2, libc::SIGCONT),
    (syscalls![SYS_madvise], 2, libc::MADV_MERGEABLE),
];

/// The allowed operations of `futex`: none with priority inheritance, whose code in the kernel was broken more than once.
const FUTEX_OPERATIONS: [c_int; 7] = [
    libc::FUTEX_WAIT,
    libc::FUTEX_WAKE,
    libc::FUTEX_REQUEUE,
    libc::FUTEX_CMP_REQUEUE,
    libc::FUTEX_WAKE_OP,
    libc::FUTEX_WAIT_BITSET,
    libc::FUTEX_WAKE_BITSET,
];

/// The allowed requests of `ioctl`: what C libraries ask of a file to see what it is.
const IOCTL_REQUESTS: [libc::Ioctl; 6] =
    [libc::TCGETS, libc::TIOCGWINSZ, libc::FIONREAD, libc::FIONBIO, libc::FIOCLEX, libc::FIONCLEX];

/// The allowed operations of `prctl`.
const PRCTL_OPERATIONS: [c_int; 6] = [
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_GET_DUMPABLE,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_GET_SECCOMP,
    libc::PR_SET_VMA,
];

/// The BPF program of a policy.
pub(super) fn filter(policy: Policy) -> Vec<sock_filter> {
    let number = |(_, number): Syscall| u32::try_from(number).expect("numbers of system calls are small");
    let table: BTreeMap<u32, Rule> = rules(policy).into_iter().map(|(call, rule)| (number(call), rule)).collect();
    seccomp_bpf::compile(&table)
}

/// The policy as data: the rule of every listed system call. If a call is listed twice, the last rule counts.
fn rules(policy: Policy) -> Vec<(Syscall, Rule)> {
    let mut rules = vec![];
    let mut add = |calls: &[Syscall], rule: &Rule| rules.extend(calls.iter().map(|&call| (call, rule.clone())));
    let (allow, kill) = (Rule::Always(Verdict::Allow), Rule::Always(Verdict::KillProcess));
    add(ALLOWED, &allow);
    add(ALLOWED_X86_64, &allow);
    if policy == Policy::Build {
        add(ALLOWED_BUILD, &allow);
        add(ALLOWED_BUILD_X86_64, &allow);
    }
    add(KILLED, &kill);
    add(KILLED_X86_64, &kill);
    rules.extend(rules_by_arguments(policy));
    rules
}

/// The calls whose verdict depends on their arguments.
#[allow(clippy::unnecessary_cast, reason = "C libraries do not agree on the type of these numbers")]
fn rules_by_arguments(policy: Policy) -> Vec<(Syscall, Rule)> {
    let mut rules = vec![];
    let mut add = |calls: &[Syscall], rule: Rule| rules.extend(calls.iter().map(|&call| (call, rule.clone())));
    add(syscalls![SYS_fcntl], allowed_values(1, u32::MAX, &FCNTL_COMMANDS.map(|it| it as u32)));
    add(syscalls![SYS_ioctl], allowed_values(1, u32::MAX, &IOCTL_REQUESTS.map(|it| it as u32)));
    add(syscalls![SYS_prctl], allowed_values(0, u32::MAX, &PRCTL_OPERATIONS.map(|it| it as u32)));
    let operations = FUTEX_OPERATIONS.map(|it| it as u32);
    add(syscalls![SYS_futex], allowed_values(1, libc::FUTEX_CMD_MASK as u32, &operations));
    for (call, argument, value) in ALLOWED_EXCEPT {
        let is = Comparison::OneOf(vec![value as u32]);
        let test = Test { half: ArgumentHalf::Lower(argument), mask: u32::MAX, is, then: Verdict::NotImplemented };
        add(call, Rule::ByArguments(vec![test], Verdict::Allow));
    }
    // Limits may be read, not set: the pointer to new ones is null, in both of its halves.
    let points = |half| Test { half, mask: u32::MAX, is: Comparison::NotZero, then: Verdict::NotImplemented };
    let halves = vec![points(ArgumentHalf::Lower(2)), points(ArgumentHalf::Upper(2))];
    add(syscalls![SYS_prlimit64], Rule::ByArguments(halves, Verdict::Allow));
    add(syscalls![SYS_clone], clone_rule(policy));
    rules
}

/// `clone` with any `CLONE_NEW*` flag kills the process. It may start a thread, and for a compiler a process. The flags of
/// `clone3` are behind a pointer, which a filter cannot follow: the C library falls back to `clone`.
fn clone_rule(policy: Policy) -> Rule {
    let namespaces = NAMESPACE_FLAGS.into_iter().fold(0, |all, namespace| all | namespace.cast_unsigned());
    let bits = |mask, then| Test { half: ArgumentHalf::Lower(0), mask, is: Comparison::NotZero, then };
    let namespace = bits(namespaces, Verdict::KillProcess);
    match policy {
        Policy::Play => Rule::ByArguments(
            vec![namespace, bits(CLONE_THREAD.cast_unsigned(), Verdict::Allow)],
            Verdict::NotImplemented,
        ),
        Policy::Build => Rule::ByArguments(vec![namespace], Verdict::Allow),
    }
}

/// Allowed if these bits of the argument are one of these values.
fn allowed_values(argument: u32, mask: u32, values: &[u32]) -> Rule {
    let is = Comparison::OneOf(values.to_vec());
    let test = Test { half: ArgumentHalf::Lower(argument), mask, is, then: Verdict::Allow };
    Rule::ByArguments(vec![test], Verdict::NotImplemented)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::fmt::Write;

    use super::*;

    /// A rule in words.
    fn in_words(rule: &Rule) -> String {
        let verdict = |verdict: &Verdict| match verdict {
            Verdict::Allow => "allow",
            Verdict::NotImplemented => "ENOSYS",
            Verdict::KillProcess => "kill",
        };
        let (tests, otherwise) = match rule {
            Rule::Always(always) => return verdict(always).to_owned(),
            Rule::ByArguments(tests, otherwise) => (tests, otherwise),
        };
        let mut text = String::new();
        for test in tests {
            let half = match test.half {
                ArgumentHalf::Lower(argument) => format!("argument {argument}"),
                ArgumentHalf::Upper(argument) => format!("upper half of argument {argument}"),
            };
            let is = match &test.is {
                Comparison::OneOf(values) => format!("is one of {values:x?}"),
                Comparison::NotZero => "is not 0".to_owned(),
            };
            let _ = write!(text, "{} if {half} & {:x} {is}, ", verdict(&test.then), test.mask);
        }
        text + "else " + verdict(otherwise)
    }

    /// Every listed call with its verdict, by name.
    fn listed(policy: Policy) -> String {
        let rules: BTreeMap<&str, String> =
            rules(policy).iter().map(|((name, _), rule)| (*name, in_words(rule))).collect();
        let lines = rules.iter().map(|(name, rule)| format!("{}: {rule}\n", name.trim_start_matches("SYS_")));
        lines.collect::<String>() + "all others: ENOSYS\n"
    }

    #[test]
    fn the_policy_is_the_one_that_was_reviewed() {
        insta::assert_snapshot!("play", listed(Policy::Play));
        insta::assert_snapshot!("build", listed(Policy::Build));
    }

    #[test]
    fn no_call_is_listed_twice() {
        for policy in [Policy::Play, Policy::Build] {
            let mut names: Vec<&str> = rules(policy).iter().map(|((name, _), _)| *name).collect();
            names.sort_unstable();
            let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{policy:?}: {twice:?}");
        }
    }
}
