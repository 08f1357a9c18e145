//! From what somebody types to somebody who plays.

use std::fs;

use palestra_arena::{BuildError, Entrant, EntrantError, EntrantKind, Reason, Workshop};

use super::bots::{CPP_BOT, PYTHON, SH, ample, built_in, executable, find, find_all, folder, play, record};

fn error(text: &str) -> EntrantError {
    find("mancala", text).unwrap_err()
}

fn advice(error: &EntrantError) -> String {
    error.hint().unwrap_or_default()
}

/// A file that nobody may run.
fn file(name: &str, bytes: &[u8]) -> String {
    let path = folder().join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn program(name: &str, bytes: &[u8]) -> String {
    executable(name, bytes).to_str().unwrap().to_owned()
}

#[test]
fn built_in_players_are_known_by_their_names() {
    for (text, name) in [("ninja1", "ninja1"), ("alphabeta:4:stores", "alphabeta:4:stores"), ("easy=greedy", "easy")] {
        let entrant = find("mancala", text).unwrap();
        assert_eq!(entrant.name, name);
        assert!(matches!(entrant.kind, EntrantKind::BuiltIn(_)) && entrant.can_stay());
    }
    assert!(!find("mancala", "random").unwrap().can_stay());
    assert!(matches!(error("human"), EntrantError::Human));
    assert!(matches!(error("alphabeta:x"), EntrantError::Player(_)));
}

#[test]
fn programs_are_found_and_play() {
    let script = program("player.sh", format!("#!/bin/sh\n{SH}").as_bytes());
    let blanks = program("a b.sh", format!("#!/bin/sh\n{SH}").as_bytes());
    let python = file("snake.py", PYTHON.as_bytes());
    let texts =
        [script.clone(), blanks, python.clone(), format!("with=sh '{script}' -x"), format!("python3 -u {python}")];
    let names = ["player", "a_b", "snake", "with", "snake"];
    for (text, name) in texts.iter().zip(names) {
        let entrant = find("mancala", text).unwrap();
        assert_eq!(entrant.name, name);
        assert!(!entrant.can_stay());
        let mut greedy =
            find("mancala", "greedy").unwrap().seat("mancala", 0, None, std::time::Duration::ZERO).unwrap();
        let mut seat = entrant.seat("mancala", 0, None, std::time::Duration::ZERO).unwrap();
        let played = play(record("mancala"), ample(), [&mut *seat, &mut *greedy]);
        assert_eq!(played.verdict.reason, Reason::Finished, "{text}: {:?}", played.verdict);
    }
}

#[test]
fn what_is_no_player_is_told_so() {
    let unknown = error("ninja7");
    assert_eq!(unknown.to_string(), "there is no player 'ninja7', and no file of that name");
    assert!(advice(&unknown).contains("ninja1"));
    assert!(advice(&error("nobody")).contains("./bot"));
    assert!(matches!(error("./nobody"), EntrantError::NoFile { .. }));
    assert!(matches!(error("nobody --fast"), EntrantError::Unknown { .. }));
    assert!(matches!(error(""), EntrantError::Empty));
    let empty = folder().join("empty-folder");
    fs::create_dir_all(&empty).unwrap();
    let folder = error(empty.to_str().unwrap());
    assert!(matches!(folder, EntrantError::Build(BuildError::NoSource { .. })), "{folder}");
    assert!(advice(&folder).contains("palestra new"));
}

#[test]
fn files_that_cannot_be_run_are_explained() {
    let closed = file("closed", b"neither a program nor a script\n");
    assert_eq!(advice(&error(&closed)), format!("chmod +x '{closed}'"));
    let orphan = error(&file("orphan", b"#!/no/such/shell\n"));
    assert!(orphan.to_string().ends_with("is to be run by /no/such/shell, which is not there"), "{orphan}");

    let lost = error(&program("lost", b"#!/no/such/shell -x\n"));
    assert!(lost.to_string().ends_with("is to be run by /no/such/shell, which is not there"), "{lost}");

    let windows = error(&program("windows", b"#!/bin/sh\r\necho ready\r\n"));
    assert!(windows.to_string().contains(r"/bin/sh\r") && advice(&windows).contains("Windows"), "{windows}");

    let text = error(&program("text", b"echo ready\n"));
    assert!(text.to_string().ends_with("it is text without a first line that says who runs it"), "{text}");
    assert!(advice(&text).contains("#!"));

    assert!(error(&program("empty", b"")).to_string().ends_with("it is empty"));
}

#[test]
fn programs_and_scripts_without_execute_permission_play_and_stay_as_they_are() {
    use std::os::unix::fs::PermissionsExt;
    let elf = file("unzipped", &fs::read(&*CPP_BOT).unwrap());
    // It finds what lies beside it, as it would if it were executed.
    file("sown", b"sown here");
    let beside = "#!/bin/sh\n[ -f \"$(dirname \"$0\")/sown\" ] || exit 1\n";
    let script = file("unzipped-script", format!("{beside}{SH}").as_bytes());
    for (path, name, how) in
        [(&elf, "unzipped", "a copy of it is run"), (&script, "unzipped-script", "its interpreter runs it")]
    {
        let mut notices = vec![];
        let mut on_notice = |notice: &str| notices.push(notice.to_owned());
        let found = Entrant::find("mancala", path, &mut Workshop::new(folder().join("programs"), &mut on_notice));
        let found = found.unwrap();
        assert_eq!(found.name, name);
        assert_eq!(notices, [format!("{path} may not be executed: {how} (to change that: chmod +x '{path}')")]);
        let mut seat = found.seat("mancala", 0, None, std::time::Duration::ZERO).unwrap();
        let played = play(record("mancala"), ample(), [&mut *seat, &mut built_in("mancala", "greedy")]);
        assert_eq!(played.verdict.reason, Reason::Finished, "{path}: {:?}", played.verdict);
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o111, 0, "the user's file is not changed");
    }
}

#[test]
fn a_program_for_another_machine_is_told_from_others() {
    // The beginning of a program for 64-bit ARM, or for x86-64 where that is this machine.
    let (machine, name) = if cfg!(target_arch = "aarch64") { (62, "x86-64") } else { (183, "ARM of 64 bits") };
    let mut elf = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, machine, 0];
    elf.resize(200, 0);
    let foreign = error(&program("foreign", &elf));
    assert!(foreign.to_string().contains(&format!("it is a Linux program for {name}")), "{foreign}");
}

#[test]
fn no_two_players_have_the_same_name() {
    let same = find_all(&["ninja1", "greedy", "ninja1"]).unwrap_err();
    assert_eq!(
        (same.to_string().as_str(), advice(&same).as_str()),
        ("two players are called 'ninja1'", "put a name before one of them, such as new=./bot or other=ninja1")
    );
    assert_eq!(find_all(&["ninja1", "other=ninja1"]).unwrap().len(), 2);
}

#[test]
fn a_program_is_not_called_like_a_built_in_player() {
    let path = program("ninja1", format!("#!/bin/sh\n{SH}").as_bytes());
    let taken = error(&path);
    assert_eq!(taken.to_string(), "a program cannot be called 'ninja1': that is a built-in player");
    assert_eq!(advice(&taken), format!("put another name before it: mine={path}"));
    assert_eq!(find("mancala", &format!("mine={path}")).unwrap().name, "mine");
}
