//! Attacks on what a machine has to share.

use std::fs;

use palestra_arena::{Rules, TimeControl};
use palestra_protocol::{ForfeitKind, Transport};
use palestra_sandbox::Allowance;

use crate::hand::lead_through;
use crate::probe::{count, family, limit};
use crate::support::{Attacker, FOLDER, ends, play, sandbox, unique};

const RESOURCES: Attacker = Attacker { name: "resources", source: include_str!("attacks/resources.cpp") };

/// What the hogs may have, in MiB.
const MEMORY: u64 = 64;

/// What a program has in addresses beyond its memory, in MiB.
const SPARE_ADDRESSES: u64 = 1024;

/// Makes an attack without a box; what the attacker says about it. It has all the time that a slow disk may need.
fn harm(words: &[&str]) -> String {
    let mut attacker = RESOURCES.start_bare(words);
    lead_through(&mut attacker);
    attacker.stderr()
}

#[test]
fn attack_fork_bomb() {
    // Each round tries every call that makes a process.
    let bare = harm(&["processes", "1"]);
    assert!(count(&bare, "processes") >= 4, "{bare}");

    let boxed = RESOURCES.play(&["processes", "50"]);
    assert_eq!(ends(&boxed), None, "a call that fails is no fault");
    assert_eq!(count(&boxed.stderr, "processes"), 0);
}

#[test]
fn attack_thread_bomb() {
    let bare = harm(&["threads", "100"]);
    assert_eq!(count(&bare, "threads"), 100);

    let boxed = RESOURCES.play(&["threads", "1000"]);
    assert_eq!(ends(&boxed), None, "threads are allowed, so many as there are");
    let threads = count(&boxed.stderr, "threads");
    assert!((8..32).contains(&threads), "{threads} threads");
}

#[test]
fn attack_malloc_hog() {
    hog("malloc");
}

/// Memory that is shared is not the program's own in every account.
#[test]
fn attack_shared_mmap_hog() {
    hog("shared");
}

/// A process can go on without its first thread, whose entry in `/proc` then says nothing of memory.
#[test]
fn attack_memory_without_a_main_thread() {
    hog("orphan");
}

/// Control groups hold it to the byte. Without them it is seen to be too large every few milliseconds, and cannot have
/// more than its addresses in between.
fn hog(way: &str) {
    let bare = harm(&[way, "96"]);
    assert_eq!(count(&bare, "MiB"), 96);

    let program = fs::read(RESOURCES.program()).expect("the program");
    let packed = sandbox().pack(&[("attacker", &program)], &["/bot/attacker", way, "4096"]).expect("packed");
    let allowance = Allowance { memory: MEMORY << 20, ..Allowance::default() };
    let attacker = sandbox().start(&packed, allowance).expect("a box");
    // Using memory takes time: no clock is to be faster.
    let boxed = play(attacker, Rules { time: TimeControl::Unlimited, ..Rules::default() });
    assert_eq!(ends(&boxed), Some(ForfeitKind::Memory));
    let most = if sandbox().cgroups().memory { MEMORY } else { MEMORY + SPARE_ADDRESSES };
    assert!(count(&boxed.stderr, "MiB") < most, "{}", count(&boxed.stderr, "MiB"));
}

#[test]
fn attack_stack_recursion() {
    // Without a box it lifts the limit first.
    let bare = harm(&["stack", "40"]);
    assert_eq!(count(&bare, "MiB"), 40);

    let boxed = RESOURCES.play(&["stack", "40"]);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Crash));
    let deepest = count(&boxed.stderr, "MiB");
    assert!((8..=16).contains(&deepest), "{deepest} MiB deep");
}

#[test]
fn attack_tmpfs_fill() {
    let outside = FOLDER.join(format!("fill-{}", unique()));
    let bare = harm(&["fill", &outside.to_string_lossy(), "24"]);
    assert_eq!(count(&bare, "MiB"), 24);
    assert_eq!(fs::metadata(&outside).expect("it is left").len(), 24 << 20);
    fs::remove_file(&outside).expect("removed");

    let inside = format!("/tmp/fill-{}", unique());
    let boxed = RESOURCES.play(&["fill", &inside, "1024"]);
    assert_eq!(ends(&boxed), None, "a full disk is no fault");
    let written = count(&boxed.stderr, "MiB");
    assert!((8..=16).contains(&written), "{written} MiB");
    assert!(!fs::exists(&inside).expect("looked"), "nothing is left");
}

#[test]
fn attack_file_size() {
    let outside = FOLDER.join(format!("stretch-{}", unique()));
    let bare = harm(&["stretch", &outside.to_string_lossy(), "65"]);
    assert_eq!(count(&bare, "MiB"), 65);
    fs::remove_file(&outside).expect("removed");

    let boxed = RESOURCES.play(&["stretch", "/tmp/large", "65"]);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Output));
    assert!(!boxed.stderr.contains("did"), "{}", boxed.stderr);

    let calm = RESOURCES.play(&["stretch-calmly", "/tmp/large", "65"]);
    assert_eq!(ends(&calm), None, "who does not mind the signal is told that it failed");
    assert_eq!(count(&calm.stderr, "MiB"), 0);
}

#[test]
fn attack_inode_flood() {
    let outside = FOLDER.join(format!("flood-{}", unique()));
    let bare = harm(&["flood", &outside.to_string_lossy(), "1100"]);
    assert_eq!(count(&bare, "files"), 1100);
    fs::remove_dir_all(&outside).expect("it is left");

    let inside = format!("/tmp/flood-{}", unique());
    let boxed = RESOURCES.play(&["flood", &inside, "100000"]);
    assert_eq!(ends(&boxed), None);
    let files = count(&boxed.stderr, "files");
    assert!((512..1024).contains(&files), "{files} files");
    assert!(!fs::exists(&inside).expect("looked"), "nothing is left");
}

#[test]
fn attack_descriptor_exhaustion() {
    let bare = harm(&["descriptors", "200"]);
    assert_eq!(count(&bare, "descriptors"), 200);

    let boxed = RESOURCES.play(&["descriptors", "100000"]);
    assert_eq!(ends(&boxed), None);
    // All but the three that it has.
    assert_eq!(count(&boxed.stderr, "descriptors"), 61);
}

/// Memory that cannot be swapped out is taken from all others.
#[test]
fn attack_mlockall() {
    let calls = ["mlock", "mmap", "mlockall"];
    let bare = harm(&["lock"]);
    assert!(calls.iter().all(|call| bare.contains(&format!("did {call}\n"))), "{bare}");

    let boxed = RESOURCES.play(&["lock"]);
    assert_eq!(ends(&boxed), None);
    assert!(calls.iter().all(|call| boxed.stderr.contains(&format!("failed {call}:"))), "{}", boxed.stderr);
}

#[test]
fn attack_raising_rlimits() {
    let bare = harm(&["limits"]);
    assert!(bare.contains("did raise files"), "{bare}");

    let boxed = RESOURCES.play(&["limits"]);
    assert_eq!(ends(&boxed), None);
    assert!(boxed.stderr.contains("failed raise files"), "{}", boxed.stderr);

    let mut attacker = RESOURCES.start(&["limits"]);
    lead_through(&mut attacker);
    let program = family(&attacker)[2];
    let allowance = Allowance::default();
    let addresses = allowance.memory + (SPARE_ADDRESSES << 20);
    let limits = [
        ("Max core file size", 1),
        ("Max file size", 64 << 20),
        ("Max open files", 64),
        ("Max processes", 32),
        ("Max locked memory", 0),
        ("Max msgqueue size", 0),
        ("Max address space", addresses),
        ("Max stack size", 16 << 20),
    ];
    for (name, most) in limits {
        assert_eq!(limit(program, name), [most.to_string(), most.to_string()], "{name}");
    }
    let seconds = allowance.cpu.as_secs() + 2;
    assert_eq!(limit(program, "Max cpu time"), [seconds.to_string(), (seconds + 1).to_string()]);
}
