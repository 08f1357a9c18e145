//! `palestra connect` against a server that does what a test says.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tungstenite::handshake::server::{Request, Response};
use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket, accept_hdr};

use crate::log;

const START: &str = "1:0,4,4,4,4,4,4/0,4,4,4,4,4,4";
const LATER: &str = "1:1,4,4,0,5,5,5/0,4,4,4,4,4,4";

/// A folder, the server's door, and the command that knocks at it.
struct Scene {
    folder: PathBuf,
    listener: TcpListener,
}

impl Scene {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("palestra-connect-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self { folder, listener: TcpListener::bind("127.0.0.1:0").unwrap() }
    }

    /// A program whose answer to `go` is this piece of shell. It notes its starts and turns in the file `log`.
    fn bot(&self, go: &str) -> String {
        let text = format!(
            "#!/bin/sh\ncd {}\nwhile read -r word rest; do\n  case $word in\n    hello) echo start >>log; echo ready ;;\n    \
             legal) first=${{rest%% *}} ;;\n    go) echo go >>log; {go} ;;\n    bye) exit ;;\n  esac\ndone\n",
            self.folder.display()
        );
        let path = self.folder.join("bot");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn connect(&self, bot: &str) -> Child {
        let link = format!("http://{}/t/abc", self.listener.local_addr().unwrap());
        Command::new(env!("CARGO_BIN_EXE_palestra"))
            .args(["connect", bot, "--table", &link, "--name", "Nick"])
            .env("XDG_CACHE_HOME", self.folder.join("cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Lets a client in; also what it asked for.
    fn accept(&self) -> (Table, String) {
        let (stream, _) = self.listener.accept().unwrap();
        let mut asked = String::new();
        #[allow(clippy::result_large_err, reason = "the library's own type")]
        let answer = |request: &Request, mut response: Response| {
            asked = request.uri().to_string();
            response.headers_mut().insert("x-palestra-key", "k1".parse().unwrap());
            response.headers_mut().insert("x-palestra-game", "mancala".parse().unwrap());
            Ok(response)
        };
        let socket = accept_hdr(stream, answer).unwrap();
        (Table(socket), asked)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// The turns that the program has noted; starts of the look which language it speaks do not count.
    fn turns(&self) -> usize {
        self.log().lines().filter(|line| *line == "go").count()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The server's side of a seat.
struct Table(WebSocket<TcpStream>);

impl Table {
    fn say(&mut self, lines: &str) {
        for line in lines.lines() {
            self.0.send(Message::text(line)).unwrap();
        }
    }

    fn hear(&mut self) -> String {
        loop {
            if let Message::Text(text) = self.0.read().unwrap() {
                return text.to_string();
            }
        }
    }

    fn greet(&mut self, side: u8) {
        self.say("hello 1");
        assert_eq!([self.hear(), self.hear()], ["id name Nick", "ready"]);
        self.say(&format!("game mancala seat {side} options -"));
    }

    fn go(&mut self, position: &str, history: &str) {
        self.say(&format!("position {position}\nhistory {history}\nlegal 1 2 3 4 5 6\ngo wall 10000"));
    }

    fn end(&mut self, result: &str) {
        self.say(&format!("result {result} reason finished\nbye"));
    }

    fn close(mut self) {
        self.0.close(Some(CloseFrame { code: CloseCode::Normal, reason: "".into() })).unwrap();
        while self.0.read().is_ok() {}
    }

    /// What the client says when it leaves.
    fn left(mut self) -> CloseFrame {
        loop {
            if let Message::Close(frame) = self.0.read().unwrap() {
                return frame.unwrap();
            }
        }
    }
}

fn told(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn finished(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let (out, err) = told(&output);
    assert!(output.status.success(), "{out}{err}");
    out
}

#[test]
fn a_program_plays_all_games_of_a_table() {
    let scene = Scene::new("plays");
    let child = scene.connect(&scene.bot("echo info depth 1 score 2; echo move $first"));
    let (mut table, asked) = scene.accept();
    assert_eq!(asked, "/t/abc/bot?name=Nick");
    table.say("ping x");
    assert_eq!(table.hear(), "pong x");
    table.greet(1);
    table.go(START, "");
    assert_eq!([table.hear(), table.hear()], ["info depth 1 score 2", "move 1"]);
    table.say("used wall 12");
    table.end("win score 28-20");
    table.greet(2);
    table.go("2:1,4,4,0,5,5,5/0,4,4,4,4,4,4", "3");
    assert_eq!([table.hear(), table.hear()], ["info depth 1 score 2", "move 1"]);
    table.end("loss score 30-18");
    table.close();
    let out = finished(child);
    assert_eq!(
        out,
        "Connected.\nGame 1 begins: Mancala, side 1\n  Nick plays 1\nGame 1 is won: 28-20, finished\n\
         Game 2 begins: Mancala, side 2\n  opponent plays 3\n  Nick plays 1\nGame 2 is lost: 30-18, finished\n\
         The table is closed.\n"
    );
}

#[test]
fn after_a_drop_the_program_is_not_asked_twice() {
    let scene = Scene::new("drop");
    let child = scene.connect(&scene.bot("until test -e answer; do sleep 0.02; done; echo move $first"));
    let (mut table, _) = scene.accept();
    table.greet(1);
    table.go(START, "");
    while scene.turns() == 0 {
        std::thread::yield_now();
    }
    drop(table);
    let (mut table, asked) = scene.accept();
    assert_eq!(asked, "/t/abc/bot?name=Nick&key=k1");
    table.greet(1);
    table.go(START, "");
    fs::write(scene.folder.join("answer"), "").unwrap();
    assert_eq!(table.hear(), "move 1");
    drop(table);
    let (mut table, _) = scene.accept();
    table.greet(1);
    table.go(START, "");
    assert_eq!(table.hear(), "move 1", "the answer may have been lost");
    assert_eq!(scene.turns(), 1, "one question");
    table.go(START, "");
    assert_eq!(table.hear(), "move 1", "a second try is one");
    assert_eq!(scene.turns(), 2);
    table.end("win score 28-20");
    table.close();
    let out = finished(child);
    assert_eq!(out.matches("Connected again.").count(), 2, "{out}");
    assert_eq!(out.matches("begins").count(), 1, "{out}");
}

#[test]
fn what_a_program_says_while_the_server_is_away_waits_until_it_asks() {
    let scene = Scene::new("talks");
    let talk = "while ! test -e quick; do echo info depth 1; sleep 0.01; done; echo move $first";
    let child = scene.connect(&scene.bot(talk));
    let (mut table, _) = scene.accept();
    table.greet(1);
    table.go(START, "");
    assert_eq!(table.hear(), "info depth 1");
    drop(table);
    let (mut table, _) = scene.accept();
    table.greet(1);
    table.go(START, "");
    assert_eq!(table.hear(), "info depth 1", "it still thinks about it");
    fs::write(scene.folder.join("quick"), "").unwrap();
    let answer = std::iter::repeat_with(|| table.hear()).find(|line| line != "info depth 1");
    assert_eq!(answer.as_deref(), Some("move 1"));
    table.end("win score 28-20");
    table.close();
    finished(child);
    assert_eq!(scene.turns(), 1);
}

#[test]
fn after_a_drop_another_position_starts_the_program_anew() {
    let scene = Scene::new("anew");
    let child = scene.connect(&scene.bot("test -e quick && echo move $first"));
    let (mut table, _) = scene.accept();
    table.greet(1);
    table.go(START, "");
    while scene.turns() == 0 {
        std::thread::yield_now();
    }
    drop(table);
    fs::write(scene.folder.join("quick"), "").unwrap();
    let (mut table, _) = scene.accept();
    table.greet(1);
    table.go(LATER, "3 1");
    assert_eq!(table.hear(), "move 1");
    let log = scene.log();
    assert!(log.ends_with("start\ngo\nstart\ngo\n"), "{log}");
    table.close();
    finished(child);
}

/// A move was taken back: the server tells the same game anew.
#[test]
fn a_game_that_is_told_anew_goes_on_with_the_same_process() {
    let scene = Scene::new("retold");
    let bot = log::bot(&scene.folder);
    let child = scene.connect(bot.to_str().unwrap());
    let after = |mv: &str| {
        let mut position = (palestra_games::GameKind::find("mancala").unwrap().start)("-").unwrap();
        position.play(mv).unwrap();
        position.notation()
    };
    let (mut table, _) = scene.accept();
    table.greet(2);
    table.go(&after("3"), "3");
    assert_eq!(table.hear(), "move 1");
    table.say("game mancala seat 2 options -");
    table.go(&after("2"), "2");
    assert_eq!(table.hear(), "move 1");
    table.end("win score 28-20");
    table.close();
    let out = finished(child);
    assert_eq!(out.matches("begins").count(), 1, "{out}");
    let lines = log::log(&bot);
    // The other one was tried, to see which language it speaks.
    let starts = lines.iter().filter(|line| line.starts_with("game ")).count();
    assert_eq!((log::assert_rebuilt(&lines), starts), (2, 2), "{lines:#?}");
}

#[test]
fn a_program_of_the_course_plays() {
    let scene = Scene::new("course");
    let greedy = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/kits/ugr/mancala/GreedyBot.cpp");
    let child = scene.connect(greedy.to_str().unwrap());
    let (mut table, _) = scene.accept();
    table.greet(1);
    table.go(START, "");
    let mv = table.hear();
    let pit = mv.strip_prefix("move ").unwrap();
    assert!(["1", "2", "3", "4", "5", "6"].contains(&pit), "{mv}");
    table.end("win score 28-20");
    table.close();
    finished(child);
}

#[test]
fn a_built_in_player_plays() {
    let scene = Scene::new("ninja");
    let child = scene.connect("greedy");
    let (mut table, _) = scene.accept();
    table.greet(1);
    table.go(START, "");
    let lines = [table.hear(), table.hear()];
    assert!(lines[0].starts_with("info") && lines[1].starts_with("move "), "{lines:?}");
    table.close();
    finished(child);
}

#[test]
fn a_wrong_line_is_left_to_the_referee() {
    let scene = Scene::new("wrong");
    let child = scene.connect(&scene.bot("echo 'I am thinking' >&2; echo hola"));
    let (mut table, _) = scene.accept();
    table.greet(1);
    table.go(START, "");
    assert_eq!(table.hear(), "hola");
    table.end("loss score 0-48");
    table.close();
    let out = finished(child);
    assert!(out.contains("Nick failed by protocol: it wrote a line that the protocol does not know"), "{out}");
    assert!(out.contains("  it wrote  hola\n  stderr    I am thinking\n"), "{out}");
}

#[test]
fn a_crash_gives_up_the_seat() {
    let scene = Scene::new("crash");
    let child = scene.connect(&scene.bot("exit 3"));
    let (mut table, _) = scene.accept();
    table.greet(1);
    table.go(START, "");
    let frame = table.left();
    assert_eq!((frame.code, frame.reason.as_str()), (CloseCode::Error, "it ended with exit code 3"));
    let output = child.wait_with_output().unwrap();
    let (out, err) = told(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(out.contains("Nick failed by crash: it ended with exit code 3"), "{out}");
    assert!(err.contains("error: the program failed, and has left the table\nhint: palestra check "), "{err}");
}

#[test]
fn whoever_presses_ctrl_c_leaves() {
    let scene = Scene::new("interrupt");
    let child = scene.connect("ninja1");
    let (mut table, _) = scene.accept();
    table.greet(2);
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert_eq!(table.left().code, CloseCode::Normal);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
}

#[test]
fn a_refusal_is_told_with_what_to_do() {
    let scene = Scene::new("refused");
    let child = scene.connect("ninja1");
    let (mut stream, _) = scene.listener.accept().unwrap();
    let mut request = vec![];
    while !request.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        request.push(byte[0]);
    }
    let body = "{\"error\":\"not_found\",\"message\":\"There is nothing here.\u{202e}\"}";
    write!(stream, "HTTP/1.1 404 Not Found\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let (_, err) = told(&output);
    assert!(err.starts_with("error: there is no seat: There is nothing here.\\u{202e}\nhint: copy the link"), "{err}");
}

#[test]
fn a_server_that_is_not_there_is_said_to_be_none() {
    let scene = Scene::new("nowhere");
    let link = format!("http://{}/t/abc", scene.listener.local_addr().unwrap());
    let connect = |link: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
        command.args(["connect", "ninja1", "--table", link, "--name", "Nick"]).output().unwrap()
    };
    let (_, err) = told(&connect(&link.replace("127.0.0.1", "127.0.0.2")));
    assert!(err.starts_with("error: cannot reach 127.0.0.2: ") && err.contains("hint: is the link right"), "{err}");
    let output = connect("http://localhost/");
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).1.contains("a table's link looks like http://host/t/CODE"), "{:?}", told(&output));
}

#[test]
fn a_program_that_is_not_there_asks_for_no_seat() {
    let scene = Scene::new("absent");
    for (bot, error) in [("./missing", "error: there is no file ./missing\n"), ("nijna1", "error: there is no player")]
    {
        let Output { status, stderr, .. } = scene.connect(bot).wait_with_output().unwrap();
        let told = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(1), "{told}");
        assert!(told.starts_with(error) && told.contains("\nhint: "), "{told}");
    }
    scene.listener.set_nonblocking(true).unwrap();
    assert!(scene.listener.accept().is_err(), "nobody knocked");
}
