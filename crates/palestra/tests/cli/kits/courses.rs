//! Folders as students of the courses handed them in, given to `palestra` as they are: with any names of files, several
//! sources, a `main.cpp` of their own, other dialects of C++.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of one test with a cache, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("courses-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    /// The path of a file here with this text.
    fn write(&self, name: &str, text: &str) -> String {
        let file = self.0.join(name);
        fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("a folder can be made");
        fs::write(&file, text).expect("a file can be written");
        file.to_str().expect("text").to_owned()
    }

    /// Copies a folder that was handed in here; its path.
    fn copy(&self, handed_in: &str) -> String {
        let folder = self.0.join("copy");
        fs::create_dir_all(&folder).expect("a folder can be made");
        for entry in fs::read_dir(handed_in).expect("it is there") {
            let file = entry.expect("it can be listed").path();
            fs::copy(&file, folder.join(file.file_name().expect("a name"))).expect("it can be copied");
        }
        folder.to_str().expect("text").to_owned()
    }

    fn run(&self, game: &str, player: &str, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
        command.args(["match", game, player, "greedy", "--games", "2"]).args(args).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.0.join("cache")).output().expect("the program can be started")
    }

    /// Lets a player play two games; what was said on stderr.
    fn plays(&self, game: &str, player: &str, args: &[&str]) -> String {
        let output = self.run(game, player, args);
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        assert!(output.status.success() && !stdout.contains("again"), "{player}: {stdout}{stderr}");
        assert_eq!(stdout.matches(", finished\n").count(), 2, "{player}: {stdout}");
        stderr
    }

    fn complains(&self, game: &str, player: &str) -> String {
        let output = self.run(game, player, &[]);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn handed_in(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/kits/ugr").join(path).to_str().expect("text").to_owned()
}

const KIT: &str = "Bot.cpp GameState.cpp main.cpp SimulatorLink.cpp";

#[test]
fn a_class_in_files_of_another_name_plays_and_the_build_says_what_it_is() {
    let (folder, path) = (Folder::new("name"), handed_in("mancala/otro_nombre"));
    let told = folder.plays("mancala", &path, &[]);
    let flags = "-I./ -lm -std=c++11 -fpermissive -w";
    let command = format!("g++ -O2 -o program {KIT} Jugador.cpp {flags}");
    assert_eq!(told, format!("building: class Calabaza of {path}/Jugador.h: {command}\n"));
    assert_eq!(folder.plays("mancala", &path, &[]), "", "it was built before");
    assert_eq!(folder.plays("mancala", &format!("{path}/Jugador.cpp"), &[]), "", "its file stands for it");
    let told = folder.plays("mancala", &path, &["--sandbox"]);
    assert_eq!(told, format!("building: class Calabaza of {path}/Jugador.h: {command} (in a box)\n"));
}

#[test]
fn a_header_called_hpp_plays() {
    let folder = Folder::new("hpp");
    let told = folder.plays("mancala", &handed_in("mancala/cabecera_hpp"), &[]);
    assert!(told.contains("building: class Sembradora of ") && told.contains("/Sembradora.hpp: g++ "), "{told}");
}

#[test]
fn all_sources_of_a_folder_are_compiled_together_but_for_included_ones_and_programs() {
    let folder = Folder::new("sources");
    for path in ["mancala/varios_cpp", "mancala/varios_cpp/Agricultor.cpp"] {
        let told = folder.plays("mancala", &handed_in(path), &[]);
        assert!(told.contains("SimulatorLink.cpp Agricultor.cpp heuristica.cpp -I./"), "{told}");
    }
}

#[test]
fn the_class_that_main_makes_plays() {
    let (folder, path) = (Folder::new("main"), handed_in("mancala/con_main"));
    let told = folder.plays("mancala", &path, &[]);
    assert!(told.starts_with("building: class Temeraria of "), "{told}");
    let told = folder.plays("mancala", &format!("{path}/main.cpp"), &[]);
    assert!(told.is_empty() || told.starts_with("building: class Temeraria of "), "{told}");

    let copy = folder.copy(&path);
    fs::remove_file(Path::new(&copy).join("main.cpp")).expect("it is there");
    let told = folder.complains("mancala", &copy);
    let hint = format!("hint: let main.cpp make the one that you mean, or name its file: {copy}/Prudente.cpp\n");
    assert_eq!(told, format!("error: {copy} has more than one program: Prudente.cpp, Temeraria.cpp\n{hint}"));
    let told = folder.plays("mancala", &format!("{copy}/Prudente.cpp"), &[]);
    assert!(told.contains("class Prudente of ") && !told.contains("Temeraria.cpp"), "{told}");
}

#[test]
fn classes_in_files_of_other_names_are_named_with_them() {
    let folder = Folder::new("several");
    let class = |name: &str| format!("#include \"Bot.h\"\nclass {name} : public Bot {{}};\n");
    folder.write("two/uno.hpp", &class("Uno"));
    folder.write("two/b.h", &class("Dos"));
    folder.write("two/b.cpp", "#include \"b.h\"\n");
    let path = folder.0.join("two").to_str().expect("text").to_owned();
    let told = folder.complains("mancala", &path);
    assert!(told.contains("more than one program: b.cpp (class Dos), uno.hpp (class Uno)\n"), "{told}");
}

#[test]
fn newer_dialects_are_tried_and_the_one_that_worked_is_named() {
    let folder = Folder::new("dialects");
    let told = folder.plays("mancala", &handed_in("mancala/moderno"), &[]);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].contains("-std=c++11") && lines[1].contains("-std=gnu++17"), "{told}");
    assert_eq!(lines[2..], ["built as gnu++17: it does not compile as c++11"]);
    assert_eq!(folder.plays("mancala", &handed_in("mancala/moderno"), &[]), "", "it is kept");
    let told = folder.plays("mancala", &handed_in("mancala/ultimo"), &[]);
    assert!(told.ends_with("built as gnu++20: it does not compile as c++11\n"), "{told}");
    let told = folder.plays("conecta4boom", &handed_in("boom/moderno"), &[]);
    assert!(told.ends_with("built as gnu++17: it does not compile as gnu++14\n"), "{told}");
}

#[test]
fn what_compiles_in_no_dialect_is_told_in_the_words_of_the_first() {
    let folder = Folder::new("broken");
    // In each dialect it fails for another reason.
    let text = "#include \"Bot.h\"\nclass Rota : public Bot {};\n#if __cplusplus < 201700\n#error asignatura\n#else\n\
                #error moderno\n#endif\n";
    let path = folder.write("Rota.cpp", text);
    let told = folder.complains("mancala", &path);
    assert!(told.contains("#error asignatura") && !told.contains("moderno"), "{told}");
    assert_eq!(told.matches("building: ").count(), 3, "{told}");
}

#[test]
fn headers_that_standard_headers_no_longer_bring_come_with_the_kit() {
    let folder = Folder::new("headers");
    let told = folder.plays("mancala", &handed_in("mancala/olvido"), &[]);
    assert_eq!(told.lines().count(), 1, "in the course's dialect: {told}");
}
