//! Folders and sources as players: what `palestra new` makes, and what students of the courses handed in.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::support::Folder;

/// A command of Palestra in a folder, with a cache of its own.
fn command(folder: &Folder, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(args).stdin(Stdio::null()).current_dir(folder.file(".")).env("XDG_CACHE_HOME", folder.file("cache"));
    command
}

fn palestra(folder: &Folder, args: &[&str]) -> Output {
    command(folder, args).output().expect("the program can be started")
}

/// What a command that fails says, without the commands of compilers.
fn complaint(mut command: Command) -> String {
    let output = command.output().expect("the program can be started");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    told.lines().filter(|line| !line.starts_with("building: ")).map(|line| format!("{line}\n")).collect()
}

/// Why a player cannot take part.
fn refused(folder: &Folder, game: &str, player: &str) -> String {
    complaint(command(folder, &["match", game, player, "random", "--games", "2"]))
}

/// Writes a file, and the folder that it lies in.
fn write(folder: &Folder, name: &str, text: &str) {
    let file = folder.file(name);
    fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("a folder can be made");
    fs::write(file, text).expect("a file can be written");
}

/// Plays the first legal move, and has no name.
const FIRST: &str = "\
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == 'hello':
        print('ready', flush=True)
    elif word == 'legal':
        legal = rest
    elif word == 'go':
        print('move', legal[0], flush=True)
    elif word == 'bye':
        break
";

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn handed_in(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/kits/ugr").join(path);
    folder.to_str().expect("text").to_owned()
}

#[test]
fn a_new_bot_plays_at_once_in_every_language() {
    let folder = Folder::new("new");
    // The examples of all games are compiled by other tests; here it matters that they find the file beside them.
    for (language, games) in
        [("cpp", ["parchis", "mancala"]), ("python", ["bandera", "parchis"]), ("rust", ["conecta4boom", "bandera"])]
    {
        for game in games {
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

#[test]
fn what_does_not_compile_is_called_as_it_was_typed_and_the_first_error_comes_first() {
    let folder = Folder::new("broken");
    let broken = "#warning \"old\"\nint main() { retrun 0; }\nint other() { also_wrong; }\n";
    write(&folder, "broken.cpp", broken);
    write(&folder, "errors/bot.cpp", broken);
    write(&folder, "rusty.rs", "fn main() { let unused = 1; retrun() }\n");
    for (typed, first) in [("broken.cpp", "broken.cpp:2:14: "), ("./errors", "bot.cpp:2:14: "), ("./rusty.rs", "")] {
        let told = refused(&folder, "mancala", typed);
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines[0], format!("error: {typed} does not compile"));
        assert!(lines[1].starts_with(&format!("{first}error")) && lines[1].contains("retrun"), "{told}");
        assert_eq!(lines.last(), Some(&"hint: the first error is often the cause of the others"));
    }
}

#[test]
fn what_the_linker_misses_is_told() {
    let folder = Folder::new("unlinked");
    write(&folder, "half.cpp", "int helper();\nint main() { return helper(); }\n");
    let told = refused(&folder, "mancala", "./half.cpp");
    assert!(told.starts_with("error: ./half.cpp does not compile\n") && told.contains("helper()"), "{told}");
}

#[test]
fn a_compiler_that_is_not_installed_is_named_with_what_to_install() {
    let folder = Folder::new("bare");
    for name in ["alone.cpp", "cpp/bot.cpp", "alone.rs", "rust/bot.rs", "package/Cargo.toml"] {
        write(&folder, name, "");
    }
    write(&folder, "alone.py", FIRST);
    write(&folder, "python/bot.py", FIRST);
    write(&folder, "Pair.h", "");
    write(&folder, "Pair.cpp", "");
    let debian = |package: &str| format!("install it; on Debian and Ubuntu: apt install {package}");
    let rustup = "install Rust from https://rustup.rs".to_owned();
    for (typed, compiler, hint) in [
        ("alone.cpp", "g++", debian("g++")),
        ("./cpp", "g++", debian("g++")),
        ("Pair.cpp", "g++", debian("g++")),
        ("./alone.rs", "rustc", rustup.clone()),
        ("./rust", "rustc", rustup.clone()),
        ("./package", "cargo", rustup),
        ("alone.py", "python3", debian("python3")),
        ("./python", "python3", debian("python3")),
    ] {
        let mut bare = command(&folder, &["match", "mancala", typed, "random"]);
        bare.env("PATH", folder.file("nothing-here"));
        let wanted = format!("error: {typed} needs {compiler}, which is not installed\nhint: {hint}\n");
        assert_eq!(complaint(bare), wanted);
    }
}

#[test]
fn a_folder_without_a_program_says_what_to_name() {
    let folder = Folder::new("sources");
    write(&folder, "notes/todo.txt", "");
    let told = refused(&folder, "mancala", "./notes");
    assert!(told.starts_with("error: ./notes is a folder without a program that Palestra knows\n"), "{told}");
    assert!(told.contains("hint: a program is a folder with bot.cpp, bot.py or bot.rs"), "{told}");

    write(&folder, "mine/clever.py", FIRST);
    let told = refused(&folder, "mancala", "./mine");
    assert!(told.ends_with("hint: if this file is the program, name it: ./mine/clever.py\n"), "{told}");
    stdout(&palestra(&folder, &["match", "mancala", "./mine/clever.py", "random", "--games", "2"]));

    let told = refused(&folder, "mancala", "./mine/missing.cpp");
    assert_eq!(told, "error: there is no file ./mine/missing.cpp\nhint: a path counts from the current folder\n");
    let told = refused(&folder, "parchis", &handed_in("boom/alfabeta"));
    assert!(told.contains("is a folder without a program"), "the Boom courses had no Parch\u{ed}s: {told}");
}

#[test]
fn a_folder_with_two_programs_asks_which() {
    let folder = Folder::new("two");
    write(&folder, "both/bot.py", FIRST);
    write(&folder, "both/bot.cpp", "");
    let told = refused(&folder, "bandera", "./both");
    let which = "hint: name the one that you mean: ./both/bot.cpp\n";
    assert_eq!(told, format!("error: ./both has more than one program: bot.cpp, bot.py\n{which}"));
    stdout(&palestra(&folder, &["match", "mancala", "both/bot.py", "random", "--games", "2"]));
    let told = refused(&folder, "mancala", &handed_in("mancala"));
    assert!(told.contains("has more than one program: GreedyBot.cpp, Kamikaze.cpp, "), "{told}");
    assert!(told.ends_with("/mancala/GreedyBot.cpp\n"), "{told}");
}

#[test]
fn a_folder_called_like_a_built_in_player_needs_another_name() {
    let folder = Folder::new("namesake");
    let told = complaint(command(&folder, &["new", "cpp", "mancala", "ninja1"]));
    assert!(told.starts_with("error: 'ninja1' is the name of a built-in player\n"), "{told}");
    assert!(!folder.file("ninja1").exists());

    write(&folder, "ninja1/bot.py", FIRST);
    let told = refused(&folder, "mancala", "./ninja1");
    let hint = "hint: put another name before it: mine=./ninja1\n";
    assert_eq!(told, format!("error: a program cannot be called 'ninja1': that is a built-in player\n{hint}"));
    let args = ["match", "mancala", "mine=./ninja1", "ninja1", "--games", "2", "--states", "200"];
    let text = stdout(&palestra(&folder, &args));
    assert!(text.contains("mine ") && text.contains("ninja1 "), "{text}");
    let told = complaint(command(&folder, &["check", "ninja1", "--game", "mancala"]));
    assert!(told.starts_with("error: ninja1 is a built-in player"), "without a path it is not the folder: {told}");
}

#[test]
fn check_tells_a_class_of_the_course_not_to_print_on_cout() {
    let folder = Folder::new("cout");
    let [header, source] =
        ["h", "cpp"].map(|it| fs::read_to_string(handed_in(&format!("mancala/Parlanchin.{it}"))).expect("it is there"));
    let printed = "cout << \"Pienso en la casilla \" << (int) mejor << endl;";
    let quiet = source.replace(printed, "");
    assert_ne!(source, quiet);
    let sources = [
        (source.clone(), "Pienso en la casilla 6"),
        (source.replace("Pienso en la casilla", "Jugada"), "Jugada 6"),
        (quiet.replace("initialize() {", "initialize() { cout << \"Hola\" << endl;"), "Hola"),
    ];
    for (source, line) in sources {
        write(&folder, "Parlanchin.h", &header);
        write(&folder, "Parlanchin.cpp", &source);
        let output = palestra(&folder, &["check", "Parlanchin.cpp", "--game", "mancala"]);
        let text = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        let wanted = "It prints on cout, which the course forbids because its simulator reads stdout: use cerr.";
        assert!(text.contains(wanted) && text.contains(&format!("it wrote {line}")), "{text}");
        assert!(!output.status.success());
    }
}

#[test]
fn a_package_that_uses_the_rules_of_palestra_is_a_player() {
    let folder = Folder::new("package");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = PACKAGE.replace("GAMES", root.join("crates/palestra-games").to_str().expect("text"));
    write(&folder, "crab/Cargo.toml", &manifest);
    write(&folder, "crab/src/main.rs", CRAB);
    fs::copy(root.join("Cargo.lock"), folder.file("crab/Cargo.lock")).expect("the workspace has one");
    let play = || {
        let mut command = command(&folder, &["match", "mancala", "./crab", "random", "--games", "2"]);
        // What is built stays, because the rules take seconds.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("package");
        command.env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true");
        command.output().expect("the program can be started")
    };
    let output = play();
    let text = stdout(&output);
    assert!(text.contains("crab ") && !text.contains("again"), "{text}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "building: cargo build --release (in ./crab)\n");

    write(&folder, "crab/src/bin/second.rs", "fn main() {}");
    let told = String::from_utf8_lossy(&play().stderr).into_owned();
    assert!(told.contains("error: ./crab has more than one program: ") && told.contains("second"), "{told}");
    fs::remove_dir_all(folder.file("crab/src/bin")).expect("it is there");
    fs::rename(folder.file("crab/src/main.rs"), folder.file("crab/src/lib.rs")).expect("it is there");
    let told = String::from_utf8_lossy(&play().stderr).into_owned();
    assert!(
        told.ends_with("error: ./crab has a Cargo.toml, but no program\nhint: write one in src/main.rs\n"),
        "{told}"
    );
}

const PACKAGE: &str = "\
[package]
name = \"crab\"
version = \"0.1.0\"
edition = \"2024\"

[dependencies]
palestra-games = { path = \"GAMES\" }

[profile.release]
opt-level = 0
";

/// Plays the move after which it has most points.
const CRAB: &str = r#"
use std::io::BufRead;
use palestra_games::GameKind;

pub fn main() {
    let (mut kind, mut seat, mut position) = (None, 0, String::new());
    let mut legal: Vec<String> = vec![];
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["hello", ..] => println!("ready"),
            ["game", game, "seat", side, ..] => (kind, seat) = (GameKind::find(game), usize::from(side == "2")),
            ["position", text] => position = text.to_owned(),
            ["legal", ref moves @ ..] => legal = moves.iter().map(|&mv| mv.to_owned()).collect(),
            ["go", ..] => {
                let points = |mv: &str| {
                    let mut after = (kind?.parse)(&position).ok()?;
                    after.play(mv).ok()?;
                    Some(after.points()[seat])
                };
                println!("move {}", legal.iter().max_by_key(|mv| points(mv)).expect("there is a move"));
            }
            ["bye"] => return,
            _ => {}
        }
    }
}
"#;
