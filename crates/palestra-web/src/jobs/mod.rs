//! Jobs: compilations, games of runs and comparisons, done by worker threads of the server.

use palestra_store::{NewJob, StoreError};
use tokio::sync::Notify;

use crate::app::{App, now_ms};

#[allow(dead_code, reason = "the workers come next")]
/// The workers of the server, as the rest of it sees them.
#[derive(Default)]
pub(crate) struct Jobs {
    /// Wakes the workers.
    news: Notify,
}

#[allow(dead_code, reason = "the workers come next")]
impl Jobs {
    /// There may be work: the workers look at once instead of when they would next.
    pub(crate) fn wake(&self) {
        self.news.notify_one();
    }
}

#[allow(dead_code, reason = "the workers come next")]
/// Adds a job and wakes the workers. `false` if there is one about the same subject, which stays as it is.
pub(crate) async fn add(app: &App, job: NewJob) -> Result<bool, StoreError> {
    let is_new = app.store.add_job(&job, now_ms()).await?;
    app.jobs.wake();
    Ok(is_new)
}
