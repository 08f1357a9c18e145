//! Time for the whole game.

use std::time::{Duration, Instant};

use palestra_games::Side;

/// What is left to each side. Only the side to move uses it up.
#[derive(Debug)]
pub(super) struct Clocks {
    left: [Duration; 2],
    /// When the side to move began to think.
    begun: Instant,
}

impl Clocks {
    pub(super) fn new(each: Duration) -> Self {
        Self { left: [each; 2], begun: Instant::now() }
    }

    /// A side begins to think.
    pub(super) fn start(&mut self) {
        self.begun = Instant::now();
    }

    /// What is left to the side that thinks.
    pub(super) fn left(&self, side: Side) -> Duration {
        self.left[side.index()].saturating_sub(self.begun.elapsed())
    }

    /// The side has moved. False if it was too late.
    pub(super) fn stop(&mut self, side: Side) -> bool {
        let left = self.left(side);
        self.left[side.index()] = left;
        left > Duration::ZERO
    }

    /// How long a program should think about a move: it cannot know how many are to come.
    pub(super) fn share(&self, side: Side) -> Duration {
        self.left(side) / 25
    }
}

/// `4:59`, `1:00:00`; of the last ten seconds also the tenths.
pub(super) fn written(left: Duration) -> String {
    let seconds = left.as_secs();
    match seconds {
        0..10 => format!("0:{:04.1}", (left.as_millis() / 100) as f64 / 10.0),
        10..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_written_as_on_a_clock() {
        let written = |millis| written(Duration::from_millis(millis));
        assert_eq!([5_350, 65_000, 300_000, 3_605_000].map(written), ["0:05.3", "1:05", "5:00", "1:00:05"]);
    }

    #[test]
    fn a_side_is_late_when_nothing_is_left() {
        let mut clocks = Clocks::new(Duration::from_secs(3600));
        assert!(clocks.stop(Side::One));
        clocks.left[1] = Duration::ZERO;
        clocks.start();
        assert!(!clocks.stop(Side::Two));
        assert!(clocks.stop(Side::One));
    }
}
