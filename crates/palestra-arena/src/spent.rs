//! What a turn has cost so far, and how that time was spent.

use std::fmt;
use std::time::Duration;

/// What a turn has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Time by the clock.
    pub wall: Duration,
    /// CPU time of all threads together; `None` where it is not known.
    pub cpu: Option<Duration>,
    /// Time in which the player was ready to run and other processes had the CPU.
    pub waited: Duration,
}

impl Spent {
    /// The time in which the player neither ran nor waited for a CPU.
    #[must_use]
    pub fn slept(&self) -> Duration {
        self.wall.saturating_sub(self.cpu.unwrap_or_default()).saturating_sub(self.waited)
    }
}

/// A sentence about `it`, or nothing where CPU time is not known. Waiting is left out where there was none to speak of.
impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(cpu) = self.cpu else { return Ok(()) };
        let [cpu, slept, waited] = [cpu, self.slept(), self.waited].map(|time| time.as_secs_f64());
        if waited < 0.05 {
            return write!(f, "it computed {cpu:.1} s and slept {slept:.1} s");
        }
        write!(f, "it computed {cpu:.1} s, slept {slept:.1} s, waited {waited:.1} s for a CPU")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(wall: u64, cpu: Option<u64>, waited: u64) -> String {
        let ms = Duration::from_millis;
        Spent { wall: ms(wall), cpu: cpu.map(ms), waited: ms(waited) }.to_string()
    }

    #[test]
    fn time_is_told_as_computed_slept_and_waited() {
        assert_eq!(spent(6100, Some(1100), 4800), "it computed 1.1 s, slept 0.2 s, waited 4.8 s for a CPU");
        assert_eq!(spent(6000, Some(100), 0), "it computed 0.1 s and slept 5.9 s");
        assert_eq!(spent(6000, None, 0), "");
        assert_eq!(spent(1000, Some(4000), 0), "it computed 4.0 s and slept 0.0 s", "four threads");
    }
}
