//! Work that takes long enough to delay others, done beside the threads that serve.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::http::error::Refused;

/// Draws boards and replays records on threads of their own, at most half as many as there are cores.
#[derive(Clone)]
pub(crate) struct Rendering(Arc<Semaphore>);

/// The cost class of a rendering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    /// Done within a millisecond: it need not wait for others.
    Light,
    /// Takes its turn on a thread of its own.
    Heavy,
}

/// Data up to this size make light work; nearly all records of games have less.
const LIGHT_BYTES: usize = 8 << 10;

impl Load {
    /// The work of going once through so many bytes. A short text may tell of a large map: that is always heavy.
    pub(crate) const fn of(bytes: usize) -> Self {
        if bytes <= LIGHT_BYTES { Self::Light } else { Self::Heavy }
    }
}

/// Time that a request waits for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(20);

/// `Retry-After` of a request whose turn did not come in time.
const RETRY_AFTER: Duration = Duration::from_secs(10);

impl Rendering {
    pub(crate) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self(Arc::new(Semaphore::new((cores / 2).max(1))))
    }

    /// Does light work at once, and heavy work when its turn has come; that is done to its end, also if nobody waits
    /// for it any more.
    pub(crate) async fn run<T, F>(&self, load: Load, work: F) -> Result<T, Refused>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        if load == Load::Light {
            return Ok(work());
        }
        let turn = timeout(TURN_TIMEOUT, self.0.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| Refused::Limited(RETRY_AFTER))?.expect("the semaphore is never closed");
        let work = move || {
            let done = work();
            drop(turn);
            done
        };
        tokio::task::spawn_blocking(work).await.map_err(|error| {
            tracing::error!(%error, "rendering failed");
            Refused::Fault
        })
    }
}
