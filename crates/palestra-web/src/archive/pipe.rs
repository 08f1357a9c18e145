//! An archive as an answer: what is written comes out as a stream.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use palestra_store::Course;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::spawn_blocking;

use super::write;
use crate::app::App;
use crate::http::error::Refused;

/// The bytes that are sent at a time, and how many of such parts wait for a slow reader.
const CHUNK_BYTES: usize = 64 << 10;
const MAX_WAITING: usize = 4;

/// The `Retry-After` of those who ask while an archive is written.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// The archive that a server writes: one at a time.
#[derive(Clone, Debug)]
pub(crate) struct Turn(Arc<Semaphore>);

impl Default for Turn {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

/// The archive of a course, written while it is sent.
pub(crate) fn response(app: App, course: Course) -> Result<Response, Refused> {
    let turn = app.archives.0.clone().try_acquire_owned().map_err(|_| Refused::Limited(RETRY_AFTER))?;
    let (sender, receiver) = mpsc::channel(MAX_WAITING);
    let runtime = Handle::current();
    let disposition = format!("attachment; filename=\"palestra-{}.zip\"", course.code);
    spawn_blocking(move || {
        let pipe = BufWriter::with_capacity(CHUNK_BYTES, Pipe(sender.clone()));
        if let Err(error) = write(&app, &runtime, &course, pipe) {
            tracing::warn!(%error, course = course.code, "an archive breaks off");
            // The connection ends without the end of the archive: so its reader notices.
            let _ = sender.blocking_send(Err(io::Error::other(error)));
        }
        drop(turn);
    });
    let parts = stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
    let headers = [(header::CONTENT_TYPE, "application/zip".to_owned()), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, Body::from_stream(parts)).into_response())
}

/// What is written is sent.
struct Pipe(mpsc::Sender<io::Result<Bytes>>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.blocking_send(Ok(Bytes::copy_from_slice(bytes)));
        sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
