//! Matches and tournaments that are interrupted: by Ctrl-C, and by being killed at any moment.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use palestra_tournament::{Entry, Finished, Journal};

/// A folder for one test, with a program in it that plays the first legal move.
struct Folder {
    path: PathBuf,
    /// An argument of the program that no other process has.
    mark: String,
}

const BOT: &str = r#"#!/bin/sh
while read -r word rest; do
    case $word in
    hello) echo ready ;;
    legal) legal=${rest%% *} ;;
    go) echo "move $legal" ;;
    bye) exit ;;
    esac
done
"#;

/// A program that answers nothing but `hello`: its first move takes for ever.
const THINKER: &str = r#"#!/bin/sh
while read -r word rest; do
    case $word in
    hello) echo ready ;;
    bye) exit ;;
    esac
done
"#;

impl Folder {
    fn new(name: &str, bot: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let mark = format!("palestra-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(&mark);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        fs::write(path.join("bot"), bot).expect("a file can be written");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(path.join("bot"), executable).expect("it is ours");
        Self { path, mark }
    }

    /// The program, as a player of the given name.
    fn bot(&self, name: &str) -> String {
        format!("{name}=./bot {}", self.mark)
    }

    fn palestra(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
        command.args(args).current_dir(&self.path).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn start(&self, args: &[&str]) -> Child {
        self.palestra(args).spawn().expect("the program can be started")
    }

    /// The output of a command that ends well.
    fn run(&self, args: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.palestra(args).output().expect("the program can be started");
        assert!(status.success(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("text")
    }

    fn size(&self, file: &str) -> u64 {
        fs::metadata(self.path.join(file)).map_or(0, |metadata| metadata.len())
    }

    /// Waits until the programs are gone: the system ends them together with the one that started them.
    fn expect_no_bot(&self) {
        wait_until("all bots are gone", || bots(&self.mark).is_empty());
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// The processes with this argument, but for those that have it from `palestra` itself.
fn bots(mark: &str) -> Vec<PathBuf> {
    let has_mark = |process: &Path| {
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).any(|argument| argument == mark.as_bytes())
    };
    let processes = fs::read_dir("/proc").expect("Linux has /proc").filter_map(|entry| Some(entry.ok()?.path()));
    processes.filter(|process| has_mark(process)).collect()
}

/// Looks again and again. Nothing that is waited for takes long.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::yield_now();
    }
}

/// A signal as a shell sends it; so that this crate needs no unsafe code.
fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("there is kill").success());
}

/// What a program that is ending has written.
fn rest(mut child: Child) -> (Option<i32>, String, String) {
    let (mut stdout, mut stderr) = (String::new(), String::new());
    child.stdout.take().expect("it is piped").read_to_string(&mut stdout).expect("text");
    child.stderr.take().expect("it is piped").read_to_string(&mut stderr).expect("text");
    (child.wait().expect("it ends").code(), stdout, stderr)
}

/// Random enough to choose moments by, and the same each time.
struct Moments(u64);

impl Moments {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// The tournament of these tests: deterministic players, and a program; four of them, so 12 games a round.
fn cup<'a>(bot: &'a str, journal: &'a str, rounds: &'a str) -> Vec<&'a str> {
    let order = ["--order", "points,difference,scored"];
    let mut words = vec!["tournament", "mancala", "greedy", "ninja1", "random", bot, "--depth", "2"];
    words.extend(["--concurrency", "2", "--rounds", rounds, "--journal", journal]);
    words.extend(order);
    words
}

fn journal(folder: &Folder, file: &str) -> Journal {
    let bytes = fs::read(folder.path.join(file)).expect("the journal is there");
    let journal = Journal::read(&bytes).expect("a good journal");
    assert_eq!(journal.usable_bytes, bytes.len(), "no line is torn");
    assert_eq!(
        bytes.iter().filter(|&&byte| byte == b'\n').count(),
        1 + journal.entries.len(),
        "no game is there twice"
    );
    journal
}

/// The finished games by number, without the times: all else is the same whenever a game is played.
fn results(entries: &[Entry]) -> BTreeMap<u32, Finished> {
    let result = |entry: &Entry| Finished { charged_us: [0; 2], ..entry.finished.clone() };
    entries.iter().map(|entry| (entry.finished.number, result(entry))).collect()
}

/// The tables, from the first line that names a player; without the time, which is never the same.
fn tables(output: &str) -> Vec<String> {
    let tables = &output[output.find("   Player").expect("a table")..];
    let without_time = |line: &str| match line.strip_suffix(" s").and_then(|line| line.rsplit_once(' ')) {
        Some((rest, _)) => rest.trim_end().to_owned(),
        None => line.to_owned(),
    };
    tables.lines().map(without_time).collect()
}

#[test]
fn a_tournament_that_is_killed_again_and_again_ends_as_if_nothing_had_been() {
    let folder = Folder::new("killed", BOT);
    let bot = folder.bot("bot");
    let undisturbed = folder.run(&cup(&bot, "calm.jsonl", "17"));
    let expected = journal(&folder, "calm.jsonl");
    assert_eq!(expected.entries.len(), 204);

    let command = cup(&bot, "cup.jsonl", "17");
    let whole = folder.size("calm.jsonl");
    let mut moments = Moments(1);
    let mut kills = 0;
    let finished = loop {
        let mut child = folder.start(&command);
        let goal = folder.size("cup.jsonl") + moments.below(whole / 8);
        let mut has_ended = false;
        wait_until("the journal grows", || {
            has_ended = child.try_wait().expect("it is ours").is_some();
            has_ended || folder.size("cup.jsonl") > goal
        });
        if has_ended {
            break rest(child);
        }
        child.kill().expect("it is ours");
        child.wait().expect("it was killed");
        kills += 1;
        folder.expect_no_bot();
    };
    assert!(kills >= 3, "killed {kills} times only");
    assert_eq!(finished.0, Some(0), "{}", finished.2);
    assert_eq!(tables(&finished.1), tables(&undisturbed));
    assert_eq!(results(&journal(&folder, "cup.jsonl").entries), results(&expected.entries));
    assert!((0..204).eq(results(&expected.entries).into_keys()), "every game of the plan once");
    folder.expect_no_bot();
}

#[test]
fn a_line_that_was_being_written_is_cut_off() {
    let folder = Folder::new("torn", BOT);
    let bot = folder.bot("bot");
    let command = cup(&bot, "cup.jsonl", "1");
    let whole = folder.run(&command);
    let bytes = fs::read(folder.path.join("cup.jsonl")).expect("the journal is there");
    let mut moments = Moments(2);
    for _ in 0..8 {
        let left = moments.below(bytes.len() as u64) as usize;
        fs::write(folder.path.join("cup.jsonl"), &bytes[..left]).expect("it is ours");
        assert_eq!(tables(&folder.run(&command)), tables(&whole), "{left} bytes left");
        assert_eq!(journal(&folder, "cup.jsonl").entries.len(), 12);
    }
}

#[test]
fn ctrl_c_ends_a_tournament_with_the_table_so_far_and_the_same_command_goes_on() {
    let folder = Folder::new("interrupted", BOT);
    let bot = folder.bot("bot");
    let command = cup(&bot, "cup.jsonl", "50");
    let child = folder.start(&command);
    wait_until("some games are played", || folder.size("cup.jsonl") > 20_000);

    let second = folder.palestra(&command).output().expect("the program can be started");
    assert_eq!(second.status.code(), Some(1));
    let complaint =
        "error: 'cup.jsonl' is in use by another tournament\nhint: wait until it ends, or choose another file\n";
    assert_eq!(String::from_utf8_lossy(&second.stderr), complaint);

    signal(&child, "-INT");
    let (code, stdout, stderr) = rest(child);
    assert!(code == Some(130) && stderr.is_empty(), "{stderr}");
    let done = journal(&folder, "cup.jsonl").entries.len();
    let sentence = format!("Interrupted after {done} of 600 games; run the same command again to resume.\n");
    assert!(stdout.contains(&sentence), "{stdout}");
    assert!(tables(&stdout).iter().any(|line| line.contains("ninja1")), "{stdout}");
    folder.expect_no_bot();

    let rest = folder.run(&command);
    assert!(rest.contains(&format!("{done} games are already in the journal 'cup.jsonl'.\n")), "{rest}");
    assert!(rest.contains("games: 600 of 600\n"), "{rest}");
    assert_eq!(journal(&folder, "cup.jsonl").entries.len(), 600);
}

#[test]
fn ctrl_c_ends_a_match_with_the_games_that_are_finished() {
    let folder = Folder::new("match", BOT);
    let bot = folder.bot("bot");
    let args = ["match", "mancala", &bot, "greedy", "--games", "100000", "--depth", "1", "--record", "games.txt"];
    let child = folder.start(&[&args[..], &["--html", "match.html"]].concat());
    wait_until("some games are played", || folder.size("games.txt") > 10_000);
    signal(&child, "-INT");
    let (code, stdout, stderr) = rest(child);
    assert!(code == Some(130) && stderr.is_empty(), "{stderr}");
    let written = fs::read(folder.path.join("games.txt")).expect("the games are there");
    let games = palestra_games::Record::read_all(&written[..]).expect("whole records").len();
    assert!(stdout.contains(&format!("\nInterrupted after {games} of 100000 games.\n")), "{stdout}");
    assert!(stdout.contains("\nElo difference of bot: "), "{stdout}");
    let page = fs::read_to_string(folder.path.join("match.html")).expect("the page is there");
    assert!(page.contains(&format!("Interrupted after {games} of 100000 games.")), "{page}");
    assert!(page.contains(&format!("All games ({games})")) && page.ends_with("</html>\n"), "{page}");
    folder.expect_no_bot();
}

#[test]
fn ctrl_c_ends_a_test_with_a_page_of_the_games_so_far() {
    let folder = Folder::new("test", BOT);
    let bot = folder.bot("bot");
    // So small a difference takes for ever to show.
    let args = ["sprt", "mancala", &bot, "greedy", "--depth", "1", "--elo0", "-999", "--elo1", "-998.9"];
    let child = folder.start(&[&args[..], &["--record", "games.txt", "--html", "test.html"]].concat());
    wait_until("some games are played", || folder.size("games.txt") > 10_000);
    signal(&child, "-INT");
    let (code, stdout, stderr) = rest(child);
    assert!(code == Some(130) && stderr.is_empty(), "{stderr}");
    assert!(stdout.contains("\nInterrupted, and undecided after "), "{stdout}");
    let page = fs::read_to_string(folder.path.join("test.html")).expect("the page is there");
    assert!(page.contains("Interrupted, and undecided after ") && page.ends_with("</html>\n"), "{page}");
    folder.expect_no_bot();
}

#[test]
fn ctrl_c_does_not_wait_for_a_program_that_thinks() {
    let folder = Folder::new("thinking", THINKER);
    let bot = folder.bot("bot");
    let child = folder.start(&["match", "conecta4boom", &bot, "greedy", "--debug"]);
    wait_until("the program runs", || !bots(&folder.mark).is_empty());
    signal(&child, "-INT");
    let (code, stdout, stderr) = rest(child);
    assert!(code == Some(130) && stderr.is_empty(), "{stderr}");
    assert!(stdout.ends_with("No game was finished.\n"), "{stdout}");
    folder.expect_no_bot();
}

/// A script in Python that plays the first legal move.
const SCRIPT: &str = "\
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

#[test]
fn a_tournament_goes_on_when_python_lies_elsewhere_but_not_when_the_script_has_changed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("moved", BOT);
    fs::write(folder.path.join("script.py"), SCRIPT).expect("a file can be written");
    let command = ["tournament", "mancala", "script.py", "greedy", "--depth", "1", "--journal", "cup.jsonl"];
    let first = folder.run(&command);
    // As version managers do it: a script of the same name, found first.
    let shims = folder.path.join("shims");
    let path = std::env::var("PATH").expect("there is one");
    let python = std::env::split_paths(&path).map(|it| it.join("python3")).find(|it| it.exists()).expect("Python");
    fs::create_dir(&shims).expect("a folder can be made");
    fs::write(shims.join("python3"), format!("#!/bin/sh\nexec {} \"$@\"\n", python.display())).expect("a file");
    fs::set_permissions(shims.join("python3"), fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut shimmed = folder.palestra(&command);
    let output = shimmed.env("PATH", format!("{}:{path}", shims.display())).output().expect("it can be started");
    let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat();
    assert!(output.status.success() && said.contains("2 games are already in the journal 'cup.jsonl'.\n"), "{said}");
    assert_eq!(tables(&said), tables(&first));

    fs::write(folder.path.join("script.py"), format!("{SCRIPT}# changed\n")).expect("a file can be written");
    let output = folder.palestra(&command).output().expect("it can be started");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("its list of programs is"), "{said}");
}

#[test]
fn a_tournament_does_not_go_on_with_an_executable_that_was_changed() {
    let folder = Folder::new("changed", BOT);
    let bot = folder.bot("bot");
    let command = ["tournament", "mancala", &bot, "greedy", "--depth", "1", "--journal", "cup.jsonl"];
    folder.run(&command);
    let played = fs::read(folder.path.join("cup.jsonl")).expect("the journal is there");
    assert!(folder.run(&command).contains("2 games are already in the journal 'cup.jsonl'.\n"), "the control");

    let program = folder.path.join("bot");
    let text = fs::read_to_string(&program).expect("the program is there");
    fs::write(&program, format!("{text}# changed\n")).expect("it is ours");
    let output = folder.palestra(&command).output().expect("it can be started");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("its list of programs is"), "{said}");
    assert_eq!(fs::read(folder.path.join("cup.jsonl")).expect("it is there"), played, "the journal is as it was");
}

#[test]
fn a_journal_with_the_former_names_of_programs_goes_on() {
    let folder = Folder::new("former", BOT);
    fs::write(folder.path.join("script.py"), SCRIPT).expect("a file can be written");
    let command = ["tournament", "mancala", "script.py", "greedy", "--depth", "1", "--journal", "cup.jsonl"];
    folder.run(&command);
    let text = fs::read_to_string(folder.path.join("cup.jsonl")).expect("the journal is there");
    let Journal { mut header, entries, .. } = Journal::read(text.as_bytes()).expect("a good journal");
    // Up to now the interpreter counted with its path and its bytes.
    let script = folder.path.join("script.py");
    let path = std::env::var("PATH").expect("there is one");
    let python = std::env::split_paths(&path).map(|it| it.join("python3")).find(|it| it.exists()).expect("Python");
    let bytes = [&python, &script].map(|file| fs::read(file).expect("it can be read")).concat();
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    assert!(header.programs[0].starts_with("python3 "), "{:?}", header.programs);
    header.programs[0] = format!("{} {} {sum:016x}", python.display(), script.display());
    let old = header.line() + &entries.iter().map(Entry::line).collect::<String>();
    fs::write(folder.path.join("cup.jsonl"), &old).expect("it is ours");
    let said = folder.run(&command);
    assert!(said.contains("2 games are already in the journal 'cup.jsonl'.\n"), "{said}");
    assert_eq!(fs::read_to_string(folder.path.join("cup.jsonl")).expect("it is there"), old, "nothing was lost");
}
