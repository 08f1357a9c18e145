//! Programs in boxes: they play as if there were none, and can hurt nobody.
#![cfg(target_os = "linux")]

mod compile;
mod programs;
mod support;

use std::time::Duration;

use palestra_arena::{Received, Transport};
use support::attacker;

#[test]
fn a_program_in_a_box_is_nobody_and_alone() {
    let mut process = attacker(&["look"]);
    let mut line = String::new();
    assert_eq!(process.receive(Duration::from_secs(10), &mut line), Received::Line, "{}", process.stderr());
    assert_eq!(line, "uid 1000 pid 2 cwd /bot");
}
