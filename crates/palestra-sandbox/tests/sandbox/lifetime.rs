//! Attacks on those who end programs, and attempts to live on.

use std::env;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use palestra_arena::{Rules, TimeControl};
use palestra_protocol::{ForfeitKind, Received, Transport};
use palestra_sandbox::{CgroupPowers, Process};
use rustix::process::Signal;

use crate::hand::{ANSWER_TIMEOUT, await_stop, await_word, go, lead, lead_through};
use crate::probe::{Watched, count, family, find, group, is_well, signal};
use crate::support::{Attacker, ends, new_sandbox, play, rules, sandbox};

const LIFETIME: Attacker = Attacker { name: "lifetime", source: include_str!("attacks/lifetime.cpp") };

/// Short, for those that answer once and never again.
fn brief() -> Rules {
    Rules { time: TimeControl::Wall(Duration::from_secs(3)), ..rules() }
}

#[test]
fn attack_ignoring_all_signals() {
    let mut bare = LIFETIME.start_bare(&["deaf"]);
    lead_through(&mut bare);
    signal(bare.id().cast_signed(), Signal::TERM);
    assert_eq!(go(&mut bare, ANSWER_TIMEOUT).0, Received::Line, "it plays on");

    let boxed = LIFETIME.start(&["deaf-forever"]);
    let all = Watched::new(&family(&boxed));
    let boxed = play(boxed, brief());
    assert_eq!(ends(&boxed), Some(ForfeitKind::Timeout));
    assert!(boxed.stderr.contains("did ignore all signals"), "{}", boxed.stderr);
    all.are_gone();
}

#[test]
fn attack_daemon() {
    lives_on("daemon");
}

#[test]
fn attack_setsid_with_double_fork() {
    lives_on("daemon-twice");
    let boxed = LIFETIME.play(&["daemon-twice"]);
    assert!(boxed.stderr.contains("failed own setsid:"), "{}", boxed.stderr);
}

/// Without a box somebody is left when the game is over; in the box nobody.
fn lives_on(way: &str) {
    let mut bare = LIFETIME.start_bare(&[way]);
    lead_through(&mut bare);
    let left = left_of(&mut bare);
    bare.close();
    assert_eq!(left.alive().len(), 1, "it lives on");
    end(&left);

    let boxed = LIFETIME.start(&[way]);
    let all = Watched::new(&family(&boxed));
    let boxed = play(boxed, rules());
    assert_eq!(ends(&boxed), None, "a call that fails is no fault");
    assert!(boxed.stderr.contains("failed fork:"), "{}", boxed.stderr);
    assert!(!boxed.stderr.contains("is left"), "{}", boxed.stderr);
    all.are_gone();
}

/// Who lives on, once it has said so.
fn left_of(bare: &mut Process) -> Watched {
    await_word(bare, "is left");
    Watched::new(&[i32::try_from(count(&bare.stderr(), "is left")).expect("a number of a process")])
}

fn end(left: &Watched) {
    left.alive().into_iter().for_each(|pid| signal(pid, Signal::KILL));
    left.are_gone();
}

/// Without a box the attacker would take the machine down with it. So the control only asks who could be signalled.
#[test]
fn attack_killing_everybody() {
    let bare = LIFETIME.play_bare(&["kill", "0"]);
    assert!(bare.stderr.contains("did kill parent"), "{}", bare.stderr);
    assert!(bare.stderr.contains("did kill all"), "{}", bare.stderr);

    let number = Signal::KILL.as_raw().to_string();
    assert_eq!(ends(&LIFETIME.play(&["kill", &number])), None, "there is nobody to be killed");
    keeps_its_keepers(&["kill", &number]);
}

/// Without a box its parent is the arena. If that were stopped here, so were this test: the control only asks.
#[test]
fn attack_stopping_the_parent() {
    let bare = LIFETIME.play_bare(&["kill", "0"]);
    assert!(bare.stderr.contains("did kill parent"), "{}", bare.stderr);

    let number = Signal::STOP.as_raw().to_string();
    assert_eq!(ends(&LIFETIME.play(&["kill", &number])), None);
    keeps_its_keepers(&["kill", &number]);

    // Its whole group is itself: stopped by itself, it is late.
    let mut boxed = LIFETIME.start(&["stop-group"]);
    let all = family(&boxed);
    assert_eq!(lead(&mut boxed, Duration::ZERO).0, Received::Quiet);
    await_stop(&mut boxed, all[2]);
    assert!(all[..2].iter().all(|&pid| is_well(pid)), "those who keep it are not stopped");
    assert_ne!(group(all[0]), group(all[2]), "the helper is not of its group, whatever fences there are");

    let boxed = LIFETIME.start(&["stop-group"]);
    let all = Watched::new(&family(&boxed));
    assert_eq!(ends(&play(boxed, brief())), Some(ForfeitKind::Timeout));
    all.are_gone();
}

/// The helper and the first process in the box are there after the attack, and neither is stopped.
fn keeps_its_keepers(words: &[&str]) {
    let mut boxed = LIFETIME.start(words);
    let all = family(&boxed);
    assert_eq!(all.len(), 3);
    lead_through(&mut boxed);
    assert!(all.iter().all(|&pid| is_well(pid)), "{}", boxed.stderr());
    assert_eq!(family(&boxed), all);
}

/// Tells the process that is killed in the next test what to do.
const SERVER: &str = "PALESTRA_SERVER_TO_BE_KILLED";

/// A second process of this test starts programs and is killed.
#[test]
fn attack_outliving_the_server() {
    match env::var(SERVER).as_deref() {
        Ok("bare") => serve(LIFETIME.start_bare(&["daemon"]), |bare| left_of(bare).alive()),
        Ok("paused") => serve(LIFETIME.start(&["deaf"]), |boxed| {
            boxed.pause();
            family(boxed)
        }),
        Ok(_) => serve(LIFETIME.start(&["deaf-forever"]), |boxed| family(boxed)),
        Err(_) => is_killed(),
    }
}

/// Leads an attacker, tells its processes, and waits to be killed.
fn serve(mut attacker: Process, all: impl Fn(&mut Process) -> Vec<i32>) {
    let _ = lead(&mut attacker, Duration::from_millis(100));
    await_word(&mut attacker, "did");
    let all: Vec<String> = all(&mut attacker).iter().map(ToString::to_string).collect();
    println!("\nserving {}", all.join(" "));
    let _ = io::stdin().read_line(&mut String::new());
}

fn is_killed() {
    let (bare, left) = server("bare");
    kill(bare);
    assert_eq!(left.alive().len(), 1, "what it detached from itself lives on");
    end(&left);

    for way in ["paused", "running"] {
        let (server, all) = server(way);
        assert_eq!(all.alive().len(), 3);
        let places = traces(server.id());
        let is_group = |place: &PathBuf| place.starts_with("/sys/fs/cgroup");
        assert!(places.iter().any(|place| !is_group(place)), "it has a folder while it lives");
        assert_eq!(places.iter().any(is_group), sandbox().cgroups() != CgroupPowers::default(), "{places:?}");
        kill(server);
        all.are_gone();

        drop(new_sandbox());
        let left: Vec<_> = places.into_iter().filter(|place| place.exists()).collect();
        assert!(left.is_empty(), "the next one sweeps: {left:?}");
    }
}

/// A server that has started a program, and all processes of that.
fn server(way: &str) -> (Child, Watched) {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["--exact", "--nocapture", "lifetime::attack_outliving_the_server"]).env(SERVER, way);
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("started");
    let told = BufReader::new(server.stdout.take().expect("a pipe")).lines();
    let serving = |line: io::Result<String>| line.expect("a line").strip_prefix("serving ").map(str::to_owned);
    let pids = { told }.find_map(serving).expect("it serves");
    let pids: Vec<i32> = pids.split(' ').map(|word| word.parse().expect("a number")).collect();
    (server, Watched::new(&pids))
}

fn kill(mut server: Child) {
    server.kill().expect("killed");
    server.wait().expect("reaped");
}

/// The folders of a server: where its programs lie, and its control groups.
fn traces(server: u32) -> Vec<PathBuf> {
    let own = ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let places = own.chain(["/run".into(), env::temp_dir(), "/var/tmp".into()]);
    let staged = places.flat_map(|place| find(&place, &format!("palestra-box-{server}-"), 0));
    staged.chain(find(Path::new("/sys/fs/cgroup"), &format!("palestra-{server}-"), 16)).collect()
}
