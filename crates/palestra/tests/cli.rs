//! What the program prints, how it fails, and with which exit code.
//!
//! The pages in `tests/cmd` are run as they stand, and so are the `console` blocks of README.md, where commands other
//! than `palestra` are passed over. To write down what the program prints now:
//! `TRYCMD=overwrite cargo test --release -p palestra --test cli`.

use std::fs::File;
use std::process::{Command, Output, Stdio};

use trycmd::TestCases;

#[test]
fn commands_do_what_the_pages_show() {
    TestCases::new().env("COLUMNS", "80").case("tests/cmd/*.trycmd").case("tests/cmd/*.toml").case("../../README.md");
}

fn palestra(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(args).stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the program can be started")
}

#[test]
fn colours_come_when_asked_for_and_not_otherwise() {
    let has_colour = |args: &[&str]| {
        let Output { stdout, stderr, .. } = output(&mut palestra(args));
        stdout.contains(&0x1b) || stderr.contains(&0x1b)
    };
    for args in [&["show", "mancala"][..], &["games"], &["--help"], &["nonsense"], &["show", "mancala", "-p", "x"]] {
        assert!(!has_colour(args), "{args:?}");
        assert!(has_colour(&[args, &["--color", "always"]].concat()), "{args:?}");
        assert!(!has_colour(&[args, &["--color=never"]].concat()), "{args:?}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    for args in [&["games", "mancala"][..], &["--help"], &["perft", "mancala", "9"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let Output { status, stderr, .. } = output(palestra(args).stdout(writer));
        assert!(status.success() && stderr.is_empty(), "{args:?}: {status}, {}", String::from_utf8_lossy(&stderr));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_error() {
    let full = File::options().write(true).open("/dev/full").expect("Linux has /dev/full");
    let Output { status, stderr, .. } = output(palestra(&["games"]).stdout(full));
    assert_eq!(status.code(), Some(1));
    assert!(stderr.starts_with(b"error: "), "{}", String::from_utf8_lossy(&stderr));
}
