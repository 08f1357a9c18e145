//! Work that takes long enough to delay others, done beside the threads that serve.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::refused::Refused;

/// Draws boards and replays records on threads of their own, at most half as many as there are cores.
#[derive(Clone)]
pub(crate) struct Rendering(Arc<Semaphore>);

/// Time that a request waits for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(20);

/// When a visitor whose turn did not come may ask again.
const RETRY_AFTER: Duration = Duration::from_secs(10);

impl Rendering {
    pub(crate) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self(Arc::new(Semaphore::new((cores / 2).max(1))))
    }

    /// Does it when its turn has come. It is done to its end, also if nobody waits for it any more.
    pub(crate) async fn run<T, F>(&self, work: F) -> Result<T, Refused>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
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
