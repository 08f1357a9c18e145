//! A server of its own for a test, and browsers to visit it with.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use palestra_web::{Config, FolderError, Server, StartError};
use reqwest::cookie::{CookieStore, Jar};
use reqwest::{Client, RequestBuilder, StatusCode, Url, redirect};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A server in a temporary folder, on a port of its own.
pub(crate) struct Site {
    pub(crate) url: String,
    pub(crate) folder: Arc<TempDir>,
    /// The link that makes the first admin.
    pub(crate) setup: Option<String>,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

impl Site {
    /// A new one.
    pub(crate) async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    /// A new one, set up differently.
    pub(crate) async fn open_with(change: impl FnOnce(&mut Config)) -> Self {
        Self::open_in(Arc::new(tempfile::tempdir().unwrap()), change).await
    }

    /// One with the data of an earlier one.
    pub(crate) async fn open_in(folder: Arc<TempDir>, change: impl FnOnce(&mut Config)) -> Self {
        let listen = "127.0.0.1:0".parse().unwrap();
        let mut config = Config { listen, data: folder.path().join("data"), ..Config::default() };
        change(&mut config);
        let server = start(config).await;
        let url = format!("http://{}", server.address());
        let setup = server.setup_link();
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(async move {
            server.run(async { drop(stopped.await) }).await.unwrap();
        });
        Self { url, folder, setup, stop: Some(stop), running }
    }

    /// Tells it to stop, and waits until it has.
    pub(crate) async fn close(mut self) -> Arc<TempDir> {
        drop(self.stop.take());
        self.running.await.unwrap();
        self.folder
    }
}

/// Starts a server. One that has just stopped in the same folder may seem to go on: a program that another test starts at this
/// moment holds all open files, the lock of the folder among them, until it runs.
async fn start(config: Config) -> Server {
    let begun = Instant::now();
    loop {
        match Server::start(config.clone()).await {
            Err(StartError::Folder(FolderError::InUse(_))) if begun.elapsed() < WAIT_LIMIT => {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            started => return started.unwrap(),
        }
    }
}

/// A browser: it keeps its cookies, and fills in the forms' secret word.
pub(crate) struct Browser {
    client: Client,
    jar: Arc<Jar>,
    url: String,
}

/// What a browser sees.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) status: StatusCode,
    /// Where it ended after redirections.
    pub(crate) path: String,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Seen {
    /// The page without its CSRF token, which is another on every page.
    pub(crate) fn without_csrf(&self) -> String {
        self.text.replace(between(&self.text, "name=\"csrf\" value=\"", "\""), "")
    }
}

impl Browser {
    pub(crate) fn new(site: &Site) -> Self {
        Self::at(&site.url)
    }

    /// A browser for the server at this address.
    pub(crate) fn at(url: &str) -> Self {
        let jar = Arc::new(Jar::default());
        let client = Client::builder().cookie_provider(jar.clone()).redirect(redirect::Policy::limited(5));
        Self { client: client.build().unwrap(), jar, url: url.to_owned() }
    }

    /// The same browser after the server has moved to another port.
    pub(crate) fn moved_to(&self, site: &Site) -> Self {
        let moved = Self::new(site);
        let url: Url = site.url.parse().unwrap();
        self.cookies().split("; ").for_each(|cookie| moved.jar.add_cookie_str(cookie, &url));
        moved
    }

    /// The client itself, for what browsers do not do.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// Gives it a cookie.
    pub(crate) fn set_cookie(&self, cookie: &str) {
        self.jar.add_cookie_str(cookie, &self.url.parse().unwrap());
    }

    /// The cookies that it would send.
    pub(crate) fn cookies(&self) -> String {
        let url: Url = self.url.parse().unwrap();
        self.jar.cookies(&url).map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
    }

    pub(crate) async fn get(&self, path: &str) -> Seen {
        send(self.client.get(self.address(path))).await
    }

    /// Fills in a form. The secret word is taken from the first page, as any page has it.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Seen {
        let csrf = self.csrf().await;
        let mut fields = fields.to_vec();
        fields.push(("csrf", &csrf));
        self.post_as_is(path, &fields).await
    }

    /// Sends a form without the secret word.
    pub(crate) async fn post_as_is(&self, path: &str, fields: &[(&str, &str)]) -> Seen {
        send(self.client.post(self.address(path)).form(fields)).await
    }

    /// Opens a table with these fields of the form, and says its code.
    pub(crate) async fn open_table(&self, fields: &[(&str, &str)]) -> String {
        let csrf = self.csrf().await;
        let mut fields = fields.to_vec();
        fields.push(("csrf", &csrf));
        let client = Client::builder().redirect(redirect::Policy::none()).build().unwrap();
        let request = client.post(self.address("/tables")).header("cookie", self.cookies()).form(&fields);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 303, "{}", response.text().await.unwrap());
        response.headers()["location"].to_str().unwrap().strip_prefix("/t/").unwrap().to_owned()
    }

    /// The word that forms of this browser must hold.
    pub(crate) async fn csrf(&self) -> String {
        let page = self.get("/").await.text;
        between(&page, "name=\"csrf\" value=\"", "\"").to_owned()
    }
}

/// What stands in a text between two others.
pub(crate) fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in {text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after:?} in {rest}")).0
}

pub(crate) async fn send(request: RequestBuilder) -> Seen {
    let response = request.send().await.unwrap();
    let (status, headers, path) = (response.status(), response.headers().clone(), response.url().path().to_owned());
    Seen { status, path, headers, text: response.text().await.unwrap() }
}

/// A browser's socket at a table.
pub(crate) struct Live {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The number of the last message.
    pub(crate) seq: u64,
}

/// Longer than anything takes on a busy machine; a test that waits for what does not come ends here.
pub(crate) const WAIT_LIMIT: Duration = Duration::from_secs(60);

impl Live {
    /// Opens a table, having seen everything up to a number.
    pub(crate) async fn open(browser: &Browser, code: &str, since: Option<u64>) -> Self {
        let since = since.map_or_else(String::new, |since| format!("?since={since}"));
        let url = browser.address(&format!("/t/{code}/live{since}")).replacen("http", "ws", 1);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("cookie", browser.cookies().parse().unwrap());
        request.headers_mut().insert("origin", browser.address("").parse().unwrap());
        let (socket, _) = connect_async(request).await.unwrap();
        Self { socket, seq: 0 }
    }

    /// The next message of all; nothing when the connection is closed.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let next = tokio::time::timeout(WAIT_LIMIT, self.listen()).await;
        next.unwrap_or_else(|_| panic!("no message came within {WAIT_LIMIT:?}; the last was number {}", self.seq))
    }

    async fn listen(&mut self) -> Option<Value> {
        loop {
            match self.socket.next().await? {
                Ok(Frame::Text(text)) => {
                    let message: Value = serde_json::from_str(&text).unwrap();
                    if let Some(seq) = message["seq"].as_u64() {
                        self.seq = seq;
                    }
                    return Some(message);
                }
                Ok(Frame::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message of a kind; others are passed over.
    pub(crate) async fn await_a(&mut self, is: &str) -> Value {
        self.next_of(&[is]).await
    }

    /// The next message of one of these kinds.
    pub(crate) async fn next_of(&mut self, kinds: &[&str]) -> Value {
        // Other messages may come for ever: the limit is for all of them together.
        let (begun, mut passed_over) = (Instant::now(), 0);
        loop {
            let message = self.next().await.unwrap_or_else(|| panic!("the connection was closed before {kinds:?}"));
            assert!(begun.elapsed() < WAIT_LIMIT, "no {kinds:?} within {WAIT_LIMIT:?}, but {passed_over} others");
            passed_over += 1;
            if kinds.iter().any(|kind| message["is"] == *kind) {
                return message;
            }
        }
    }

    pub(crate) async fn say(&mut self, command: Value) {
        self.say_text(&command.to_string()).await;
    }

    pub(crate) async fn say_text(&mut self, text: &str) {
        self.socket.send(Frame::text(text)).await.unwrap();
    }

    /// Makes a move, and waits until it is on the board.
    pub(crate) async fn play(&mut self, ply: u64, text: &str) -> Value {
        self.say(json!({"do": "move", "ply": ply, "text": text})).await;
        let begun = Instant::now();
        loop {
            let moved = self.await_a("moved").await;
            if moved["state"]["ply"] == ply + 1 {
                return moved;
            }
            assert!(begun.elapsed() < WAIT_LIMIT, "move {text} was not played as number {}", ply + 1);
        }
    }
}
