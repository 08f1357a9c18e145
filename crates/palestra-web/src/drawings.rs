//! Layouts and scenes for browsers, each at an address that is a hash of its content.
//!
//! A layout of the largest map has megabytes of JSON. It is made once, off the threads that serve, kept compressed, and
//! fetched once by each browser: what is behind such an address never changes.

use std::collections::HashMap;
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use futures_util::stream;
use palestra_store::derived_code;
use serde::Serialize;

use crate::app::App;
use crate::cache::{Cache, Weighed};
use crate::http::error::Refused;
use crate::ratelimit::Key;
use crate::rendering::{Load, Rendering};
use crate::visitor::Visitor;

/// A layout or a scene as JSON, compressed.
pub(crate) struct Drawing {
    hash: String,
    gzip: Bytes,
}

impl Drawing {
    pub(crate) fn new(drawn: &impl Serialize) -> Result<Self, Refused> {
        let mut encoder = GzEncoder::new(vec![], Compression::fast());
        let written = serde_json::to_string(drawn).map_err(io::Error::from).and_then(|text| {
            encoder.write_all(text.as_bytes())?;
            Ok((derived_code(&text), encoder.finish()?))
        });
        let (hash, gzip) = written.map_err(|error| {
            tracing::error!(%error, "a drawing cannot be written");
            Refused::Fault
        })?;
        Ok(Self { hash, gzip: gzip.into() })
    }

    /// The address of the drawing.
    pub(crate) fn path(&self) -> String {
        format!("/drawings/{}.json", self.hash)
    }

    /// The cost of sending the drawing to a client that does not accept gzip.
    const fn load(&self) -> Load {
        Load::of(self.gzip.len())
    }

    /// The response with it, as the client can read it.
    pub(crate) fn response(&self, headers: &HeaderMap) -> Response {
        let kind = (header::CONTENT_TYPE, "application/json");
        let kept = (header::CACHE_CONTROL, "private, max-age=31536000, immutable");
        let vary = (header::VARY, "accept-encoding");
        if takes_gzip(headers) {
            let encoding = (header::CONTENT_ENCODING, "gzip");
            return ([kind, kept, vary, encoding], self.gzip.clone()).into_response();
        }
        let text = Inflated(GzDecoder::new(Cursor::new(self.gzip.clone())));
        ([kind, kept, vary], Body::from_stream(stream::iter(text))).into_response()
    }
}

/// A compressed text in pieces, inflated while it is sent: slow readers hold no more than the compressed text.
struct Inflated(GzDecoder<Cursor<Bytes>>);

/// The bytes that are inflated at a time.
const CHUNK_BYTES: usize = 64 << 10;

impl Iterator for Inflated {
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut chunk = vec![0; CHUNK_BYTES];
        let read = self.0.read(&mut chunk).map(|count| {
            chunk.truncate(count);
            Bytes::from(chunk)
        });
        if read.as_ref().is_ok_and(Bytes::is_empty) { None } else { Some(read) }
    }
}

impl Weighed for Drawing {
    fn bytes(&self) -> usize {
        self.gzip.len() + self.hash.len()
    }
}

/// Whether a client understands gzip. One that is choosy about it (`gzip;q=0`) is taken not to.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| coding.trim() == "gzip")
}

/// Memory for drawings of maps and games; tables keep their own.
const MAX_BYTES: usize = 64 << 20;

/// All drawings that a browser may ask for.
pub(crate) struct Drawings {
    by_source: Cache<Drawing>,
    by_hash: Mutex<HashMap<String, Weak<Drawing>>>,
}

impl Drawings {
    pub(crate) fn new() -> Self {
        Self { by_source: Cache::new(MAX_BYTES), by_hash: Mutex::default() }
    }

    /// The drawing of something that is named by a key; it is drawn, at this load, if it is not there.
    pub(crate) async fn get<T: Serialize>(
        &self,
        rendering: &Rendering,
        load: Load,
        key: &str,
        draw: impl FnOnce() -> Result<T, Refused> + Send + 'static,
    ) -> Result<Arc<Drawing>, Refused> {
        let drawing = self.by_source.get_or_render(rendering, load, key, move || Drawing::new(&draw()?)).await?;
        let mut by_hash = self.by_hash.lock().unwrap_or_else(PoisonError::into_inner);
        // The same content may have been drawn from another source: all hold the one that is found.
        if let Some(known) = by_hash.get(&drawing.hash).and_then(Weak::upgrade) {
            return Ok(known);
        }
        by_hash.retain(|_, drawing| drawing.strong_count() > 0);
        by_hash.insert(drawing.hash.clone(), Arc::downgrade(&drawing));
        Ok(drawing)
    }

    fn find(&self, hash: &str) -> Option<Arc<Drawing>> {
        self.by_hash.lock().unwrap_or_else(PoisonError::into_inner).get(hash).and_then(Weak::upgrade)
    }
}

/// The key of the layout of a board that is given as a text: options, a map or a position.
pub(crate) fn layout_key(game: &str, start: &str) -> String {
    format!("layout {game} {}", derived_code(start))
}

/// A drawing, by its hash.
pub(crate) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    app.limits.drawings.check(Key::visitor(&visitor))?;
    let drawing = name.strip_suffix(".json").and_then(|hash| app.drawings.find(hash)).ok_or(Refused::NotFound)?;
    if drawing.load() == Load::Heavy && !takes_gzip(&headers) {
        app.limits.heavy.check(Key::visitor(&visitor))?;
    }
    Ok(drawing.response(&headers))
}
