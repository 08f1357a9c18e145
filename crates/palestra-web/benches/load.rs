//! How a server bears a crowd: `cargo bench -p palestra-web --bench load`.
//!
//! The server is a process of its own. A thousand browsers sit at, or look at, a hundred tables where people move once a
//! second; pages are read beside that, and then 200 visitors ask for an analysis at once. What counts is how long a move
//! takes from one browser to all others at the table.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use palestra_web::{Config, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

const TABLES: usize = 100;
const CLIENTS_A_TABLE: usize = 10;
const PERIOD: Duration = Duration::from_secs(1);
const PART: Duration = Duration::from_secs(20);
const READERS: usize = 16;
const READS_A_SECOND: u64 = 2000;
const ANALYSES: usize = 200;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    match std::env::args().nth(1).as_deref() {
        Some("serve") => runtime.block_on(serve(&std::env::args().nth(2).expect("a folder"))),
        _ => runtime.block_on(measure()),
    }
}

async fn serve(folder: &str) {
    let listen = "127.0.0.1:0".parse().expect("an address");
    let config = Config { listen, data: folder.into(), ..Config::default() };
    let server = Server::start(config).await.expect("the server starts");
    println!("{}", server.address());
    server.run(std::future::pending()).await.expect("the server runs");
}

/// The server in its own process, ended with this value.
struct Process(Child, String);

impl Process {
    fn start(folder: &str) -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut command = Command::new(program);
        let mut child = command.args(["serve", folder]).stdout(Stdio::piped()).spawn().expect("the server");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut address).expect("an address");
        Self(child, address.trim().to_owned())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What was measured, in one part.
#[derive(Default)]
struct Delays(Mutex<Vec<Duration>>);

impl Delays {
    fn add(&self, delay: Duration) {
        self.0.lock().expect("nobody panics").push(delay);
    }

    /// The number, the median, the 99th of a hundred and the worst, in milliseconds.
    fn told(&self) -> String {
        let mut all = std::mem::take(&mut *self.0.lock().expect("nobody panics"));
        all.sort_unstable();
        let at = |part: f64| all.get((all.len() as f64 * part) as usize).or(all.last()).copied().unwrap_or_default();
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        format!("{:>7} | {:>9} | {:>9} | {:>9}", all.len(), ms(at(0.5)), ms(at(0.99)), ms(at(1.0)))
    }
}

async fn measure() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::start(folder.path().to_str().expect("a path"));
    let address: Arc<str> = server.1.as_str().into();
    let (moves, reads) = (Arc::new(Delays::default()), Arc::new(Delays::default()));
    let over = Arc::new(AtomicBool::new(false));
    let mut codes = vec![];
    for number in 0..TABLES {
        let visitor = Visitor::new(&address).await;
        let code = visitor.open_table().await;
        tokio::spawn(play(address.clone(), visitor, code.clone(), number, moves.clone(), over.clone()));
        codes.push(code);
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    println!("{} clients at {TABLES} tables, a move a second at each\n", TABLES * CLIENTS_A_TABLE);
    println!("| part | | number | median | 99 % | worst |\n|---|---|---|---|---|---|");
    moves.told();
    tokio::time::sleep(PART).await;
    println!("| moves alone | moves delivered | {} |", moves.told());

    let begun = Instant::now();
    let readers = (0..READERS).map(|_| tokio::spawn(read(address.clone(), codes.clone(), reads.clone(), begun)));
    let readers: Vec<_> = readers.collect();
    let mut done = 0;
    for reader in readers {
        done += reader.await.expect("a reader");
    }
    println!("| pages read | moves delivered | {} |", moves.told());
    println!("| | pages, {:.0} a second | {} |", done as f64 / begun.elapsed().as_secs_f64(), reads.told());

    let answers = Arc::new(Mutex::new(HashMap::<u16, usize>::new()));
    let asked: Vec<_> = (0..ANALYSES).map(|_| tokio::spawn(analyse(address.clone(), answers.clone()))).collect();
    for asker in asked {
        asker.await.expect("an asker");
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let answers = answers.lock().expect("nobody panics");
    println!("| {ANALYSES} analyses | moves delivered | {} |", moves.told());
    println!("\nAnswers to the analyses: {answers:?}");
    over.store(true, Ordering::Relaxed);
}

/// Somebody with a cookie.
struct Visitor {
    address: Arc<str>,
    cookie: String,
    csrf: String,
}

impl Visitor {
    async fn new(address: &Arc<str>) -> Self {
        let (_, head, body) = http(&mut connect(address).await, address, "GET", "/", "", "").await;
        let cookie = between(&head, "set-cookie: ", ";");
        let csrf = between(&body, "name=\"csrf\" value=\"", "\"");
        Self { address: address.clone(), cookie, csrf }
    }

    async fn open_table(&self) -> String {
        let form = format!("game=mancala&seat2=me&visibility=public&csrf={}", self.csrf);
        let headers = format!("cookie: {}\r\ncontent-type: application/x-www-form-urlencoded\r\n", self.cookie);
        let mut stream = connect(&self.address).await;
        let (_, head, body) = http(&mut stream, &self.address, "POST", "/tables", &headers, &form).await;
        assert!(head.contains("location: /t/"), "{head}{body}");
        between(&head, "location: /t/", "\r\n")
    }

    async fn look(&self, code: &str) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
        let mut request = format!("ws://{}/t/{code}/live", self.address).into_client_request().expect("a request");
        request.headers_mut().insert("cookie", self.cookie.parse().expect("a cookie"));
        connect_async(request).await.expect("a socket").0
    }
}

fn between(text: &str, before: &str, after: &str) -> String {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("{before} in {text}")).1;
    rest.split_once(after).map_or(rest, |(word, _)| word).to_owned()
}

/// A table: one who plays both sides, and others who look. All measure when a move reaches them.
async fn play(
    address: Arc<str>,
    owner: Visitor,
    code: String,
    number: usize,
    moves: Arc<Delays>,
    over: Arc<AtomicBool>,
) {
    let zero = Instant::now();
    // When the last move was sent, in microseconds since zero.
    let sent = Arc::new(AtomicU64::new(0));
    for _ in 1..CLIENTS_A_TABLE {
        let watcher = Visitor::new(&address).await;
        let mut socket = watcher.look(&code).await;
        let (sent, moves) = (sent.clone(), moves.clone());
        tokio::spawn(async move {
            while let Some(Ok(frame)) = socket.next().await {
                if is_move(&frame).is_some() {
                    moves.add(zero.elapsed().saturating_sub(Duration::from_micros(sent.load(Ordering::Relaxed))));
                }
            }
        });
    }
    let mut socket = owner.look(&code).await;
    let Some(mut board) = await_board(&mut socket, "table").await else { return };
    let mut due = tokio::time::Instant::now() + PERIOD.mul_f64(number as f64 / TABLES as f64);
    while !over.load(Ordering::Relaxed) {
        tokio::time::sleep_until(due).await;
        due += PERIOD;
        let Some(text) = board["scene"]["choices"][0]["text"].as_str() else {
            for _ in 0..2 {
                socket.send(Frame::text(json!({"do": "rematch"}).to_string())).await.expect("it is sent");
            }
            let Some(begun) = await_board(&mut socket, "began").await else { return };
            board = begun;
            continue;
        };
        let command = json!({"do": "move", "ply": board["ply"], "text": text}).to_string();
        sent.store(zero.elapsed().as_micros() as u64, Ordering::Relaxed);
        socket.send(Frame::text(command)).await.expect("it is sent");
        let Some(moved) = await_board(&mut socket, "moved").await else { return };
        board = moved;
        moves.add(zero.elapsed().saturating_sub(Duration::from_micros(sent.load(Ordering::Relaxed))));
    }
}

/// The board of a frame, if it shows one after a move.
fn is_move(frame: &Frame) -> Option<Value> {
    let message: Value = serde_json::from_str(frame.to_text().ok()?).ok()?;
    (message["is"] == "moved").then(|| message["board"].clone())
}

/// The board that the next message of a kind shows; nothing when the server has been ended.
async fn await_board(socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>, is: &str) -> Option<Value> {
    while let Some(Ok(frame)) = socket.next().await {
        let Ok(text) = frame.to_text() else { continue };
        let Ok(message) = serde_json::from_str::<Value>(text) else { continue };
        if message["is"] == is {
            return Some(if is == "table" { message["table"]["board"].clone() } else { message["board"].clone() });
        }
    }
    None
}

/// Reads pages one after the other, at its share of the rate, and says how many.
async fn read(address: Arc<str>, codes: Vec<String>, reads: Arc<Delays>, begun: Instant) -> usize {
    let mut stream = connect(&address).await;
    let between = Duration::from_secs(1) * READERS as u32 / READS_A_SECOND as u32;
    let mut count = 0;
    while begun.elapsed() < PART {
        let path = match count % 4 {
            0 => "/".to_owned(),
            1 => "/tables".to_owned(),
            2 => "/games".to_owned(),
            _ => format!("/t/{}", codes[count % codes.len()]),
        };
        let due = begun + between * count as u32;
        tokio::time::sleep_until(due.into()).await;
        let sent = Instant::now();
        let (status, _, _) = http(&mut stream, &address, "GET", &path, "", "").await;
        assert_eq!(status, 200, "{path}");
        reads.add(sent.elapsed());
        count += 1;
    }
    count
}

async fn analyse(address: Arc<str>, answers: Arc<Mutex<HashMap<u16, usize>>>) {
    let body = json!({"game": "mancala", "position": "1:0,4,4,4,4,4,4/0,4,4,4,4,4,4"}).to_string();
    let mut stream = connect(&address).await;
    let (status, _, _) =
        http(&mut stream, &address, "POST", "/api/analyse", "content-type: application/json\r\n", &body).await;
    *answers.lock().expect("nobody panics").entry(status).or_default() += 1;
}

async fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).await.expect("a connection");
    stream.set_nodelay(true).expect("an option");
    stream
}

/// A request and its answer: status, head and body. Small enough not to be what is measured.
async fn http(
    stream: &mut TcpStream,
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> (u16, String, String) {
    let length = body.len();
    let request =
        format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
    stream.write_all(request.as_bytes()).await.expect("it is sent");
    let (mut answer, mut buffer) = (vec![], vec![0; 1 << 16]);
    loop {
        let count = stream.read(&mut buffer).await.expect("an answer");
        assert!(count > 0, "the connection was closed");
        answer.extend_from_slice(&buffer[..count]);
        let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&answer[..end + 2]).to_lowercase();
        let length: usize = head.split_once("content-length: ").map_or(0, |(_, rest)| {
            rest.split_once("\r\n").and_then(|(number, _)| number.parse().ok()).expect("a length")
        });
        if answer.len() >= end + 4 + length {
            let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
            let original = String::from_utf8_lossy(&answer[..end + 2]).into_owned();
            let body = String::from_utf8_lossy(&answer[end + 4..]).into_owned();
            return (status, original, body);
        }
    }
}
