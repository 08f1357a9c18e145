//! Attacks by what is said, and by what is not. Here the referee defends, with a box or without; the control is that the
//! bytes are really sent.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use palestra_arena::{Rules, TimeControl};
use palestra_games::Side;
use palestra_protocol::{ForfeitKind, MAX_LINE, MAX_OUTPUT, Received, Transport};

use crate::support::{Attacker, PlayedAttack, ends, hold_memory, play, rules, unique};

const TALK: Attacker = Attacker { name: "talk", source: include_str!("attacks/talk.cpp") };

/// What this process's memory may grow by while 64 MiB are poured out. Tests that need much themselves wait.
const GROWTH: u64 = 32 << 20;

/// What the attacker writes if nobody stops it, at most so much.
fn poured(words: &[&str], most: u64) -> Vec<u8> {
    let mut attacker = Command::new(TALK.program());
    attacker.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut attacker = attacker.spawn().expect("started");
    let turns = b"hello\nlegal 1 2\ngo\nlegal 3 4\ngo\n";
    attacker.stdin.take().expect("a pipe").write_all(turns).expect("it listens");
    let mut bytes = vec![];
    attacker.stdout.take().expect("a pipe").take(most).read_to_end(&mut bytes).expect("bytes");
    attacker.kill().expect("killed");
    attacker.wait().expect("ended");
    bytes
}

/// The memory that this process holds.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("our own status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("what we hold");
    line.trim().trim_end_matches("kB").trim().parse::<u64>().expect("a number") << 10
}

/// This process holds little more memory than before.
#[track_caller]
fn assert_bounded(before: u64) {
    let now = memory();
    assert!(now < before + GROWTH, "{} MiB of memory were {} MiB before", now >> 20, before >> 20);
}

/// Whether a process lives that was started with this word.
fn lives(word: &str) -> bool {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let commands = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    commands.into_iter().any(|command| String::from_utf8_lossy(&command).contains(word))
}

/// Waits until a process with this word runs: the helper replaces itself with the program only when the box is built.
fn comes_to_life(word: &str) -> bool {
    let given_up = Instant::now() + Duration::from_secs(60);
    while Instant::now() < given_up {
        if lives(word) {
            return true;
        }
        thread::sleep(Duration::from_millis(1));
    }
    false
}

/// Plays in a box; nothing of it is left.
#[track_caller]
fn play_to_the_end(words: &[&str], rules: Rules) -> PlayedAttack {
    let mark = format!("mark-{}", unique());
    let attacker = TALK.start(&[words, &[mark.as_str()]].concat());
    assert!(comes_to_life(&mark), "no process in the box has {mark} in its command line");
    let played = play(attacker, rules);
    assert!(!lives(&mark), "it is gone");
    played
}

/// How often the attacker moved.
fn moves(played: &PlayedAttack) -> usize {
    played.game.record.moves().iter().filter(|mv| mv.played.side == Side::One).count()
}

/// The words of the fault, and what was written.
fn fault(played: &PlayedAttack) -> (&str, Option<&str>) {
    let fault = played.game.verdict.fault().expect("a fault");
    (&fault.detail, fault.line.as_deref())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn attack_endless_line() {
    let sent = poured(&["endless"], 1 << 20);
    assert!(sent.iter().rev().take_while(|&&byte| byte != b'\n').count() > 1 << 19);

    let _memory = hold_memory();
    let before = memory();
    let played = play_to_the_end(&["endless"], rules());
    assert_eq!(ends(&played), Some(ForfeitKind::Output));
    let (detail, line) = fault(&played);
    assert_eq!((detail, line.map(str::len)), ("it wrote a line of more than 4096 bytes", Some(MAX_LINE)));
    assert_bounded(before);
}

#[test]
fn attack_flood_of_lines() {
    assert_eq!(poured(&["flood"], 2 * MAX_OUTPUT as u64).len(), 2 * MAX_OUTPUT);

    let _memory = hold_memory();
    let before = memory();
    let played = play_to_the_end(&["flood"], rules());
    assert_eq!(ends(&played), Some(ForfeitKind::Output));
    assert_eq!(fault(&played), ("it wrote more than 1 MiB in a game", None));
    assert_bounded(before);
    assert!(played.game.record.to_string().len() < 4096, "thoughts without a move are not kept");
}

#[test]
fn attack_one_byte_at_a_time() {
    assert_eq!(poured(&["pieces"], 1000), b"ready\nmove 1\ninfo depth 1\ninfo depth 2\nmove 3\n");
    let played = play_to_the_end(&["pieces"], rules());
    assert_eq!(ends(&played), None, "lines may come in pieces");
    let note = played.game.record.moves().iter().filter_map(|mv| mv.note.as_deref()).find(|it| it.contains("depth"));
    assert!(note.is_some_and(|note| note.ends_with("depth 2")), "{note:?}");

    assert_eq!(poured(&["drip"], 18), b"ready\nmove 1\ninfo ");
    let seconds = Duration::from_secs(3);
    let played =
        play_to_the_end(&["drip"], Rules { time: TimeControl::Cpu { cpu: seconds, wall: seconds }, ..rules() });
    assert_eq!(ends(&played), Some(ForfeitKind::Timeout), "time is counted to the newline");
    let (detail, line) = fault(&played);
    assert!(detail.contains("does not end with a newline"), "{detail}");
    assert!(line.is_some_and(|line| line.starts_with("info text a")), "{line:?}");
}

#[test]
fn attack_closed_output() {
    assert_eq!(poured(&["close"], 1000), b"ready\nmove 1\n");
    let played = play_to_the_end(&["close"], rules());
    assert_eq!(ends(&played), Some(ForfeitKind::Crash));
    assert_eq!(fault(&played), ("it closed its output", None));
}

#[test]
fn attack_flood_of_errors() {
    let _memory = hold_memory();
    let before = memory();
    let bare = play(TALK.start_bare(&["errors"]), rules());
    assert!(bare.stderr.ends_with("did flood\n"), "all of it was sent");

    let played = play_to_the_end(&["errors"], rules());
    assert_eq!(ends(&played), None, "nobody has to read it");
    assert!(played.stderr.ends_with("e\ndid flood\n") || played.stderr.ends_with("edid flood\n"));
    assert!(played.stderr.len() <= 64 << 10, "only the end is kept");
    assert_bounded(before);
}

#[test]
fn attack_deafness() {
    let startup = Duration::from_millis(300);
    let played = play_to_the_end(&["deaf"], Rules { startup, ..rules() });
    assert_eq!(ends(&played), Some(ForfeitKind::Startup));

    // More than its pipe holds, as the control shows: what is sent waits, and whoever sends does not.
    for mut attacker in [TALK.start_bare(&["deaf"]), TALK.start(&["deaf"])] {
        attacker.send(&"legal 1 2 3 4 5 6\n".repeat(100_000));
        assert_eq!(attacker.receive(Duration::from_millis(20), &mut String::new()), Received::Quiet);
        attacker.close();
    }
}

#[test]
fn attack_bytes_that_are_no_text() {
    for bytes in [&b"info text a\0b"[..], b"move \0", b"info text \xff\xfe", b"\xc0\xaf", b"info text \xed\xa0\x80"] {
        let words = ["say", &hex(bytes)];
        assert_eq!(poured(&words, 1000), [b"ready\nmove 1\n", bytes, b"\nmove 3\n"].concat());
        let played = play_to_the_end(&["say", &hex(bytes)], rules());
        assert_eq!(ends(&played), Some(ForfeitKind::Protocol), "{bytes:?}");
        assert_eq!(fault(&played).0, "it wrote a line that is not plain text in UTF-8");
        assert_eq!(moves(&played), 1);
        assert!(!played.game.record.to_string().contains(|c: char| c.is_control() && c != '\n'));
    }
}

#[test]
fn attack_moves_sent_ahead() {
    assert_eq!(poured(&["ahead", "move"], 1000), b"ready\nmove 1\nmove 3\nmove 3\n");
    for (more, line) in [("move", "move "), ("ready\n", "ready"), ("info depth 9\n", "info depth 9"), ("mov", "mov")] {
        let played = play_to_the_end(&["ahead", more], rules());
        assert_eq!(ends(&played), Some(ForfeitKind::Protocol), "{more}");
        assert!(fault(&played).1.is_some_and(|wrote| wrote.starts_with(line)), "{:?}", fault(&played));
        assert_eq!(moves(&played), 2, "what came too early is no move");
    }
}

#[test]
fn attack_leaving_the_table() {
    let bare = play(TALK.start_bare(&["exit"]), rules());
    let played = play_to_the_end(&["exit"], rules());
    for played in [bare, played] {
        assert_eq!(ends(&played), Some(ForfeitKind::Crash));
        assert_eq!(fault(&played).0, "it ended with exit code 7");
        assert_eq!(moves(&played), 1);
    }
}

#[test]
fn attack_abort() {
    let bare = play(TALK.start_bare(&["abort"]), rules());
    let played = play_to_the_end(&["abort"], rules());
    // With 1 the kernel neither writes a file nor starts the machine's program for crashes.
    assert_eq!(played.stderr.lines().next(), Some("core limit 1"));
    for played in [bare, played] {
        assert_eq!(ends(&played), Some(ForfeitKind::Crash));
        assert_eq!(fault(&played).0, "it was killed by signal 6 (abort)");
    }
}
