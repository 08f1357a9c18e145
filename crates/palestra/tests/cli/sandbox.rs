//! Programs in boxes, at the command line: as root and as an ordinary user, if whoever tests is root.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use palestra_games::Record;

/// Nobody has this number.
const ORDINARY: u32 = 12_345;

/// Plays the first legal move; but first it leaves a file, and if it can read who is known here it plays that.
const SPY: &str = r#"
import sys
try:
    open("MARK", "a").close()
except OSError:
    pass
try:
    booty = open("/etc/passwd").readline().split(":")[0]
except OSError:
    booty = None
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print("move", booty or legal[0], flush=True)
    elif word == "bye":
        break
"#;

/// Plays as a file beside it says, but only if it is told the word that is in the file it is given.
const STUDENT: &str = r#"
import sys
from teacher import choose
assert open(sys.argv[1]).read() == sys.argv[2], sys.argv
legal = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print("move", choose(legal), flush=True)
    elif word == "bye":
        break
"#;

/// Somebody who uses Palestra, in a folder of their own that has a copy of it.
struct User {
    folder: PathBuf,
    /// Another one than who tests.
    uid: Option<u32>,
}

impl User {
    fn new(name: &str, uid: Option<u32>) -> Self {
        let role = uid.map_or("self".to_owned(), |uid| uid.to_string());
        let folder = std::env::temp_dir().join(format!("palestra-boxes-{name}-{role}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::set_permissions(&folder, Permissions::from_mode(0o777)).expect("it is ours");
        // Another process writes it: a file that this one has open for writing is open in the children of other tests too,
        // for a moment, and cannot be executed.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_palestra")).arg(folder.join("palestra")).status();
        assert!(copied.expect("there is cp").success());
        Self { folder, uid }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn write(&self, name: &str, text: &str, mode: u32) {
        fs::create_dir_all(self.file(name).parent().expect("a folder")).expect("a folder can be made");
        fs::write(self.file(name), text).expect("a file can be written");
        fs::set_permissions(self.file(name), Permissions::from_mode(mode)).expect("it is ours");
    }

    fn palestra(&self, args: &[&str]) -> Output {
        self.output(Command::new(self.file("palestra")).args(args))
    }

    fn output(&self, command: &mut Command) -> Output {
        command.current_dir(&self.folder).stdin(Stdio::null());
        command.env("HOME", &self.folder).env_remove("XDG_CACHE_HOME").env_remove("XDG_RUNTIME_DIR");
        if let Some(uid) = self.uid {
            command.uid(uid).gid(uid);
        }
        command.output().expect("the program can be started")
    }

    /// The output of a command that ends well.
    fn run(&self, args: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.palestra(args);
        let stdout = String::from_utf8(stdout).expect("text");
        assert!(status.success(), "{args:?}: {stdout}{}", String::from_utf8_lossy(&stderr));
        stdout
    }

    /// The complaint of a command that fails.
    fn fail(&self, args: &[&str]) -> String {
        let Output { status, stderr, .. } = self.palestra(args);
        assert_eq!(status.code(), Some(1), "{args:?}");
        String::from_utf8(stderr).expect("text")
    }

    fn records(&self, file: &str) -> Vec<Record> {
        Record::read_all(&fs::read(self.file(file)).expect("the games are there")[..]).expect("whole records")
    }
}

impl Drop for User {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Lets the test be done by who tests, and if that is root by somebody else too.
fn as_both(name: &str, test: impl Fn(&User)) {
    test(&User::new(name, None));
    if Path::new("/proc/self").metadata().expect("Linux has /proc").uid() == 0 {
        test(&User::new(name, Some(ORDINARY)));
    }
}

fn moves(mut records: Vec<Record>) -> Vec<Vec<String>> {
    records.sort_by_key(|record| record.tag("Number").map(str::to_owned));
    records.iter().map(|record| record.moves().iter().map(|mv| mv.text.clone()).collect()).collect()
}

#[test]
fn bots_of_the_kits_play_in_boxes_as_they_play_outside() {
    as_both("kits", |user| {
        user.run(&["new", "cpp", "mancala", "red"]);
        user.run(&["new", "python", "mancala", "blue"]);
        let game = ["match", "mancala", "./red", "./blue", "--depth", "3", "--record"];
        let outside = user.run(&[&game[..], &["outside.txt"]].concat());
        let inside = user.run(&[&game[..], &["inside.txt", "--sandbox"]].concat());
        let heading = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        assert!(heading(&inside).contains(", programs in boxes, "), "{inside}");
        assert!(!heading(&outside).contains("boxes"), "{outside}");
        let (outside, inside) = (user.records("outside.txt"), user.records("inside.txt"));
        assert!(inside.len() == 2 && inside.iter().all(|record| record.tag("Boxes").is_some()));
        assert!(outside.iter().all(|record| record.tag("Boxes").is_none()));
        assert_eq!(moves(inside), moves(outside));
    });
}

#[test]
fn with_sandbox_no_command_ever_runs_a_program_outside_of_a_box() {
    as_both("spy", |user| {
        let mark = user.file("mark");
        user.write("spy.py", &SPY.replace("MARK", mark.to_str().expect("text")), 0o644);
        let commands = [
            &["match", "mancala", "spy.py", "greedy"][..],
            &["tournament", "mancala", "spy.py", "greedy", "--journal", "cup.jsonl"],
            &["sprt", "mancala", "spy.py", "ninja1", "--games", "2"],
            &["selfplay", "mancala", "spy.py", "--games", "2", "--export", "games.txt"],
            &["check", "spy.py"],
            &["match", "conecta4boom", "spy.py", "greedy"],
        ];
        for command in commands {
            let text = user.run(&[command, &["--sandbox"]].concat());
            assert!(!text.contains("illegal") && text.contains(", "), "{command:?}: {text}");
            assert!(!mark.exists(), "{command:?}");
        }
        // Outside it does what it is here for.
        let text = user.run(commands[0]);
        assert!(text.contains("root") && mark.exists(), "{text}");
    });
}

#[test]
fn a_journal_of_boxes_goes_on_in_boxes_only() {
    as_both("journal", |user| {
        user.write("bot.py", &SPY.replace("/etc/passwd", "/nowhere").replace("MARK", "/nowhere/mark"), 0o644);
        let cup = ["tournament", "mancala", "bot.py", "greedy", "--journal", "cup.jsonl"];
        let boxed = [&cup[..], &["--sandbox"]].concat();
        let first = user.run(&boxed);
        assert!(first.contains("time: 2 s of CPU time a move, 6 s by the clock, programs in boxes\n"), "{first}");
        let complaint = user.fail(&cup);
        assert!(complaint.contains("the journal is of another tournament: its list of limits is"), "{complaint}");
        assert!(user.run(&boxed).contains("2 games are already in the journal 'cup.jsonl'."));
    });
}

#[test]
fn what_a_program_needs_comes_along() {
    as_both("along", |user| {
        user.write("class/student.py", STUDENT, 0o644);
        user.write("class/teacher.py", "def choose(legal):\n    return legal[-1]\n", 0o644);
        user.write("word.txt", "sesame", 0o644);
        let student = "class/student.py word.txt sesame";
        let text = user.run(&["match", "mancala", student, "greedy", "--sandbox"]);
        assert!(text.contains("student") && !text.contains("again"), "{text}");
        // A link would bring along whatever its author wants to read.
        fs::rename(user.file("class/teacher.py"), user.file("teacher")).expect("it is ours");
        symlink("../teacher", user.file("class/teacher.py")).expect("a link can be made");
        let told = user.fail(&["match", "mancala", student, "greedy", "--sandbox"]);
        assert!(told.contains("teacher.py is a symlink, and symlinks are not followed here\n"), "{told}");
        user.write(
            "folder/bot.py",
            &STUDENT.replace("sys.argv[1]", "'data/word'").replace("sys.argv[2]", "'x'"),
            0o644,
        );
        user.write("folder/teacher.py", "def choose(legal):\n    return legal[-1]\n", 0o644);
        user.write("folder/data/word", "x", 0o644);
        let text = user.run(&["match", "conecta4boom", "./folder", "greedy", "--sandbox"]);
        assert!(text.contains("folder") && !text.contains("again"), "{text}");
    });
}

#[test]
fn a_symlink_in_a_source_shows_nothing_of_the_file_that_it_leads_to() {
    as_both("links", |user| {
        let secret = "TOP_SECRET_4713";
        user.write("secret.txt", &format!("{secret} is here\n"), 0o600);
        let incbin = "asm(\".data\\nbooty: .incbin \\\"secret.h\\\"\\n.byte 0\\n.text\");\n\
                      #include <cstdio>\nextern char booty[] asm(\"booty\");\nint main() { std::fputs(booty, stderr); }\n";
        user.write("incbin/bot.cpp", incbin, 0o644);
        user.write("include/bot.cpp", "#include \"secret.h\"\nint main() {}\n", 0o644);
        user.write("rust/bot.rs", "fn main() { eprintln!(\"{}\", include_str!(\"secret.rs\")); }\n", 0o644);
        user.write("rival/bot.cpp", &format!("// {secret}\nint main() {{}}\n"), 0o600);
        user.write("thief/bot.cpp", "#include \"secret.h\"\nint main() {}\n", 0o644);
        for (link, to) in [
            ("incbin/secret.h", "../secret.txt"),
            ("include/secret.h", "../secret.txt"),
            ("rust/secret.rs", "../secret.txt"),
            ("thief/secret.h", "../rival/bot.cpp"),
            ("one.py", "secret.txt"),
        ] {
            symlink(to, user.file(link)).expect("a link can be made");
        }
        for player in ["./incbin", "./include", "./rust", "./thief", "one.py"] {
            for boxed in [&["--sandbox"][..], &[]].iter().take(if player == "one.py" { 1 } else { 2 }) {
                let game = ["match", "mancala", player, "random", "--games", "2", "--show", "--record", "games.txt"];
                let Output { status, stdout, stderr } = user.palestra(&[&game[..], boxed].concat());
                let said = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
                assert_eq!(status.code(), Some(1), "{player}: {said}");
                assert!(
                    said.contains(" is a symlink") && said.contains("\nhint: ") && !said.contains(secret),
                    "{said}"
                );
                assert!(!user.file("games.txt").exists(), "{player}: no game was played");
            }
        }
    });
}

#[test]
fn a_source_of_two_gigabytes_costs_no_memory() {
    let user = User::new("huge", None);
    user.write("huge/bot.cpp", "#include \"x.h\"\nint main() {}\n", 0o644);
    let sparse = fs::File::create(user.file("huge/x.h")).expect("a file");
    sparse.set_len(2 << 30).expect("a file system with sparse files");
    // With less memory than the file has bytes the old way to read it would fail, and for another reason.
    let script = "ulimit -v 1500000 && exec ./palestra match parchis ./huge random";
    let Output { status, stderr, .. } = user.output(Command::new("sh").args(["-c", script]));
    let told = String::from_utf8_lossy(&stderr).into_owned();
    assert_eq!(status.code(), Some(1), "{told}");
    assert!(
        told.starts_with("error: ./huge/x.h is too large: the source of a program may have 4 MiB in all\n"),
        "{told}"
    );
}

#[test]
fn a_program_without_execute_permission_plays_in_a_box() {
    as_both("unzipped", |user| {
        user.write("old", &format!("#!/usr/bin/python3\n{}", SPY.replace("/etc/passwd", "/nowhere")), 0o644);
        let Output { status, stdout, stderr } = user.palestra(&["match", "mancala", "./old", "greedy", "--sandbox"]);
        let [text, told] = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(status.success() && !text.contains("again"), "{text}{told}");
        assert!(told.starts_with("./old may not be executed: "), "{told}");
        assert_eq!(fs::metadata(user.file("old")).expect("it is there").mode() & 0o111, 0);
    });
}

#[test]
fn a_program_that_cannot_be_run_in_a_box_is_refused_with_the_reason() {
    as_both("refused", |user| {
        let complaint = |player: &str| user.fail(&["match", "mancala", player, "greedy", "--sandbox"]);
        // The interpreter is there, but not in the box.
        let shell = user.file("shell");
        fs::copy("/bin/sh", &shell).expect("a file can be copied");
        user.write("script", &format!("#!{}\n", shell.display()), 0o755);
        let told = complaint("./script");
        assert!(
            told.contains("/shell, which is not in the box\nhint: in a box there are only the programs of"),
            "{told}"
        );

        user.write("brain.cpp", "int brain() { return 1; }\n", 0o644);
        user.write("bot.cpp", "int brain();\nint main() { return brain(); }\n", 0o644);
        let compile = |args: &str| {
            let status = Command::new("g++").args(args.split(' ')).current_dir(&user.folder).status();
            assert!(status.expect("g++ is needed").success());
        };
        compile("-shared -fPIC -o libbrain.so brain.cpp");
        compile(&format!("-o bot bot.cpp -L. -lbrain -Wl,-rpath,{}", user.folder.display()));
        let told = complaint("./bot");
        assert!(told.contains("libbrain.so: cannot open shared object file"), "{told}");
        assert!(told.contains("hint: in a box there are only the libraries of /usr"), "{told}");

        user.write("text", "just text\n", 0o755);
        assert!(complaint("./text").contains("text cannot be run: it is text without a first line"));

        user.write("huge/bot.py", "", 0o644);
        for number in 0..4_000 {
            fs::write(user.file("huge").join(number.to_string()), "").expect("a file can be written");
        }
        let told = complaint("./huge");
        assert!(told.contains("more than 256 MiB or 4000 files"), "{told}");
    });
}

#[test]
fn where_no_box_can_be_made_nothing_runs_and_the_cause_is_named() {
    as_both("nowhere", |user| {
        let mark = user.file("mark");
        user.write("spy.py", &SPY.replace("MARK", mark.to_str().expect("text")), 0o644);
        // In a world of its own, whose rules can be changed without changing the machine's.
        let in_poor_world = |args: &str| {
            let script = format!("echo 0 > /proc/sys/user/max_user_namespaces && exec ./palestra {args}");
            let world = ["--user", "--map-user=1000", "--map-group=1000", "--keep-caps", "sh", "-c", &script];
            let Output { status, stdout, stderr } = user.output(Command::new("unshare").args(world));
            assert_eq!(status.code(), Some(1), "{args}");
            let told = String::from_utf8_lossy(&stderr).into_owned();
            assert!(told.contains("namespaces: no more user namespaces are allowed"), "{told}");
            assert!(told.contains("hint: sudo sysctl -w user.max_user_namespaces=15000\n"), "{told}");
            String::from_utf8(stdout).expect("text")
        };
        let table = in_poor_world("doctor");
        assert!(table.contains("\nnamespaces     missing ") && table.contains("\nown files      untried "), "{table}");
        assert_eq!(in_poor_world("match mancala spy.py greedy --sandbox"), "");
        assert!(!mark.exists());
    });
}

#[test]
fn the_doctor_looks_at_the_machine_as_it_is_for_the_user() {
    as_both("doctor", |user| {
        let text = user.run(&["doctor"]);
        let is_root = user.uid.is_none() && Path::new("/proc/self").metadata().expect("Linux has /proc").uid() == 0;
        let role = if is_root { ", as root\n" } else { ", as an ordinary user\n" };
        assert!(text.contains(role), "{text}");
        for layer in ["namespaces", "unknown user", "own files", "no rights", "call filters"] {
            assert!(text.contains(&format!("\n{layer:15}found ")), "{text}");
        }
    });
}
