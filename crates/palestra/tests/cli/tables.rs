//! Live tables on the real server, as a process: README's walkthrough, and a server that is killed.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use palestra_store::Store;
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket, connect};

use crate::log;

/// `palestra serve` in a folder, killed with this value.
struct Served {
    child: Child,
    address: String,
    /// Kept open: the server has more to say.
    _stdout: BufReader<ChildStdout>,
}

impl Served {
    fn start(folder: &Path, args: &[&str]) -> Self {
        Self::start_by(Command::new(env!("CARGO_BIN_EXE_palestra")), folder, args)
    }

    /// By a command that takes the program's arguments.
    fn start_by(mut command: Command, folder: &Path, args: &[&str]) -> Self {
        command.arg("serve").args(args).current_dir(folder);
        if !args.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        command.env_remove("PALESTRA_DATABASE").env_remove("PALESTRA_LOG").env_remove("PALESTRA_SMTP");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let address = line.trim_end().trim_end_matches('/').rsplit_once("http://");
        let address = address.unwrap_or_else(|| panic!("{line:?}")).1.to_owned();
        Self { child, address, _stdout: stdout }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A browser with its cookie.
#[derive(Clone)]
struct Browser {
    address: String,
    cookie: String,
}

impl Browser {
    fn new(address: &str) -> Self {
        let mut browser = Self { address: address.to_owned(), cookie: String::new() };
        browser.get("/");
        assert!(!browser.cookie.is_empty());
        browser
    }

    fn get(&mut self, path: &str) -> String {
        self.send(&format!("GET {path}"), "")
    }

    /// Fills in a form; the answer with its headers.
    fn post(&mut self, path: &str, fields: &str) -> String {
        let page = self.get("/");
        let csrf = between(&page, "name=\"csrf\" value=\"", "\"").to_owned();
        self.send(&format!("POST {path}"), &format!("{fields}&csrf={csrf}"))
    }

    fn send(&mut self, request: &str, body: &str) -> String {
        let Self { address, cookie } = self;
        let mut stream = TcpStream::connect(address.as_str()).unwrap();
        let length = body.len();
        let kind = "application/x-www-form-urlencoded";
        write!(
            stream,
            "{request} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\nconnection: close\r\ncontent-type: {kind}\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        // Other cookies remember the language and the last tables: they matter to nobody here.
        if let Some((_, rest)) = answer.split_once("set-cookie: palestra=") {
            *cookie = format!("palestra={}", rest.split(';').next().unwrap());
        }
        answer
    }

    /// Opens a table, and says its code.
    fn open_table(&mut self, fields: &str) -> String {
        let answer = self.post("/tables", fields);
        between(&answer, "location: /t/", "\r\n").to_owned()
    }

    fn look(&self, code: &str) -> Live {
        let mut request = format!("ws://{}/t/{code}/live", self.address).into_client_request().unwrap();
        request.headers_mut().insert("cookie", self.cookie.parse().unwrap());
        Live(connect(request).unwrap().0)
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in {text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after:?} in {rest}")).0
}

/// A browser's socket at a table.
struct Live(WebSocket<MaybeTlsStream<TcpStream>>);

impl Live {
    /// The next message of a kind; nothing when the connection is lost.
    fn try_await(&mut self, is: &str) -> Option<Value> {
        let since = Instant::now();
        loop {
            // The server pings now and then, so that this is looked at.
            assert!(since.elapsed() < Duration::from_secs(60), "no {is} comes");
            let Message::Text(text) = self.0.read().ok()? else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["is"] == is {
                return Some(message);
            }
        }
    }

    fn await_a(&mut self, is: &str) -> Value {
        self.try_await(is).unwrap_or_else(|| panic!("the connection is lost before {is}"))
    }

    fn say(&mut self, command: &Value) -> Option<()> {
        self.0.send(Message::text(command.to_string())).ok()
    }

    /// Plays the first legal move of a board; the next board, or nothing when the connection is lost.
    fn play(&mut self, board: &Value) -> Option<Value> {
        let text = &board["scene"]["choices"][0]["text"];
        self.say(&json!({"do": "move", "ply": board["ply"], "text": text}))?;
        self.try_await("moved")
    }
}

/// So many moves somebody makes at most: the game is far from its end.
const MOVES: usize = 30;

/// What somebody who plays has seen of a table.
struct Witness {
    code: String,
    browser: Browser,
    moves: Vec<String>,
    board: Value,
    /// When the move was sent that led to the last board, and when the board was seen.
    sent_ms: i64,
    seen_ms: i64,
}

fn unix_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

/// When the server of a folder last said that it is up.
fn last_beat(folder: &Path) -> i64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open_file(&folder.join("palestra-data/palestra.db")).await.unwrap();
        let beat = store.last_beat().await.unwrap();
        store.close().await;
        beat.expect("a server beats as soon as it runs")
    })
}

impl Witness {
    fn new(address: &str) -> Self {
        let mut browser = Browser::new(address);
        let code = browser.open_table("game=parchis&seat2=me&clock=game&seconds=3600");
        Self { code, browser, moves: vec![], board: Value::Null, sent_ms: unix_ms(), seen_ms: 0 }
    }

    /// Plays both sides until the server is gone or it has played enough, and tells of each move.
    fn play(mut self, told: mpsc::Sender<()>) -> Self {
        self.sent_ms = unix_ms();
        let mut live = self.browser.look(&self.code);
        self.board = live.await_a("table")["table"]["state"].clone();
        self.seen_ms = unix_ms();
        for _ in 0..MOVES {
            let sent_ms = unix_ms();
            let Some(moved) = live.play(&self.board) else { return self };
            self.moves.push(moved["text"].as_str().unwrap().to_owned());
            (self.board, self.sent_ms, self.seen_ms) = (moved["state"].clone(), sent_ms, unix_ms());
            let _ = told.send(());
        }
        assert!(live.try_await("nothing more").is_none());
        self
    }

    /// Whether the table is as it was, on a server that started then; the one before it was last up at `beat_ms`.
    fn check(&mut self, address: &str, beat_ms: i64, started: Instant) {
        address.clone_into(&mut self.browser.address);
        let table = self.browser.look(&self.code).await_a("table")["table"].clone();
        let moves: Vec<&str> = table["moves"].as_array().unwrap().iter().map(|mv| mv[1].as_str().unwrap()).collect();
        // A move may have been kept that nobody heard of any more.
        assert!(
            (self.moves.len()..=self.moves.len() + 1).contains(&moves.len()),
            "{} {}",
            self.moves.len(),
            moves.len()
        );
        assert!(moves.iter().zip(&self.moves).all(|(kept, seen)| kept == seen));
        let board = &table["state"];
        if moves.len() == self.moves.len() {
            for part in ["ply", "turn", "scene"] {
                assert_eq!(board[part], self.board[part], "{part}");
            }
        }
        let left = |board: &Value, seat: usize| board["clocks"]["left_ms"][seat].as_i64().unwrap();
        let running = self.board["turn"].as_u64().unwrap() as usize;
        let ran = left(&self.board, running) - left(board, running);
        // The clock ran until the last heartbeat, and from when the next server was there; not in between. Each time is
        // rounded to a millisecond.
        let most = (beat_ms - self.sent_ms).max(0) + started.elapsed().as_millis() as i64 + 5;
        let least = if moves.len() == self.moves.len() { (beat_ms - self.seen_ms).max(0) - 5 } else { 0 };
        assert!((least..=most).contains(&ran), "the clock ran for {ran} ms, not {least} to {most}");
        if moves.len() == self.moves.len() {
            assert_eq!(left(board, 1 - running), left(&self.board, 1 - running), "the other's clock stands");
        }
        self.moves = moves.iter().map(ToString::to_string).collect();
    }
}

#[test]
fn a_server_that_is_killed_goes_on_with_every_table() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Served::start(folder.path(), &[]);
    let mut witnesses: Vec<Witness> = (0..20).map(|_| Witness::new(&server.address)).collect();
    // After how many moves it is killed is different each time.
    let mut number = u64::from(std::process::id());
    for _ in 0..3 {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (told, moves) = mpsc::channel();
        let playing: Vec<_> = witnesses
            .drain(..)
            .map(|witness| {
                let told = told.clone();
                thread::spawn(move || witness.play(told))
            })
            .collect();
        let count = 40 + (number >> 33) % 200;
        (0..count).for_each(|_| moves.recv().unwrap());
        server.kill();
        witnesses = playing.into_iter().map(|thread| thread.join().unwrap()).collect();
        let (beat_ms, started) = (last_beat(folder.path()), Instant::now());
        server = Served::start(folder.path(), &[]);
        witnesses.iter_mut().for_each(|witness| witness.check(&server.address, beat_ms, started));
    }
}

/// A program that plays the first legal move.
const BOT: &str = "#!/bin/sh
while read -r word rest; do
  case $word in
    hello) echo ready ;;
    legal) first=${rest%% *} ;;
    go) echo move $first ;;
    bye) exit ;;
  esac
done
";

fn bot(folder: &TempDir) -> String {
    let path = folder.path().join("bot");
    fs::write(&path, BOT).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn connect_bot(bot: &str, address: &str, code: &str) -> Child {
    let link = format!("http://{address}/t/{code}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(["connect", bot, "--table", &link, "--name", "mybot"]).stdin(Stdio::null());
    command.stdout(Stdio::null()).spawn().unwrap()
}

#[test]
fn the_walkthrough_of_the_readme() {
    let folder = tempfile::tempdir().unwrap();
    let server = Served::start(folder.path(), &[]);
    // A ninja.
    let mut ana = Browser::new(&server.address);
    let code = ana.open_table("game=mancala&seat1=me&seat2=ninja1");
    let mut live = ana.look(&code);
    let board = live.await_a("table")["table"]["state"].clone();
    live.play(&board).unwrap();
    assert_eq!(live.await_a("moved")["seat"], 1, "the ninja answers");
    // A friend.
    let code = ana.open_table("game=conecta4boom&seat2=open&nickname=ana");
    let (mut of_ana, ben) = (ana.look(&code), Browser::new(&server.address));
    // Who has not seen the table yet would be told of it as it is then, and not that the game began.
    of_ana.await_a("table");
    let mut of_ben = ben.look(&code);
    of_ben.say(&json!({"do": "sit", "seat": 1, "nickname": "ben"})).unwrap();
    let board = of_ana.await_a("began")["state"].clone();
    of_ana.play(&board).unwrap();
    assert_eq!(of_ben.await_a("moved")["seat"], 0);
    // An account.
    let mut cleo = Browser::new(&server.address);
    let answer = cleo.post("/register", "name=Cleo+C&nickname=cleo&email=cleo%40example.org&password=correct+horse");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let link = confirm_link(folder.path());
    let answer = cleo.post(&link, "password=correct+horse");
    assert!(answer.starts_with("HTTP/1.1 303") && cleo.cookie.starts_with("palestra=s"), "{answer}");
    assert!(cleo.get("/settings").contains("cleo@example.org"));
    cleo.post("/sign-out", "x=");
    assert!(!cleo.get("/").contains("cleo"));
    cleo.post("/sign-in", "email=cleo%40example.org&password=correct+horse");
    assert!(cleo.get("/").contains("cleo"));
    // A program.
    let code = cleo.open_table("game=mancala&seat2=open");
    let mut live = cleo.look(&code);
    live.await_a("table");
    let mut connected = connect_bot(&bot(&folder), &server.address, &code);
    while live.await_a("seat")["state"]["seats"][1]["name"] != "mybot" {}
    let mut board = live.await_a("began")["state"].clone();
    while board["turn"] == 0 {
        board = live.play(&board).unwrap()["state"].clone();
    }
    let moved = live.await_a("moved");
    assert_eq!(moved["seat"], 1, "the program answers");
    live.say(&json!({"do": "resign"})).unwrap();
    let ended = live.await_a("ended")["state"]["ended"].clone();
    let page = cleo.get(&format!("/games/{}", ended["game"].as_str().unwrap()));
    assert!(page.contains("cleo") && page.contains("mybot"), "{page}");
    // Its record can be shown.
    let answer = cleo.get(&format!("/games/{}/record", ended["game"].as_str().unwrap()));
    let file = folder.path().join("game.txt");
    fs::write(&file, answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    let mut show = Command::new(env!("CARGO_BIN_EXE_palestra"));
    let shown = show.args(["show", "--ply", "1", "--from"]).arg(file).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.starts_with("Mancala: cleo against mybot, after 1 of "), "{shown}");
    connected.kill().unwrap();
    connected.wait().unwrap();
}

/// The link that the mail in the server's folder holds.
fn confirm_link(folder: &Path) -> String {
    let since = Instant::now();
    loop {
        let files = fs::read_dir(folder.join("palestra-data/mail")).into_iter().flatten();
        let mails = files.filter_map(|file| fs::read_to_string(file.unwrap().path()).ok());
        let mut mails = mails.map(|mail| mail.replace("=\r\n", "")).filter(|mail| mail.contains("/confirm/"));
        if let Some(mail) = mails.next() {
            return format!("/confirm/{}", between(&mail, "/confirm/", "\r\n").trim());
        }
        assert!(since.elapsed() < Duration::from_secs(30), "no mail comes");
        thread::yield_now();
    }
}

#[test]
fn a_program_of_the_owner_plays() {
    let folder = tempfile::tempdir().unwrap();
    let server = Served::start(folder.path(), &["--bot", &format!("mine={}", bot(&folder))]);
    let mut browser = Browser::new(&server.address);
    assert!(browser.get("/tables/new?game=mancala").contains("value=\"own:mine\""));
    let code = browser.open_table("game=mancala&seat1=own%3Amine&seat2=me&games=2");
    let mut live = browser.look(&code);
    let table = live.await_a("table")["table"].clone();
    // It may have moved before anybody looked.
    let first = table["moves"].get(0).cloned().unwrap_or_else(|| {
        let moved = live.await_a("moved");
        json!([moved["seat"], moved["text"]])
    });
    assert_eq!(first, json!([0, "1"]));
    live.say(&json!({"do": "resign"})).unwrap();
    assert_eq!(live.await_a("ended")["state"]["ended"]["is_last"], false);
    live.say(&json!({"do": "rematch"})).unwrap();
    let board = live.await_a("began")["state"].clone();
    assert_eq!(board["turn"], 1, "sides are changed");
}

/// Plays Mancala alone, and not without a limit.
const MANCALA_ONLY: &str = "import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == 'hello':
        print('ready', flush=True)
    elif word == 'game' and rest[0] != 'mancala':
        raise ValueError('I know Mancala alone')
    elif word == 'legal':
        first = rest[0]
    elif word == 'go' and rest[0] == 'infinite':
        raise RuntimeError('there is no limit')
    elif word == 'go':
        print('move', first, flush=True)
    elif word == 'bye':
        break
";

#[test]
fn a_program_of_the_owner_is_offered_for_its_games_and_its_traceback_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bot.py"), MANCALA_ONLY).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" \"$@\" 2>log", env!("CARGO_BIN_EXE_palestra")]);
    let server = Served::start_by(command, folder.path(), &["--bot", "mine=./bot.py"]);
    let mut browser = Browser::new(&server.address);
    for (game, is_offered) in [("mancala", true), ("conecta4boom", false), ("parchis", false), ("bandera", false)] {
        let form = browser.get(&format!("/tables/new?game={game}"));
        assert_eq!(form.contains("value=\"own:mine\""), is_offered, "{game}");
    }
    let refused = browser.post("/tables", "game=parchis&seat1=own%3Amine&seat2=me");
    assert!(refused.starts_with("HTTP/1.1 422") && refused.contains("mine does not play this game here"), "{refused}");
    let code = browser.open_table("game=mancala&seat1=own%3Amine&seat2=me");
    let mut live = browser.look(&code);
    let table = live.await_a("table")["table"].clone();
    let ended = if table["state"]["ended"].is_null() {
        live.await_a("ended")["state"]["ended"].clone()
    } else {
        table["state"]["ended"].clone()
    };
    assert_eq!(ended["reason"], "crash");
    let since = Instant::now();
    loop {
        let log = fs::read_to_string(folder.path().join("log")).unwrap();
        let told = log.lines().find(|line| line.contains("stderr: RuntimeError: there is no limit"));
        if let Some(line) = told {
            assert!(line.contains("mine") && line.contains(&code), "{line}");
            assert!(log.contains("ValueError: I know Mancala alone"), "why it is not offered: {log}");
            break;
        }
        assert!(since.elapsed() < Duration::from_secs(30), "{log}");
        thread::yield_now();
    }
}

#[test]
fn a_program_that_is_offered_no_longer_has_lost() {
    let folder = tempfile::tempdir().unwrap();
    // It never gets ready, so the game waits for it.
    let path = folder.path().join("slow");
    fs::write(&path, BOT.replace("hello) echo ready", "hello) sleep 100")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let bot = format!("slow:mancala={}", path.display());
    let mut server = Served::start(folder.path(), &["--bot", &bot]);
    let mut browser = Browser::new(&server.address);
    let code = browser.open_table("game=mancala&seat1=own%3Aslow&seat2=me");
    server.kill();
    // A file with its name must not run in its place.
    fs::copy(&path, folder.path().join("palestra-data/slow")).unwrap();
    let server = Served::start(folder.path(), &[]);
    server.address.clone_into(&mut browser.address);
    let mut live = browser.look(&code);
    let table = live.await_a("table")["table"].clone();
    let ended = if table["state"]["ended"].is_null() {
        live.await_a("ended")["state"]["ended"].clone()
    } else {
        table["state"]["ended"].clone()
    };
    assert_eq!((&ended["winner"], &ended["reason"]), (&json!(1), &json!("startup")));
}

#[test]
fn a_connected_program_survives_the_end_of_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Served::start(folder.path(), &[]);
    let address = server.address.clone();
    let mut browser = Browser::new(&address);
    let code = browser.open_table("game=mancala&seat2=open");
    let mut live = browser.look(&code);
    live.await_a("table");
    let mut connected = connect_bot(&bot(&folder), &address, &code);
    let mut board = live.await_a("began")["state"].clone();
    while board["turn"] == 0 {
        board = live.play(&board).unwrap()["state"].clone();
    }
    // Once it has moved, it certainly got its seat.
    while board["turn"] == 1 {
        board = live.await_a("moved")["state"].clone();
    }
    server.kill();
    let _server = Served::start(folder.path(), &["--listen", &address]);
    let mut live = browser.look(&code);
    let mut board = live.await_a("table")["table"]["state"].clone();
    while board["turn"] == 0 {
        board = live.play(&board).unwrap()["state"].clone();
    }
    assert_eq!(live.await_a("moved")["seat"], 1, "it came back by itself");
    connected.kill().unwrap();
    connected.wait().unwrap();
}

/// A command that runs the program with a small disk in place of a folder, which it alone sees. Nobody else is harmed by
/// it; none if this machine does not allow it.
fn with_small_disk(folder: &Path) -> Option<Command> {
    let script = "mount -t tmpfs -o size=2m palestra-test \"$0\" && exec \"$@\"";
    let with = |flags: &[&str], program: &str| {
        let mut command = Command::new("unshare");
        command.args(flags).args(["sh", "-c", script]).arg(folder).arg(program);
        command
    };
    // As root, or as anybody who may be root in a world of their own.
    let all = [&["--mount"][..], &["--user", "--map-root-user", "--mount"]];
    let works = |flags: &&&[&str]| with(flags, "true").output().is_ok_and(|output| output.status.success());
    all.iter().find(works).map(|flags| with(flags, env!("CARGO_BIN_EXE_palestra")))
}

#[test]
fn a_full_disk_stops_nothing_that_cannot_go_on_later() {
    let folder = tempfile::tempdir().unwrap();
    let Some(command) = with_small_disk(folder.path()) else { return };
    let server = Served::start_by(command, folder.path(), &["--data", folder.path().to_str().unwrap()]);
    let mut browser = Browser::new(&server.address);
    let code = browser.open_table("game=mancala&seat2=me");
    let mut live = browser.look(&code);
    let mut board = live.await_a("table")["table"]["state"].clone();
    board = live.play(&board).unwrap()["state"].clone();

    let ballast =
        PathBuf::from(format!("/proc/{}/root", server.child.id())).join(folder.path().strip_prefix("/").unwrap());
    let ballast = ballast.join("ballast");
    let mut file = fs::File::create(&ballast).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    // What the database has room for is taken first.
    let refused =
        (0..200).map(|_| browser.post("/tables", "game=mancala")).find(|answer| !answer.contains("location: "));
    let refused = refused.expect("the disk is full at last");
    assert!(refused.starts_with("HTTP/1.1 507") && refused.contains("disk is full"), "{refused}");
    let (ply, text) = (&board["ply"], &board["scene"]["choices"][0]["text"]);
    live.say(&json!({"do": "move", "ply": ply, "text": text})).unwrap();
    let refused = live.await_a("refused");
    assert!(refused["text"].as_str().unwrap().contains("disk is full"), "{refused}");
    assert!(browser.get("/metrics").contains("palestra_store_errors_total{kind=\"full\"} "));
    assert_eq!(browser.look(&code).await_a("table")["table"]["state"]["ply"], *ply, "nothing was played");
    let health = browser.get("/health");
    assert!(health.starts_with("HTTP/1.1 503") && health.contains("\"full\"}"), "{health}");

    fs::remove_file(&ballast).unwrap();
    drop(file);
    live.play(&board).unwrap();
    assert!(!browser.open_table("game=mancala").is_empty());
}

/// Its own moves were not played, and others in their place were: a program that keeps a board of its own must hear of it.
#[test]
fn a_program_is_told_the_game_anew_when_a_move_was_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let bot = log::bot(folder.path());
    let server = Served::start(folder.path(), &["--bot", &format!("mine:parchis={}", bot.display())]);
    let mut browser = Browser::new(&server.address);
    let code = browser.open_table("game=parchis&options=ALTERNED&seat1=me&seat2=own%3Amine");
    let mut live = browser.look(&code);
    let mut board = live.await_a("table")["table"]["state"].clone();
    let (mut its_moves, mut is_taken_back) = (0, false);
    while its_moves < 6 {
        if its_moves == 3 && !std::mem::replace(&mut is_taken_back, true) {
            live.say(&json!({"do": "take_back"})).unwrap();
            board = live.await_a("taken_back")["state"].clone();
        }
        let moved = if board["turn"] == 0 { live.play(&board).unwrap() } else { live.await_a("moved") };
        its_moves += u32::from(moved["seat"] == 1);
        board = moved["state"].clone();
    }
    let lines = log::log(&bot);
    assert!(log::assert_rebuilt(&lines) >= 6);
    let games = lines.iter().filter(|line| line.starts_with("game parchis seat 2 options ALTERNED"));
    assert_eq!(games.count(), 2, "{lines:#?}");
}
