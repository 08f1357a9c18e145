//! A clock that runs.

use std::time::Duration;

/// A clock that runs: since when, and what it had counted before it was interrupted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    since: Duration,
    before: Duration,
}

impl Running {
    /// From this moment on.
    pub(super) const fn since(now: Duration) -> Self {
        Self { since: now, before: Duration::ZERO }
    }

    /// From this moment on, after so much.
    pub(super) const fn after(before: Duration, now: Duration) -> Self {
        Self { since: now, before }
    }

    /// What it has counted by then.
    pub(super) const fn passed(self, now: Duration) -> Duration {
        self.before.saturating_add(now.saturating_sub(self.since))
    }

    /// When it will have counted so much.
    pub(super) const fn reaches(self, limit: Duration) -> Duration {
        self.since.saturating_add(limit.saturating_sub(self.before))
    }
}
