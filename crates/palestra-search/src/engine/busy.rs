//! ABDADA: threads mark the moves they are searching, so that the others begin with different ones.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// The marks: positions that some thread is searching. Another thread defers the move that leads there, searches its
/// other moves first, and finds the answer in the transposition table when it comes back. (Tom Kerrigan's simplified
/// ABDADA.)
pub(super) struct Busy(Box<[AtomicU64]>);

/// Slots of the table of marks: enough that two positions seldom share one.
const SLOTS: usize = 1 << 14;

/// Only nodes deeper than this, in plies, are marked: below, a mark costs more than it saves.
pub(super) const BUSY_DEPTH: u32 = 4;

impl Busy {
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    fn place(&self, key: u64) -> &AtomicU64 {
        &self.0[(key >> 7) as usize % SLOTS]
    }

    /// Whether a thread is searching the position with this key, coming from `depth` plies above the horizon.
    pub(super) fn is(&self, key: u64, depth: u32) -> bool {
        self.place(key).load(Relaxed) == key ^ u64::from(depth)
    }

    /// Marks a position as being searched until the mark is dropped.
    pub(super) fn begin(&self, key: u64, depth: u32) -> Mark<'_> {
        let place = self.place(key);
        let mark = key ^ u64::from(depth);
        place.store(mark, Relaxed);
        Mark { place, mark }
    }
}

/// A position that a thread is searching.
pub(super) struct Mark<'a> {
    place: &'a AtomicU64,
    mark: u64,
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        // Another thread may have taken the place in the meantime.
        let _ = self.place.compare_exchange(self.mark, 0, Relaxed, Relaxed);
    }
}
