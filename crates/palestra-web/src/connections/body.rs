//! The bodies of requests and responses: they tell when a connection is busy.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};

use super::registry::{Busy, Place};

/// The body of a request. Its connection is busy from when it has been received: before that the server waits for the
/// client, and not the other way round.
pub(super) struct RequestBody {
    body: Incoming,
    place: Arc<Place>,
}

impl RequestBody {
    pub(super) fn new(body: Incoming, place: Arc<Place>) -> Self {
        if body.is_end_stream() {
            place.set_busy();
        }
        Self { body, place }
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if frame.is_none() || self.body.is_end_stream() {
            self.place.set_busy();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The largest part of a body that is given to the connection at once. The connection buffers little more than that, so
/// that the end of the body is nearly the end of sending.
const MAX_FRAME_BYTES: usize = 16 << 10;

/// A body in small frames, during which its connection is busy.
pub(super) struct ResponseBody {
    body: Body,
    /// The rest of the last frame of the body.
    rest: Bytes,
    _busy: Busy,
}

impl ResponseBody {
    pub(super) fn new(body: Body, busy: Busy) -> Self {
        Self { body, rest: Bytes::new(), _busy: busy }
    }

    fn next_part(&mut self) -> Frame<Bytes> {
        let length = self.rest.len().min(MAX_FRAME_BYTES);
        Frame::data(self.rest.split_to(length))
    }
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(self.next_part())));
        }
        match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
            Some(Ok(frame)) => Poll::Ready(Some(Ok(match frame.into_data() {
                Ok(data) => {
                    self.rest = data;
                    self.next_part()
                }
                Err(trailers) => trailers,
            }))),
            other => Poll::Ready(other),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (inner, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower() + rest);
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}
