//! Clients: HTTP and WebSocket by hand, small enough not to be what is measured.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A browser with a cookie.
pub(crate) struct Visitor {
    address: Arc<str>,
    cookie: String,
    csrf: String,
}

impl Visitor {
    pub(crate) async fn new(address: &Arc<str>) -> Self {
        let (_, head, body) = http(&mut connect(address).await, address, "GET", "/", "", "").await;
        let cookie = between(&head, "set-cookie: ", ";");
        let csrf = between(&body, "name=\"csrf\" value=\"", "\"");
        Self { address: address.clone(), cookie, csrf }
    }

    /// Opens a table with these fields of the form, at which the visitor plays both sides.
    pub(crate) async fn open_table(&self, fields: &str) -> String {
        let fields = format!("{fields}&seat2=me&visibility=public");
        let (_, head, body) = self.post(&mut connect(&self.address).await, "/tables", &fields).await;
        assert!(head.contains("location: /t/"), "{head}{body}");
        between(&head, "location: /t/", "\r\n")
    }

    /// Sends a form with these fields: status, head and body of the answer.
    pub(crate) async fn post(&self, stream: &mut TcpStream, path: &str, fields: &str) -> (u16, String, String) {
        let form = format!("{fields}&csrf={}", self.csrf);
        let headers = format!("cookie: {}\r\ncontent-type: application/x-www-form-urlencoded\r\n", self.cookie);
        http(stream, &self.address, "POST", path, &headers, &form).await
    }

    pub(crate) async fn look(&self, code: &str) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
        let mut request = format!("ws://{}/t/{code}/live", self.address).into_client_request().expect("a request");
        request.headers_mut().insert("cookie", self.cookie.parse().expect("a cookie"));
        connect_async(request).await.expect("a socket").0
    }
}

/// What stands in a text between two others.
pub(crate) fn between(text: &str, before: &str, after: &str) -> String {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("{before} in {text}")).1;
    rest.split_once(after).map_or(rest, |(word, _)| word).to_owned()
}

pub(crate) async fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).await.expect("a connection");
    stream.set_nodelay(true).expect("an option");
    stream
}

/// A connection from an address of this machine, on which something is sent; its receive buffer is small.
pub(crate) async fn connect_from(source: IpAddr, address: &str, sent: &str) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(4096)?;
    socket.bind(SocketAddr::new(source, 0))?;
    let mut stream = socket.connect(address.parse().expect("an address")).await?;
    stream.write_all(sent.as_bytes()).await?;
    Ok(stream)
}

/// A request and its answer: status, head and body.
pub(crate) async fn http(
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
