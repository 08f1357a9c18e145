//! The kit for C++.

use std::path::PathBuf;
use std::process::Command;

use crate::support::{Folder, GAMES, bad_lines, check, golden_games, kits, play, refuses, replay, run};

#[test]
fn golden_games_are_replayed_by_the_cpp_kit() {
    let folder = Folder::new("cpp-replay");
    let program = compile(&folder, "replay.cpp");
    for game in GAMES {
        replay(&mut Command::new(&program), &golden_games(game).concat());
    }
    refuses(&mut Command::new(&program), &bad_lines());
}

#[test]
fn cpp_examples_play_mancala() {
    examples_play("mancala");
}

#[test]
fn cpp_examples_play_conecta4boom() {
    examples_play("conecta4boom");
}

#[test]
fn cpp_examples_play_desconecta4boom() {
    examples_play("desconecta4boom");
}

#[test]
fn cpp_examples_play_parchis() {
    examples_play("parchis");
}

#[test]
fn cpp_examples_play_bandera() {
    examples_play("bandera");
}

/// One `choose` for all games, which prints where it should not.
const TALKER: &str = r#"
#include "palestra.hpp"

int main() {
    return palestra::run_all("Talker", [](const auto& position, const auto& turn) {
        std::cout << turn.game << ' ' << turn.options << ' ' << position.text() << std::endl;
        turn.say("a remark\nof two lines");
        if (position.turn() != turn.seat || position.moves().size() != turn.legal.size()) std::abort();
        return turn.legal.back();
    });
}
"#;

#[test]
fn a_cpp_program_plays_all_games_whatever_it_prints() {
    let folder = Folder::new("cpp-talker");
    std::fs::write(folder.file("talker.cpp"), TALKER).expect("a file can be written");
    let program = compile(&folder, folder.file("talker.cpp").to_str().expect("a path that is text"));
    for game in GAMES {
        play(game, program.to_str().expect("a path that is text"), "random", &["--games", "2"]);
    }
}

/// The random example plays without a fault; the other plays well, keeps to its time, and does all that is asked of it.
fn examples_play(game: &str) {
    let folder = Folder::new(&format!("cpp-{game}"));
    let [random, alphabeta] = ["random", "alphabeta"].map(|name| {
        let program = compile(&folder, &format!("{game}/{name}.cpp"));
        program.into_os_string().into_string().expect("a path that is text")
    });
    play(game, &random, "random", &["--games", "2"]);
    // Told a depth alone, it looks at no clock: the games are the same on every machine.
    let score = play(game, &alphabeta, "random", &["--games", "20", "--seed", "1", "--depth", "3"]);
    assert!(score.percent() >= 75, "{game}: {score:?}");
    check(game, &alphabeta);
}

/// Compiles a program of the kit, or any other that uses it.
fn compile(folder: &Folder, source: &str) -> PathBuf {
    let program = folder.file(&source.replace(['/', '.'], "-"));
    let kit = kits().join("cpp");
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"]).arg(&kit);
    run(compiler.arg(kit.join(source)).arg("-o").arg(&program));
    program
}
