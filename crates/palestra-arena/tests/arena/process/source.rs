//! Programs given as source: recognised, built once, and built again when they change.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use palestra_arena::{BuildError, Entrant, EntrantError, Reason, Workshop};

use super::bots::{ample, folder, play, record};

const CPP: &str = r#"
#include <iostream>
#include <sstream>
#include <string>
#include "greeting.h"
int main() {
    std::string line, word, first;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        words >> word;
        if (word == "hello") std::cout << GREETING << std::endl;
        if (word == "legal") words >> first;
        if (word == "go") std::cout << "move " << first << std::endl;
        if (word == "bye") break;
    }
}
"#;

const RUST: &str = r#"
use std::io::BufRead;
fn main() {
    let mut first = String::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split(' ');
        match words.next() {
            Some("hello") => println!("ready"),
            Some("legal") => first = words.next().unwrap_or_default().to_owned(),
            Some("go") => println!("move {first}"),
            Some("bye") => return,
            _ => {}
        }
    }
}
"#;

/// A folder of its own with these files.
fn files(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let place = folder().join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    files.iter().for_each(|(file, text)| fs::write(place.join(file), text).unwrap());
    place
}

/// Finds a program, and which commands built it.
fn find(game: &str, path: &Path, programs: &Path) -> (Result<Entrant, EntrantError>, Vec<String>) {
    let told = RefCell::new(vec![]);
    let mut tell = |command: &str| told.borrow_mut().push(command.to_owned());
    let found = Entrant::find(game, path.to_str().unwrap(), &mut Workshop::new(programs.into(), &mut tell));
    (found, told.into_inner())
}

fn plays(game: &str, entrant: &Entrant) {
    let mut greedy = super::bots::built_in(game, "greedy");
    let mut seat = entrant.seat(game, 0, None, std::time::Duration::ZERO).unwrap();
    let played = play(record(game), ample(), [&mut *seat, &mut greedy]);
    assert_eq!(played.verdict.reason, Reason::Finished, "{:?}", played.verdict);
}

#[test]
fn a_folder_is_built_once_and_again_when_a_file_changes() {
    let programs = files("programs-once", &[]);
    let place = files("mybot", &[("bot.cpp", CPP), ("greeting.h", "#define GREETING \"ready\"\n")]);
    let (found, told) = find("conecta4boom", &place, &programs);
    let found = found.unwrap();
    assert_eq!(found.name, "mybot");
    assert_eq!(told, ["building: g++ -O2 -std=c++17 -o program bot.cpp"]);
    plays("conecta4boom", &found);

    let (again, told) = find("conecta4boom", &place, &programs);
    assert_eq!((again.unwrap(), told.len()), (found.clone(), 0), "nothing has changed");

    fs::write(place.join("greeting.h"), "#define GREETING \"id name Other\\nready\"\n").unwrap();
    let (changed, told) = find("conecta4boom", &place, &programs);
    assert_eq!(told.len(), 1, "what is included counts");
    assert_ne!(changed.unwrap().identity(), found.identity());
    assert_eq!(fs::read_dir(&programs).unwrap().count(), 2, "no drafts are left");
}

#[test]
fn what_a_script_imports_is_part_of_it() {
    let script = "import sys, words\nfor line in sys.stdin:\n    print(words.READY, flush=True)\n";
    let place = files("importing", &[("bot.py", script), ("words.py", "READY = 'ready'\n")]);
    let identity = || find("mancala", &place, &files("programs-importing", &[])).0.unwrap().identity();
    let before = identity();
    assert_eq!(identity(), before, "nothing has changed");
    fs::write(place.join("words.py"), "READY = 'ready'\nMORE = 1\n").unwrap();
    assert_ne!(identity(), before);
}

#[test]
fn lone_files_are_programs() {
    let programs = files("programs-lone", &[]);
    let cpp = CPP.replace("GREETING", "\"ready\"").replace("#include \"greeting.h\"", "");
    let place = files("lone", &[("quick.cpp", &cpp), ("other.cxx", &cpp), ("steady.rs", RUST)]);
    for (file, name) in [("quick.cpp", "quick"), ("other.cxx", "other"), ("steady.rs", "steady")] {
        let (found, told) = find("mancala", &place.join(file), &programs);
        let found = found.unwrap();
        assert_eq!((found.name.as_str(), told.len()), (name, 1));
        plays("mancala", &found);
    }
}

#[test]
fn what_does_not_compile_says_why_first_error_first() {
    let programs = files("programs-bad", &[]);
    let source = "#warning \"old\"\nint main() { retrun 0; }\nint other() { also_wrong; }\n";
    let (found, _) = find("mancala", &files("bad", &[("bot.cpp", source)]), &programs);
    let error = found.unwrap_err();
    let EntrantError::Build(BuildError::Failed { message, .. }) = &error else { panic!("{error}") };
    assert!(message.starts_with("bot.cpp:2:14: error: 'retrun'") || message.contains("retrun"), "{message}");
    assert!(message.lines().next().unwrap().contains("error"), "{message}");
    assert_eq!(fs::read_dir(&programs).unwrap().count(), 0, "nothing is left");
}

#[test]
fn folders_that_are_no_program_are_told_so() {
    let programs = files("programs-none", &[]);
    let error = |game: &str, place: PathBuf| find(game, &place, &programs).0.unwrap_err();
    let none = error("mancala", files("none", &[("notes.txt", "to do")]));
    assert!(matches!(none, EntrantError::Build(BuildError::NoSource { .. })), "{none}");
    let pair = [("One.h", ""), ("One.cpp", ""), ("Two.h", ""), ("Two.cpp", "")];
    let several = error("mancala", files("several", &pair));
    assert_eq!(several.to_string().rsplit(": ").next(), Some("One.cpp, Two.cpp"));
    assert!(several.hint().unwrap().ends_with("One.cpp"));
    let other = error("parchis", files("class", &[("One.h", ""), ("One.cpp", "")]));
    assert!(matches!(other, EntrantError::Build(BuildError::NoSource { .. })), "a class of Mancala plays Mancala");
}
