//! What programs are told of the beginning of a game.

use std::fs;
use std::process::{Command, Stdio};

use crate::log::{assert_rebuilt, bot, log};

/// Plays a pair of games with these words; what the program was told at their beginning, each once.
#[track_caller]
fn beginnings(game: &str, words: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let citadel = include_str!("../../../../maps/citadel.map");
    fs::write(folder.path().join("my.map"), citadel.replacen(" A ", " . ", 1)).unwrap();
    let bot = bot(folder.path());
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(["match", game, "./bot", "random", "--seed", "1", "--debug", "--concurrency", "1"]).args(words);
    let output = command.current_dir(&folder).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = log(&bot);
    assert!(assert_rebuilt(&lines) > 4);
    let word = |line: &String| Some(line.strip_prefix("game ")?.rsplit(' ').next()?.to_owned());
    let mut words: Vec<String> = lines.iter().filter_map(word).collect();
    words.dedup();
    words
}

#[test]
fn options_are_told_as_they_were_given() {
    assert_eq!(beginnings("parchis", &["--options", "ALTERNED", "--games", "2"]), ["ALTERNED"]);
    assert_eq!(beginnings("bandera", &["--options", "lagoon", "--games", "2"]), ["lagoon"]);
    assert_eq!(beginnings("mancala", &["--moves", "4 1", "--games", "2"]), ["-"]);
}

#[test]
fn a_position_is_told_as_the_beginning() {
    let position = "1:0,8,0,4,4,4,4/0,4,4,4,4,4,4";
    assert_eq!(beginnings("mancala", &["--position", position, "--moves", "5", "--games", "2"]), [position]);
    let map = beginnings("bandera", &["--options", "@my.map", "--games", "2"]);
    assert!(map.len() == 1 && map[0].contains(':'), "{map:?}");
}

#[test]
fn openings_are_told_with_their_options() {
    let told = beginnings("bandera", &["--games", "8"]);
    assert!(told.len() > 1, "openings of several maps: {told:?}");
}
