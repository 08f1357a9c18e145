//! A line that tells how far a long task is.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use crate::ui::text::width;

/// How long a task takes before its progress is shown.
const SHOW_AFTER: Duration = Duration::from_secs(1);

/// How often the line is written at most.
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);

/// A line on stderr that is written again and again, and gone in the end. There is none unless stderr is a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    is_wanted: bool,
    next: Instant,
    is_shown: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self { is_wanted: stderr().is_terminal(), next: Instant::now() + SHOW_AFTER, is_shown: false }
    }

    /// Shows a text, unless the task is young or one was shown just now.
    pub(crate) fn show(&mut self, text: impl FnOnce() -> String) {
        if self.is_wanted && Instant::now() >= self.next {
            let line: String = text().chars().take(width().saturating_sub(1)).collect();
            let _ = write!(stderr(), "\r\x1b[2K{line}");
            let _ = stderr().flush();
            (self.next, self.is_shown) = (Instant::now() + REFRESH_INTERVAL, true);
        }
    }

    /// A part of the task is done: takes the line away, for the next part to be young again.
    pub(crate) fn erase(&mut self) {
        if self.is_shown {
            let _ = write!(stderr(), "\r\x1b[2K");
            let _ = stderr().flush();
        }
        (self.next, self.is_shown) = (Instant::now() + SHOW_AFTER, false);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.erase();
    }
}

/// How much of something is done, drawn.
pub(crate) fn bar(done: u32, all: u32) -> String {
    const WIDTH: u64 = 20;
    let full = (u64::from(done) * WIDTH / u64::from(all.max(1))).min(WIDTH) as usize;
    format!("[{}{}]", "#".repeat(full), " ".repeat(WIDTH as usize - full))
}
