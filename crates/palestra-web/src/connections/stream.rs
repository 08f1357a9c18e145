//! A TCP stream that gives up on clients that do not read.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::registry::Place;

/// Minimum number of bytes that a client must read within the write timeout. With the usual 30 s that is about 1 KiB/s.
const MIN_SENT_BYTES: usize = 32 << 10;

/// A TCP stream that gives up on clients that do not read. It holds the connection's place among all: WebSockets take
/// the stream over, and are counted as long as it lives.
pub(super) struct Stream {
    tcp: TcpStream,
    _place: Arc<Place>,
    write_timeout: Duration,
    /// Runs from when the client did not take what was written, until it has taken enough.
    blocked: Option<Pin<Box<Sleep>>>,
    /// Bytes written since the timeout began.
    sent: usize,
}

impl Stream {
    pub(super) fn new(tcp: TcpStream, place: Arc<Place>, write_timeout: Duration) -> Self {
        Self { tcp, _place: place, write_timeout, blocked: None, sent: 0 }
    }

    /// Judges how a write went.
    fn written(&mut self, result: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        match result {
            Poll::Ready(Ok(bytes)) => {
                self.sent += bytes;
                if self.sent >= MIN_SENT_BYTES {
                    self.unblock();
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                let timeout = self.write_timeout;
                let blocked = self.blocked.get_or_insert_with(|| Box::pin(sleep(timeout)));
                if blocked.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
            }
        }
        result
    }

    fn unblock(&mut self) {
        (self.blocked, self.sent) = (None, 0);
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(cx, buf)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.tcp).poll_write(cx, buf);
        self.written(result, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.tcp).poll_write_vectored(cx, bufs);
        self.written(result, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    /// Called when everything has been written.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.unblock();
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;
    use std::time::Instant;

    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;

    use super::super::registry::Registry;
    use super::*;

    async fn pair(write_timeout: Duration) -> (Stream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (tcp, _) = listener.accept().await.unwrap();
        let place = Registry::new(2, 1).admit(None).unwrap();
        (Stream::new(tcp, place, write_timeout), client)
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_given_up() {
        let (mut stream, client) = pair(Duration::from_millis(100)).await;
        let part = vec![0; 1 << 20];
        let error = loop {
            if let Err(error) = stream.write_all(&part).await {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(client);
    }

    #[tokio::test]
    async fn a_client_that_takes_a_byte_now_and_then_is_given_up_and_one_that_takes_enough_is_not() {
        let (mut stream, _client) = pair(Duration::from_millis(50)).await;
        let cx = &mut Context::from_waker(Waker::noop());
        let begun = Instant::now();
        while stream.written(Poll::Pending, cx).is_pending() {
            assert!(begun.elapsed() < Duration::from_secs(30), "a byte a millisecond is enough");
            let _ = stream.written(Poll::Ready(Ok(1)), cx);
            sleep(Duration::from_millis(1)).await;
        }
        let (mut stream, _client) = pair(Duration::from_secs(60)).await;
        assert!(stream.written(Poll::Pending, cx).is_pending() && stream.blocked.is_some());
        let _ = stream.written(Poll::Ready(Ok(MIN_SENT_BYTES)), cx);
        assert!(stream.blocked.is_none(), "the timeout begins anew");
    }
}
