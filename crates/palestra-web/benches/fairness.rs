//! How long others wait while one visitor keeps all threads thinking: `cargo bench -p palestra-web --bench fairness`.
//!
//! The server is a process of its own. A guest at 127.0.0.2 opens 40 tables at which the deepest players that are
//! allowed play each other, and looks at all of them. A guest at 127.0.0.3 plays `ninja1` and asks for small analyses.
//! What counts is how long that guest waits, beside how long it takes on an idle server.

use std::io::{BufRead, BufReader};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use palestra_web::{Config, Server};
use reqwest::cookie::{CookieStore, Jar};
use reqwest::{Client, Url, redirect};
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

const GREEDY: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);

/// A person may have 20 tables, so the greedy guest has two cookies.
const COOKIES: usize = 2;
const TABLES_A_COOKIE: usize = 20;
const DEEPEST: &str = "alphabeta:10";
const TRIES: usize = 30;

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
struct Process(Child, SocketAddr);

impl Process {
    fn start(folder: &str) -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut command = Command::new(program);
        let mut child = command.args(["serve", folder]).stdout(Stdio::piped()).spawn().expect("the server");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut address).expect("an address");
        Self(child, address.trim().parse().expect("an address"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn measure() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::start(folder.path().to_str().expect("a path"));
    println!("| server | | tries | median | 99 % | worst |\n|---|---|---|---|---|---|");
    part(server.1, "idle").await;
    let mut sockets = vec![];
    for _ in 0..COOKIES {
        let greedy = Guest::new(server.1, GREEDY).await;
        for _ in 0..TABLES_A_COOKIE {
            let code = greedy.open_table(&[("game", "parchis"), ("seat1", DEEPEST), ("seat2", DEEPEST)]).await;
            sockets.push(tokio::spawn(watch(greedy.look(&code).await)));
        }
    }
    part(server.1, &format!("{} deep tables", sockets.len())).await;
    sockets.iter().for_each(tokio::task::JoinHandle::abort);
    for socket in sockets {
        let _ = socket.await;
    }
    part(server.1, "the same, nobody looks").await;
}

/// Looks at a table until the end.
async fn watch(mut socket: WebSocketStream<TcpStream>) {
    while let Some(Ok(_)) = socket.next().await {}
}

/// Measures what the other guest waits for.
async fn part(server: SocketAddr, load: &str) {
    let mut replies = Vec::with_capacity(TRIES);
    let mut analyses = Vec::with_capacity(TRIES);
    for _ in 0..TRIES {
        let guest = Guest::new(server, OTHER).await;
        replies.push(guest.await_reply().await);
        analyses.push(guest.await_analysis().await);
    }
    println!("| {load} | ninja1 replies | {} |", told(replies));
    println!("| | an analysis of 50 positions | {} |", told(analyses));
}

/// The number, the median, the 99th of a hundred and the worst.
fn told(mut all: Vec<Duration>) -> String {
    all.sort_unstable();
    let at = |part: f64| all.get((all.len() as f64 * part) as usize).or(all.last()).copied().unwrap_or_default();
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    format!("{} | {} | {} | {}", all.len(), ms(at(0.5)), ms(at(0.99)), ms(at(1.0)))
}

/// A guest with an address of their own.
struct Guest {
    client: Client,
    jar: Arc<Jar>,
    server: SocketAddr,
    from: Ipv4Addr,
    csrf: String,
}

impl Guest {
    async fn new(server: SocketAddr, from: Ipv4Addr) -> Self {
        let jar = Arc::new(Jar::default());
        let client = Client::builder().local_address(IpAddr::V4(from)).cookie_provider(jar.clone());
        let client = client.redirect(redirect::Policy::none()).build().expect("a client");
        let page = client.get(format!("http://{server}/")).send().await.expect("a page").text().await.expect("a text");
        let (_, rest) = page.split_once("name=\"csrf\" value=\"").expect("a form");
        let csrf = rest.split_once('"').expect("a value").0.to_owned();
        Self { client, jar, server, from, csrf }
    }

    async fn open_table(&self, fields: &[(&str, &str)]) -> String {
        let fields = [fields, &[("csrf", &self.csrf)]].concat();
        let request = self.client.post(format!("http://{}/tables", self.server)).form(&fields);
        let answer = request.send().await.expect("an answer");
        let location = answer.headers().get("location").and_then(|value| value.to_str().ok());
        location.and_then(|path| path.strip_prefix("/t/")).expect("a table").to_owned()
    }

    async fn look(&self, code: &str) -> WebSocketStream<TcpStream> {
        let url: Url = format!("http://{}/", self.server).parse().expect("a URL");
        let cookies = self.jar.cookies(&url).expect("a cookie");
        let mut request = format!("ws://{}/t/{code}/live", self.server).into_client_request().expect("a request");
        request.headers_mut().insert("cookie", cookies.to_str().expect("text").parse().expect("a cookie"));
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((self.from, 0).into()).expect("an address of the loopback");
        let stream = socket.connect(self.server).await.expect("a connection");
        stream.set_nodelay(true).expect("an option");
        client_async(request, stream).await.expect("a WebSocket").0
    }

    /// Plays until it is the turn of `ninja1`, and measures how long its reply takes.
    async fn await_reply(&self) -> Duration {
        let code = self.open_table(&[("game", "mancala"), ("seat2", "ninja1")]).await;
        let mut socket = self.look(&code).await;
        let mut board = await_message(&mut socket, |message| message["is"] == "table").await["table"]["state"].take();
        let mut begun = Instant::now();
        while board["turn"] == 0 {
            begun = Instant::now();
            let command = json!({"do": "move", "ply": board["ply"], "text": board["scene"]["choices"][0]["text"]});
            socket.send(Frame::text(command.to_string())).await.expect("it is sent");
            board = await_message(&mut socket, |message| message["is"] == "moved").await["state"].take();
        }
        await_message(&mut socket, |message| message["is"] == "moved" && message["seat"] == 1).await;
        begun.elapsed()
    }

    async fn await_analysis(&self) -> Duration {
        let wanted = json!({"game": "mancala", "states": 50});
        let begun = Instant::now();
        let request = self.client.post(format!("http://{}/api/v1/analyse", self.server)).json(&wanted);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        answer.bytes().await.expect("an analysis");
        begun.elapsed()
    }
}

async fn await_message(socket: &mut WebSocketStream<TcpStream>, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let frame = socket.next().await.expect("the server is there").expect("a frame");
        let Ok(text) = frame.to_text() else { continue };
        let Ok(message) = serde_json::from_str::<Value>(text) else { continue };
        if is_it(&message) {
            return message;
        }
    }
}
