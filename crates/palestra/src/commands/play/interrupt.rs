//! Ctrl-C during a game: the first one stops a search, which then plays its best move; otherwise the game is left.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::contest_setup::interrupt;
use crate::ui::error::INTERRUPTED;

static IS_THINKING: AtomicBool = AtomicBool::new(false);
static STOP_THOUGHT: AtomicBool = AtomicBool::new(false);
static LEAVE: AtomicBool = AtomicBool::new(false);

/// Handles Ctrl-C from here on.
pub(super) fn install() {
    // Only one handler can be installed; without it Ctrl-C simply ends the program.
    let _ = ctrlc::set_handler(|| {
        let is_first = IS_THINKING.load(Ordering::Relaxed) && !STOP_THOUGHT.swap(true, Ordering::Relaxed);
        if !is_first {
            leave_interrupted();
        }
    });
}

/// Ctrl-C was pressed where nothing can be stopped but the game; pressed again, the program ends at once.
pub(super) fn leave_interrupted() {
    interrupt();
    if LEAVE.swap(true, Ordering::Relaxed) {
        std::process::exit(INTERRUPTED.into());
    }
}

/// Set when the game is to be left.
pub(super) fn left() -> &'static AtomicBool {
    &LEAVE
}

/// Leaves the game.
pub(super) fn leave() {
    LEAVE.store(true, Ordering::Relaxed);
}

/// Set when the search under way is to stop.
pub(super) fn stop_thought() -> &'static AtomicBool {
    &STOP_THOUGHT
}

/// A search begins or ends: until it ends, Ctrl-C stops it.
pub(super) fn set_thinking(is_thinking: bool) {
    STOP_THOUGHT.store(false, Ordering::Relaxed);
    IS_THINKING.store(is_thinking, Ordering::Relaxed);
}
