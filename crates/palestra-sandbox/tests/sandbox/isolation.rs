//! Attacks on what is outside of the box.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};

use palestra_games::{Record, Side};
use palestra_protocol::{ForfeitKind, shown};
use rustix::fs::{Mode, OFlags};
use rustix::process::getuid;

use crate::hand::lead_through;
use crate::probe::{command_line, family};
use crate::support::{Attacker, FOLDER, PlayedAttack, ends, play_both, sandbox, unique};

const ISOLATION: Attacker = Attacker { name: "isolation", source: include_str!("attacks/isolation.cpp") };

/// What the box answers to a call that it does not know.
const UNKNOWN: &str = "Function not implemented";

impl PlayedAttack {
    fn did(&self, what: &str) -> bool {
        self.stderr.lines().any(|line| line.strip_prefix("did ") == Some(what))
    }

    /// Whether this failed, and for this reason.
    fn failed(&self, what: &str, why: &str) -> bool {
        self.stderr.lines().any(|line| line == format!("failed {what}: {why}"))
    }

    /// Trying is no fault, but none of it worked.
    #[track_caller]
    fn assert_in_vain(&self) {
        assert_eq!(ends(self), None, "{}", self.stderr);
        assert!(self.stderr.contains("failed "), "nothing was tried");
        assert!(!self.stderr.lines().any(|line| line.starts_with("did ")), "{}", self.stderr);
    }
}

/// Other users of the machine see the command lines of all processes. With the path of the stage they could open a bot's
/// files, whose names are secret because boxes of root must be able to pass through.
#[test]
fn attack_reading_the_plan_from_outside() {
    // Each has made its moves, so that no process is about to be replaced by another program.
    let mut bare = ISOLATION.start_bare(&["peace"]);
    lead_through(&mut bare);
    let line = command_line(bare.id().cast_signed());
    assert!(line.contains(&text(&FOLDER)), "without a box it says where the program lies: {line:?}");
    let mut boxed = ISOLATION.start(&["peace"]);
    lead_through(&mut boxed);
    let (stage, processes) = (text(sandbox().folder()), family(&boxed));
    assert_eq!(processes.len(), 3, "the helper, the first process in the box, the program");
    for process in processes {
        let line = command_line(process);
        assert!(!line.is_empty() && line.len() < 64, "{line:?}");
        assert!(!line.contains(&stage) && !line.contains('{'), "{line:?}");
    }
}

/// A folder of one test, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = FOLDER.join(unique().to_string());
        fs::create_dir(&folder).expect("a folder");
        Self(folder)
    }

    /// A file in it that everybody may read.
    fn file(&self, name: &str, content: &str) -> String {
        let file = self.0.join(name);
        fs::write(&file, content).expect("a file");
        fs::set_permissions(&file, Permissions::from_mode(0o644)).expect("readable");
        text(&file)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// These calls end the program that makes them. Without the box it goes on: the calls of `harm` are done, those of
/// `guarded` are done for root and may be kept from others by the machine, and those of `answered` are only answered,
/// because doing them would take more than one call.
#[track_caller]
fn assert_deadly(harm: &[&str], guarded: &[&str], answered: &[&str]) {
    let calls = [harm, guarded, answered].concat();
    let bare = ISOLATION.play_bare(&[&["calls"], &calls[..]].concat());
    assert_eq!(ends(&bare), None, "{}", bare.stderr);
    assert_done(&bare, harm, guarded);
    assert_all_deadly(&calls);
}

#[track_caller]
fn assert_done(bare: &PlayedAttack, harm: &[&str], guarded: &[&str]) {
    let guarded = guarded.iter().filter(|_| getuid().is_root());
    for call in harm.iter().chain(guarded) {
        assert!(bare.did(call), "{call}: {}", bare.stderr);
    }
}

#[track_caller]
fn assert_all_deadly(calls: &[&str]) {
    for &call in calls {
        let boxed = ISOLATION.play(&["calls", call]);
        assert_eq!(ends(&boxed), Some(ForfeitKind::Security), "{call}: {}", boxed.stderr);
        assert_eq!(boxed.stderr, "", "{call} never came back");
    }
}

/// These calls do not exist in the box, which is no reason to lose.
#[track_caller]
fn assert_unknown(calls: &[&str]) {
    let boxed = ISOLATION.play(&[&["calls"], calls].concat());
    boxed.assert_in_vain();
    for call in calls {
        assert!(boxed.failed(call, UNKNOWN), "{call}: {}", boxed.stderr);
    }
}

#[test]
fn attack_reading_secrets() {
    let folder = Folder::new();
    let database = folder.file("arena.db", "all passwords");
    let above = "../../../../../../etc/passwd";
    let files = ["read", &database, "/etc/passwd", "/etc/shadow", above, "/bot/../etc/passwd", "/root/.bashrc"];
    let bare = ISOLATION.play_bare(&files);
    assert!(bare.did("open /etc/passwd") && bare.stderr.contains("all passwords"), "{}", bare.stderr);
    let boxed = ISOLATION.play(&files);
    boxed.assert_in_vain();
    assert!(!boxed.stderr.contains("all passwords"), "{}", boxed.stderr);

    let variables = |attack: &PlayedAttack| -> BTreeSet<String> {
        attack.stderr.lines().filter_map(|line| line.strip_prefix("variable ").map(str::to_owned)).collect()
    };
    let bare = variables(&ISOLATION.play_bare(&["environment"]));
    let own = env::vars().map(|(name, _)| name).find(|name| !["PATH", "HOME", "LANG"].contains(&name.as_str()));
    let own = format!("{}=", own.expect("a variable of ours"));
    assert!(bare.iter().any(|variable| variable.starts_with(&own)), "{bare:?}");
    let boxed = variables(&ISOLATION.play(&["environment"]));
    assert_eq!(boxed, ["PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"].map(str::to_owned).into());
}

#[test]
fn attack_through_proc() {
    let bare = ISOLATION.play_bare(&["parent"]);
    let parent = format!("read /proc/{}/environ", std::process::id());
    assert!(bare.did(&parent), "{}", bare.stderr);
    assert!(bare.did("open /proc/self/mem"), "{}", bare.stderr);
    ISOLATION.play(&["parent"]).assert_in_vain();

    // Only root can open the first for writing, and there is no namespace that would make it harmless: nothing is
    // written.
    let words = ["kernel", "/proc/sys/kernel/core_pattern", "/proc/self/oom_score_adj"];
    let bare = ISOLATION.play_bare(&words);
    let [core_pattern, score] = [words[1], words[2]].map(|file| format!("open for writing {file}"));
    assert_done(&bare, &[&score], &[&core_pattern]);
    ISOLATION.play(&words).assert_in_vain();
}

#[test]
fn attack_writing_to_the_system() {
    let folder = Folder::new();
    let name = format!("left-by-a-bot-{}", unique());
    let bare = ISOLATION.play_bare(&["write", &name, &text(&folder.0)]);
    assert!(bare.did(&format!("create {}", folder.0.join(&name).display())), "{}", bare.stderr);
    let places = ["/", "/usr", "/usr/bin", "/usr/local", "/bin", "/lib", "/dev", "/bot"];
    ISOLATION.play(&[&["write", &name], &places[..]].concat()).assert_in_vain();
    for place in places {
        assert!(!Path::new(place).join(&name).exists(), "{place}");
    }

    let victim = folder.file("victim", "x");
    let bare = ISOLATION.play_bare(&["change", &victim]);
    assert!(bare.did(&format!("truncate {victim}")) && !Path::new(&victim).exists(), "{}", bare.stderr);
    ISOLATION.play(&["change", "/bot/attacker", "/usr/bin/env", "/usr/lib/os-release"]).assert_in_vain();
    assert!(Path::new("/usr/bin/env").exists());
}

#[test]
fn attack_running_a_file_of_its_own() {
    let folder = Folder::new();
    let bare = ISOLATION.play_bare(&["copy", &text(&folder.0), &text(&ISOLATION.program())]);
    assert!(bare.did("run the copy") && bare.did("map as code"), "{}", bare.stderr);

    let boxed = ISOLATION.play(&["copy", "/tmp", "/bot/attacker"]);
    assert_eq!(ends(&boxed), None, "{}", boxed.stderr);
    assert!(boxed.did("chmod /tmp/copy"), "the file is there: {}", boxed.stderr);
    assert!(boxed.failed("exec", "Permission denied"), "{}", boxed.stderr);
    assert!(boxed.failed("map as code", "Operation not permitted"), "{}", boxed.stderr);
    assert!(boxed.failed("execveat", UNKNOWN) && boxed.failed("memfd_create", UNKNOWN), "{}", boxed.stderr);
    assert!(!boxed.did("run the copy"), "{}", boxed.stderr);
}

#[test]
fn attack_a_setuid_program() {
    let is_setuid = |path: &&str| fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o4000 != 0);
    let programs = ["/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount", "/usr/bin/newgrp", "/usr/bin/sudo"];
    let program = programs.into_iter().find(is_setuid).expect("a setuid program, as every system has");
    let shown_user = |attack: &PlayedAttack| -> Option<String> {
        attack.stderr.lines().find_map(|line| line.strip_prefix("AT_EUID:").map(|user| user.trim().to_owned()))
    };
    // The loader does not show anything to whoever has gained rights, which root cannot.
    let bare = ISOLATION.play_bare(&["setuid", program]);
    assert_eq!(shown_user(&bare).as_deref(), getuid().is_root().then_some("0"), "{}", bare.stderr);

    let boxed = ISOLATION.play(&["setuid", program]);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Crash), "it became another program, which ended");
    assert_eq!(shown_user(&boxed).as_deref(), Some("1000"), "{}", boxed.stderr);
    for place in ["/usr", "/bot", "/tmp"] {
        assert!(boxed.stderr.contains(&format!("{place} is nosuid")), "{}", boxed.stderr);
    }
}

#[test]
fn attack_inherited_descriptors() {
    let folder = Folder::new();
    let secret = folder.file("open", "an open secret");
    // Not closed when another program is started, as a careless library would have it.
    let inherited = rustix::fs::open(&secret, OFlags::RDONLY, Mode::empty()).expect("opened");
    let bare = ISOLATION.play_bare(&["descriptors"]);
    assert!(bare.stderr.contains("an open secret"), "{}", bare.stderr);

    let boxed = ISOLATION.play(&["descriptors"]);
    assert_eq!(ends(&boxed), None);
    assert_eq!(boxed.stderr, "", "nothing but its input and outputs is open");
    drop(inherited);
}

#[test]
fn attack_sockets() {
    let name = format!("palestra-{}", unique());
    let address = SocketAddr::from_abstract_name(&name).expect("an address");
    let listener = UnixListener::bind_addr(&address).expect("a listener");
    listener.set_nonblocking(true).expect("set");
    let bare = ISOLATION.play_bare(&["sockets", &name]);
    let [unix, internet, netlink, vsock] = [1, 2, 16, 40].map(|family| format!("socket of family {family}"));
    assert_done(&bare, &[&unix, &internet, &netlink, "socketpair", "connect"], &[]);
    assert!(listener.accept().is_ok(), "somebody called");

    let boxed = ISOLATION.play(&["sockets", &name]);
    boxed.assert_in_vain();
    for family in [&unix, &internet, &netlink, &vsock] {
        assert!(boxed.failed(family, UNKNOWN), "{}", boxed.stderr);
    }
    assert_eq!(listener.accept().expect_err("nobody called").kind(), ErrorKind::WouldBlock);
}

#[test]
fn attack_io_uring() {
    assert_deadly(&[], &["io_uring_setup"], &["io_uring_enter", "io_uring_register"]);
    assert_all_deadly(&["in a thread: io_uring_setup"]);
}

#[test]
fn attack_userfaultfd() {
    assert_deadly(&["userfaultfd"], &[], &[]);
}

#[test]
fn attack_bpf() {
    assert_deadly(&[], &["bpf"], &[]);
}

#[test]
fn attack_perf_events() {
    assert_deadly(&[], &["perf_event_open"], &[]);
}

#[test]
fn attack_keys() {
    assert_deadly(&["add_key", "keyctl"], &[], &["request_key"]);
}

#[test]
fn attack_other_processes_memory() {
    assert_deadly(&["ptrace", "process_vm_readv", "process_vm_writev", "process_madvise"], &[], &["kcmp"]);
}

#[test]
fn attack_namespaces_of_its_own() {
    assert_deadly(&["clone", "unshare"], &[], &[]);
    // What clone3 is asked for cannot be seen from outside: there is none.
    let bare = ISOLATION.play_bare(&["calls", "clone3", "fork"]);
    assert_done(&bare, &["clone3", "fork"], &[]);
    assert_unknown(&["clone3", "fork"]);
}

#[test]
fn attack_mounts() {
    let harm = ["mount", "open_tree", "fspick", "mount_setattr", "fsopen", "chroot", "umount2"];
    let answered = ["fsconfig", "fsmount", "move_mount", "pivot_root"];
    // In namespaces of its own, where it may do all that and nobody else sees it.
    let bare = ISOLATION.play_bare(&[&["calls", "alone"], &harm[..], &answered].concat());
    assert_eq!(ends(&bare), None, "{}", bare.stderr);
    assert_done(&bare, &harm, &[]);
    assert_all_deadly(&[&harm[..], &answered].concat());
}

#[test]
fn attack_others_namespaces() {
    let bare = ISOLATION.play_bare(&["calls", "pidfd_open", "pidfd_getfd", "alone", "setns"]);
    assert_done(&bare, &["pidfd_open", "pidfd_getfd", "setns"], &[]);
    assert_all_deadly(&["setns", "pidfd_getfd"]);
    assert_unknown(&["pidfd_open"]);
}

/// The control of the second is only answered where the kernel was built without those calls.
#[cfg(target_arch = "x86_64")]
#[test]
fn attack_foreign_calls() {
    assert_deadly(&["int 0x80"], &[], &["x32"]);
}

/// No control sets a clock: it gives a time that there is not, and reads what could be changed.
#[test]
fn attack_clocks() {
    assert_deadly(&["adjtimex", "clock_adjtime"], &[], &["clock_settime", "settimeofday"]);
}

#[test]
fn attack_typing_into_a_terminal() {
    let bare = ISOLATION.play_bare(&["terminals"]);
    assert_done(&bare, &["open /dev/ptmx"], &["TIOCSTI"]);
    let boxed = ISOLATION.play(&["terminals"]);
    boxed.assert_in_vain();
    assert!(boxed.failed("TIOCSTI", UNKNOWN), "{}", boxed.stderr);
}

#[test]
fn attack_shared_memory_and_queues() {
    let bare = ISOLATION.play_bare(&["calls", "shmget", "msgget", "semget", "mq_open", "shm_open"]);
    assert_done(&bare, &["shmget", "msgget", "semget", "mq_open", "shm_open"], &[]);
    assert_unknown(&["shmget", "msgget", "semget", "mq_open"]);
    ISOLATION.play(&["calls", "shm_open"]).assert_in_vain();

    // The same call with other words works, or there would be no threads.
    let bare = ISOLATION.play_bare(&["calls", "priority futex", "merged memory"]);
    assert_done(&bare, &["priority futex", "merged memory"], &[]);
    assert_unknown(&["priority futex", "merged memory"]);
}

#[test]
fn attack_devices_of_its_own() {
    let folder = Folder::new();
    let bare = ISOLATION.play_bare(&["nodes", &text(&folder.0)]);
    assert_done(&bare, &["mkfifo"], &["mknod memory", "mknod null", "mknod disk"]);
    let boxed = ISOLATION.play(&["nodes", "/tmp"]);
    boxed.assert_in_vain();
    assert!(boxed.failed("mknod memory", UNKNOWN) && boxed.failed("mkfifo", UNKNOWN), "{}", boxed.stderr);
}

#[test]
fn attack_files_by_handle() {
    assert_deadly(&[], &["open_by_handle_at"], &[]);
    let bare = ISOLATION.play_bare(&["calls", "name_to_handle_at"]);
    assert_done(&bare, &["name_to_handle_at"], &[]);
    assert_unknown(&["name_to_handle_at"]);
}

#[test]
fn attack_the_other_bot() {
    let folder = Folder::new();
    let (lock, plan) = (folder.file("lock", ""), text(&folder.0.join("plan")));
    let bare = play_both([&["locks", &lock], &["locks", &lock]].map(|words| ISOLATION.start_bare(words)));
    assert!(bare.stderr[0].contains("did flock"), "{bare:?}");
    assert!(bare.stderr[1].contains("failed flock: Resource temporarily unavailable"), "it was told: {bare:?}");
    let boxed = play_both([["locks", "/usr/bin/env"]; 2].map(|words| ISOLATION.start(&words)));
    assert_eq!(boxed.verdict.fault(), None);
    assert_eq!(boxed.stderr[0], boxed.stderr[1], "neither knows whether it was first");
    for call in ["flock", "F_SETLK", "F_OFD_SETLK", "F_SETLEASE", "F_SETSIG", "inotify_init"] {
        assert!(boxed.stderr[0].contains(&format!("failed {call}: {UNKNOWN}")), "{boxed:?}");
    }
    assert!(boxed.stderr[0].contains("failed utimensat: Read-only file system"), "{boxed:?}");

    let bare = play_both([["keep", &plan], ["read", &plan]].map(|words| ISOLATION.start_bare(&words)));
    assert!(bare.stderr[1].contains("a plan for the other"), "{bare:?}");
    let boxed = play_both([["keep", "/tmp/plan"], ["read", "/tmp/plan"]].map(|words| ISOLATION.start(&words)));
    assert_eq!(boxed.verdict.fault(), None);
    assert!(boxed.stderr[0].contains("did write /tmp/plan"), "{boxed:?}");
    assert!(boxed.stderr[1].contains("failed open /tmp/plan: No such file or directory"), "{boxed:?}");

    let boxed = ISOLATION.play(&["list", "/bot", "/tmp", "/usr/local", "/usr/src"]);
    let listed: Vec<&str> = boxed.stderr.lines().filter(|line| line.starts_with("in ")).collect();
    assert_eq!(listed, ["in /bot: attacker"], "{}", boxed.stderr);
    let kept = ["bin", "dev", "lib", "lib32", "lib64", "sbin", "tmp", "usr"];
    let others = fs::read_dir("/").expect("the root").flatten().map(|entry| text(&entry.path()));
    let others: Vec<String> = others.filter(|path| !kept.contains(&path.trim_start_matches('/'))).collect();
    let words: Vec<&str> = ["read"].into_iter().chain(others.iter().map(String::as_str)).collect();
    let boxed = ISOLATION.play(&words);
    boxed.assert_in_vain();
    for other in &others {
        assert!(boxed.failed(&format!("open {other}"), "No such file or directory"), "{}", boxed.stderr);
    }
}

/// What is said in the game is no matter of the box: without it the same words come, and are made harmless alike.
#[test]
fn attack_words_that_command_readers() {
    for played in [ISOLATION.play_bare(&["info"]), ISOLATION.play(&["info"])] {
        assert_eq!(ends(&played), None);
        let notes: Vec<&str> = played.game.record.moves().iter().filter_map(|mv| mv.note.as_deref()).collect();
        let note = notes.iter().find(|note| note.contains("onerror")).expect("what it said is kept");
        assert!(note.contains(r"depth 3 text \u|200b|<img"), "{note}");
        let text = played.game.record.to_string();
        assert!(!text.contains(|c: char| c != '\n' && c.is_control()) && !text.contains(['\u{202e}', '\u{200b}']));
        let again = Record::read_all(text.as_bytes()).expect("a record that can be read");
        assert_eq!(again[0].moves(), played.game.record.moves());
    }
    for played in [ISOLATION.play_bare(&["escape"]), ISOLATION.play(&["escape"])] {
        assert_eq!(ends(&played), Some(ForfeitKind::Protocol));
        let fault = played.game.verdict.fault().expect("a fault");
        let line = fault.line.as_deref().expect("what it said");
        assert!(line.contains('\u{1b}') && !shown(line, 200).to_string().contains('\u{1b}'), "{line:?}");
        assert!(!fault.detail.contains('\u{1b}') && !played.game.record.to_string().contains('\u{1b}'));
        assert_eq!(played.game.record.moves().iter().filter(|mv| mv.played.side == Side::One).count(), 1);
    }
}
