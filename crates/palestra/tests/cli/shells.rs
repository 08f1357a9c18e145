//! Completions and manual pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = told(&["--help"]);
    let (_, list) = help.split_once("\nCommands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let first = |line: &str| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')).map(str::to_owned);
    let names = list.lines().filter_map(first).map(|line| line.split(' ').next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

fn output(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_palestra")).args(args).output().unwrap()
}

fn told(args: &[&str]) -> String {
    let Output { status, stdout, stderr } = output(args);
    assert!(status.success(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// What bash offers after these words, of which the last may be unfinished.
fn bash_offers(folder: &Path, words: &[&str]) -> Vec<String> {
    let script = "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); \
                  _palestra palestra \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\" 2>/dev/null; \
                  printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", script, "bash"]).arg(folder.join("palestra.bash")).args(words).current_dir(folder);
    let Output { stdout, .. } = bash.output().unwrap();
    let stdout = String::from_utf8(stdout).unwrap();
    let offers: BTreeSet<&str> = stdout.lines().filter(|line| !line.is_empty()).collect();
    offers.into_iter().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_games_players_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("palestra.bash");
    fs::write(&script, told(&["completions", "bash"])).unwrap();
    fs::write(folder.path().join("games.txt"), "").unwrap();
    assert!(Command::new("bash").arg("-n").arg(&script).status().unwrap().success());
    let offers = |words: &[&str]| bash_offers(folder.path(), words);
    assert_eq!(offers(&["palestra", "mat"]), ["match"]);
    assert_eq!(offers(&["palestra", "maps", "sh"]), ["show"]);
    assert_eq!(offers(&["palestra", "show", "manc"]), ["mancala"]);
    assert_eq!(offers(&["palestra", "match", "mancala", "maes"]), ["maestro"]);
    assert_eq!(offers(&["palestra", "play", "mancala", "hu"]), ["human"]);
    assert_eq!(offers(&["palestra", "show", "--from", "gam"]), ["games.txt"]);
    assert_eq!(offers(&["palestra", "check", "bot", "--game", "parc"]), ["parchis"]);
}

#[test]
fn zsh_and_fish_know_every_command() {
    for shell in ["zsh", "fish"] {
        let script = told(&["completions", shell]);
        for name in commands() {
            assert!(script.contains(&name), "{shell}: {name}");
        }
    }
    // Where a player is expected, zsh offers programs too.
    assert!(told(&["completions", "zsh"]).contains("{compadd random greedy ninja1 ninja2 ninja3 maestro; _files}"));
}

#[test]
fn every_command_has_a_manual_page_that_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    let said = told(&["man", pages.to_str().unwrap()]);
    let (main, nested) = ("palestra.1".to_owned(), ["palestra-maps-new.1", "palestra-admin-create.1"]);
    let names = commands().into_iter().map(|name| format!("palestra-{name}.1"));
    for name in names.chain([main]).chain(nested.map(str::to_owned)) {
        let path = pages.join(&name);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text.contains("\n.TH ") || text.starts_with(".TH "), "{name}");
        assert!(said.contains(path.to_str().unwrap()), "{name} in {said}");
        assert_renders(&path);
    }
    let main = fs::read_to_string(pages.join("palestra.1")).unwrap();
    for name in commands() {
        assert!(main.contains(&format!("palestra\\-{name}(1)")), "{name}: {main}");
    }
    assert_eq!(told(&["man", pages.to_str().unwrap()]), said, "pages are written anew");
    assert_eq!(fs::read_dir(&pages).unwrap().count(), said.lines().count() - 1, "nothing else is left there");
}

/// `groff` reads a page without complaint, where it is installed.
fn assert_renders(page: &Path) {
    let Ok(Output { status, stdout, stderr }) =
        Command::new("groff").args(["-man", "-Tutf8", "-ww"]).arg(page).output()
    else {
        return;
    };
    let complaints = String::from_utf8_lossy(&stderr);
    assert!(status.success() && !stdout.is_empty() && complaints.is_empty(), "{}: {complaints}", page.display());
}

#[test]
fn pages_are_not_written_where_there_is_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    for (path, error) in [(file.clone(), "exists and is not a folder"), (file.join("man1"), "cannot create")] {
        let Output { status, stderr, .. } = output(&["man", path.to_str().unwrap()]);
        let told = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(1), "{told}");
        assert!(told.starts_with("error: ") && told.contains(error) && told.contains("\nhint: "), "{told}");
    }
    assert_eq!(fs::read_to_string(file).unwrap(), "mine");
}
