//! Bots that play from afar, over a WebSocket.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use palestra_protocol::{LineFault, Lines, MAX_LINE, MAX_OUTPUT, shown};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, HandshakeError, Message, WebSocket};

use crate::transport::{Received, Transport, take};
use crate::{ForfeitKind, Lapse};

/// The connection with a bot that plays over a WebSocket.
///
/// The lines are those of a process. Each is sent as a text message of its own; a message from the bot may hold
/// several, and its end is the end of a line. A message has no more bytes than a line may have: a longer one is refused
/// when its length is told, before there is room for it. Nobody knows how much CPU time such a bot uses.
pub struct Socket<S = TcpStream> {
    socket: WebSocket<Within<S>>,
    lines: Lines,
    gone: Option<Lapse>,
}

/// A stream of bytes that can be told how long to wait for them.
pub trait Stream: Read + Write + Send {
    /// From now on reading and writing wait for so long at most, and then fail with [`io::ErrorKind::WouldBlock`] or
    /// [`io::ErrorKind::TimedOut`]. A wait of zero is none.
    fn set_wait(&self, wait: Duration) -> io::Result<()>;
}

impl Stream for TcpStream {
    fn set_wait(&self, wait: Duration) -> io::Result<()> {
        self.set_nonblocking(wait.is_zero())?;
        if wait.is_zero() { Ok(()) } else { self.set_read_timeout(Some(wait)) }
    }
}

/// The longest wait: clocks need not be able to count further.
const LONGEST: Duration = Duration::from_secs(3600);

/// How long a bot has to say goodbye.
const GOODBYE: Duration = Duration::from_millis(500);

impl Socket {
    /// Takes a connection that was just opened, and answers its request for a WebSocket within that time.
    pub fn accept(stream: TcpStream, wait: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        let mut stream = Within::new(stream);
        stream.start(wait);
        let socket = tungstenite::accept_with_config(stream, Some(limits())).map_err(|error| match error {
            HandshakeError::Interrupted(_) => io::Error::from(io::ErrorKind::TimedOut),
            HandshakeError::Failure(error) => io::Error::new(io::ErrorKind::InvalidData, error),
        })?;
        Ok(Self { socket, lines: Lines::new(), gone: None })
    }
}

impl<S: Stream> Socket<S> {
    /// Takes a connection that somebody else has made a WebSocket already, as the server's side of it.
    pub fn upgraded(stream: S) -> Self {
        let socket = WebSocket::from_raw_socket(Within::new(stream), Role::Server, Some(limits()));
        Self { socket, lines: Lines::new(), gone: None }
    }

    /// Takes a message. Whether there was one in time.
    fn listen(&mut self) -> bool {
        match self.socket.read() {
            Ok(Message::Text(text)) => {
                self.lines.push(text.as_bytes());
                if !text.ends_with('\n') {
                    self.lines.push(b"\n");
                }
            }
            Ok(Message::Binary(_)) => self.lose(ForfeitKind::Protocol, "it sent a binary message; lines are text"),
            Ok(Message::Close(frame)) => match frame.filter(|frame| !frame.reason.is_empty()) {
                Some(frame) => {
                    let reason = shown(&frame.reason, 100);
                    self.lose(ForfeitKind::Disconnect, format!("it closed the connection ({reason})"));
                }
                None => self.lose(ForfeitKind::Disconnect, "it closed the connection"),
            },
            Ok(_) => {}
            Err(error) if is_late(&error) => return false,
            Err(error) => self.lose_by(&error),
        }
        true
    }

    fn lose(&mut self, kind: ForfeitKind, detail: impl Into<String>) {
        self.gone.get_or_insert(Lapse::new(kind, detail));
    }

    fn lose_by(&mut self, error: &Error) {
        match error {
            Error::Capacity(_) => {
                self.lose(ForfeitKind::Output, format!("it sent a message of more than {MAX_LINE} bytes"));
            }
            Error::Utf8(_) => {
                self.lose(ForfeitKind::Protocol, LineFault::NotText { line: String::new() }.to_string());
            }
            Error::Protocol(tungstenite::error::ProtocolError::ResetWithoutClosingHandshake)
            | Error::Io(_)
            | Error::ConnectionClosed
            | Error::AlreadyClosed => self.lose(ForfeitKind::Disconnect, "the connection broke"),
            Error::WriteBufferFull(_) => self.lose(ForfeitKind::Disconnect, "it does not read what it is sent"),
            other => self.lose(ForfeitKind::Protocol, format!("it does not speak WebSocket properly: {other}")),
        }
    }

    /// Sends what the bot has not taken yet. If the connection is broken, reading will tell.
    fn flush(&mut self) {
        let _ = self.socket.flush();
    }
}

impl<S: Stream> Transport for Socket<S> {
    fn send(&mut self, text: &str) {
        for line in text.lines() {
            if let Err(error @ Error::WriteBufferFull(_)) = self.socket.write(Message::text(line)) {
                self.lose_by(&error);
            }
        }
        self.flush();
    }

    fn receive(&mut self, wait: Duration, line: &mut String) -> Received {
        self.flush();
        self.socket.get_mut().start(wait);
        loop {
            if let Some(received) = take(&mut self.lines, self.gone.as_ref(), line) {
                return received;
            }
            if !self.listen() {
                return Received::Quiet;
            }
        }
    }

    fn close(&mut self) {
        let _ = self.socket.close(None);
        self.flush();
        self.socket.get_mut().start(GOODBYE);
        while self.socket.read().is_ok() {}
    }
}

impl<S> std::fmt::Debug for Socket<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Socket").field("lines", &self.lines).field("gone", &self.gone).finish_non_exhaustive()
    }
}

/// What is held for a bot: a line of its own and its end, and what it was sent and has not taken.
fn limits() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(2 * MAX_LINE)
        .max_frame_size(Some(MAX_LINE + 2))
        .max_message_size(Some(MAX_LINE + 2))
        .max_write_buffer_size(MAX_OUTPUT)
}

/// Whether the wait is over, or was cut short.
fn is_late(error: &Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error, Error::Io(error) if matches!(error.kind(), WouldBlock | TimedOut | Interrupted))
}

/// A stream that waits until a certain moment, however many reads that takes: bytes that come one by one, or messages
/// without an end, hold nobody up for longer. Writing never waits.
struct Within<S> {
    stream: S,
    until: Instant,
    /// Whether there was a look after that moment.
    looked: bool,
}

impl<S> Within<S> {
    fn new(stream: S) -> Self {
        Self { stream, until: Instant::now(), looked: false }
    }

    fn start(&mut self, wait: Duration) {
        (self.until, self.looked) = (Instant::now() + wait.min(LONGEST), false);
    }
}

impl<S: Stream> Read for Within<S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let wait = self.until.saturating_duration_since(Instant::now());
        if wait.is_zero() && std::mem::replace(&mut self.looked, true) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.stream.set_wait(wait)?;
        self.stream.read(bytes)
    }
}

impl<S: Stream> Write for Within<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_wait(Duration::ZERO)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
