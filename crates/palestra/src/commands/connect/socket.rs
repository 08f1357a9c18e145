//! The connection with a server.

use std::io::{self, Read};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use palestra_protocol::shown;
use palestra_protocol::websocket::{ServerClose, closed_by_server, closing_reason, server_line};
use serde::Deserialize;
use tungstenite::http::Response;
use tungstenite::http::header::CONTENT_LENGTH;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Error, HandshakeError, Message, WebSocket, client_tls_with_config};

use super::address::Address;

/// Time for the server to answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The server pings every 15 s: after this much silence the connection is lost.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(50);

/// The shortest read timeout that every system takes.
const MIN_READ_TIMEOUT: Duration = Duration::from_millis(1);

/// The most bytes in a message: the greatest position has room in it, many times.
const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// Time for the server to answer a close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// The most bytes of a refusal.
const MAX_REFUSAL_BYTES: u64 = 16 << 10;

/// Maximum length of a shown text of the server.
const MAX_SHOWN_CHARS: usize = 300;

pub(super) struct Socket {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    /// The time of the last message from the server.
    heard: Instant,
}

/// A seat that was given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) key: Option<String>,
    pub(super) game: Option<String>,
}

/// Why the program got no seat.
#[derive(Debug)]
pub(super) enum NoSeat {
    /// The server has said no: what it says, and the status.
    Refused(u16, String),
    /// There is no server, or none that can be talked with.
    Unreachable(String),
}

/// The result of polling the socket.
#[derive(Debug)]
pub(super) enum Heard {
    Line(String),
    Quiet,
    /// The server needs nobody any more.
    Over(String),
    Broken(String),
}

impl Socket {
    pub(super) fn connect(address: &Address, url: &str) -> Result<(Self, Given), NoSeat> {
        let unreachable = |error: io::Error| NoSeat::Unreachable(error.to_string());
        let stream = open(address).map_err(unreachable)?;
        let rest = stream.try_clone().ok().filter(|_| !address.is_secure);
        let limits = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE_BYTES))
            .max_frame_size(Some(MAX_MESSAGE_BYTES));
        if address.is_secure {
            // Which one to use is asked for once only; that it was chosen before is no matter.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        match client_tls_with_config(url, stream, Some(limits), None) {
            Ok((socket, response)) => Ok((Self { socket, heard: Instant::now() }, Given::from(&response))),
            Err(HandshakeError::Failure(Error::Http(response))) => Err(refused(*response, rest)),
            Err(HandshakeError::Failure(error)) => Err(NoSeat::Unreachable(error.to_string())),
            Err(HandshakeError::Interrupted(_)) => Err(NoSeat::Unreachable("it does not answer".to_owned())),
        }
    }

    /// Sends a line. If the connection is broken, reading will tell.
    pub(super) fn send(&mut self, line: &str) {
        let _ = self.socket.send(Message::text(line));
    }

    /// Waits for a line.
    pub(super) fn receive(&mut self, wait: Duration) -> Heard {
        if let Err(error) = self.stream().set_read_timeout(Some(wait.max(MIN_READ_TIMEOUT))) {
            return Heard::Broken(error.to_string());
        }
        loop {
            let read = self.socket.read();
            if read.is_ok() {
                self.heard = Instant::now();
            }
            match read {
                Ok(Message::Text(text)) => return Heard::Line(server_line(&text).to_owned()),
                Ok(Message::Close(frame)) => return closed(frame.as_ref()),
                Ok(_) => {
                    // The answer to a ping is sent with the next message, or now.
                    let _ = self.socket.flush();
                }
                Err(Error::Io(error)) if is_late(&error) && self.heard.elapsed() > SILENCE_TIMEOUT => {
                    return Heard::Broken("nothing was heard for long".to_owned());
                }
                Err(Error::Io(error)) if is_late(&error) => return Heard::Quiet,
                Err(error) => return Heard::Broken(error.to_string()),
            }
        }
    }

    /// Leaves, and says why.
    pub(super) fn close(mut self, code: CloseCode, reason: &str) {
        let _ = self.socket.close(Some(CloseFrame { code, reason: closing_reason(reason).into() }));
        let until = Instant::now() + CLOSE_TIMEOUT;
        let _ = self.stream().set_read_timeout(Some(CLOSE_TIMEOUT));
        while Instant::now() < until && self.socket.read().is_ok() {}
    }

    fn stream(&self) -> &TcpStream {
        match self.socket.get_ref() {
            MaybeTlsStream::Plain(stream) => stream,
            MaybeTlsStream::Rustls(stream) => &stream.sock,
            _ => unreachable!("there is no other kind of stream in this program"),
        }
    }
}

fn open(address: &Address) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for place in (address.host.as_str(), address.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, CONNECT_TIMEOUT) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(CONNECT_TIMEOUT))?;
                stream.set_write_timeout(Some(CONNECT_TIMEOUT))?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

impl<T> From<&Response<T>> for Given {
    fn from(response: &Response<T>) -> Self {
        let header = |name| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
        Self { key: header("x-palestra-key"), game: header("x-palestra-game") }
    }
}

/// The JSON error of a server.
#[derive(Deserialize)]
struct Said {
    message: String,
}

/// The message of a refusal, which comes with the response or shortly after it. One that cannot be parsed is replaced
/// by the status code.
fn refused(response: Response<Option<Vec<u8>>>, rest: Option<TcpStream>) -> NoSeat {
    let (parts, body) = response.into_parts();
    let mut body = body.unwrap_or_default();
    let length = parts.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let missing = length.unwrap_or(0).min(MAX_REFUSAL_BYTES).saturating_sub(body.len() as u64);
    if let Some(rest) = rest {
        let _ = rest.take(missing).read_to_end(&mut body);
    }
    let said = serde_json::from_slice(&body).map(|Said { message }| message);
    let said = said.unwrap_or_else(|_| format!("the server answers {}", parts.status));
    NoSeat::Refused(parts.status.as_u16(), shown(&said, MAX_SHOWN_CHARS).to_string())
}

fn closed(frame: Option<&CloseFrame>) -> Heard {
    match closed_by_server(frame.map(|frame| (frame.code.into(), frame.reason.as_str()))) {
        ServerClose::Over(reason) => Heard::Over(reason),
        ServerClose::Lost(reason) => Heard::Broken(reason),
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}
