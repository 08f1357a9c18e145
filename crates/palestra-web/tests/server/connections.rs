//! Connections: none is kept for nothing, and nobody takes them all.

use std::time::Duration;

use palestra_web::{Config, ConnectionLimits};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::site::{Browser, Live, Site, WAIT_LIMIT};

const HEALTH: &str = "GET /health HTTP/1.1\r\nhost: here\r\n\r\n";

/// A request whose body never ends.
const HALF_BODY: &str = "POST /language HTTP/1.1\r\nhost: here\r\ncontent-length: 100\r\n\
    content-type: application/x-www-form-urlencoded\r\n\r\nhalf";

async fn limited(change: impl FnOnce(&mut ConnectionLimits)) -> Site {
    Site::open_with(|config: &mut Config| change(&mut config.connections)).await
}

/// A connection from an address of this machine, on which something has been sent.
async fn connect(site: &Site, from: &str, sent: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
    let mut stream = socket.connect(site.url.trim_start_matches("http://").parse().unwrap()).await.unwrap();
    stream.write_all(sent.as_bytes()).await.unwrap();
    stream
}

/// Everything that the server still says, until it closes the connection.
async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut said = vec![];
    // A reset is an end too: the server did not read all that was sent.
    let _ = timeout(WAIT_LIMIT, stream.read_to_end(&mut said)).await.expect("the server closes the connection");
    String::from_utf8(said).unwrap()
}

/// Asks for something, and waits for the answer.
async fn is_answered(stream: &mut TcpStream) -> bool {
    let mut head = [0; 15];
    let asked = async {
        stream.write_all(HEALTH.as_bytes()).await?;
        stream.read_exact(&mut head).await
    };
    let asked = timeout(WAIT_LIMIT, asked).await.expect("an answer, or the end");
    asked.is_ok() && head.starts_with(b"HTTP/1.1 200 OK")
}

#[tokio::test]
async fn connections_that_ask_for_nothing_are_closed() {
    let site = limited(|limits| limits.head_timeout = Duration::from_millis(100)).await;
    for sent in ["", "GET / HTTP/1.1\r\nhost: here\r\nx-"] {
        assert_eq!(read_to_end(&mut connect(&site, "127.0.0.1", sent).await).await, "", "{sent:?}");
    }
    let answer = read_to_end(&mut connect(&site, "127.0.0.1", HEALTH).await).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("{\"status\":\"ok\"}"), "{answer}");
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let site = Site::open_with(|config| config.request_timeout = Duration::from_millis(100)).await;
    let answer = read_to_end(&mut connect(&site, "127.0.0.1", HALF_BODY).await).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

#[tokio::test]
async fn an_address_has_a_share_of_the_connections() {
    let site = limited(|limits| (limits.total, limits.per_address) = (20, 3)).await;
    let mut idle = vec![];
    for _ in 0..5 {
        idle.push(connect(&site, "127.0.0.1", "").await);
    }
    let mut other = connect(&site, "127.0.0.2", "").await;
    for (index, stream) in idle.iter_mut().enumerate() {
        if index < 2 {
            assert_eq!(read_to_end(stream).await, "", "the oldest make room for newer ones");
        } else {
            assert!(is_answered(stream).await, "{index}");
        }
    }
    assert!(is_answered(&mut other).await, "others are not concerned");
    assert!(is_answered(&mut connect(&site, "127.0.0.2", "").await).await);
}

#[tokio::test]
async fn a_full_server_answers_who_really_asks() {
    let site = limited(|limits| (limits.total, limits.per_address) = (4, 3)).await;
    let mut waiting = vec![];
    for number in 1..=20 {
        let sent = ["", "GET / HTT", HALF_BODY][number % 3];
        waiting.push(connect(&site, &format!("127.0.0.{}", number % 10 + 1), sent).await);
        assert!(is_answered(&mut connect(&site, "127.0.0.1", "").await).await, "{number}");
    }
}

#[tokio::test]
async fn a_trusted_proxy_may_have_any_number_of_connections() {
    let site = Site::open_with(|config| {
        config.trust_proxy = vec!["127.0.0.1/32".parse().unwrap()];
        config.connections.per_address = 2;
        config.connections.head_timeout = Duration::from_millis(100);
    })
    .await;
    let mut proxied = vec![];
    for _ in 0..6 {
        proxied.push(connect(&site, "127.0.0.1", "").await);
    }
    assert_eq!(read_to_end(&mut connect(&site, "127.0.0.2", "").await).await, "", "others are closed when idle");
    for stream in &mut proxied {
        assert!(is_answered(stream).await);
    }
}

#[tokio::test]
async fn a_websocket_stays_open_however_quiet_it_is_and_takes_a_place() {
    let site = limited(|limits| {
        (limits.total, limits.per_address) = (8, 2);
        limits.head_timeout = Duration::from_secs(1);
    })
    .await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let mut live = Live::open(&browser, &code, None).await;
    live.await_a("table").await;
    for _ in 0..2 {
        assert_eq!(read_to_end(&mut connect(&site, "127.0.0.1", "").await).await, "");
    }
    let (mut first, mut second) = (connect(&site, "127.0.0.1", "").await, connect(&site, "127.0.0.1", "").await);
    assert!(is_answered(&mut second).await, "the socket is not the one that makes room");
    assert!(!is_answered(&mut first).await, "it counts for its address");
    live.say(json!({"do": "move", "ply": 0, "text": "1"})).await;
    live.await_a("moved").await;
}

#[tokio::test]
async fn sockets_are_not_opened_one_after_the_other() {
    let site = Site::open().await;
    let browser = Browser::new(&site);
    let code = browser.open_table(&[("game", "mancala"), ("seat2", "me")]).await;
    let open = async || {
        let request = browser.client().get(browser.address(&format!("/t/{code}/live")));
        let request = request.header("connection", "upgrade").header("upgrade", "websocket");
        let request = request.header("sec-websocket-version", "13");
        request.header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==").send().await.unwrap().status()
    };
    let mut opened = 0;
    let refused = loop {
        match open().await {
            status if status == 101 => opened += 1,
            status => break status,
        }
        assert!(opened < 100, "each is closed at once, and yet they are too many");
    };
    assert_eq!(refused, 429);
    let other = Browser::new(&site);
    other.get("/").await;
    Live::open(&other, &code, None).await.await_a("table").await;
}
