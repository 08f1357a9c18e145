//! Remote programs, over a WebSocket.

use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use palestra_protocol::websocket::{self, Frame, close_code};
use palestra_protocol::{Fault, ForfeitKind, Lines, MAX_OUTPUT, ProtocolError};
use palestra_store::Token;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::time::{Instant, interval, timeout};

use super::link::{FarEnd, FromProgram, Link, ToProgram};
use crate::app::App;
use crate::http::error::{self, Format, Refused};
use crate::tables::check_name;
use crate::text::clean_name;
use crate::visitor::Visitor;

/// The query of a program that asks for a seat.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Wanted {
    /// The name for the program.
    pub(crate) name: String,
    /// The side to play, 1 or 2; any if missing.
    pub(crate) seat: Option<u8>,
    /// The key from the first connection, to get the same seat back.
    pub(crate) key: Option<String>,
}

/// The seat of a program.
#[derive(Clone, Debug)]
pub(crate) struct Seated {
    /// The key with which the program gets the seat back after a disconnection.
    pub(crate) key: Token,
    /// The id of the game, so that the program can prepare for it.
    pub(crate) game: &'static str,
}

/// Maximum length of a program's name.
const MAX_NAME_CHARS: usize = 32;

/// Seats a program at a table. Errors are JSON.
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
        Err(refused) => error::answer(&refused, Some(&visitor), Format::Json),
    }
}

/// Asks the table for the seat.
async fn seat(app: &App, code: &str, wanted: &Wanted, link: Link) -> Result<Seated, Refused> {
    let Wanted { name, seat, key } = wanted;
    if name.is_empty() || clean_name(name, MAX_NAME_CHARS) != *name {
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

/// Maximum size of a program's message. It is larger than a line may be, so that a line that is too long gets a proper
/// error instead of a closed connection.
const MAX_MESSAGE_BYTES: usize = 64 << 10;

fn limited(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade.max_message_size(MAX_MESSAGE_BYTES).max_frame_size(MAX_MESSAGE_BYTES).max_write_buffer_size(2 * MAX_OUTPUT)
}

/// Interval between pings.
const PING_INTERVAL: Duration = Duration::from_secs(15);

/// Time without a message, not even the answers to two pings, after which a program counts as disconnected.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(40);

/// Time for sending a message; a program that reads more slowly counts as disconnected.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Forwards lines between a WebSocket and a table until either closes.
pub(super) async fn pump(socket: WebSocket, end: FarEnd) {
    let FarEnd { mut to, from } = end;
    let (sink, mut stream) = socket.split();
    let mut pump = Pump { sink, from, lines: Lines::new(), heard: Instant::now() };
    let mut ping = interval(PING_INTERVAL);
    let stop = loop {
        let goes_on = tokio::select! {
            message = stream.next() => pump.on_message(message).await,
            order = to.recv() => pump.on_order(order).await,
            _ = ping.tick() => pump.on_ping().await,
        };
        if let Err(stop) = goes_on {
            break stop;
        }
    };
    pump.finish(stop).await;
}

/// The program's end of a link, over a WebSocket.
struct Pump {
    sink: SplitSink<WebSocket, Message>,
    from: mpsc::Sender<FromProgram>,
    lines: Lines,
    /// The time of the last message from the program.
    heard: Instant,
}

/// Why a pump stops.
enum Stop {
    /// The table is done with the program: the connection is closed with this code.
    Close(u16),
    /// The program committed a fault, which is reported to the table.
    Fault(Fault),
    /// The connection is broken, which is reported to the table.
    Broken(Fault),
}

impl Pump {
    async fn on_message(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<(), Stop> {
        self.heard = Instant::now();
        websocket::receive(frame(message.as_ref()), &mut self.lines).map_err(Stop::Fault)?;
        while let Some(line) = self.lines.next() {
            let text = line.map_err(|fault| Stop::Fault(ProtocolError::from(fault).into()))?.to_owned();
            let sent = self.from.send(FromProgram::Line { text, cpu: None }).await;
            sent.map_err(|_| Stop::Close(close_code::AWAY))?;
        }
        Ok(())
    }

    async fn on_order(&mut self, order: Option<ToProgram>) -> Result<(), Stop> {
        match order {
            Some(ToProgram::NewGame) => self.lines = Lines::new(),
            Some(ToProgram::Lines(text)) => {
                for line in text.lines() {
                    self.send(Message::Text(line.into()), "it does not read what it is sent").await?;
                }
            }
            Some(ToProgram::Wake | ToProgram::Pause) => {}
            Some(ToProgram::Close) => return Err(Stop::Close(close_code::NORMAL)),
            // The table's end was dropped without a message: the server is shutting down, and may be back soon.
            None => return Err(Stop::Close(close_code::AWAY)),
        }
        Ok(())
    }

    async fn on_ping(&mut self) -> Result<(), Stop> {
        if self.heard.elapsed() > SILENCE_TIMEOUT {
            return Err(Stop::Broken(websocket::broken()));
        }
        self.send(Message::Ping(Default::default()), "the connection broke").await
    }

    /// Sends a message; on failure the connection is broken, with `or` as the reason.
    async fn send(&mut self, message: Message, or: &str) -> Result<(), Stop> {
        match timeout(SEND_TIMEOUT, self.sink.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Stop::Broken(Fault::new(ForfeitKind::Disconnect, or))),
        }
    }

    /// Reports the fault to the table, and closes the connection if it still works.
    async fn finish(mut self, stop: Stop) {
        let (code, fault) = match stop {
            Stop::Close(code) => (Some(code), None),
            Stop::Fault(fault) if fault.kind == ForfeitKind::Disconnect => (Some(close_code::AWAY), Some(fault)),
            Stop::Fault(fault) => (Some(close_code::POLICY), Some(fault)),
            Stop::Broken(fault) => (None, Some(fault)),
        };
        if let Some(fault) = fault {
            // If the table is gone, no client waits for the answer.
            let _ = self.from.send(FromProgram::Gone { fault, stderr: String::new() }).await;
        }
        if let Some(code) = code {
            let frame = CloseFrame { code, reason: Utf8Bytes::default() };
            let _ = timeout(SEND_TIMEOUT, self.sink.send(Message::Close(Some(frame)))).await;
        }
    }
}

/// Converts a message to a frame of the protocol crate.
fn frame(message: Option<&Result<Message, axum::Error>>) -> Frame<'_> {
    match message {
        Some(Ok(Message::Text(text))) => Frame::Text(text),
        Some(Ok(Message::Binary(_))) => Frame::Binary,
        Some(Ok(Message::Close(frame))) => {
            Frame::Close(frame.as_ref().map(|frame| (frame.code, frame.reason.as_str())))
        }
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Frame::Control,
        Some(Err(_)) | None => Frame::Broken,
    }
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
    async fn a_program_that_disconnects_may_come_back_and_one_that_crashes_loses() {
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
