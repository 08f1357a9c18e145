//! The kit for Rust.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::support::{
    Folder, GAMES, bad_lines, golden_games, is_a_good_start, keeps_its_time, kits, new_bot, play, random_example,
    refuses, replay, run, without_max_depth,
};

/// The line that a student's copy of an example does without, because the kit lies beside it.
const PATH_LINE: &str = "#[path = \"../palestra.rs\"]\n";

/// Compiles a program, quickly at level 0 or for speed at level 3.
fn compile(source: &Path, level: u8, program: PathBuf) -> PathBuf {
    let mut compiler = Command::new("rustc");
    compiler.args(["--edition", "2021", "-D", "warnings", "-C"]).arg(format!("opt-level={level}"));
    run(compiler.arg("-o").arg(&program).arg(source));
    program
}

/// Compiles a program of the kit where it is.
fn compile_in_place(folder: &Folder, source: &str, level: u8) -> PathBuf {
    compile(&kits().join("rust").join(source), level, folder.file(&source.replace(['/', '.'], "-")))
}

/// Copies an example to where a student has it, beside the kit, with a change.
fn copy(folder: &Folder, source: &str, change: impl FnOnce(&str) -> String) -> PathBuf {
    let kit = kits().join("rust");
    let text = fs::read_to_string(kit.join(source)).expect("the example can be read");
    assert_eq!(text.matches(PATH_LINE).count(), 1, "{source}");
    fs::copy(kit.join("palestra.rs"), folder.file("palestra.rs")).expect("the kit can be copied");
    fs::write(folder.file("bot.rs"), change(&text.replace(PATH_LINE, ""))).expect("the example can be copied");
    folder.file("bot.rs")
}

fn examples_play(game: &str) {
    let folder = Folder::new(&format!("rust-{game}"));
    let alphabeta = compile(&new_bot(&folder, "rust", game, "bot.rs"), 0, folder.file("alphabeta"));
    is_a_good_start(game, text(&alphabeta), &mut Command::new(&alphabeta));
    // Beside the kit, which the new bot has brought.
    let source = folder.file("new/random.rs");
    let random = random_example("rust/mancala/random.rs", game).replace(PATH_LINE, "");
    fs::write(&source, random).expect("it can be written");
    play(game, text(&compile(&source, 0, folder.file("random"))), "random", &["--games", "2"]);
}

#[test]
fn a_deep_rust_bot_keeps_its_time() {
    let folder = Folder::new("rust-deep");
    let source = copy(&folder, "mancala/alphabeta.rs", without_max_depth);
    keeps_its_time(text(&compile(&source, 3, folder.file("bot"))));
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a folder for temporary files with a plain name")
}

#[test]
fn golden_games_are_replayed_by_the_rust_kit() {
    let folder = Folder::new("rust-replay");
    let program = compile_in_place(&folder, "replay.rs", 3);
    for game in GAMES {
        replay(&mut Command::new(&program), &golden_games(game).concat());
    }
    refuses(&mut Command::new(&program), &bad_lines());
}

#[test]
fn rust_examples_play_mancala() {
    examples_play("mancala");
}

#[test]
fn rust_examples_play_conecta4boom() {
    examples_play("conecta4boom");
}

#[test]
fn rust_examples_play_desconecta4boom() {
    examples_play("desconecta4boom");
}

#[test]
fn rust_examples_play_parchis() {
    examples_play("parchis");
}

#[test]
fn rust_examples_play_bandera() {
    examples_play("bandera");
}

#[test]
fn a_rust_bot_without_a_clock_answers_when_it_is_stopped() {
    let folder = Folder::new("rust-stop");
    let program = compile_in_place(&folder, "mancala/alphabeta.rs", 0);
    let mut bot = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = bot.stdin.take().expect("it is a pipe");
    let mut answers = BufReader::new(bot.stdout.take().expect("it is a pipe")).lines().map(|line| line.expect("text"));
    let start = "position 1:0,4,4,4,4,4,4/0,4,4,4,4,4,4\nhistory\nlegal 1 2 3 4 5 6\ngo depth 60\n";
    write!(input, "hello 1\ngame mancala seat 1 options -\n{start}").expect("it listens");
    assert!(answers.any(|line| line.starts_with("info depth 10 ")), "it thinks");
    write!(input, "stop\nping there\nbye\n").expect("it listens");
    let last: Vec<String> = answers.skip_while(|line| line.starts_with("info ")).collect();
    assert!(matches!(&last[..], [mv, pong] if mv.starts_with("move ") && pong == "pong there"), "{last:?}");
    assert!(bot.wait().expect("it ends").success());
}
