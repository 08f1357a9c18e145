//! How a server bears a crowd: `cargo bench -p palestra-web --bench load`.
//!
//! The server is a process of its own. Members sign in, one after the other, before the crowd comes and while it plays. A
//! thousand browsers sit at, or look at, a hundred tables where people move once a second; pages are read beside that, and
//! then 200 visitors ask for an analysis at once. What counts is how long a move takes from one browser to all others at
//! the table. Then come those who mean no good: 5,000 idle connections, pages of the largest map, and 900 sockets that
//! never read; what counts is how long `/health` and the home page take.
//!
//! It takes three minutes and speaks to loopback alone. Both processes raise their limit of open files to the hard limit;
//! each needs 7,500: `ulimit -Hn`.

mod attacks;
mod client;
mod sign_in;

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use palestra_web::{Config, Server};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use attacks::{add_large_map, idle_connections, map_pages, silent_sockets};
use client::{Visitor, connect, http};
use sign_in::{add_members, sign_ins};

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
    palestra_web::raise_descriptor_limit();
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
    let descriptors = palestra_web::raise_descriptor_limit();
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::start(folder.path().to_str().expect("a path"));
    let address: Arc<str> = server.1.as_str().into();
    let clients = TABLES * CLIENTS_A_TABLE;
    println!("{clients} clients at {TABLES} tables, a move a second at each; {descriptors} descriptors a process\n");
    println!("| part | | number | median | 99 % | worst |\n|---|---|---|---|---|---|");
    add_members(folder.path()).await;
    println!("| sign-ins alone | sign-in | {} |", sign_ins(&address).await.told());
    let crowd = Crowd::gather(&address).await;
    crowd.moves.told();
    tokio::time::sleep(PART).await;
    println!("| moves alone | moves delivered | {} |", crowd.moves.told());
    let signed_in = sign_ins(&address).await;
    println!("| sign-ins | moves delivered | {} |", crowd.moves.told());
    println!("| | sign-in | {} |", signed_in.told());
    pages(&crowd).await;
    let answers = analyses(&crowd).await;
    idle_connections(&crowd).await;
    let map = add_large_map(&folder.path().join("palestra.db")).await;
    map_pages(&crowd, &map).await;
    silent_sockets(&crowd, &map).await;
    println!("\nAnswers to the analyses: {answers:?}");
    crowd.over.store(true, Ordering::Relaxed);
}

/// Players and spectators, who stay for all parts.
struct Crowd {
    address: Arc<str>,
    codes: Vec<String>,
    moves: Arc<Delays>,
    over: Arc<AtomicBool>,
}

impl Crowd {
    async fn gather(address: &Arc<str>) -> Self {
        let (moves, over, mut codes) = (Arc::new(Delays::default()), Arc::new(AtomicBool::new(false)), vec![]);
        for number in 0..TABLES {
            let visitor = Visitor::new(address).await;
            let code = visitor.open_table("game=mancala").await;
            tokio::spawn(play(address.clone(), visitor, code.clone(), number, moves.clone(), over.clone()));
            codes.push(code);
        }
        tokio::time::sleep(Duration::from_secs(3)).await;
        Self { address: address.clone(), codes, moves, over }
    }
}

/// 2,000 pages a second.
async fn pages(crowd: &Crowd) {
    let (begun, reads) = (Instant::now(), Arc::new(Delays::default()));
    let reader = |_| tokio::spawn(read(crowd.address.clone(), crowd.codes.clone(), reads.clone(), begun));
    let readers: Vec<_> = (0..READERS).map(reader).collect();
    let mut done = 0;
    for reader in readers {
        done += reader.await.expect("a reader");
    }
    println!("| pages read | moves delivered | {} |", crowd.moves.told());
    println!("| | pages, {:.0} a second | {} |", done as f64 / begun.elapsed().as_secs_f64(), reads.told());
}

/// Analyses, all at once. How many were answered with which status.
async fn analyses(crowd: &Crowd) -> HashMap<u16, usize> {
    let answers = Arc::new(Mutex::new(HashMap::<u16, usize>::new()));
    let asked: Vec<_> = (0..ANALYSES).map(|_| tokio::spawn(analyse(crowd.address.clone(), answers.clone()))).collect();
    for asker in asked {
        asker.await.expect("an asker");
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("| {ANALYSES} analyses | moves delivered | {} |", crowd.moves.told());
    answers.lock().expect("nobody panics").clone()
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
                send(&mut socket, &json!({"do": "rematch"})).await;
            }
            let Some(begun) = await_board(&mut socket, "began").await else { return };
            board = begun;
            continue;
        };
        let command = json!({"do": "move", "ply": board["ply"], "text": text});
        sent.store(zero.elapsed().as_micros() as u64, Ordering::Relaxed);
        send(&mut socket, &command).await;
        let Some(moved) = await_board(&mut socket, "moved").await else { return };
        board = moved;
        moves.add(zero.elapsed().saturating_sub(Duration::from_micros(sent.load(Ordering::Relaxed))));
    }
}

/// Sends a command. If the server has been ended it is lost, and no answer follows.
async fn send(socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>, command: &Value) {
    let _ = socket.send(Frame::text(command.to_string())).await;
}

/// The board of a frame, if it shows one after a move.
fn is_move(frame: &Frame) -> Option<Value> {
    let message: Value = serde_json::from_str(frame.to_text().ok()?).ok()?;
    (message["is"] == "moved").then(|| message["state"].clone())
}

/// The board that the next message of a kind shows; nothing when the server has been ended.
async fn await_board(socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>, is: &str) -> Option<Value> {
    while let Some(Ok(frame)) = socket.next().await {
        let Ok(text) = frame.to_text() else { continue };
        let Ok(message) = serde_json::from_str::<Value>(text) else { continue };
        if message["is"] == is {
            return Some(if is == "table" { message["table"]["state"].clone() } else { message["state"].clone() });
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
        http(&mut stream, &address, "POST", "/api/v1/analyse", "content-type: application/json\r\n", &body).await;
    *answers.lock().expect("nobody panics").entry(status).or_default() += 1;
}
