//! `check` finds what is wrong with bad programs, and nothing with good ones. Each program is a small script of `bots`.

mod search;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use palestra_arena::check::{Check, Finding, FindingKind, Limits, News, Test};
use palestra_arena::{Entrant, EntrantKind, Program, Workshop};
use palestra_games::{GAMES, GameKind};
use palestra_protocol::Dialect;

/// Long where a busy machine could need it, short where a bad program makes somebody wait.
const LIMITS: Limits = Limits {
    startup: Duration::from_secs(20),
    slow_startup: Duration::from_secs(20),
    answer_timeout: Duration::from_millis(1_500),
    told_cpu: Duration::from_secs(2),
    cpu: Duration::from_secs(5),
    wall: Duration::from_secs(4),
    exit_timeout: Duration::from_secs(4),
    quiet: Duration::from_millis(50),
    searches: Duration::from_secs(300),
    memory: 1 << 30,
};

fn bots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arena/check/bots")
}

/// What runs a script of the folder; programs in C++ are compiled.
fn command(file: &str) -> Vec<OsString> {
    let path = bots().join(file);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("sh") => vec!["/bin/sh".into(), path.into()],
        // Whatever the environment says about Python, such as to flush every line, does not count.
        Some("py") => vec!["python3".into(), "-E".into(), path.into()],
        _ => vec![compiled(file).into()],
    }
}

/// The program of a source file, which is compiled if it has changed. Two tests may do so at the same time.
fn compiled(file: &str) -> PathBuf {
    let source = bots().join(file);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file).with_extension("");
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    if changed(&target) < changed(&source) {
        let new = target.with_extension(format!("{:?}", std::thread::current().id()));
        let status = Command::new("c++").arg(&source).arg("-o").arg(&new).status();
        assert!(status.expect("a C++ compiler is needed: c++").success(), "{source:?}");
        std::fs::rename(&new, &target).expect("a file can be renamed");
    }
    target
}

fn program(file: &str) -> Program {
    let dialect = if file.starts_with("course") { Dialect::Course } else { Dialect::One };
    Program { command: command(file), dialect, in_box: None }
}

/// All that is found at a game.
fn found(game: &str, program: &Program, limits: Limits) -> Vec<Finding> {
    let kind = GameKind::find(game).expect("the game is there");
    let mut found = vec![];
    let summary = Check { kind, program, limits }
        .run(&mut |news| {
            if let News::Found(finding) = news {
                found.push(finding);
            }
        })
        .expect("the program can be started");
    let wrong = found.iter().filter(|finding| !finding.kind.is_warning()).count();
    assert_eq!([summary.wrong, summary.warnings], [wrong as u32, (found.len() - wrong) as u32]);
    found
}

/// The first thing that is found at Mancala.
fn first(file: &str) -> Finding {
    first_within(file, LIMITS)
}

fn first_within(file: &str, limits: Limits) -> Finding {
    found("mancala", &program(file), limits).into_iter().next().unwrap_or_else(|| panic!("{file} passes"))
}

fn kinds(found: &[Finding]) -> Vec<FindingKind> {
    found.iter().map(|finding| finding.kind).collect()
}

#[track_caller]
fn assert_found(file: &str, kind: FindingKind) -> Finding {
    let finding = first(file);
    assert_eq!(finding.kind, kind, "{file}: {finding:?}");
    finding
}

#[test]
fn good_programs_pass_every_test() {
    for file in ["good.sh", "good.py", "good.cpp", "windows.sh", "course.cpp"] {
        let program = program(file);
        assert_eq!(found("mancala", &program, LIMITS), [], "{file}");
    }
    let mut passed = vec![];
    let kind = GameKind::find("mancala").expect("it is there");
    let check = Check { kind, program: &program("good.sh"), limits: LIMITS };
    check
        .run(&mut |news| {
            if let News::Passed(test) = news {
                passed.push(test);
            }
        })
        .expect("it can be started");
    assert_eq!(passed, Test::ALL);
}

#[test]
fn a_good_program_passes_at_every_game() {
    for kind in GAMES {
        assert_eq!(found(kind.id(), &program("good.sh"), LIMITS), [], "{}", kind.id());
    }
}

#[test]
fn the_protocol_of_the_course_is_detected() {
    let path = compiled("course.cpp");
    let mut told = |_: &str| ();
    let mut workshop = Workshop::new(std::env::temp_dir(), &mut told);
    let found = Entrant::find("mancala", path.to_str().expect("text"), &mut workshop);
    let entrant = found.expect("it can be started");
    let EntrantKind::Program(program) = &entrant.kind else { panic!("a program") };
    assert_eq!((entrant.name.as_str(), program.dialect), ("First", Dialect::Course));
}

#[test]
fn output_that_is_not_flushed() {
    assert_eq!(assert_found("buffered.py", FindingKind::NoFlush).line.as_deref(), Some("ready"));
    assert_eq!(assert_found("moves_unflushed.cpp", FindingKind::NoFlush).line.as_deref(), Some("move 6"));
    // Nobody hears its PONG, so that it is taken for a program of protocol 1.
    let course = Program { dialect: Dialect::One, ..program("course_buffered.cpp") };
    assert_eq!(found("mancala", &course, LIMITS)[0].kind, FindingKind::NoFlush);
}

#[test]
fn the_start() {
    let mute = first_within("mute.sh", Limits { startup: Duration::from_secs(2), ..LIMITS });
    assert_eq!(mute.kind, FindingKind::NoReady, "{mute:?}");
    assert_found("late.sh", FindingKind::LateReady);
    let late = first_within("slow.sh", Limits { startup: Duration::from_millis(100), ..LIMITS });
    assert_eq!(late.kind, FindingKind::LateReady, "{late:?}");
    let slow = found("mancala", &program("slow.sh"), Limits { slow_startup: Duration::from_millis(100), ..LIMITS });
    assert_eq!(kinds(&slow), [FindingKind::SlowStart]);
}

#[test]
fn programs_that_end_before_they_are_ready() {
    let syntax = assert_found("syntax.py", FindingKind::EndsFirst);
    assert!(syntax.detail.contains("exit code 1") && syntax.stderr.contains("SyntaxError"), "{syntax:?}");
    let gone = assert_found("gone.sh", FindingKind::EndsFirst);
    assert_eq!(gone.detail, "it ended with exit code 0, and wrote nothing on stderr");
}

#[test]
fn the_greeting_of_the_course() {
    assert_eq!(assert_found("course_player.cpp", FindingKind::NoReady).line.as_deref(), Some("Jugador"));
    // It confirms its side after all.
    let patient = Limits { quiet: Duration::from_secs(2), ..LIMITS };
    let greets = first_within("course_greets.cpp", patient);
    assert_eq!((greets.kind, greets.line.as_deref()), (FindingKind::Noise, Some("Hola")), "{greets:?}");
}

#[test]
fn programs_of_the_course_play_no_other_game() {
    for file in ["course.cpp", "course_buffered.cpp"] {
        let course = Program { dialect: Dialect::One, ..program(file) };
        assert_eq!(kinds(&found("conecta4boom", &course, LIMITS)), [FindingKind::OtherGame], "{file}");
    }
    // At Mancala it is only spoken to in the wrong language.
    let course = Program { dialect: Dialect::One, ..program("course.cpp") };
    assert_eq!(kinds(&found("mancala", &course, LIMITS)), [FindingKind::Noise]);
}

#[test]
fn lines_about_itself() {
    for (file, kind, line) in [
        ("nodes.sh", FindingKind::Info, "info depth 3 nodes 5 score 1.5"),
        ("centipawns.sh", FindingKind::Info, "info score cp 5"),
        ("author.sh", FindingKind::Id, "id author me"),
        ("late_name.sh", FindingKind::Id, "id name Mine"),
    ] {
        assert_eq!(assert_found(file, kind).line.as_deref(), Some(line));
    }
}

#[test]
fn lines_that_are_no_answers() {
    assert_eq!(assert_found("noise.sh", FindingKind::Noise).line.as_deref(), Some("I think, therefore"));
    assert_eq!(assert_found("welcome.sh", FindingKind::Noise).line.as_deref(), Some("MyBot 1.0"));
    assert_eq!(assert_found("course_noise.cpp", FindingKind::Noise).line.as_deref(), Some("Voy a jugar 1"));
    assert_eq!(assert_found("eager.sh", FindingKind::Unasked).line.as_deref(), Some("ready"));
    assert_found("long.sh", FindingKind::Output);
}

#[test]
fn answers_in_other_words() {
    for (file, line) in
        [("bestmove.sh", "bestmove 1"), ("capitals.sh", "MOVE 1"), ("bare.sh", "1"), ("shout.sh", "READY")]
    {
        assert_eq!(assert_found(file, FindingKind::WrongWord).line.as_deref(), Some(line));
    }
    assert_eq!(assert_found("newline.sh", FindingKind::NoNewline).line.as_deref(), Some("move 1"));
    assert_found("twice.sh", FindingKind::TwoMoves);
}

#[test]
fn wrong_moves() {
    assert_found("zero.py", FindingKind::IndexBase);
    assert_found("four.sh", FindingKind::Illegal);
    assert_found("stale.sh", FindingKind::Stale);
    assert_found("seat.py", FindingKind::WrongSide);
    assert_found("course_empty.cpp", FindingKind::Illegal);
    let zero = found("conecta4boom", &program("zero.py"), LIMITS);
    assert_eq!(zero[0].kind, FindingKind::IndexBase);
    let stale = assert_found("stale.sh", FindingKind::Stale);
    assert!(stale.place.is_some_and(|place| !place.legal.contains(&"1".to_owned())));
}

#[test]
fn a_second_turn_in_a_row() {
    // And nothing else is said: that it answers no second turn shows nowhere else.
    assert_eq!(kinds(&found("mancala", &program("turns.sh"), LIMITS)), [FindingKind::ExtraTurn]);
    let finding = assert_found("alternates.py", FindingKind::ExtraTurn);
    assert!(finding.detail.ends_with("a move of the other side"), "{finding:?}");
}

#[test]
fn programs_that_do_not_answer() {
    assert!(assert_found("hang.sh", FindingKind::NoAnswer).detail.contains("not even computing"));
    assert_found("busy.sh", FindingKind::NoAnswer);
}

#[test]
fn programs_that_end() {
    let crash = assert_found("crash.cpp", FindingKind::Crash);
    assert!(crash.detail.contains("segmentation fault"), "{crash:?}");
    let error = assert_found("error.py", FindingKind::Crash);
    assert!(error.detail.contains("exit code 1") && error.stderr.contains("IndexError"), "{error:?}");
    assert!(assert_found("exits.sh", FindingKind::Crash).detail.contains("exit code 3"));
}

#[test]
fn what_goes_wrong_late_in_a_game() {
    let tired = assert_found("tired.sh", FindingKind::Crash);
    assert!(tired.detail.contains("exit code 1") && tired.place.is_some(), "{tired:?}");
    // The rules take an empty pit for a loss: the game is finished, and the program still wrong.
    let reckless = assert_found("reckless.py", FindingKind::Illegal);
    assert!(reckless.detail.contains("lost the game by it"), "{reckless:?}");
}

#[test]
fn programs_that_do_not_end() {
    let stays = assert_found("stays.sh", FindingKind::Stays);
    assert!(stays.detail.starts_with("it was still there"), "{stays:?}");
    assert_found("loops.sh", FindingKind::PastEnd);
}

#[test]
fn too_much_of_anything() {
    let hungry = first_within("hungry.py", Limits { memory: 100 << 20, ..LIMITS });
    assert_eq!(hungry.kind, FindingKind::Memory, "{hungry:?}");
    let hurry = Limits { told_cpu: Duration::from_millis(1), ..LIMITS };
    let slow = found("mancala", &program("thinker.py"), hurry);
    assert_eq!(kinds(&slow), [FindingKind::Slow]);
    let slow = first_within("thinker.py", Limits { cpu: Duration::from_millis(5), ..hurry });
    assert_eq!(slow.kind, FindingKind::Time, "{slow:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_computes_off_turn() {
    // Long enough for a busy machine to give it a share.
    let found = found("mancala", &program("ponder.py"), Limits { quiet: Duration::from_millis(600), ..LIMITS });
    assert_eq!(kinds(&found), [FindingKind::OffTurn], "{found:?}");
    assert!(FindingKind::OffTurn.is_warning());
}

#[test]
fn what_a_program_need_not_know_is_a_warning() {
    for (file, kind) in [("deaf.sh", FindingKind::Ping), ("strict.sh", FindingKind::Option)] {
        let found = found("mancala", &program(file), LIMITS);
        assert_eq!(kinds(&found), [kind], "{file}");
        assert!(kind.is_warning());
    }
}

#[test]
fn the_page_for_authors_has_every_sentence() {
    let page = include_str!("../../../../../docs/arena.md");
    let page: String = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for kind in FindingKind::ALL {
        for dialect in [Dialect::One, Dialect::Course] {
            let sentence = kind.sentence(dialect);
            assert!(page.contains(sentence), "{sentence}");
        }
    }
}
