//! Programs of every kind that can be handed in: built in a box, they play in another one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use palestra_arena::{
    Bot, BuildError, BuiltIn, Entrant, EntrantError, GameToPlay, RealTime, Reason, Referee, Rules, TimeControl, Upload,
    UploadError, Workshop,
};
use palestra_games::{GameKind, Record};
use palestra_protocol::Dialect;
use palestra_sandbox::{Allowance, BuildFailure, Sandbox};
use palestra_search::player::any_player;

use crate::compile::Folder;
use crate::support::{helper, new_sandbox, sandbox};

/// An example of the kits, or a program of the courses that the tests of the kits have.
macro_rules! text {
    ($path:literal) => {
        include_str!(concat!("../../../../", $path))
    };
}

pub(crate) fn upload(game: &str, files: &[(&str, &str)]) -> Upload {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    Upload::of_files(game, files.collect()).expect("a program")
}

/// Builds in a box, and plays a game in another one against `greedy`.
fn plays(game: &str, dialect: Dialect, upload: &Upload) {
    let artefact = upload.build(sandbox()).unwrap_or_else(|failure| panic!("{failure}"));
    let program = artefact.pack(sandbox()).expect("packed");
    let process = sandbox().start(&program, Allowance::default()).expect("a box");
    let mut other = BuiltIn::new(any_player(game, "greedy", 1).expect("a player"));
    let time = TimeControl::Wall(Duration::from_secs(60));
    let rules = Rules { time, startup: Duration::from_secs(60), ..Rules::default() };
    let referee = Referee::new(Record::new(GameKind::find(game).expect("a game"), "-").expect("a record"), rules);
    let (clock, quit) = (RealTime::start(), AtomicBool::new(false));
    let game = GameToPlay { referee, seats: [&mut Bot::new(process, dialect), &mut other], clock: &clock, quit: &quit };
    let played = game.play(&mut |_, _| {}).expect("it is played to the end");
    assert_eq!(played.verdict.reason, Reason::Finished, "{:?}", played.verdict);
}

#[test]
fn one_file_in_cpp_plays_with_the_kit() {
    let bot = upload("mancala", &[("Random.cpp", text!("kits/cpp/mancala/random.cpp"))]);
    plays("mancala", Dialect::One, &bot);
}

#[test]
fn a_pair_of_the_mancala_course_plays() {
    let header = text!("crates/palestra/tests/cli/kits/ugr/mancala/GreedyBot.h");
    let source = text!("crates/palestra/tests/cli/kits/ugr/mancala/GreedyBot.cpp");
    let bot = upload("mancala", &[("GreedyBot.h", header), ("GreedyBot.cpp", source)]);
    plays("mancala", Dialect::Course, &bot);
}

/// A folder of the tests of the kits, handed in as it is.
fn course_folder(path: &str, left_out: &str) -> Result<Upload, UploadError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../palestra/tests/cli/kits/ugr").join(path);
    let paths = fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("it can be listed").path());
    let name = |path: &Path| path.file_name().expect("a name").to_str().expect("text").to_owned();
    let files = paths.map(|path| (name(&path), fs::read(path).expect("it can be read")));
    Upload::of_files("mancala", files.filter(|(name, _)| name != left_out).collect())
}

#[test]
fn folders_of_the_mancala_course_play_whatever_their_files_are_called() {
    for (path, name) in [("mancala/varios_cpp", "Agricultor"), ("mancala/con_main", "Temeraria")] {
        let bot = course_folder(path, "").expect("a program");
        assert_eq!(bot.name(), name);
        plays("mancala", Dialect::Course, &bot);
    }
    let modern = course_folder("mancala/moderno", "").expect("a program");
    plays("mancala", Dialect::Course, &modern);
    let several = course_folder("mancala/con_main", "main.cpp").expect_err("two bots");
    assert_eq!(several, UploadError::SeveralClasses(vec!["Prudente".to_owned(), "Temeraria".to_owned()]));
    assert!(several.hint().contains("main.cpp"));
}

#[test]
fn a_player_of_the_boom_courses_plays_with_its_header_and_without() {
    let header = text!("crates/palestra/tests/cli/kits/ugr/boom/alfabeta/player.h");
    let source = text!("crates/palestra/tests/cli/kits/ugr/boom/alfabeta/player.cpp");
    let pair = upload("conecta4boom", &[("player.h", header), ("player.cpp", source)]);
    plays("conecta4boom", Dialect::One, &pair);
    let alone = text!("crates/palestra/tests/cli/kits/ugr/boom/olvidadizo/player.cpp");
    plays("desconecta4boom", Dialect::One, &upload("desconecta4boom", &[("player.cpp", alone)]));
}

#[test]
fn one_file_in_python_plays_with_the_kit_and_with_its_own() {
    let bot = ("minimax.py", text!("kits/python/mancala/random_bot.py"));
    plays("mancala", Dialect::One, &upload("mancala", &[bot]));
    let library = ("palestra.py", text!("kits/python/palestra.py"));
    plays("mancala", Dialect::One, &upload("mancala", &[("bot.py", bot.1), library]));
}

#[test]
fn one_file_in_rust_plays_with_the_kit_where_there_is_a_compiler() {
    let source = text!("kits/rust/mancala/random.rs").replace("#[path = \"../palestra.rs\"]\n", "");
    let bot = upload("mancala", &[("steady.rs", &source)]);
    if has_rust() {
        plays("mancala", Dialect::One, &bot);
    } else {
        let failure = bot.build(sandbox()).expect_err("there is no compiler");
        assert!(matches!(failure, BuildFailure::NoCompiler { .. }), "{failure}");
        assert!(failure.hint().contains("install Rust"));
    }
}

/// Whether this user can run a Rust compiler.
pub(crate) fn has_rust() -> bool {
    std::process::Command::new("rustc").arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn what_does_not_compile_is_told_in_the_users_words() {
    let broken = "int main() { retrun 0; }\n";
    let message = |files: &[(&str, &str)]| match upload("mancala", files).build(sandbox()) {
        Err(BuildFailure::Compile { message }) => message,
        other => panic!("{other:?}"),
    };
    let said = message(&[("quick.cpp", broken)]);
    assert!(said.contains("quick.cpp:1:14: error: ") && !said.contains("bot.cpp"), "{said}");
    let said = message(&[("Lento.cpp", "#include \"Lento.h\"\nnonsense;\n"), ("Lento.h", "#pragma once\n")]);
    assert!(said.contains("Lento.cpp:2:1: error"), "{said}");
    let said = message(&[("minimax.py", "def choose(:\n    pass\n")]);
    assert!(said.contains("minimax.py\", line 1") && said.contains("SyntaxError"), "{said}");
    if has_rust() {
        let said = message(&[("steady.rs", "fn main() { let x: u8 = \"\"; }\n")]);
        assert!(said.contains("--> steady.rs:1:25"), "{said}");
    }
}

#[test]
fn a_workshop_with_a_sandbox_compiles_in_boxes_and_keeps_what_they_make() {
    let folder = Folder::new();
    let secret = folder.write("secret.txt", "TOP_SECRET_7 is here\n");
    let boxes = Arc::new(Sandbox::new(helper()).expect("a sandbox"));
    let find = |name: &str| {
        let mut told = vec![];
        let mut tell = |command: &str| told.push(command.to_owned());
        let mut workshop = Workshop::new(folder.path().join("programs"), &mut tell).in_boxes(Some(Arc::clone(&boxes)));
        let found = Entrant::find("mancala", folder.path().join(name).to_str().expect("text"), &mut workshop);
        (found, told)
    };
    folder.write("quick.cpp", text!("kits/cpp/mancala/random.cpp"));
    let (found, told) = find("quick.cpp");
    assert_eq!(found.expect("it is built").name, "quick");
    assert_eq!(told, ["building: g++ -O2 -std=c++17 -o program quick.cpp (in a box)"], "as its author calls it");
    assert_eq!(find("quick.cpp").1.len(), 0, "it was built before");

    folder.write("spy.cpp", &format!("#include \"{}\"\n", secret.display()));
    let Err(EntrantError::Build(BuildError::Failed { message, .. })) = find("spy.cpp").0 else { panic!("it is built") };
    assert!(message.contains("spy.cpp:1:10: fatal error") && !message.contains("TOP_SECRET_7"), "{message}");

    fs::create_dir(folder.path().join("package")).expect("a folder");
    folder.write("package/Cargo.toml", "[package]\nname = \"x\"\n");
    let Err(EntrantError::Build(error)) = find("package").0 else { panic!("it is built") };
    assert!(matches!(error, BuildError::Package { .. }), "{error}");
}

#[test]
fn a_program_that_was_just_written_is_waited_for() {
    let sandbox = new_sandbox();
    let program = fs::read(fs::canonicalize("/usr/bin/true").expect("true")).expect("a program");
    let boxed = sandbox.pack(&[("true", &program)], &["/bot/true"]).expect("packed");
    let staged = fs::read_dir(sandbox.folder()).expect("the stage").flatten().map(|entry| entry.path().join("true"));
    let staged = staged.into_iter().find(|path| path.is_file()).expect("it lies there");
    fs::set_permissions(&staged, fs::Permissions::from_mode(0o755)).expect("it is ours");
    // Somebody still has it open for writing, and closes it while the box is waiting, or before.
    let writer = fs::File::options().write(true).open(&staged).expect("it is ours");
    let (tell, started) = channel();
    thread::scope(|scope| {
        scope.spawn(|| tell.send(sandbox.start(&boxed, Allowance::default()).map(drop)));
        assert!(started.recv_timeout(Duration::from_millis(5)).is_err(), "it does not start, and does not give up");
        drop(writer);
        started.recv().expect("an answer").expect("a box");
    });
}
