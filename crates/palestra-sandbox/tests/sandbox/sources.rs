//! Attacks by the files of a source: symlinks, FIFOs, devices, huge files, a cache that was tampered with.
//!
//! A source is read by the arena itself, outside of any box. So these attacks are made with boxes and without, and must
//! fail in both; the control shows that the files would do harm to a reader that trusts them.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use palestra_arena::{BuildError, Entrant, EntrantError, EntrantKind, Workshop};
use palestra_protocol::{Received, Transport};
use palestra_sandbox::{Allowance, Sandbox};

use crate::compile::Folder;
use crate::support::new_sandbox;

const SECRET: &str = "TOP_SECRET_4712";

/// A program that plays no game, but starts.
const CPP: &str = "int main() {}\n";
const PYTHON: &str = "import sys\nsys.stdin.read()\n";

/// More time than reading a source takes on a busy machine.
const OUTER_TIMEOUT: Duration = Duration::from_secs(120);

fn boxes() -> Arc<Sandbox> {
    static BOXES: LazyLock<Arc<Sandbox>> = LazyLock::new(|| Arc::new(new_sandbox()));
    Arc::clone(&BOXES)
}

/// An attacker's folder: a secret that only the arena's user can read, and whatever is put beside it.
struct Attack {
    folder: Folder,
}

impl Attack {
    fn new() -> Self {
        let folder = Folder::new();
        let secret = folder.write("secret.txt", &format!("{SECRET} is here\n"));
        fs::set_permissions(secret, Permissions::from_mode(0o600)).expect("it is ours");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().expect("a folder")).expect("a folder can be made");
        self.folder.write(name, text);
    }

    /// A symlink of this name, that leads to the secret unless told otherwise.
    fn link(&self, name: &str, to: Option<&str>) {
        fs::create_dir_all(self.path(name).parent().expect("a folder")).expect("a folder can be made");
        symlink(self.path(to.unwrap_or("secret.txt")), self.path(name)).expect("a link can be made");
    }

    /// What comes of naming a player, with all that is said on the way.
    fn find(&self, game: &str, player: &str, sandbox: Option<Arc<Sandbox>>) -> (Result<Entrant, EntrantError>, String) {
        let mut said = String::new();
        let mut on_notice = |notice: &str| said += notice;
        let mut workshop = Workshop::new(self.path("programs"), &mut on_notice).in_boxes(sandbox);
        let found = Entrant::find(game, player, &mut workshop);
        if let Err(error) = &found {
            said += &format!("{error} {error:?} {}", error.hint().unwrap_or_default());
        }
        (found, said)
    }

    /// The player is refused because this file is what it is, and the secret is nowhere to be seen.
    #[track_caller]
    fn refused(&self, game: &str, player: &str, boxed: bool, file: &str, what: &str) {
        let player = self.path(player).to_str().expect("text").to_owned();
        let (found, said) = self.find(game, &player, boxed.then(boxes));
        let told = found.expect_err(&player).to_string();
        assert!(told.contains(file) && told.contains(what), "{player}, boxed: {boxed}: {told}");
        assert!(!said.contains(SECRET), "{said}");
        let made = fs::read_dir(self.path("programs")).map_or(0, Iterator::count);
        assert_eq!(made, 0, "nothing was built");
    }

    /// What a compiler without a box makes of a folder that has the link.
    fn control(&self, folder: &str, command: &str) -> String {
        let output = Command::new("sh").args(["-c", command]).current_dir(self.path(folder)).output().expect("a shell");
        [output.stdout, output.stderr].iter().map(|text| String::from_utf8_lossy(text)).collect()
    }
}

#[test]
fn attack_symlinks_in_a_source_folder() {
    let attack = Attack::new();
    let spy = "asm(\".data\\n.incbin \\\"secret.h\\\"\\n.text\");\nint main() {}\n";
    attack.write("incbin/bot.cpp", spy);
    attack.link("incbin/secret.h", None);
    let control = attack.control("incbin", "g++ -o ../control bot.cpp && strings -a ../control || cat ../control");
    assert!(control.contains(SECRET), "the control has the secret");
    attack.write("rust/bot.rs", "fn main() { eprintln!(\"{}\", include_str!(\"s.rs\")); }\n");
    attack.link("rust/s.rs", None);
    attack.write("rival/bot.cpp", &format!("// {SECRET}\n{CPP}"));
    attack.write("thief/bot.cpp", "#include \"stolen.h\"\n");
    attack.link("thief/stolen.h", Some("rival/bot.cpp"));
    attack.link("main/bot.cpp", None);
    attack.write("library/bot.cpp", "#include \"palestra.hpp\"\nint main() {}\n");
    attack.link("library/palestra.hpp", None);
    attack.write("lone.cpp", "#include \"beside.h\"\nint main() {}\n");
    attack.link("beside.h", None);
    attack.write("course/Lento.cpp", "#include \"Lento.h\"\n");
    attack.link("course/Lento.h", None);
    attack.write("boom/player.cpp", "#include \"player.h\"\n");
    attack.link("boom/player.h", None);
    attack.link("python/bot.py", None);
    let cases = [
        ("mancala", "incbin", "secret.h"),
        ("mancala", "rust", "s.rs"),
        ("mancala", "thief", "stolen.h"),
        ("parchis", "main", "bot.cpp"),
        ("bandera", "library", "palestra.hpp"),
        ("mancala", "lone.cpp", "beside.h"),
        ("mancala", "course", "Lento.h"),
        ("mancala", "course/Lento.cpp", "Lento.h"),
        ("conecta4boom", "boom", "player.h"),
        ("mancala", "python", "bot.py"),
    ];
    for (game, player, file) in cases {
        attack.refused(game, player, false, file, "is a symlink");
        attack.refused(game, player, true, file, "is a symlink");
    }
    // Without a box Python itself reads a folder, as its user; with one the arena copies it.
    attack.write("folder/bot.py", PYTHON);
    attack.link("folder/data/deep", None);
    attack.refused("parchis", "folder", true, "data/deep", "is a symlink");
    attack.write("scripts/one.py", PYTHON);
    attack.link("scripts/helper.py", None);
    attack.refused("parchis", "scripts/one.py", true, "helper.py", "is a symlink");
}

#[test]
fn attack_a_symlink_handed_in_as_a_program() {
    let attack = Attack::new();
    for name in ["one.py", "one.cpp", "one.rs", "one"] {
        attack.link(&format!("bots/{name}"), None);
    }
    assert!(attack.control("bots", "python3 one.py").contains(SECRET), "the control reads what it leads to");
    for name in ["one.py", "one.cpp", "one.rs"] {
        attack.refused("parchis", &format!("bots/{name}"), true, name, "is a symlink");
    }
    // A program, and a file that an argument names.
    fs::set_permissions(attack.path("secret.txt"), Permissions::from_mode(0o700)).expect("it is ours");
    attack.refused("parchis", "bots/one", true, "one", "is a symlink");
    attack.write("good.py", PYTHON);
    let player = format!("{} {}", attack.path("good.py").display(), attack.path("bots/one").display());
    let (found, said) = attack.find("parchis", &player, Some(boxes()));
    assert!(found.is_err() && said.contains("is a symlink") && !said.contains(SECRET), "{said}");

    // What the user says is taken: a folder that a link leads to, and without boxes a file too. The hint has the file.
    attack.write("real/bot.py", PYTHON);
    attack.link("way", Some("real"));
    attack.link("latest.py", Some("real/bot.py"));
    let name = |name: &str| attack.path(name).to_str().expect("text").to_owned();
    assert!(attack.find("parchis", &name("way"), Some(boxes())).0.is_ok());
    assert!(attack.find("parchis", &name("latest.py"), None).0.is_ok());
    let refused = attack.find("parchis", &name("latest.py"), Some(boxes())).0.expect_err("a link");
    let real = fs::canonicalize(attack.path("real/bot.py")).expect("it is there");
    assert!(refused.hint().is_some_and(|hint| hint.ends_with(real.to_str().expect("text"))), "{:?}", refused.hint());
}

#[test]
fn attack_fifos_and_devices_as_source() {
    let attack = Attack::new();
    let make = |name: &str, words: &str| {
        fs::create_dir_all(attack.path(name).parent().expect("a folder")).expect("a folder can be made");
        let made = Command::new("mknod").arg(attack.path(name)).args(words.split(' ')).status().expect("mknod");
        made.success()
    };
    let mut cases = vec![];
    for (folder, file) in [("pipe", "x.h"), ("main", "bot.cpp"), ("lone", "lone.cpp"), ("folder", "sub/pipe")] {
        assert!(make(&format!("{folder}/{file}"), "p"));
        cases.push((if folder == "lone" { "lone/lone.cpp" } else { folder }, file, "is a FIFO"));
    }
    // Only root makes devices.
    if make("device/zero.h", "c 1 5") {
        assert!(fs::metadata(attack.path("device/zero.h")).expect("it is there").file_type().is_char_device());
        cases.push(("device", "zero.h", "is a device"));
    }
    attack.write("pipe/bot.cpp", CPP);
    attack.write("device/bot.cpp", CPP);
    attack.write("folder/bot.py", PYTHON);
    let control = attack.control("pipe", "timeout 1 cat x.h; echo $?");
    assert!(control.contains("124"), "the control waits for ever: {control}");
    // In a thread that is left behind if it waits for a pipe.
    let (tell, done) = channel();
    let attacker = thread::spawn(move || {
        let _tell = tell;
        for (player, file, what) in cases {
            if player != "folder" {
                attack.refused("parchis", player, false, file, what);
            }
            attack.refused("parchis", player, true, file, what);
        }
    });
    assert_eq!(done.recv_timeout(OUTER_TIMEOUT), Err::<(), _>(RecvTimeoutError::Disconnected), "it has ended");
    attacker.join().expect("all were refused");
}

#[test]
fn attack_sources_without_end() {
    let attack = Attack::new();
    attack.write("huge/bot.cpp", "#include \"x.h\"\nint main() {}\n");
    let sparse = File::create(attack.path("huge/x.h")).expect("a file");
    sparse.set_len(2 << 30).expect("a file system with sparse files");
    fs::copy(attack.path("huge/bot.cpp"), attack.path("lone.cpp")).expect("a file can be copied");
    fs::hard_link(attack.path("huge/x.h"), attack.path("x.h")).expect("a second name");
    attack.write("many/bot.cpp", CPP);
    (0..256).for_each(|number| attack.write(&format!("many/{number}.h"), ""));
    let mib = " ".repeat(1 << 20);
    attack.write("parts/bot.cpp", CPP);
    (0..4).for_each(|number| attack.write(&format!("parts/{number}.h"), &mib));
    let control = attack.control("huge", "wc -c < x.h");
    assert!(control.contains("2147483648"), "the control reads it all: {control}");
    for boxed in [false, true] {
        attack.refused("parchis", "huge", boxed, "x.h", "is too large: the source of a program may have 4 MiB in all");
        attack.refused("parchis", "lone.cpp", boxed, "x.h", "is too large");
        attack.refused("parchis", "parts", boxed, "bot.cpp", "is too large");
        attack.refused("parchis", "many", boxed, "bot.cpp", "the source of a program may have 256 files");
    }
}

#[test]
fn attack_a_cache_that_was_tampered_with() {
    let attack = Attack::new();
    let mark = attack.path("mark");
    attack.write("evil", &format!("#!/bin/sh\ntouch '{}'\ncat\n", mark.display()));
    fs::set_permissions(attack.path("evil"), Permissions::from_mode(0o755)).expect("it is ours");
    assert_eq!(attack.control(".", "./evil < /dev/null; rm mark"), "", "the control leaves its mark");
    attack
        .write("good.cpp", "#include <iostream>\nint main() { std::cout << \"good\" << std::endl; std::cin.get(); }\n");
    let good = attack.path("good.cpp").to_str().expect("text").to_owned();
    let (found, _) = attack.find("parchis", &good, None);
    let EntrantKind::Program(program) = found.expect("it is built").kind else { panic!("it is a program") };
    let kept = PathBuf::from(&program.command[0]);

    // The program is a symlink, another file, or one that was made from something else.
    let tampering: [(&str, &dyn Fn()); 3] = [
        ("a symlink", &|| replace(&kept, &|path| symlink(attack.path("evil"), path).expect("a link"))),
        ("a FIFO", &|| {
            replace(&kept, &|path| assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success()))
        }),
        ("a source of the same checksum", &|| {
            fs::copy(attack.path("evil"), &kept).expect("it is ours");
            fs::write(kept.with_file_name("inputs"), "another source").expect("it is ours");
        }),
    ];
    for (what, tamper) in tampering {
        tamper();
        let (found, said) = attack.find("parchis", &good, None);
        assert!(said.contains("building: "), "{what}: it is built anew: {said}");
        let EntrantKind::Program(program) = found.expect("it is built").kind else { panic!("it is a program") };
        let mut process = program.start(None, Allowance::default().cpu).expect("it starts");
        let mut line = String::new();
        assert!(
            matches!(process.receive(OUTER_TIMEOUT, &mut line), Received::Line) && line == "good",
            "{what}: {line}"
        );
        assert!(!mark.exists(), "{what}");
    }

    // A cache that another user has prepared, or can replace.
    fs::set_permissions(attack.folder.path(), Permissions::from_mode(0o777)).expect("it is ours");
    let refused = attack.find("parchis", &good, None).0.expect_err("others could replace the cache");
    assert!(matches!(refused, EntrantError::Build(BuildError::Cache { .. })), "{refused}");
    fs::set_permissions(attack.folder.path(), Permissions::from_mode(0o755)).expect("it is ours");
    if rustix::process::geteuid().is_root() {
        chown(attack.path("programs"), Some(12_345), None).expect("root may do that");
        let refused = attack.find("parchis", &good, None).0.expect_err("it is another user's");
        assert!(refused.hint().is_some_and(|hint| hint.contains("XDG_CACHE_HOME")), "{refused}");
    }
}

fn replace(path: &Path, make: &dyn Fn(&OsStr)) {
    fs::remove_file(path).expect("it is ours");
    make(path.as_os_str());
}
