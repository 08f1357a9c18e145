//! A running clock that can be saved and resumed.

use std::time::Duration;

/// A clock that runs: since when, and what it had counted before it was interrupted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    since: Duration,
    before: Duration,
}

impl Running {
    /// A clock that runs from this moment on.
    pub(super) const fn since(now: Duration) -> Self {
        Self { since: now, before: Duration::ZERO }
    }

    /// A clock that runs from this moment on, and had counted this much before.
    pub(super) const fn after(before: Duration, now: Duration) -> Self {
        Self { since: now, before }
    }

    /// What the clock shows at that moment.
    pub(super) const fn passed(self, now: Duration) -> Duration {
        self.before.saturating_add(now.saturating_sub(self.since))
    }

    /// When the clock will reach this limit.
    pub(super) const fn reaches(self, limit: Duration) -> Duration {
        self.since.saturating_add(limit.saturating_sub(self.before))
    }
}
