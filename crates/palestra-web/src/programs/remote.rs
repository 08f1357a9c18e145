//! Programs that play from afar, over a WebSocket.

use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use palestra_protocol::{Fault, ForfeitKind, Lines, MAX_OUTPUT, ProtocolError, shown};
use palestra_store::Token;
use serde::Deserialize;
use tokio::time::{Instant, interval, timeout};

use super::link::{FarEnd, FromProgram, Link, ToProgram};
use crate::app::App;
use crate::refused::{self, Refused};
use crate::tables::check_name;
use crate::text::clean_name;
use crate::visitor::Visitor;

/// What a program says of itself when it comes.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Wanted {
    /// What it wants to be called.
    pub(crate) name: String,
    /// Which side it wants, 1 or 2; any unless told.
    pub(crate) seat: Option<u8>,
    /// What it was given when it first came.
    pub(crate) key: Option<String>,
}

/// A seat that was given to a program.
#[derive(Clone, Debug)]
pub(crate) struct Seated {
    /// With this it gets the seat back after a drop.
    pub(crate) key: Token,
    /// Which game is played, so that it can get ready.
    pub(crate) game: &'static str,
}

/// The longest name.
const MAX_NAME: usize = 32;

/// Seats a program at a table. Refusals are for programs: JSON.
pub(crate) async fn bot(
    State(app): State<App>,
    visitor: Visitor,
    Path(code): Path<String>,
    headers: HeaderMap,
    wanted: Result<Query<Wanted>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let seated = async {
        app.origins.check(&headers, &visitor)?;
        let Query(wanted) = wanted.map_err(|_| Refused::bad("program.wanted"))?;
        let upgrade = upgrade.map_err(|_| Refused::bad("program.upgrade"))?;
        let open = app.limits.open_socket(&visitor)?;
        let (link, end) = Link::new();
        Ok((upgrade, seat(&app, &code, &wanted, link).await?, end, open))
    };
    match seated.await {
        Ok((upgrade, seated, end, open)) => {
            let mut response = limited(upgrade).on_upgrade(async |socket| {
                pump(socket, end).await;
                drop(open);
            });
            let key = HeaderValue::from_str(seated.key.secret()).expect("letters and digits can stand in a header");
            response.headers_mut().insert("x-palestra-key", key);
            response.headers_mut().insert("x-palestra-game", HeaderValue::from_static(seated.game));
            response
        }
        Err(refused) => refused::shown(&refused, Some(&visitor), true),
    }
}

/// Asks the table for the seat.
async fn seat(app: &App, code: &str, wanted: &Wanted, link: Link) -> Result<Seated, Refused> {
    let Wanted { name, seat, key } = wanted;
    if name.is_empty() || clean_name(name, MAX_NAME) != *name {
        return Err(Refused::bad("program.name"));
    }
    let name = check_name(app, name).await.map(|()| name.clone());
    let seat = match seat {
        None => None,
        Some(number @ (1 | 2)) => Some(usize::from(number - 1)),
        Some(_) => return Err(Refused::bad("program.wanted")),
    };
    let key = key.as_deref().map(|key| Token::shown(key).ok_or(Refused::NotFound)).transpose()?;
    app.tables.find(code)?.seat_program(name, seat, key, link).await
}

/// Longer messages than a line are heard to their end, so that it can be said what was wrong with them; up to here.
const MAX_MESSAGE: usize = 64 << 10;

fn limited(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).max_write_buffer_size(2 * MAX_OUTPUT)
}

/// How often a program is asked for a sign of life; who gives none until it is asked for the third time is gone.
const PING: Duration = Duration::from_secs(15);
const SILENCE: Duration = Duration::from_secs(40);

/// How long a program may take to read what it is sent.
const READING: Duration = Duration::from_secs(10);

/// Moves lines between a WebSocket and a table, until either goes.
///
/// Each line is sent as a text message of its own; a message from the program may hold several, and its end is the end of
/// a line.
pub(super) async fn pump(socket: WebSocket, end: FarEnd) {
    let FarEnd { mut to, from } = end;
    let (mut sink, mut stream) = socket.split();
    let (mut lines, mut ping, mut heard) = (Lines::new(), interval(PING), Instant::now());
    let close = loop {
        tokio::select! {
            message = stream.next() => {
                heard = Instant::now();
                let gone = match take(message, &mut lines) {
                    Ok(()) => say_all(&mut lines, &from).await,
                    Err(fault) => Err(Some(fault)),
                };
                match gone {
                    Ok(()) => {}
                    Err(None) => break close_code::AWAY,
                    Err(Some(fault)) => {
                        let code = if fault.kind == ForfeitKind::Disconnect { close_code::AWAY } else { close_code::POLICY };
                        let _ = from.send(FromProgram::Gone { fault, stderr: String::new() }).await;
                        break code;
                    }
                }
            }
            told = to.recv() => match told {
                Some(ToProgram::Lines(text)) => {
                    // A program may write so much in a game, and this is where one begins.
                    if text.starts_with("hello ") {
                        lines = Lines::new();
                    }
                    for line in text.lines() {
                        let sent = timeout(READING, sink.send(Message::Text(line.into()))).await;
                        if !matches!(sent, Ok(Ok(()))) {
                            return lose(&from, "it does not read what it is sent").await;
                        }
                    }
                }
                Some(ToProgram::Wake | ToProgram::Pause) => {}
                Some(ToProgram::Close) => break close_code::NORMAL,
                // The table is gone without a word: the server ends, and may be back soon.
                None => break close_code::AWAY,
            },
            _ = ping.tick() => {
                let sent = timeout(READING, sink.send(Message::Ping(Default::default()))).await;
                if heard.elapsed() > SILENCE || !matches!(sent, Ok(Ok(()))) {
                    return lose(&from, "the connection broke").await;
                }
            }
        }
    };
    let frame = CloseFrame { code: close, reason: Utf8Bytes::default() };
    let _ = timeout(READING, sink.send(Message::Close(Some(frame)))).await;
}

async fn lose(from: &tokio::sync::mpsc::Sender<FromProgram>, detail: &str) {
    let fault = Fault::new(ForfeitKind::Disconnect, detail);
    let _ = from.send(FromProgram::Gone { fault, stderr: String::new() }).await;
}

/// Takes a message; or says why there will be none any more.
fn take(message: Option<Result<Message, axum::Error>>, lines: &mut Lines) -> Result<(), Fault> {
    match message {
        Some(Ok(Message::Text(text))) => {
            lines.push(text.as_bytes());
            if !text.ends_with('\n') {
                lines.push(b"\n");
            }
            Ok(())
        }
        Some(Ok(Message::Binary(_))) => {
            Err(Fault::new(ForfeitKind::Protocol, "it sent a binary message; lines are text"))
        }
        Some(Ok(Message::Close(frame))) => Err(closed(frame)),
        Some(Ok(_)) => Ok(()),
        Some(Err(_)) | None => Err(Fault::new(ForfeitKind::Disconnect, "the connection broke")),
    }
}

/// Whoever connects a program says with the code that the program itself has failed.
fn closed(frame: Option<CloseFrame>) -> Fault {
    let kind = match &frame {
        Some(frame) if frame.code == close_code::ERROR => ForfeitKind::Crash,
        _ => ForfeitKind::Disconnect,
    };
    match frame.filter(|frame| !frame.reason.is_empty()) {
        Some(frame) if kind == ForfeitKind::Crash => Fault::new(kind, shown(&frame.reason, 100).to_string()),
        Some(frame) => Fault::new(kind, format!("it closed the connection ({})", shown(&frame.reason, 100))),
        None => Fault::new(kind, "it closed the connection"),
    }
}

/// Tells the table all complete lines. `Err(None)` if nobody listens.
async fn say_all(lines: &mut Lines, from: &tokio::sync::mpsc::Sender<FromProgram>) -> Result<(), Option<Fault>> {
    while let Some(line) = lines.next() {
        let text = line.map_err(|fault| Some(ProtocolError::from(fault).into()))?.to_owned();
        from.send(FromProgram::Line { text, cpu: None }).await.map_err(|_| None)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use tokio::net::{TcpListener, TcpStream};
    use tokio_tungstenite::tungstenite::{self, protocol};
    use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

    use super::*;

    type Program = WebSocketStream<MaybeTlsStream<TcpStream>>;

    /// A table's end, and a program that has come to it.
    async fn seated() -> (Link, Program) {
        let (link, end) = Link::new();
        let end = std::sync::Arc::new(std::sync::Mutex::new(Some(end)));
        let answer = move |upgrade: WebSocketUpgrade| {
            let end = end.lock().unwrap().take().unwrap();
            async move { limited(upgrade).on_upgrade(|socket| pump(socket, end)) }
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/", get(answer))).await });
        (link, connect_async(url).await.unwrap().0)
    }

    async fn read(program: &mut Program) -> tungstenite::Message {
        loop {
            let message = program.next().await.unwrap().unwrap();
            if !message.is_ping() {
                return message;
            }
        }
    }

    async fn gone(link: &mut Link) -> Fault {
        match link.from.recv().await.unwrap() {
            FromProgram::Gone { fault, .. } => fault,
            heard => panic!("{heard:?}"),
        }
    }

    fn text(text: &str) -> tungstenite::Message {
        tungstenite::Message::text(text)
    }

    #[tokio::test]
    async fn lines_go_both_ways() {
        let (mut link, mut program) = seated().await;
        link.to.send(ToProgram::Lines("position x\ngo infinite\n".to_owned())).unwrap();
        assert_eq!(read(&mut program).await, text("position x"));
        assert_eq!(read(&mut program).await, text("go infinite"));
        program.send(text("info depth 1\nmove 4")).await.unwrap();
        for line in ["info depth 1", "move 4"] {
            assert_eq!(link.from.recv().await, Some(FromProgram::Line { text: line.to_owned(), cpu: None }));
        }
        link.to.send(ToProgram::Close).unwrap();
        let tungstenite::Message::Close(Some(frame)) = read(&mut program).await else { panic!("closed") };
        assert_eq!(frame.code, protocol::frame::coding::CloseCode::Normal);
    }

    #[tokio::test]
    async fn whoever_drops_may_come_back_and_whoever_crashed_has_lost() {
        let (mut link, program) = seated().await;
        drop(program);
        assert_eq!(gone(&mut link).await.kind, ForfeitKind::Disconnect);
        let (mut link, mut program) = seated().await;
        let code = protocol::frame::coding::CloseCode::Error;
        let frame = protocol::CloseFrame { code, reason: "it ended with exit code 3\u{202e}".into() };
        program.close(Some(frame)).await.unwrap();
        let fault = gone(&mut link).await;
        assert_eq!((fault.kind, &*fault.detail), (ForfeitKind::Crash, "it ended with exit code 3\\u{202e}"));
    }

    #[tokio::test]
    async fn what_is_no_line_is_a_fault() {
        let long = "x".repeat(5000);
        let flood = "info\n".repeat(800);
        for (message, kind) in [
            (text(&long), ForfeitKind::Output),
            (text("a\u{1b}b"), ForfeitKind::Protocol),
            (tungstenite::Message::binary(vec![1]), ForfeitKind::Protocol),
        ] {
            let (mut link, mut program) = seated().await;
            program.send(message).await.unwrap();
            assert_eq!(gone(&mut link).await.kind, kind);
        }
        let (mut link, mut program) = seated().await;
        let flooding = tokio::spawn(async move { while program.send(text(&flood)).await.is_ok() {} });
        let fault = loop {
            if let FromProgram::Gone { fault, .. } = link.from.recv().await.unwrap() {
                break fault;
            }
        };
        assert_eq!(fault.detail, "it wrote more than 1 MiB in a game");
        flooding.await.unwrap();
    }

    #[tokio::test]
    async fn a_program_is_told_when_the_table_is_gone() {
        let (link, mut program) = seated().await;
        drop(link);
        let tungstenite::Message::Close(Some(frame)) = read(&mut program).await else { panic!("closed") };
        assert_eq!(frame.code, protocol::frame::coding::CloseCode::Away, "it may come back");
    }
}
