//! The kits for the bots of the courses of Granada. Bots in the style of those days, in the folders beside this file,
//! are compiled with them and play; their classes replay the golden games.
#![cfg(target_os = "linux")]

mod boom;
mod mancala;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use palestra_games::Record;

/// A file or folder of the workspace.
fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A folder of one test, which goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ugr-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    /// Copies all files of a folder here, over those that are here already.
    fn copy(&self, folder: &str) {
        for entry in fs::read_dir(root(folder)).expect("the folder is there") {
            let file = entry.expect("the folder can be listed").path();
            if file.is_file() {
                fs::copy(&file, self.0.join(file.file_name().expect("a file has a name"))).expect("it can be copied");
            }
        }
    }

    fn command(&self, program: &str, words: &str) -> Command {
        let mut command = Command::new(program);
        command.args(words.split_whitespace()).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Runs the compiler here.
    fn compile(&self, words: &str) {
        let output = self.command("g++", words).output().expect("a C++ compiler is needed: g++");
        assert!(output.status.success(), "g++ {words}\n{}", String::from_utf8_lossy(&output.stderr));
    }

    /// The output of `palestra`, which must end well.
    fn palestra(&self, words: &str) -> String {
        let output = self.command(env!("CARGO_BIN_EXE_palestra"), words).output().expect("it can be started");
        let [stdout, stderr] = text_of(&output);
        assert!(output.status.success(), "palestra {words}\n{stdout}{stderr}");
        stdout
    }

    /// The games of a match, in their order.
    fn games(&self, words: &str) -> Vec<Record> {
        let file = self.0.join("games.txt");
        let _ = fs::remove_file(&file);
        self.palestra(&format!("match {words} --record games.txt"));
        let text = fs::read(file).expect("the games are there");
        let mut games = Record::read_all(&text).expect("good records");
        games.sort_by_key(|game| game.tag("Number").and_then(|number| number.parse::<u32>().ok()));
        games
    }

    /// What a program that is here writes to stdout and stderr when it reads this, and then the end of its input.
    fn talk(&self, program: &str, input: &str) -> [String; 2] {
        fs::write(self.0.join("input"), input).expect("a file can be written");
        let mut command = Command::new(self.0.join(program));
        command.stdin(File::open(self.0.join("input")).expect("the file is there"));
        let output = command.output().expect("it can be started");
        let [stdout, stderr] = text_of(&output);
        assert!(output.status.success(), "{program}: {}, {stderr}", output.status);
        [stdout, stderr]
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The kit's files but for main.cpp, compiled. Whichever process of the tests comes last puts its own in place.
fn objects(kit: &str, files: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ugr-objects");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let compile = |file: &&str| {
        let [new, object] =
            [format!("{file}.{}", std::process::id()), format!("{file}.o")].map(|name| folder.join(name));
        let source = root(kit).join(file).with_extension("cpp");
        let output = Command::new("g++").args(["-c", "-O2", "-std=c++11", "-o"]).arg(&new).arg(source).output();
        let output = output.expect("a C++ compiler is needed: g++");
        assert!(output.status.success(), "{file}\n{}", String::from_utf8_lossy(&output.stderr));
        fs::rename(new, &object).expect("a file can be renamed");
        object.display().to_string()
    };
    files.iter().map(compile).collect::<Vec<_>>().join(" ")
}

fn text_of(output: &Output) -> [String; 2] {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

/// The moves of a game.
fn moves(game: &Record) -> Vec<&str> {
    game.moves().iter().map(|mv| mv.text.as_str()).collect()
}

/// The points and the reason that stand in a record.
fn result(game: &Record) -> ([i32; 2], &str) {
    let result = game.result().expect("the game is over");
    (result.points, &result.reason)
}

/// Lines for a program that answers each with a line of its own.
#[derive(Default)]
struct Script {
    lines: String,
    /// Where each line comes from, and the answer to it; `_` stands for any word.
    wanted: Vec<(String, String)>,
}

impl Script {
    fn say(&mut self, line: &str, place: &str, wanted: String) {
        self.lines += line;
        self.lines.push('\n');
        self.wanted.push((format!("{place}: {line}"), wanted));
    }

    fn run(&self, folder: &Folder, program: &str) {
        let [stdout, _] = folder.talk(program, &self.lines);
        let answers: Vec<&str> = stdout.lines().collect();
        assert_eq!(answers.len(), self.wanted.len(), "a line of answer for each");
        for (answer, (place, wanted)) in answers.into_iter().zip(&self.wanted) {
            let fits = |(found, wanted)| wanted == "_" || found == wanted;
            let same_length = answer.split(' ').count() == wanted.split(' ').count();
            let same = same_length && answer.split(' ').zip(wanted.split(' ')).all(fits);
            assert!(same, "{place}\n found {answer}\nwanted {wanted}");
        }
    }
}
