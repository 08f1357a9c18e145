//! A progress line for long tasks.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use crate::ui::text::width;

/// Tasks that take less time show no progress.
const FIRST_SHOWN_AFTER: Duration = Duration::from_secs(1);

/// The line is rewritten no more often than this.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// A line on stderr that is overwritten as the task proceeds and erased at its end. It is shown on a terminal only.
#[derive(Debug)]
pub(crate) struct Progress {
    is_enabled: bool,
    next_update: Instant,
    is_shown: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self { is_enabled: stderr().is_terminal(), next_update: Instant::now() + FIRST_SHOWN_AFTER, is_shown: false }
    }

    /// Shows a text, unless the task began or a text was shown just now.
    pub(crate) fn show(&mut self, text: impl FnOnce() -> String) {
        if self.is_enabled && Instant::now() >= self.next_update {
            let line: String = text().chars().take(width().saturating_sub(1)).collect();
            let _ = write!(stderr(), "\r\x1b[2K{line}");
            let _ = stderr().flush();
            (self.next_update, self.is_shown) = (Instant::now() + UPDATE_INTERVAL, true);
        }
    }

    /// Erases the line. The next part of the task shows none until it has taken a while itself.
    pub(crate) fn erase(&mut self) {
        if self.is_shown {
            let _ = write!(stderr(), "\r\x1b[2K");
            let _ = stderr().flush();
        }
        (self.next_update, self.is_shown) = (Instant::now() + FIRST_SHOWN_AFTER, false);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.erase();
    }
}

/// A progress bar: `[#####               ]`.
pub(crate) fn bar(done: u32, all: u32) -> String {
    const WIDTH: u64 = 20;
    let full = (u64::from(done) * WIDTH / u64::from(all.max(1))).min(WIDTH) as usize;
    format!("[{}{}]", "#".repeat(full), " ".repeat(WIDTH as usize - full))
}
