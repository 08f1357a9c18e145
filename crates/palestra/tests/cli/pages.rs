//! What the program prints, how it fails, and with which exit code.
//!
//! The pages in `tests/cmd` are run as they stand, and so are the `console` blocks of README.md, to which a link leads;
//! commands other than `palestra` are passed over. A page's files are in the folder of its name that ends in `.in`. If
//! there is one that ends in `.out` too, the page runs in a copy, and must leave there what is in `.out`. To write down
//! what the program prints now: `TRYCMD=overwrite cargo test --release -p palestra --test cli`.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use trycmd::TestCases;

#[test]
fn commands_do_what_the_pages_show() {
    TestCases::new().env("COLUMNS", "80").case("tests/cmd/*.trycmd").case("tests/cmd/*.toml").case("tests/cmd/*.md");
}

#[test]
fn the_bot_of_the_documentation_is_the_one_that_is_tried() {
    let bot = include_str!("../cmd/readme.in/first.py");
    for page in [include_str!("../../../../README.md"), include_str!("../../../../docs/arena.md")] {
        assert!(page.contains(&format!("```python\n{bot}```\n")));
    }
    assert_eq!(include_str!("../cmd/match.in/first.py"), bot);
    assert_eq!(include_str!("../cmd/play-program.in/first.py"), bot);
}

fn palestra(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(args).stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the program can be started")
}

#[test]
fn colours_come_when_asked_for_and_not_otherwise() {
    let has_colour = |args: &[&str]| {
        let Output { stdout, stderr, .. } = output(&mut palestra(args));
        stdout.contains(&0x1b) || stderr.contains(&0x1b)
    };
    for args in [
        &["show", "mancala"][..],
        &["games"],
        &["--help"],
        &["nonsense"],
        &["show", "mancala", "-p", "x"],
        &["play", "mancala"],
        &["analyse", "mancala", "-d", "2"],
        &["tree", "mancala"],
        &["tree", "mancala", "--compare"],
    ] {
        assert!(!has_colour(args), "{args:?}");
        assert!(has_colour(&[args, &["--color", "always"]].concat()), "{args:?}");
        assert!(!has_colour(&[args, &["--color=never"]].concat()), "{args:?}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    for args in [
        &["games", "mancala"][..],
        &["--help"],
        &["perft", "mancala", "9"],
        &["analyse", "mancala"],
        &["tree", "mancala"],
        &["bench"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let Output { status, stderr, .. } = output(palestra(args).stdout(writer));
        assert!(status.success() && stderr.is_empty(), "{args:?}: {status}, {}", String::from_utf8_lossy(&stderr));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_error() {
    let full = File::options().write(true).open("/dev/full").expect("Linux has /dev/full");
    let Output { status, stderr, .. } = output(palestra(&["games"]).stdout(full));
    assert_eq!(status.code(), Some(1));
    assert!(stderr.starts_with(b"error: "), "{}", String::from_utf8_lossy(&stderr));
}

#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn a_match_without_threads_is_an_error() {
    // No system has room for a thread with such a stack.
    let stack = (1_u64 << 60).to_string();
    for args in [&["ladder", "mancala", "--games", "2"][..], &["tune", "mancala", "--iterations", "1"]] {
        let Output { status, stderr, .. } = output(palestra(args).env("RUST_MIN_STACK", &stack));
        let stderr = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(1), "{args:?}: {stderr}");
        assert!(stderr.starts_with("error: cannot start a thread: "), "{args:?}: {stderr}");
    }
}

#[test]
fn who_lets_the_clock_run_out_loses() {
    // Nothing is typed, but the input stays open.
    let mut child = palestra(&["play", "mancala", "--clock", "1ms"]);
    let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("the program can be started");
    let typing = child.stdin.take();
    let Output { status, stdout, .. } = child.wait_with_output().expect("the program ends by itself");
    drop(typing);
    assert!(status.success());
    let stdout = String::from_utf8_lossy(&stdout);
    assert!(stdout.ends_with("too late\nSide 1's time is up: Side 2 has won\n"), "{stdout}");
}

#[test]
fn pieces_and_results_have_colours_on_a_terminal() {
    let painted = |line: &str| {
        let args: Vec<&str> = line.split(' ').chain(["--color", "always"]).collect();
        String::from_utf8_lossy(&output(&mut palestra(&args)).stdout).into_owned()
    };
    let parchis = painted("show parchis");
    for (pawn, code) in [("Y1", 33), ("R1", 31), ("B1", 34), ("G1", 32)] {
        assert!(parchis.contains(&format!("\x1b[1m\x1b[{code}m{pawn}")), "{pawn}: {parchis:?}");
    }
    let bandera = painted("show bandera --options lagoon");
    for (tile, code) in [("~", 34), ("^", 32), ("%", 33), ("#", 90)] {
        assert!(bandera.contains(&format!("\x1b[{code}m{tile}")), "{tile}: {bandera:?}");
    }
    let won = painted("match mancala ninja1 random --games 1 --depth 4 --moves 4");
    assert!(won.contains("\x1b[1m\x1b[32mninja1 wins"), "{won:?}");
    let lost = painted("match mancala random ninja1 --games 1 --depth 4 --moves 4");
    assert!(lost.contains("\x1b[31mninja1 wins"), "{lost:?}");
}

/// The CPU time that a process has used, in hundredths of a second.
#[cfg(target_os = "linux")]
fn cpu_ticks(id: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("the process runs");
    let words = stat.rsplit(')').next().expect("there is a last part").split_whitespace();
    words.skip(11).take(2).map(|word| word.parse::<u64>().expect("a number")).sum()
}

/// Reads until the output ends with this text.
fn read_until(stdout: &mut impl Read, end: &str) {
    let mut read = Vec::new();
    while !read.ends_with(end.as_bytes()) {
        let mut byte = [0];
        stdout.read_exact(&mut byte).unwrap_or_else(|_| panic!("{end:?} in {}", String::from_utf8_lossy(&read)));
        read.extend(byte);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_stops_a_thought_and_leaves_a_game_at_the_prompt() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("game.txt");
    let mut play = palestra(&["play", "mancala", "minimax:99:stores", "me", "--record"]);
    let child = play.arg(&record).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("the program can be started");
    let mut stdout = child.stdout.take().expect("it is a pipe");
    let interrupt = |child: &_| kill_process(Pid::from_child(child), Signal::INT).expect("the program runs");
    // Once it has computed for a while, it thinks.
    let until = Instant::now() + Duration::from_secs(60);
    while cpu_ticks(child.id()) < 30 {
        assert!(Instant::now() < until, "it does not think");
        std::thread::sleep(Duration::from_millis(20));
    }
    interrupt(&child);
    read_until(&mut stdout, "Side 2> ");
    interrupt(&child);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{rest}");
    assert!(rest.contains("The game is left unfinished.\nThe record is in '"), "{rest}");
    let record = std::fs::read_to_string(record).expect("a record");
    assert!(record.starts_with("Game: mancala\nPlayer1: minimax:99:stores\nPlayer2: me\n"), "{record}");
}

#[test]
fn what_a_new_bots_readme_says_to_type_are_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    for language in ["cpp", "python", "rust"] {
        let bot = folder.path().join(language);
        let mut new = palestra(&["new", language, "mancala", bot.to_str().expect("text"), "--name", "mine"]);
        assert!(output(&mut new).status.success());
        let text = std::fs::read_to_string(bot.join("README.md")).expect("a page");
        let blocks: Vec<&str> = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert!(blocks.len() >= 3, "{text}");
        for line in blocks.iter().flat_map(|block| block.lines()) {
            let program = line.split(' ').next().unwrap_or_default();
            assert!(["palestra", "cp", "g++", "rustc"].contains(&program), "{language}: {line}");
        }
    }
}

/// Plays with these lines as input, and returns what was printed and the record.
fn played(args: &[&str], input: &str) -> (String, palestra_games::Record) {
    let folder = tempfile::tempdir().expect("a folder");
    let (record, lines) = (folder.path().join("game.txt"), folder.path().join("lines.txt"));
    std::fs::write(&lines, input).expect("room");
    let mut play = palestra(args);
    play.arg("--record").arg(&record).stdin(File::open(lines).expect("the input"));
    let Output { status, stdout, stderr } = output(&mut play);
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    let mut records =
        palestra_games::Record::read_all(&std::fs::read(record).expect("a record")).expect("a good record");
    (String::from_utf8(stdout).expect("text"), records.pop().expect("a game"))
}

#[test]
fn records_of_play_have_the_words_and_points_of_the_arena() {
    let result = |args: &[&str], input: &str| {
        let (_, record) = played(args, input);
        record.result().map(|result| (result.points, result.reason.clone()))
    };
    let resigned = result(&["play", "mancala", "me", "greedy"], "3\nresign\n");
    assert_eq!(resigned, Some(([0, 48], "resigned".to_owned())));
    let left = result(&["play", "mancala", "me", "greedy"], "3\nquit\n");
    assert_eq!(left, None, "a game that was left has no result");
    let (_, record) = played(&["play", "mancala", "me", "greedy"], "3\n");
    assert!(record.moves().iter().all(|mv| mv.note.as_deref().is_some_and(|note| note.contains("wall "))), "{record}");
}

/// A bot that plays the first legal move and says how deep it looked.
const BOT: &str = "for line in iter(input, 'bye'):
    word, *rest = line.split()
    if word == 'hello': print('ready', flush=True)
    if word == 'legal': first = rest[0]
    if word == 'go': print('info depth 3'), print('move', first, flush=True)
";

#[test]
fn a_person_plays_a_program_and_takes_moves_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = folder.path().join("bot.py");
    std::fs::write(&bot, BOT).expect("room");
    let bot = bot.to_str().expect("text");
    let (printed, record) = played(&["play", "mancala", "me", bot], "3\nundo\n6\nundo\n5\nrules\nresign\n");
    assert!(printed.contains("Side 1 (me) against Side 2 (bot)"), "{printed}");
    assert!(printed.contains("Side 1 resigns: Side 2 has won"), "{printed}");
    assert_eq!([record.tag("Player1"), record.tag("Player2")], [Some("me"), Some("bot")]);
    let moves: Vec<&str> = record.moves().iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(moves[..2], ["5", "1"], "the moves before were taken back, and the program knows it: {record}");
    let note = record.moves()[1].note.as_deref().unwrap_or_default();
    assert!(note.contains("cpu ") && note.contains("depth 3"), "{note}");
    let (printed, record) = played(&["play", "mancala", bot, "greedy"], "");
    assert!(record.result().is_some_and(|result| result.reason == "finished"), "{printed}");
}

#[test]
fn a_program_that_fails_at_play_is_told_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = folder.path().join("bot.py");
    std::fs::write(&bot, BOT.replace("first, flush", "'9', flush")).expect("room");
    let (printed, record) = played(&["play", "mancala", bot.to_str().expect("text"), "me"], "");
    assert!(printed.contains("Side 1 (bot) has lost by illegal: it "), "{printed}");
    assert_eq!(record.result().map(|result| result.points), Some([0, 48]));
}

#[test]
fn a_game_is_recorded_and_no_file_is_overwritten() {
    let path = std::env::temp_dir().join(format!("palestra-record-{}", std::process::id()));
    let path = path.to_str().expect("the folder's name is text");
    let _ = std::fs::remove_file(path);
    let position = "1:22,1,0,0,0,1,0/20,0,0,2,0,1,1";
    let mut play = palestra(&["play", "mancala", "random", "greedy", "--seed", "3", "-p", position, "--record", path]);
    assert!(output(&mut play).status.success());
    let written = std::fs::read_to_string(path).expect("the record is there");
    assert!(!output(&mut play).status.success(), "the file is there already");
    assert_eq!(std::fs::read_to_string(path).ok().as_ref(), Some(&written));
    let _ = std::fs::remove_file(path);

    let records = palestra_games::Record::read_all(written.as_bytes()).expect("a good record");
    let [record] = records.as_slice() else { panic!("one game: {written}") };
    assert_eq!(record.start().notation(), position);
    assert_eq!([record.tag("Player1"), record.tag("Player2"), record.tag("Seed")], ["random", "greedy", "3"].map(Some));
    assert!(record.position().outcome().is_some() && record.result().is_some());
}
