//! Stopping a search early: limits on nodes and time, polled by the search.

use std::ops::ControlFlow;
use std::time::Duration;

/// A question that the search asks again and again: may it go on? The search reads no clock, so how often it asks is
/// for the answer to say.
pub trait Stop {
    /// `nodes` positions have been visited so far. The answer is to break off, or after how many more positions to ask
    /// again. The search may ask sooner.
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64>;
}

/// Goes on until the depth is reached.
#[derive(Clone, Copy, Debug)]
pub struct Never;

impl Stop for Never {
    fn ask(&mut self, _: u64) -> ControlFlow<(), u64> {
        ControlFlow::Continue(u64::MAX / 2)
    }
}

/// Stops after this number of nodes: with one thread, at the same node on every machine.
#[derive(Clone, Copy, Debug)]
pub struct States(pub u64);

impl Stop for States {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        match self.0.saturating_sub(nodes) {
            0 => ControlFlow::Break(()),
            left => ControlFlow::Continue(left),
        }
    }
}

/// Stops when the caller's clock passes a limit, or when the caller says so. The clock is asked about every half
/// millisecond, however fast or slow the search is.
#[derive(Debug)]
pub struct Deadline<C> {
    limit: Duration,
    clock: C,
    asked_at: Duration,
    nodes: u64,
    interval: u64,
}

/// How long the search may run before it asks again.
const POLL_INTERVAL: Duration = Duration::from_micros(500);

impl<C: FnMut() -> Duration> Deadline<C> {
    /// Stops when `clock` passes `limit`. A clock that wants to stop the search at once says [`Duration::MAX`].
    pub fn new(limit: Duration, mut clock: C) -> Self {
        let asked_at = clock();
        Self { limit, clock, asked_at, nodes: 0, interval: 1 }
    }

    /// As many positions as fit between two questions, judged by the last interval. It grows slowly and shrinks at
    /// once: late in a game positions can become slow.
    fn adapt(&mut self, now: Duration, nodes: u64) {
        let passed = now.saturating_sub(self.asked_at).max(Duration::from_nanos(1));
        let searched = nodes.saturating_sub(self.nodes).max(1);
        let fits = u128::from(searched) * POLL_INTERVAL.as_nanos() / passed.as_nanos();
        let fits = u64::try_from(fits).unwrap_or(u64::MAX);
        self.interval = fits.clamp(1, self.interval.saturating_mul(4));
        (self.asked_at, self.nodes) = (now, nodes);
    }
}

impl<C: FnMut() -> Duration> Stop for Deadline<C> {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        let now = (self.clock)();
        if now >= self.limit {
            return ControlFlow::Break(());
        }
        // Questions can come early, before each first move: an interval without positions teaches nothing.
        if nodes > self.nodes {
            self.adapt(now, nodes);
        }
        ControlFlow::Continue(self.interval)
    }
}

/// Stops as soon as either does.
impl<A: Stop, B: Stop> Stop for (A, B) {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        let (first, second) = (self.0.ask(nodes)?, self.1.ask(nodes)?);
        ControlFlow::Continue(first.min(second))
    }
}

impl<S: Stop + ?Sized> Stop for &mut S {
    fn ask(&mut self, nodes: u64) -> ControlFlow<(), u64> {
        (**self).ask(nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_asked_about_every_half_millisecond() {
        let micros_per_node = 3;
        let searched = std::cell::Cell::new(0u64);
        let clock = || Duration::from_micros(searched.get() * micros_per_node);
        let mut deadline = Deadline::new(Duration::from_millis(100), clock);
        let mut longest = 0;
        while let ControlFlow::Continue(more) = deadline.ask(searched.get()) {
            searched.set(searched.get() + more);
            longest = longest.max(more * micros_per_node);
        }
        assert!((400..=500).contains(&longest), "asked every {longest} microseconds");
        let late = clock().checked_sub(Duration::from_millis(100)).expect("not stopped early");
        assert!(late <= Duration::from_micros(500), "{late:?} late");
    }

    #[test]
    fn states_stop_exactly() {
        assert_eq!(States(10).ask(3), ControlFlow::Continue(7));
        assert_eq!(States(10).ask(10), ControlFlow::Break(()));
        assert_eq!((States(10), States(5)).ask(1), ControlFlow::Continue(4));
        assert_eq!((Never, States(5)).ask(9), ControlFlow::Break(()));
    }
}
