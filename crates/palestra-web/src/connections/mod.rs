//! Connections: accepts them, bounds how many there are and how long each may idle, and closes them when the server
//! stops.
//!
//! A connection that is slow costs a file descriptor, of which a process has few. So the head of a request must arrive
//! within a timeout, which also ends connections that idle between two requests; a client must read its response at a
//! minimum rate ([`stream`]); an address has a share of all connections ([`registry`]). At a limit the connection that
//! has been idle longest makes room for the new one, so that those who really ask for something are answered.
//! WebSockets are counted but never idle: they have their own pings.

mod body;
mod descriptors;
mod registry;
mod stream;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use ipnet::IpNet;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::sleep;
use tower_service::Service;

pub use descriptors::raise_descriptor_limit;

use crate::ratelimit::Key;
use crate::visitor::Ends;
use body::{RequestBody, ResponseBody};
use registry::{Place, Registry};
use stream::Stream;

/// Bounds on connections.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// Open connections in all, WebSockets among them.
    pub total: usize,
    /// Open connections of one address, or of one /64 network of IPv6. Trusted proxies have no such limit.
    pub per_address: usize,
    /// Time for the head of a request, and between two requests of a connection.
    pub head_timeout: Duration,
    /// Idle timeout of connections from trusted proxies: longer than the proxies keep idle connections themselves.
    pub proxy_timeout: Duration,
    /// Time in which a client that is slow to read must have taken 32 KiB of its response.
    pub write_timeout: Duration,
}

/// More connections than this are not needed by anybody, however many descriptors there are.
const MAX_CONNECTIONS: usize = 20_000;

/// Most connections of one address: a class of 120 with several windows each.
const MAX_PER_ADDRESS: usize = 4_000;

/// Descriptors for everything that is no connection: the database, programs, mail.
const RESERVED_DESCRIPTORS: usize = 192;

impl Default for ConnectionLimits {
    /// The limits that follow from the number of file descriptors of this process.
    fn default() -> Self {
        Self::for_descriptors(descriptors::descriptor_limit())
    }
}

impl ConnectionLimits {
    /// The limits of a process with this number of file descriptors.
    fn for_descriptors(descriptors: usize) -> Self {
        let total = descriptors.saturating_sub(RESERVED_DESCRIPTORS).max(descriptors / 4).clamp(2, MAX_CONNECTIONS);
        Self {
            total,
            per_address: (total / 2).min(MAX_PER_ADDRESS),
            head_timeout: Duration::from_secs(15),
            proxy_timeout: Duration::from_secs(180),
            write_timeout: Duration::from_secs(30),
        }
    }

    /// Maximum number of WebSockets among all connections, so that pages are still served when there are many.
    pub(crate) const fn websockets(&self) -> usize {
        self.total / 4 * 3
    }
}

/// Buffer for one connection: heads of requests, and parts of responses that wait to be sent.
const BUFFER_BYTES: usize = 64 << 10;

/// Pause after an accept that failed for want of descriptors or memory.
const ACCEPT_RETRY: Duration = Duration::from_millis(20);

/// Accepts connections and serves them.
pub(crate) struct Acceptor {
    pub(crate) listener: TcpListener,
    pub(crate) router: Router,
    pub(crate) limits: ConnectionLimits,
    pub(crate) trust_proxy: Vec<IpNet>,
}

impl Acceptor {
    /// Accepts connections until `stop` is ready; then ends when the last request under way has been answered.
    pub(crate) async fn run(self, stop: impl Future<Output = ()>) {
        let registry = Registry::new(self.limits.total, self.limits.per_address);
        let (stopping, is_stopping) = watch::channel(());
        let accepting = async {
            loop {
                let (stream, peer) = self.accept(&registry).await;
                self.admit(stream, peer, &registry, is_stopping.clone()).await;
            }
        };
        tokio::select! {
            () = accepting => {}
            () = stop => {}
        }
        drop(is_stopping);
        while registry.close_oldest_idle() {}
        stopping.send_replace(());
        // Every connection holds a receiver until it has ended.
        stopping.closed().await;
    }

    async fn accept(&self, registry: &Arc<Registry>) -> (TcpStream, SocketAddr) {
        loop {
            let error = match self.listener.accept().await {
                Ok(accepted) => return accepted,
                Err(error) => error,
            };
            if is_of_the_connection(&error) {
                continue;
            }
            let is_room_made = registry.close_oldest_idle();
            tracing::warn!(%error, is_room_made, "cannot accept a connection");
            sleep(ACCEPT_RETRY).await;
        }
    }

    /// Serves a connection in a task of its own, or closes it if there is no room.
    async fn admit(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        registry: &Arc<Registry>,
        is_stopping: watch::Receiver<()>,
    ) {
        let address = peer.ip().to_canonical();
        let is_proxy = self.trust_proxy.iter().any(|net| net.contains(&address));
        let owner = (!is_proxy).then(|| Key::address(address));
        let Some(place) = registry.admit(owner) else {
            tracing::debug!(%address, "refused a connection: no open connection is idle");
            return;
        };
        let ends = Ends::new(peer, stream.local_addr().ok());
        // Messages of a table are small and must not wait for each other.
        let _ = stream.set_nodelay(true);
        let head_timeout = if is_proxy { self.limits.proxy_timeout } else { self.limits.head_timeout };
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(head_timeout).max_buf_size(BUFFER_BYTES);
        let stream = Stream::new(stream, place.clone(), self.limits.write_timeout);
        tokio::spawn(serve(http, stream, place, ends, self.router.clone(), is_stopping));
        // A connection that was closed to make room is really gone before the next is accepted.
        tokio::task::yield_now().await;
    }
}

/// Whether accepting failed because the connection was lost meanwhile: the next may be well.
fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Serves a connection until it ends, is closed to make room for another, or the server stops.
async fn serve(
    http: http1::Builder,
    stream: Stream,
    place: Arc<Place>,
    ends: Ends,
    router: Router,
    mut is_stopping: watch::Receiver<()>,
) {
    let service = service_fn(|request| answer(request, ends, router.clone(), place.clone()));
    let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // What a client did wrong, such as being too slow, concerns nobody else.
        _ = connection.as_mut() => {}
        () = place.closed() => {}
        _ = is_stopping.changed() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

async fn answer(
    request: Request<Incoming>,
    ends: Ends,
    mut router: Router,
    place: Arc<Place>,
) -> Result<Response<ResponseBody>, Infallible> {
    let mut request = request.map(|body| Body::new(RequestBody::new(body, place.clone())));
    request.extensions_mut().insert(ConnectInfo(ends));
    let response = router.call(request).await?;
    let mut busy = place.busy();
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        busy.upgrade();
    }
    Ok(response.map(|body| ResponseBody::new(body, busy)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_for_the_rest() {
        for descriptors in [64, 256, 1024, 4096, 65_536, 1 << 30] {
            let limits = ConnectionLimits::for_descriptors(descriptors);
            assert!(limits.total < descriptors && limits.total <= MAX_CONNECTIONS);
            assert!((1..limits.total).contains(&limits.per_address), "{limits:?}");
            assert!(limits.websockets() < limits.total);
        }
        assert_eq!(ConnectionLimits::for_descriptors(1024).total, 832);
    }
}
