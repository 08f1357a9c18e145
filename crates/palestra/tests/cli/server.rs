//! `palestra serve`, `admin`, `backup` and `restore`, as whoever runs a server types them.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use tempfile::TempDir;

fn palestra(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    for name in ["PALESTRA_DATABASE", "PALESTRA_LOG"] {
        command.env_remove(name);
    }
    command
}

fn run(folder: &TempDir, args: &[&str]) -> (bool, String) {
    let Output { status, stdout, stderr } = palestra(folder.path(), args).output().unwrap();
    (status.success(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

/// A server that runs; it is killed if a test fails.
pub(crate) struct Served {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub(crate) address: String,
}

impl Served {
    pub(crate) fn start(folder: &TempDir, args: &[&str]) -> Self {
        let args = [&["serve", "--listen", "127.0.0.1:0"], args].concat();
        Self::spawn(palestra(folder.path(), &args))
    }

    /// Starts one that may have so many files open.
    fn start_with_descriptors(folder: &TempDir, descriptors: usize) -> Self {
        let mut command = Command::new("sh");
        let script = format!("ulimit -n {descriptors} && exec \"$0\" serve --listen 127.0.0.1:0");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_palestra")]);
        command.current_dir(folder.path()).stdin(Stdio::null()).env_remove("PALESTRA_DATABASE");
        Self::spawn(command)
    }

    fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let address = line.trim_end().trim_end_matches('/').rsplit_once("http://");
        let address = address.unwrap_or_else(|| panic!("{line:?}")).1.to_owned();
        Self { child, stdout, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Sends a signal, waits for the end, and gives the exit code and the log.
    fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let (mut rest, mut log) = (String::new(), String::new());
        self.stdout.read_to_string(&mut rest).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        (self.child.wait().unwrap().code(), log)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn an_empty_file_is_no_new_database() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("palestra-data")).unwrap();
    fs::write(folder.path().join("palestra-data/palestra.db"), "").unwrap();
    let (is_well, said) = run(&folder, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(!is_well && said.contains("error: ") && said.contains("palestra.db is an empty file"), "{said}");
    assert!(said.contains("hint: 'palestra restore FILE --data NEW_FOLDER' restores a backup; remove "), "{said}");
}

#[test]
fn a_server_serves_until_it_is_told_to_end() {
    for signal in ["-TERM", "-INT"] {
        let folder = folder();
        let server = Served::start(&folder, &[]);
        assert!(server.get("/").starts_with("HTTP/1.1 200 OK"));
        assert!(server.get("/health").ends_with("{\"status\":\"ok\"}"));
        let mode = fs::metadata(folder.path().join("palestra-data")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        let (code, log) = server.end(signal);
        assert_eq!(code, Some(0), "{log}");
        assert!(log.trim_end().ends_with("the server has stopped"), "{log}");
    }
}

#[test]
fn more_silent_connections_than_descriptors_keep_nobody_out() {
    let folder = folder();
    let server = Served::start_with_descriptors(&folder, 128);
    let mut silent = vec![];
    for number in 0..300 {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        if number % 2 == 0 {
            // A server that has closed it already does not take it.
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nhost: here\r\nx-");
        }
        silent.push(stream);
        if number % 50 == 49 {
            assert!(server.get("/health").ends_with("{\"status\":\"ok\"}"), "after {number}");
        }
    }
    assert!(server.get("/").starts_with("HTTP/1.1 200 OK"));
    let (code, log) = server.end("-TERM");
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("raised the limit of open files descriptors=128"), "{log}");
}

#[test]
fn without_a_command_the_program_serves() {
    let folder = folder();
    let Some(command) = with_own_network(palestra(folder.path(), &[])) else {
        // Without a network of its own the program may not have the port: the test takes it, or another process has.
        let _taken = TcpListener::bind("127.0.0.1:4242");
        let (is_well, output) = run(&folder, &[]);
        assert!(!is_well && output.starts_with("error: cannot listen at 127.0.0.1:4242: "), "{output}");
        return;
    };
    let server = Served::spawn(command);
    assert_eq!(server.address, "127.0.0.1:4242");
    assert!(folder.path().join("palestra-data/palestra.db").is_file(), "it keeps its data where `serve` does");
    let (code, log) = server.end("-TERM");
    assert_eq!(code, Some(0), "{log}");
}

/// The same command in a network namespace, in which all ports are free; none if this machine does not allow it.
fn with_own_network(command: Command) -> Option<Command> {
    let in_namespace = |flags: &[&str], program: &OsStr| {
        let mut unshare = Command::new("unshare");
        unshare.args(flags).args(["sh", "-c", "ip link set lo up && exec \"$0\" \"$@\""]).arg(program);
        unshare
    };
    // As root, or as a user who may be root in a user namespace.
    let all = [&["--net"][..], &["--user", "--map-root-user", "--net"]];
    let works =
        |flags: &&&[&str]| in_namespace(flags, OsStr::new("true")).output().is_ok_and(|output| output.status.success());
    let mut unshare = in_namespace(all.iter().find(works)?, command.get_program());
    unshare.args(command.get_args()).current_dir(command.get_current_dir()?).stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => unshare.env(name, value),
            None => unshare.env_remove(name),
        };
    }
    Some(unshare)
}

#[test]
fn who_comes_second_is_told_what_to_do() {
    let folder = folder();
    let server = Served::start(&folder, &[]);
    let (is_good, said) = run(&folder, &["serve", "--listen", &server.address, "--data", "other"]);
    assert!(!is_good && said.starts_with(&format!("error: cannot listen at {}: ", server.address)), "{said}");
    assert!(said.contains("hint: another program uses this port; try --listen 127.0.0.1:"), "{said}");
    let (is_good, said) = run(&folder, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(!is_good && said.starts_with("error: another Palestra uses the folder palestra-data\nhint: "), "{said}");
    let (is_good, said) = run(&folder, &["restore", "nothing"]);
    assert!(!is_good && said.starts_with("error: cannot read nothing: "), "{said}");
}

#[test]
fn wrong_options_are_refused_in_words() {
    let folder = folder();
    for (args, wrong) in [
        (&["--public-url", "play.example"][..], "\"play.example\" cannot be the public address"),
        (&["--database", "mysql://me:secret@host/x"], "not a database address"),
        (&["--database", "postgres://me:secret@["], "not a database address"),
    ] {
        let (is_good, said) = run(&folder, &[&["serve", "--listen", "127.0.0.1:0"], args].concat());
        assert!(!is_good && said.contains(wrong) && !said.contains("secret"), "{said}");
    }
    let mut command = palestra(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let said = command.env("PALESTRA_LOG", "a=b=c").output().unwrap().stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(said.starts_with("error: PALESTRA_LOG: \"b=c\" is not a level\nhint: use a level (off, "), "{said}");
}

#[test]
fn a_server_for_others_without_https_warns() {
    let folder = folder();
    let args = ["serve", "--listen", "0.0.0.0:0"];
    let mut child = palestra(folder.path(), &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(log.any(|line| line.starts_with("warning: this server is reachable from other machines")));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_log_is_json_if_asked_for() {
    let folder = folder();
    let (code, log) = Served::start(&folder, &["--log", "json"]).end("-TERM");
    assert_eq!(code, Some(0));
    assert!(log.lines().count() >= 2);
    for line in log.lines() {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(entry["level"].is_string() && entry["timestamp"].is_string() && entry["fields"].is_object(), "{line}");
    }
}

fn create_admin(folder: &TempDir, nickname: &str, password: &str) -> (bool, String) {
    let email = format!("{nickname}@example.org");
    let args = ["admin", "create", "--nickname", nickname, "--name", "Ada Lovelace", "--email", &email];
    let mut command = palestra(folder.path(), &args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{password}").unwrap();
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.success(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

#[test]
fn an_admin_is_made_and_all_is_kept_and_brought_back() {
    let folder = folder();
    let (is_good, said) = run(&folder, &["backup", "nothing.backup"]);
    assert!(!is_good && said.starts_with("error: no database in palestra-data\nhint: "), "{said}");
    assert!(!folder.path().join("palestra-data").exists());

    let server = Served::start(&folder, &[]);
    assert_eq!(create_admin(&folder, "ada", "short"), (false, "error: A password has 8 to 200 characters.\n".into()));
    assert_eq!(create_admin(&folder, "ada", "correct horse battery"), (true, "ada is an admin now.\n".into()));
    let (is_good, said) = create_admin(&folder, "ADA", "correct horse battery");
    assert!(!is_good && said.starts_with("error: "), "{said}");

    assert!(run(&folder, &["backup", "a.backup"]).0);
    let path = folder.path().join("a.backup");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("Ada Lovelace") && text.contains("$argon2id$") && !text.contains("horse"));
    let (is_good, said) = run(&folder, &["backup", "a.backup"]);
    assert!(!is_good && said.starts_with("error: a.backup exists: "), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the data and the backup, no draft");
    let (is_good, said) = run(&folder, &["restore", "a.backup"]);
    assert!(!is_good && said.contains("another Palestra uses the folder"), "{said}");
    assert_eq!(server.end("-TERM").0, Some(0));

    let (is_good, said) = run(&folder, &["restore", "a.backup"]);
    assert!(!is_good && said.contains("the database is not empty"), "{said}");
    fs::write(folder.path().join("cut.backup"), &text[..text.len() - 20]).unwrap();
    let (is_good, said) = run(&folder, &["restore", "cut.backup", "--data", "new"]);
    assert!(
        !is_good && said.contains("the file is damaged at line ") && said.contains("nothing was changed"),
        "{said}"
    );
    let (is_good, said) = run(&folder, &["restore", "a.backup", "--data", "new"]);
    assert!(is_good, "{said}");
    assert!(run(&folder, &["backup", "b.backup", "--data", "new"]).0);
    assert_eq!(fs::read_to_string(folder.path().join("b.backup")).unwrap(), text);
}
