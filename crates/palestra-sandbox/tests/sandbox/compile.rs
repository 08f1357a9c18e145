//! Attacks on whoever compiles: sources, names and zips that are meant to hurt.
//!
//! Each attack is first let loose without a box, where it does its harm (or as much of it as a limit lets through), and
//! then in one: the verdict, and no trace of harm.

use std::env;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use palestra_arena::{Upload, UploadError};
use palestra_sandbox::{BuildFailure, Effort, Job};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::probe::{Watched, command_line, descendants};
use crate::programs::{has_rust, upload};
use crate::support::{hold_memory, sandbox};

/// A word that must not come out of any box.
const SECRET: &str = "TOP_SECRET_4711";

/// What a compiler says is kept up to here.
const MOST_SAID: usize = 64 << 10;

/// What a compiler may use that is expected to end by itself: more than a busy machine needs.
const AMPLE: Effort = Effort { memory: 1 << 30, cpu: Duration::from_secs(30) };

/// What a compiler may use that would never end.
const TIGHT: Effort = Effort { memory: 1 << 30, cpu: Duration::from_secs(2) };

/// How much longer than its wall clock limit a build may take on a busy machine.
const OVERTIME: Duration = Duration::from_secs(60);

/// How often the processes of a build are looked for while it runs.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A folder of a test, removed at its end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let name = format!("palestra-compile-{}-{}", std::process::id(), FOLDERS.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a file");
        path
    }

    /// A secret that everybody on this machine can read.
    fn secret(&self) -> String {
        self.write("secret.txt", &format!("{SECRET} is here\n")).to_str().expect("text").to_owned()
    }

    /// Runs a command of the shell here, with few seconds of CPU time and some memory: the control of an attack.
    fn bare(&self, command: &str, input: &str) -> (Output, String) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -t 2 && ulimit -v 4000000 && {command}")]).current_dir(&self.0);
        shell.env("PALESTRA_SECRET", SECRET).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut shell = shell.spawn().expect("a shell");
        shell.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it is taken");
        let output = shell.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output, said)
    }

    /// What a bare g++ says to a source.
    fn bare_cpp(&self, source: &str) -> String {
        self.write("bot.cpp", source);
        self.bare("g++ -o program bot.cpp", "").1
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// One attack at a time, so that what is left over is known to be its own, and time is not that of the others.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Builds in a box, and looks for what is left of it afterwards.
#[track_caller]
fn build(job: &Job<'_>) -> Result<Vec<u8>, BuildFailure> {
    build_watched(job).0
}

/// Builds in a box. No process of the box is left when the build is over, nor are the sources; how many processes were
/// seen while it ran.
#[track_caller]
fn build_watched(job: &Job<'_>) -> (Result<Vec<u8>, BuildFailure>, usize) {
    let (begun, is_over) = (Instant::now(), AtomicBool::new(false));
    let (built, seen) = thread::scope(|scope| {
        let watcher = scope.spawn(|| watch_until(&is_over));
        let built = sandbox().build(job);
        is_over.store(true, Ordering::Relaxed);
        (built, watcher.join().expect("the watcher"))
    });
    let (took, limit) = (begun.elapsed(), 2 * job.effort.cpu);
    assert!(took < limit + OVERTIME, "the build took {took:?}, and its wall clock limit is {limit:?}");
    seen.are_gone();
    assert_no_sources_left();
    (built, seen.len())
}

/// The processes of the attack that is being built: the helper, the first process in the box, the compiler, and all that it
/// starts. Other tests have boxes at the same time: this one is known by the file that its compiler is given.
fn watch_until(is_over: &AtomicBool) -> Watched {
    let mut seen = Watched::new(&[]);
    while !is_over.load(Ordering::Relaxed) {
        for helper in descendants(std::process::id().cast_signed(), 1) {
            let all = descendants(helper, usize::MAX);
            if all.iter().any(|&process| command_line(process).contains("attack.")) {
                seen.add(&[&[helper], &all[..]].concat());
            }
        }
        thread::sleep(POLL_INTERVAL);
    }
    seen
}

/// The folders of boxes of this process hold no source of an attack.
#[track_caller]
fn assert_no_sources_left() {
    let stages = format!("palestra-box-{}-", std::process::id());
    let places = ["/run".into(), env::temp_dir(), "/var/tmp".into()];
    let folders = places.iter().flat_map(|place: &PathBuf| fs::read_dir(place).into_iter().flatten().flatten());
    for stage in folders.filter(|folder| folder.file_name().to_string_lossy().starts_with(&stages)) {
        for staged in fs::read_dir(stage.path()).into_iter().flatten().flatten() {
            let left = ["attack.cpp", "attack.sh"].iter().find(|name| staged.path().join(name).exists());
            assert_eq!(left, None, "left in {}", staged.path().display());
        }
    }
}

/// The g++ of the box, and what it is told.
fn gxx() -> String {
    fs::canonicalize("/usr/bin/g++").expect("g++").to_str().expect("text").to_owned()
}

/// Compiles a source in a box.
#[track_caller]
fn compile(source: &str) -> Result<Vec<u8>, BuildFailure> {
    compile_within(AMPLE, source)
}

/// Compiles a source in a box with this much time and memory.
#[track_caller]
fn compile_within(effort: Effort, source: &str) -> Result<Vec<u8>, BuildFailure> {
    let command = [&gxx(), "-O2", "-std=c++17", "-o", "/tmp/program", "attack.cpp"];
    let files = [("attack.cpp", source.as_bytes())];
    build(&Job { files: &files, command: &command, toolchain: None, makes_program: true, effort })
}

/// Runs a script instead of a compiler.
#[track_caller]
fn run(script: &str) -> Result<Vec<u8>, BuildFailure> {
    build(&script_job(AMPLE, &[("attack.sh", script.as_bytes())]))
}

/// A script in the place of a compiler.
const fn script_job<'a>(effort: Effort, files: &'a [(&'a str, &'a [u8])]) -> Job<'a> {
    Job { files, command: &["/bin/sh", "attack.sh"], toolchain: None, makes_program: true, effort }
}

/// What the compiler says in the box, which does not take it.
#[track_caller]
fn said<T>(built: Result<T, BuildFailure>) -> String {
    match built {
        Err(BuildFailure::Compile { message }) => message,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was built"),
    }
}

/// The attack does not come through: too slow, too much memory, or the compiler gave up in time.
#[track_caller]
fn assert_slow(built: Result<Vec<u8>, BuildFailure>) {
    assert!(matches!(built, Err(BuildFailure::Slow { .. })), "{:?}", built.map(|program| program.len()));
}

#[test]
fn attack_includes_etc_shadow() {
    let (_turn, folder) = (alone(), Folder::new());
    let spy = format!("#include \"{}\"\n", folder.secret());
    assert!(folder.bare_cpp(&spy).contains(SECRET), "the control shows the secret");
    for path in [folder.secret(), "/etc/shadow".into(), "/etc/passwd".into(), "../../../../etc/hostname".into()] {
        let said = said(compile(&format!("#include \"{path}\"\nint main() {{}}\n")));
        assert!(said.contains("No such file") && !said.contains(SECRET), "{said}");
    }
}

#[test]
fn attack_includes_proc_self_environ() {
    let (_turn, folder) = (alone(), Folder::new());
    // A g++ without a box reads nothing either, because such files claim to be empty. That is luck, no defence.
    let message = said(compile("#include \"/proc/self/environ\"\n"));
    assert!(message.contains("No such file"), "{message}");
    if !has_rust() {
        return;
    }
    let spy = |file: &str| format!("compile_error!(include_str!(\"{file}\"));\nfn main() {{}}\n");
    folder.write("spy.rs", &spy("/proc/self/environ"));
    let (_, control) = folder.bare("rustc -o program spy.rs", "");
    assert!(control.contains(SECRET), "the control shows the environment: {control}");
    // Rust's compiler needs /proc. Its own environment is ours to choose; of others it sees nothing, above all not the
    // words with which the box was made.
    let built = |file| said(upload("mancala", &[("spy.rs", &spy(file))]).build(sandbox()));
    let message = built("/proc/self/environ");
    assert!(message.contains("HOME=/tmp") && !message.contains("/root") && !message.contains("USER="), "{message}");
    for file in ["/proc/1/environ", "/proc/1/cmdline", "/proc/1/fd/1", "/proc/1/mountinfo"] {
        let message = built(file);
        assert!(message.contains("couldn't read"), "{message}");
    }
}

#[test]
fn attack_incbin() {
    let (_turn, folder) = (alone(), Folder::new());
    let spy = format!("asm(\".data\\n.incbin \\\"{}\\\"\\n.text\");\nint main() {{}}\n", folder.secret());
    folder.bare_cpp(&spy);
    let has_secret = |program: &[u8]| program.windows(SECRET.len()).any(|bytes| bytes == SECRET.as_bytes());
    assert!(has_secret(&fs::read(folder.path().join("program")).expect("a program")), "the control has the secret");
    let said = said(compile(&spy));
    assert!(said.contains("file not found"), "{said}");
}

#[test]
fn attack_include_str() {
    let (_turn, folder) = (alone(), Folder::new());
    let spy = format!("compile_error!(include_str!(\"{}\"));\nfn main() {{}}\n", folder.secret());
    let built = upload("mancala", &[("spy.rs", &spy)]).build(sandbox());
    if !has_rust() {
        assert!(matches!(built, Err(BuildFailure::NoCompiler { .. })), "nobody could build it");
        return;
    }
    folder.write("spy.rs", &spy);
    let (_, control) = folder.bare("rustc -o program spy.rs", "");
    assert!(control.contains(SECRET), "the control shows the secret: {control}");
    let said = said(built);
    assert!(said.contains("couldn't read") && !said.contains(SECRET), "{said}");
}

/// As many types as there are paths through a tree.
const TEMPLATE_BOMB: &str = "
template <int depth, long path> struct Bomb {
    static constexpr long value = Bomb<depth - 1, path * 2>::value + Bomb<depth - 1, path * 2 + 1>::value;
};
template <long path> struct Bomb<0, path> { static constexpr long value = path; };
int main() { return Bomb<40, 1>::value; }
";

#[test]
fn attack_template_bomb() {
    let (_turn, folder) = (alone(), Folder::new());
    let small = TEMPLATE_BOMB.replace("40", "10");
    assert_eq!(folder.bare_cpp(&small), "", "a small one is a program");
    assert!(compile(&small).is_ok(), "in a box too");
    let control = folder.bare_cpp(TEMPLATE_BOMB);
    assert!(is_cut_short(&control), "the control uses all that it gets: {control}");
    match compile_within(TIGHT, TEMPLATE_BOMB) {
        Err(BuildFailure::Slow { .. } | BuildFailure::Memory { .. }) => {}
        Err(BuildFailure::Compile { message }) => assert!(message.contains("out of memory"), "{message}"),
        other => panic!("{:?}", other.map(|program| program.len())),
    }
}

/// A bare compiler was ended by the limits of the control.
fn is_cut_short(said: &str) -> bool {
    ["CPU time limit exceeded", "Killed", "out of memory", "memory exhausted"].iter().any(|end| said.contains(end))
}

#[test]
fn attack_huge_array() {
    let (_turn, folder) = (alone(), Folder::new());
    let array = |mib: u32| format!("char huge[{mib}u << 20] = {{1}};\nint main() {{ return huge[9]; }}\n");
    assert_eq!(folder.bare_cpp(&array(80)), "");
    let made = fs::metadata(folder.path().join("program")).expect("a program").len();
    assert!(made > 80 << 20, "the control fills the disk");
    fs::remove_file(folder.path().join("program")).expect("removed");
    for mib in [80, 4000] {
        let said = said(compile(&array(mib)));
        assert!(said.contains("File size limit exceeded") || said.contains("File too large"), "{said}");
    }
    assert!(compile(&array(1)).is_ok_and(|program| program.len() > 1 << 20), "a large one is a program");
}

#[test]
fn attack_constexpr_loop() {
    let (_turn, folder) = (alone(), Folder::new());
    // The compiler ends each loop after a while; there are many of them.
    let one = "
        template <int n> constexpr int spin() {
            int sum = n;
            for (int i = 0; i < 200000; ++i) for (int j = 0; j < 100; ++j) sum ^= j;
            return sum;
        }\n";
    let many: String = (0..50).map(|n| format!("constexpr int value{n} = spin<{n}>();\n")).collect();
    let source = format!("{one}{many}int main() {{}}\n");
    let control = folder.bare_cpp(&source);
    assert!(is_cut_short(&control), "the control uses all that it gets: {control}");
    assert_slow(compile_within(TIGHT, &source));
}

#[test]
fn attack_includes_dev_zero() {
    let (_turn, folder) = (alone(), Folder::new());
    let source = "#include \"/dev/zero\"\nint main() {}\n";
    let control = folder.bare_cpp(source);
    assert!(is_cut_short(&control), "the control uses all that it gets: {control}");
    match compile_within(TIGHT, source) {
        Err(BuildFailure::Slow { .. } | BuildFailure::Memory { .. }) => {}
        Err(BuildFailure::Compile { message }) => assert!(message.contains("out of memory"), "{message}"),
        other => panic!("{:?}", other.map(|program| program.len())),
    }
}

#[test]
fn attack_includes_itself() {
    let (_turn, folder) = (alone(), Folder::new());
    // Once is ended by the compiler. Twice makes a tree.
    let source = "#include __FILE__\n#include __FILE__\n";
    let control = folder.bare_cpp(source);
    assert!(is_cut_short(&control), "the control uses all that it gets");
    assert_slow(compile_within(TIGHT, source));
    let said = said(compile("#include __FILE__\n"));
    assert!(said.contains("nested") && said.len() <= MOST_SAID, "{said}");
}

#[test]
fn attack_includes_dev_stdin() {
    let (_turn, folder) = (alone(), Folder::new());
    for input in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        let source = format!("#include \"{input}\"\nint main() {{}}\n");
        folder.write("bot.cpp", &source);
        let (_, control) = folder.bare("g++ -o program bot.cpp", &format!("{SECRET} is here\n"));
        assert!(control.contains(SECRET), "the control takes it from whoever runs it: {control}");
        let said = said(compile(&source));
        assert!(said.contains("No such file"), "{said}");
    }
}

#[test]
fn attack_error_flood() {
    let (_turn, folder) = (alone(), Folder::new());
    let flood: String = (0..800).map(|line| format!("int {}_{line} = \"\";\n", "x".repeat(200))).collect();
    assert!(folder.bare_cpp(&flood).len() > 2 * MOST_SAID, "the control says more than anybody reads");
    let message = said(compile(&flood));
    assert!(message.len() <= MOST_SAID && message.contains("attack.cpp:1:"), "{} bytes", message.len());
    // Nor does it reach a terminal with commands for it.
    let message = said(compile("#error \"\u{1b}]0;title\u{7}\u{1b}[2J\"\n"));
    assert!(message.contains("title") && !message.contains(['\u{1b}', '\u{7}']), "{message:?}");
}

/// No source can tell a compiler to do this: a script does it in its place, as a compiler that was taken over would.
/// What takes the output refuses each of them even if it could be made, which its own test shows, and the control.
#[test]
fn attack_output_replaced_by_a_link_a_pipe_or_a_name_of_another_file() {
    let (_turn, _memory) = (alone(), hold_memory());
    assert_eq!(run("printf made > /tmp/program").expect("a plain file is taken"), b"made");
    for make in ["ln -s /bot/attack.sh /tmp/program", "mkfifo /tmp/program", "mknod /tmp/program p"] {
        let message = said(run(make));
        assert!(message.contains("not implemented"), "{make}: {message}");
    }
    let message = said(run("printf made > /tmp/other; ln /tmp/other /tmp/program"));
    assert!(message.contains("not implemented"), "{message}");
    for (make, why) in [
        ("mkdir /tmp/program", "no plain file"),
        ("true", "No such file"),
        ("cat /dev/zero > /tmp/program; true", "larger than 64 MiB"),
        ("printf made > /tmp/program; chmod 0 /tmp/program", "Permission denied"),
    ] {
        match run(make) {
            Err(BuildFailure::Refused(refused)) => assert!(refused.contains(why), "{make}: {refused}"),
            // As large as allowed, and not larger: nobody could write more.
            Ok(program) => assert!(make.contains("/dev/zero") && program.len() == 64 << 20, "{make}"),
            Err(other) => panic!("{make}: {other}"),
        }
    }
}

#[test]
fn what_a_compiler_starts_ends_with_it() {
    let _turn = alone();
    let nap = format!("{}.25", 90_000 + std::process::id());
    let script = format!("setsid sleep {nap} & sleep {nap} & printf made > /tmp/program");
    assert_eq!(run(&script).expect("it does not wait for them"), b"made");
    let script = format!("setsid sleep {nap} & sleep {nap}; exit 1");
    let (built, seen) = build_watched(&script_job(TIGHT, &[("attack.sh", script.as_bytes())]));
    assert_slow(built);
    // The control: helper, first process, the script itself and what it started were there to be seen.
    assert!(seen >= 4, "{seen} processes were seen in a box that lasted for seconds");
    for process in fs::read_dir("/proc").expect("processes").flatten() {
        let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&words).contains(&nap), "{}", process.path().display());
    }
}

#[test]
fn attack_file_names() {
    let (_turn, folder) = (alone(), Folder::new());
    // The control: what is given as a file is taken as an option.
    folder.write("options", "--version");
    folder.write("bot.cpp", "int main() {}\n");
    let control = |name: &str| {
        let (output, said) = folder.bare(&format!("g++ bot.cpp {name}"), "");
        said + &String::from_utf8_lossy(&output.stdout)
    };
    assert!(control("-fplugin=x.so").contains("cannot load plugin"));
    assert!(control("@options").contains("Free Software Foundation"));
    let long = "a".repeat(4096) + ".cpp";
    let names = [
        "-fplugin=x.so",
        "-fplugin=x.cpp",
        "@options",
        "@options.cpp",
        "../x.cpp",
        "..",
        ".",
        "",
        "/tmp/x.cpp",
        "a/b.cpp",
        "a\\b.cpp",
        "x\0.cpp",
        "x\n.cpp",
        "\"x.cpp",
        "x y.cpp",
        ".x.cpp",
        "$(id).cpp",
        "ñ.cpp",
        &long,
    ];
    for name in names {
        let files = vec![(name.to_owned(), b"int main() {}".to_vec())];
        let refused = Upload::of_files("mancala", files).expect_err(name);
        assert!(matches!(refused, UploadError::Name(_)), "{name:?}: {refused}");
        assert!(refused.to_string().len() < 300 && !refused.to_string().contains(['\0', '\n']), "{refused}");
        assert!(!refused.hint().is_empty());
    }
    for name in ["../escaped.cpp", "/tmp/escaped.cpp", "a/b.cpp", "..", "x\0.cpp", &long] {
        let files = [(name, &b"int main() {}"[..])];
        let job =
            Job { files: &files, command: &[&gxx()], toolchain: None, makes_program: true, effort: Effort::USUAL };
        assert!(matches!(sandbox().build(&job), Err(BuildFailure::Sandbox(_))), "{name:?} was written");
        assert!(sandbox().pack(&files, &["/bot/x"]).is_err(), "{name:?} was written");
    }
    assert!(!Path::new("/tmp/escaped.cpp").exists());
    // A name that is one for a user, and never one for the compiler.
    for class in ["int-main", "9lives", "main", "Bot"] {
        let files = [".h", ".cpp"].map(|end| (format!("{class}{end}"), vec![]));
        let refused = Upload::of_files("mancala", files.to_vec()).expect_err(class);
        assert!(matches!(refused, UploadError::Class(_)), "{class}: {refused}");
    }
}

/// A zip of files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(vec![]));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, content) in files {
        writer.start_file(*name, options).expect("an entry");
        writer.write_all(content).expect("its content");
    }
    writer.finish().expect("a zip").into_inner()
}

#[track_caller]
fn refused(zip: &[u8]) -> String {
    Upload::of_zip("mancala", zip).expect_err("it was taken").to_string()
}

/// The same zip with other bytes, which are as many.
fn with(zip: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut changed = zip.to_vec();
    let places: Vec<usize> = (0..zip.len()).filter(|&at| zip[at..].starts_with(from)).collect();
    assert!(!places.is_empty() && from.len() == to.len());
    places.into_iter().for_each(|at| changed[at..at + to.len()].copy_from_slice(to));
    changed
}

#[test]
fn attack_zips_that_grow_link_or_repeat() {
    let _memory = hold_memory();
    let program: &[u8] = b"int main() {}";
    let good = zip(&[("folder/bot.cpp", program), ("folder/palestra.hpp", b""), ("__MACOSX/folder/._bot.cpp", b"\0")]);
    assert!(Upload::of_zip("mancala", &good).is_ok(), "the control: a zip of a folder");

    let bomb = zip(&[("bot.cpp", &vec![b' '; 64 << 20])]);
    assert!(bomb.len() < 100 << 10, "the control: a small zip of {} bytes", bomb.len());
    assert_eq!(refused(&bomb), "it has more than 4 MiB");
    let modest = with(&bomb, &(64u32 << 20).to_le_bytes(), &100u32.to_le_bytes());
    let said = refused(&modest);
    assert!(said.contains("more than 4 MiB") || said.contains("cannot be taken"), "it claims to be small: {said}");
    let parts: Vec<(String, Vec<u8>)> = (0..6).map(|part| (format!("part{part}.cpp"), vec![b' '; 900 << 10])).collect();
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, content)| (name.as_str(), &content[..])).collect();
    assert_eq!(refused(&zip(&parts)), "it has more than 4 MiB", "all of them count");
    let many: Vec<String> = (0..5000).map(|file| format!("f{file}.cpp")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    assert!(refused(&zip(&many)).contains("more than 256 files"));

    let mut links = ZipWriter::new(Cursor::new(vec![]));
    links.add_symlink("bot.cpp", "/etc/passwd", SimpleFileOptions::default()).expect("a link");
    assert!(refused(&links.finish().expect("a zip").into_inner()).contains("'bot.cpp' is a link"));

    let twice = with(&zip(&[("bot.cpp", program), ("bat.cpp", b"other")]), b"bat.cpp", b"bot.cpp");
    assert!(refused(&twice).contains("the same name"));
    let beside = zip(&[("a/bot.cpp", program), ("bot.cpp", program)]);
    assert!(refused(&beside).contains("several folders"));
    for name in ["../bot.cpp", "/bot.cpp", "a/../bot.cpp", "a/b/bot.cpp", "a/-bot.cpp", "a\\bot.cpp"] {
        refused(&zip(&[(name, program)]));
    }
    assert!(refused(b"PK\x03\x04 and nothing else").contains("the zip cannot be taken"));
}

#[test]
fn attack_objects_precompiled_headers_and_module_maps() {
    let (_turn, folder) = (alone(), Folder::new());
    // The control: g++ takes a header that was compiled before for the one that is included, whatever that says.
    folder.write("other.h", "int main() {}\n");
    folder.bare("g++ -x c++-header other.h -o bot.h.gch", "");
    folder.write("bot.h", "#error the header that everybody sees\n");
    assert_eq!(folder.bare_cpp("#include \"bot.h\"\n"), "", "the control compiles what nobody sees");
    let names =
        ["bot.o", "bot.so", "bot.a", "bot.exe", "bot.pyc", "bot.h.gch", "bot.pch", "module.modulemap", "bot.cppm"];
    for name in names {
        let files = [("bot.cpp", "int main() {}"), (name, "x")].map(|(name, text)| (name.to_owned(), text.into()));
        let refused = Upload::of_files("mancala", files.to_vec()).expect_err(name);
        assert!(matches!(&refused, UploadError::NotSource { name: refused, .. } if refused == name), "{refused}");
        assert!(refused.to_string().contains("not taken"), "{refused}");
    }
    let object = vec![("bot.cpp".to_owned(), b"\x7fELF\x02\x01\x01\0\0".to_vec())];
    let refused = Upload::of_files("mancala", object).expect_err("an object under another name");
    assert_eq!(refused.to_string(), "bot.cpp: it is no text");
}

#[test]
fn attack_build_scripts_and_macros_that_run_while_compiling() {
    let (_turn, folder) = (alone(), Folder::new());
    for name in ["Cargo.toml", "build.rs", "Cargo.lock"] {
        let files = [("bot.rs", "fn main() {}"), (name, "x")].map(|(name, text)| (name.to_owned(), text.into()));
        let refused = Upload::of_files("mancala", files.to_vec()).expect_err(name);
        assert!(refused.to_string().contains("build scripts are not taken"), "{refused}");
    }
    if !has_rust() {
        return;
    }
    let source = "#![crate_type = \"proc-macro\"]\nextern crate proc_macro;\nuse proc_macro::TokenStream;\n\
                  #[proc_macro]\npub fn run(_: TokenStream) -> TokenStream { TokenStream::new() }\n";
    folder.write("spy.rs", source);
    folder.bare("rustc -o libspy.so spy.rs", "");
    assert!(folder.path().join("libspy.so").is_file(), "the control is code for the compiler to run");
    let said = said(upload("mancala", &[("spy.rs", &format!("{source}fn main() {{}}\n"))]).build(sandbox()));
    assert!(said.contains("proc-macro"), "{said}");
}
