//! Nothing survives a match: no process, no file, no mount, no control group.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use palestra_arena::{Rules, TimeControl};
use palestra_protocol::{ForfeitKind, Received, Transport};
use palestra_sandbox::{Allowance, Boxed, Process, Sandbox};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{Attacker, ends, new_sandbox, play, unique};

const TRACES: Attacker = Attacker { name: "traces", source: include_str!("attacks/traces.cpp") };

#[test]
fn nothing_survives_two_hundred_games() {
    let mark = format!("mark{}", unique());
    let sandbox = new_sandbox();
    let stage = sandbox.folder().to_owned();
    let program = fs::read(TRACES.program()).expect("the program");
    let pack = |what: &str| sandbox.pack(&[("attacker", &program)], &["/bot/attacker", what, &mark]).expect("packed");
    let (peace, forever) = (pack("peace"), pack("forever"));
    let group = group_of(&start(&sandbox, &peace));
    let look = || Machine::look(&stage, &mark, group.as_deref());
    let before = look();
    for game in 0..50 {
        whole_game(&sandbox, &peace);
        left_at_once(&sandbox, &peace);
        left_in_its_turn(&sandbox, &forever);
        helper_killed(&sandbox, &forever, game);
    }
    too_late(&sandbox, &forever);
    assert_eq!(look(), before, "while the sandbox is there");
    drop((peace, forever, sandbox));
    let nothing = Machine { processes: vec![], mounts: before.mounts, groups: vec![], files: vec![] };
    assert_eq!(look(), nothing, "when it is gone");
}

fn start(sandbox: &Sandbox, program: &Boxed) -> Process {
    sandbox.start(program, Allowance::default()).expect("a box")
}

fn whole_game(sandbox: &Sandbox, program: &Boxed) {
    let played = play(start(sandbox, program), Rules::default());
    assert_eq!(ends(&played), None, "{}", played.stderr);
}

/// Nobody waits until it is ready.
fn left_at_once(sandbox: &Sandbox, program: &Boxed) {
    drop(start(sandbox, program));
}

/// It computes, and nobody wants to know any more.
fn left_in_its_turn(sandbox: &Sandbox, program: &Boxed) {
    drop(thinking(sandbox, program));
}

/// The helper itself is killed, as by somebody who cleans up.
fn helper_killed(sandbox: &Sandbox, program: &Boxed, game: u32) {
    let mut process = thinking(sandbox, program);
    if game.is_multiple_of(2) {
        process.pause();
    }
    let helper = Pid::from_raw(process.id().cast_signed()).expect("a process");
    kill_process(helper, Signal::KILL).expect("killed");
    let mut line = String::new();
    let received = process.receive(Duration::from_secs(60), &mut line);
    assert!(matches!(received, Received::Gone(_)), "{received:?}");
}

fn too_late(sandbox: &Sandbox, program: &Boxed) {
    let time = TimeControl::cpu(Duration::from_millis(100));
    let played = play(start(sandbox, program), Rules { time, ..Rules::default() });
    assert_eq!(ends(&played), Some(ForfeitKind::Budget));
}

/// A program in its second turn, which never ends.
fn thinking(sandbox: &Sandbox, program: &Boxed) -> Process {
    let (mut process, mut line) = (start(sandbox, program), String::new());
    process.send("hello\nlegal 1\ngo\nlegal 1\ngo\n");
    for _ in 0..2 {
        assert_eq!(process.receive(Duration::from_secs(60), &mut line), Received::Line);
    }
    process
}

/// The name of the sandbox's control group, if there is one: all groups of its boxes lie in it.
fn group_of(process: &Process) -> Option<String> {
    let own = fs::read_to_string(format!("/proc/{}/cgroup", process.id())).expect("its groups");
    own.split(['/', '\n']).find(|name| name.starts_with("palestra-")).map(str::to_owned)
}

/// What a box could leave behind.
#[derive(Debug, PartialEq, Eq)]
struct Machine {
    /// Processes that have the mark, or work for the stage.
    processes: Vec<String>,
    /// All mounts.
    mounts: String,
    /// Our control groups, and what is in them.
    groups: Vec<PathBuf>,
    /// What is on the stage.
    files: Vec<PathBuf>,
}

impl Machine {
    fn look(stage: &Path, mark: &str, group: Option<&str>) -> Self {
        let is_ours = |path: &Path| path.iter().any(|part| part.to_str() == group);
        let mut groups = below(Path::new("/sys/fs/cgroup"), &|path| path.is_dir());
        groups.retain(|path| group.is_some() && is_ours(path));
        let mounts = fs::read_to_string("/proc/self/mountinfo").expect("the mounts");
        let processes = processes(&[mark, stage.to_str().expect("a plain name")]);
        Self { processes, mounts, groups, files: below(stage, &|_| true) }
    }
}

/// Everything below a folder that is wanted, in order.
fn below(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let mut found = vec![];
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| is_wanted(path)) {
        if path.is_dir() && !path.is_symlink() {
            found.extend(below(&path, is_wanted));
        }
        found.push(path);
    }
    found.sort();
    found
}

/// The command lines of processes that have one of these marks in them.
fn processes(marks: &[&str]) -> Vec<String> {
    let lines = fs::read_dir("/proc").expect("processes").flatten().filter_map(|entry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&line).replace('\0', " "))
    });
    lines.filter(|line| marks.iter().any(|mark| line.contains(mark))).collect()
}
