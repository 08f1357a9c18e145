//! The kit for C++.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::support::{
    Folder, GAMES, bad_lines, golden_games, is_a_good_start, keeps_its_time, kits, new_bot, play, random_example,
    refuses, replay, run, without_max_depth,
};

#[test]
fn golden_games_are_replayed_by_the_cpp_kit() {
    let folder = Folder::new("cpp-replay");
    let program = compile(&folder, "replay.cpp", 2);
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
    fs::write(folder.file("talker.cpp"), TALKER).expect("a file can be written");
    let program = compile(&folder, text(&folder.file("talker.cpp")), 0);
    for game in GAMES {
        play(game, text(&program), "random", &["--games", "2"]);
    }
}

#[test]
fn a_deep_cpp_bot_keeps_its_time() {
    let folder = Folder::new("cpp-deep");
    let example = fs::read_to_string(kits().join("cpp/mancala/alphabeta.cpp")).expect("the example can be read");
    fs::write(folder.file("deep.cpp"), without_max_depth(&example)).expect("a file can be written");
    keeps_its_time(text(&compile(&folder, text(&folder.file("deep.cpp")), 2)));
}

fn examples_play(game: &str) {
    let folder = Folder::new(&format!("cpp-{game}"));
    fs::write(folder.file("random.cpp"), random_example("cpp/mancala/random.cpp", game)).expect("it can be written");
    let random = compile(&folder, text(&folder.file("random.cpp")), 0);
    let alphabeta = compile(&folder, text(&new_bot(&folder, "cpp", game, "bot.cpp")), 0);
    play(game, text(&random), "random", &["--games", "2"]);
    is_a_good_start(game, text(&alphabeta), &mut Command::new(&alphabeta));
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}

/// Compiles a program of the kit, or any other that uses it, quickly at level 0 or for speed at level 2.
fn compile(folder: &Folder, source: &str, level: u8) -> PathBuf {
    let program = folder.file(&source.trim_start_matches('/').replace(['/', '.'], "-"));
    let kit = kits().join("cpp");
    let mut compiler = Command::new("g++");
    compiler.arg(format!("-O{level}"));
    compiler.args(["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"]).arg(&kit);
    run(compiler.arg(kit.join(source)).arg("-o").arg(&program));
    program
}
