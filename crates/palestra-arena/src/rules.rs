//! The rules of a match beyond those of the game: time control, move cap, penalties.

use std::time::Duration;

use palestra_protocol::Budget;
use serde::{Deserialize, Serialize};

/// The rules by which a referee adjudicates a game: time control, move cap, penalties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// How time is counted.
    pub time: TimeControl,
    /// Positions that a player may visit for a move; only built-in players are held to it.
    pub states: Option<u64>,
    /// Plies that a player may look ahead; only built-in players are held to it.
    pub depth: Option<u32>,
    /// Whether a player may try again after an illegal move, while its clock runs; otherwise it has lost.
    pub retry: bool,
    /// After how many moves a game is called a draw.
    pub cap: Option<u32>,
    /// How long a program may take until it is ready.
    pub startup: Duration,
    /// How long a player that lost the connection has to come back.
    pub absence: Duration,
}

/// Time control: how time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeControl {
    /// Not at all.
    Unlimited,
    /// CPU time is charged for each move, and time by the clock on the wall is bounded.
    Cpu {
        /// CPU time a move.
        cpu: Duration,
        /// Time a move.
        wall: Duration,
    },
    /// Time by the clock on the wall, for each move: the strict rule of the Mancala course.
    Wall(Duration),
    /// Time by the clock on the wall for the whole game, and some more with each move.
    Game {
        /// At the start.
        total: Duration,
        /// With each move.
        increment: Duration,
    },
}

/// How many times the CPU time a move may take by the wall clock: a machine has other things to do too.
const WALL_PER_CPU: u32 = 3;

/// A turn is over after this many times the limit by the clock, however long the player waited for a CPU.
pub(crate) const MAX_WALL_FACTOR: u32 = 10;

impl TimeControl {
    /// A limit of this CPU time for each move, and of three times as much by the wall clock.
    #[must_use]
    pub const fn cpu(cpu: Duration) -> Self {
        Self::Cpu { cpu, wall: cpu.saturating_mul(WALL_PER_CPU) }
    }
}

impl Default for Rules {
    /// Two seconds of CPU time a move; an illegal move loses.
    fn default() -> Self {
        Self {
            time: TimeControl::cpu(Duration::from_secs(2)),
            states: None,
            depth: None,
            retry: false,
            cap: None,
            startup: Duration::from_secs(10),
            absence: Duration::from_secs(60),
        }
    }
}

/// The CPU time that a program may use in a game without a clock.
const UNTIMED_CPU: Duration = Duration::from_secs(3600);

/// More moves than a game has, where its rules do not bound them.
const MAX_MOVES: u32 = 1000;

impl Rules {
    /// The CPU time that a program can use in a whole game without being late: the bound for those who are not trusted.
    /// In a box it has one CPU, so that it cannot use more than passes by the clock.
    #[must_use]
    pub fn cpu_in_all(&self) -> Duration {
        let moves = self.cap.unwrap_or(MAX_MOVES);
        let thinking = match self.time {
            TimeControl::Unlimited => UNTIMED_CPU,
            TimeControl::Cpu { cpu, .. } => cpu.saturating_mul(moves),
            TimeControl::Wall(wall) => wall.saturating_mul(moves),
            TimeControl::Game { total, increment } => total.saturating_add(increment.saturating_mul(moves)),
        };
        thinking.saturating_add(self.startup)
    }

    /// The time by the clock that a turn may take in which the player has waited so long for a CPU.
    ///
    /// Where CPU time is charged, waiting does not count, but at ten times the limit the turn is over.
    #[must_use]
    pub fn wall_limit(&self, left: Duration, waited: Duration) -> Option<Duration> {
        let Budget { cpu, wall, .. } = self.budget(left);
        let wall = wall?;
        let most = wall.saturating_mul(MAX_WALL_FACTOR);
        Some(if cpu.is_some() { wall.saturating_add(waited).min(most) } else { wall })
    }

    /// What a move may cost a player with this much left of its time for the game.
    #[must_use]
    pub const fn budget(&self, left: Duration) -> Budget {
        let (cpu, wall) = match self.time {
            TimeControl::Unlimited => (None, None),
            TimeControl::Cpu { cpu, wall } => (Some(cpu), Some(wall)),
            TimeControl::Wall(wall) => (None, Some(wall)),
            TimeControl::Game { .. } => (None, Some(left)),
        };
        Budget { cpu, wall, states: self.states, depth: self.depth }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_the_cpu_time_of_a_whole_game() {
        let (second, cap, startup) = (Duration::from_secs(1), Some(300), Duration::from_secs(10));
        let of = |time| Rules { time, cap, startup, ..Rules::default() }.cpu_in_all().as_secs();
        assert_eq!(of(TimeControl::cpu(second)), 310);
        assert_eq!(of(TimeControl::Wall(second)), 310);
        assert_eq!(of(TimeControl::Game { total: second * 60, increment: second }), 370);
        assert_eq!(of(TimeControl::Unlimited), 3610);
        assert_eq!(Rules::default().cpu_in_all().as_secs(), 2010);
    }
}
