//! The kit for Python.

use std::fs::{self, File};
use std::process::Command;

use super::support::{
    Folder, GAMES, bad_lines, golden_games, is_a_good_start, keeps_its_time, kits, new_bot, one_in_five, play, refuses,
    replay, run, without_max_depth,
};

/// Python, told to leave nothing behind in the repository.
fn python(program: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg("-B").arg(kits().join("python").join(program));
    command
}

#[test]
fn golden_games_are_replayed_by_the_python_kit() {
    for game in GAMES {
        replay(&mut python("replay.py"), &one_in_five(golden_games(game), 1).concat());
    }
}

#[test]
fn the_python_kit_refuses_what_it_cannot_read() {
    refuses(&mut python("replay.py"), &bad_lines());
}

/// A bot that prints, and thinks until it is told to stop; if it does not hear of it, it gives up with another move.
const PATIENT: &str = "
import time
import palestra

def choose(position, turn):
    print('for me')
    end = time.monotonic() + 20
    while turn.time_left() > 0 and time.monotonic() < end:
        pass
    return turn.legal[-1] if turn.time_left() == 0 else turn.legal[0]

palestra.run(choose)
";

const TALK: &str = "hello 1
ping word

option unknown 1
game mancala seat 1 options -
position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4
history
legal 1 2 3 4 5 6
go depth 60
stop
ping again
";

#[test]
fn a_python_bot_hears_of_stop_and_may_print() {
    let folder = Folder::new("python-talk");
    copy(&folder, "palestra.py", "palestra.py");
    fs::write(folder.file("bot.py"), PATIENT).expect("it can be written");
    fs::write(folder.file("talk"), TALK).expect("it can be written");
    let talk = File::open(folder.file("talk")).expect("it was written");
    let answers = run(Command::new("python3").arg(folder.file("bot.py")).stdin(talk));
    assert_eq!(answers, "ready\npong word\nmove 6\npong again\n");
}

#[test]
fn python_examples_play_mancala() {
    examples_play("mancala");
}

#[test]
fn python_examples_play_conecta4boom() {
    examples_play("conecta4boom");
}

#[test]
fn python_examples_play_desconecta4boom() {
    examples_play("desconecta4boom");
}

#[test]
fn python_examples_play_parchis() {
    examples_play("parchis");
}

#[test]
fn python_examples_play_bandera() {
    examples_play("bandera");
}

fn examples_play(game: &str) {
    let folder = Folder::new(&format!("python-{game}"));
    // As in the repository, the kit a folder above its examples; this one plays all games.
    copy(&folder, "palestra.py", "palestra.py");
    let random = copy(&folder, "mancala/random_bot.py", "mancala/random_bot.py");
    play(game, &random, "random", &["--games", "2", "--seed", "1"]);
    // As a student has it, the kit beside the program.
    let alphabeta = new_bot(&folder, "python", game, "bot.py");
    let alphabeta = alphabeta.to_str().expect("a path that is text");
    is_a_good_start(game, alphabeta, Command::new("python3").arg(alphabeta));
}

#[test]
fn the_python_example_finds_the_kit_a_folder_above() {
    let folder = Folder::new("python-in-place");
    copy(&folder, "palestra.py", "palestra.py");
    let alphabeta = copy(&folder, "mancala/alphabeta.py", "mancala/alphabeta.py");
    play("mancala", &alphabeta, "random", &["--games", "2", "--seed", "1"]);
}

#[test]
fn a_deep_python_bot_keeps_its_time() {
    let folder = Folder::new("python-deep");
    copy(&folder, "palestra.py", "palestra.py");
    let program = copy(&folder, "mancala/alphabeta.py", "deep.py");
    let example = fs::read_to_string(&program).expect("it was copied");
    fs::write(&program, without_max_depth(&example)).expect("it can be written");
    keeps_its_time(&program);
}

/// Copies a file of the kit into a folder, and gives its path there.
fn copy(folder: &Folder, file: &str, name: &str) -> String {
    let path = folder.file(name);
    fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
    fs::copy(kits().join("python").join(file), &path).unwrap_or_else(|error| panic!("{file}: {error}"));
    path.into_os_string().into_string().expect("the path is text")
}
