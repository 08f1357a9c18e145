//! Attacks on what is outside of the box.

use palestra_arena::ForfeitKind;

use crate::support::{Attacker, ends};

const ISOLATION: Attacker = Attacker { name: "isolation", source: include_str!("attacks/isolation.cpp") };

#[test]
fn attack_reading_secrets() {
    let files = ["read", "/etc/passwd", "/etc/shadow", "/proc/self/environ", "/usr/local/bin"];
    let bare = ISOLATION.play_bare(&files);
    assert!(bare.stderr.contains("did open /etc/passwd"), "{}", bare.stderr);

    let boxed = ISOLATION.play(&files);
    assert_eq!(ends(&boxed), None, "nothing is wrong with trying");
    assert!(!boxed.stderr.contains("did open /etc"), "{}", boxed.stderr);
}

#[test]
fn attack_a_namespace_of_its_own() {
    let bare = ISOLATION.play_bare(&["unshare"]);
    assert!(bare.stderr.contains("did unshare"), "{}", bare.stderr);

    let boxed = ISOLATION.play(&["unshare"]);
    assert_eq!(ends(&boxed), Some(ForfeitKind::Security));
    assert!(!boxed.stderr.contains("did unshare"), "{}", boxed.stderr);
}
