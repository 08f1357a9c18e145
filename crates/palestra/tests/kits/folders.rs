//! Folders and sources as players: what `palestra new` makes, and what students of the courses handed in.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::Folder;

/// Runs a command of Palestra in a folder, with a cache of its own.
fn palestra(folder: &Folder, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(args).stdin(Stdio::null()).current_dir(folder.file(".")).env("XDG_CACHE_HOME", folder.file("cache"));
    command.output().expect("the program can be started")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn handed_in(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kits/ugr").join(path);
    folder.to_str().expect("text").to_owned()
}

#[test]
fn a_new_bot_plays_at_once_in_every_language_and_game() {
    let folder = Folder::new("new");
    for language in ["cpp", "python", "rust"] {
        for game in ["mancala", "conecta4boom", "desconecta4boom", "parchis", "bandera"] {
            let name = format!("{language}-{game}");
            stdout(&palestra(&folder, &["new", language, game, &name]));
            let args = ["match", game, &format!("./{name}"), "random", "--states", "200", "--games", "2"];
            let output = palestra(&folder, &args);
            let text = stdout(&output);
            assert!(!text.contains("again"), "a fault:\n{text}");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(told.contains("building: "), language != "python", "{told}");
        }
    }
}

#[test]
fn a_pair_of_the_mancala_course_is_a_player() {
    let folder = Folder::new("pair");
    let greedy = handed_in("mancala/GreedyBot.cpp");
    let text = stdout(&palestra(&folder, &["match", "mancala", &greedy, "greedy", "--games", "2"]));
    assert!(text.contains("28-20") && text.contains("32 moves"), "{text}");
    let again = palestra(&folder, &["match", "mancala", &greedy, "greedy", "--games", "2"]);
    assert!(!String::from_utf8_lossy(&again.stderr).contains("building"), "it was built before");
}

#[test]
fn a_player_of_the_boom_courses_plays_both_games() {
    let folder = Folder::new("player");
    for game in ["conecta4boom", "desconecta4boom"] {
        let path = handed_in("boom/alfabeta");
        let text = stdout(&palestra(&folder, &["match", game, &path, "random", "--games", "2"]));
        assert!(!text.contains("again"), "a fault:\n{text}");
    }
}
