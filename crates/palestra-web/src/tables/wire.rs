//! The browser's end of a WebSocket: frames with a time limit.

use std::time::Duration;

use axum::Error;
use axum::extract::ws::{CloseCode, CloseFrame, Message as Frame, Utf8Bytes, WebSocket};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

use super::message::ToClient;

/// Interval of pings, so that a lost connection is noticed. It also bounds how long a socket can act for a session that
/// has expired or was ended by another process.
const PING_INTERVAL: Duration = Duration::from_secs(15);

/// Time for sending a frame; a browser that reads more slowly is disconnected.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// The connection is lost.
pub(super) struct Lost;

/// The browser's end of a WebSocket.
pub(super) struct Wire {
    socket: WebSocket,
    /// Whether the browser has sent anything since the last ping.
    is_alive: bool,
}

impl Wire {
    pub(super) const fn new(socket: WebSocket) -> Self {
        Self { socket, is_alive: true }
    }

    /// Ticks whenever a [`ping`](Self::ping) is due.
    pub(super) fn pings() -> Interval {
        let mut pings = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pings
    }

    /// The next text of the browser; nothing for other frames. Can be cancelled.
    pub(super) async fn hear(&mut self) -> Result<Option<Utf8Bytes>, Lost> {
        let frame: Option<Result<Frame, Error>> = self.socket.recv().await;
        self.is_alive = true;
        match frame {
            Some(Ok(Frame::Text(text))) => Ok(Some(text)),
            Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Binary(_))) => Ok(None),
            Some(Ok(Frame::Close(_)) | Err(_)) | None => Err(Lost),
        }
    }

    /// Whether the browser has answered the last ping.
    pub(super) fn has_answered(&mut self) -> Result<(), Lost> {
        if std::mem::take(&mut self.is_alive) { Ok(()) } else { Err(Lost) }
    }

    /// Pings the browser, and tells its script that the connection is alive.
    pub(super) async fn ping(&mut self) -> Result<(), Lost> {
        self.put(Frame::Ping(vec![].into())).await?;
        self.tell(&ToClient::Alive).await
    }

    pub(super) async fn tell(&mut self, message: &ToClient<'_>) -> Result<(), Lost> {
        let text = serde_json::to_string(message).expect("messages can be written");
        self.send(text.into()).await
    }

    /// Sends a message that is written already.
    pub(super) async fn send(&mut self, message: Utf8Bytes) -> Result<(), Lost> {
        self.put(Frame::Text(message)).await
    }

    /// Sends a frame. A browser that does not read it within [`SEND_TIMEOUT`] counts as lost.
    async fn put(&mut self, frame: Frame) -> Result<(), Lost> {
        match timeout(SEND_TIMEOUT, self.socket.send(frame)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Lost),
        }
    }

    pub(super) async fn close(&mut self, code: CloseCode) {
        let _ = self.put(Frame::Close(Some(CloseFrame { code, reason: Utf8Bytes::default() }))).await;
    }
}
