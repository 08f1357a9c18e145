//! The budget of a move: CPU time, wall-clock time, states and depth.

use std::fmt;
use std::time::Duration;

/// What a move may cost; nothing set means that it may cost anything. Times are told in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// CPU time of all threads together.
    pub cpu: Option<Duration>,
    /// Time by the clock on the wall.
    pub wall: Option<Duration>,
    /// Positions visited. Only the player itself can count them.
    pub states: Option<u64>,
    /// Plies looked ahead. Only the player itself can count them.
    pub depth: Option<u32>,
}

impl Budget {
    /// No limit.
    pub const INFINITE: Self = Self { cpu: None, wall: None, states: None, depth: None };

    /// Reads what [`Display`](fmt::Display) writes: `infinite`, or names and numbers, each name once.
    pub(crate) fn parse<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut budget = Self::INFINITE;
        let mut name = words.next()?;
        if name == "infinite" {
            return words.next().is_none().then_some(budget);
        }
        loop {
            let value = words.next()?;
            let is_first = match name {
                "cpu" => budget.cpu.replace(millis(value)?).is_none(),
                "wall" => budget.wall.replace(millis(value)?).is_none(),
                "states" => budget.states.replace(number(value)?).is_none(),
                "depth" => budget.depth.replace(number(value)?).is_none(),
                _ => false,
            };
            if !is_first {
                return None;
            }
            match words.next() {
                Some(next) => name = next,
                None => return Some(budget),
            }
        }
    }
}

/// A number in digits alone: no sign.
pub(crate) fn number<T: std::str::FromStr>(word: &str) -> Option<T> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

pub(crate) fn millis(word: &str) -> Option<Duration> {
    number(word).map(Duration::from_millis)
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times =
            [("cpu", self.cpu), ("wall", self.wall)].map(|(name, time)| (name, time.map(|time| time.as_millis())));
        let counts = [("states", self.states), ("depth", self.depth.map(u64::from))]
            .map(|(name, count)| (name, count.map(u128::from)));
        let mut blank = "";
        for (name, value) in times.into_iter().chain(counts) {
            if let Some(value) = value {
                write!(f, "{blank}{name} {value}")?;
                blank = " ";
            }
        }
        if blank.is_empty() { f.write_str("infinite") } else { Ok(()) }
    }
}
