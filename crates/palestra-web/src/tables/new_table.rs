//! The form of a new table, read into types.

use std::fmt;
use std::time::Duration;

use palestra_arena::TimeControl;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::seat_choice::SeatChoice;
use crate::http::error::Refused;

/// The form of a new table, or what a program sends instead. All but the game has a default: a casual game by link,
/// without clocks, against ninja1.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewTable {
    pub(crate) game: String,
    /// A word of the game's options, or a map: its address, its link or its text.
    pub(crate) options: String,
    /// The address or the link of a map, instead of the options.
    pub(crate) map: String,
    /// `me`, `open`, `reserved`, or the name of a player.
    #[schema(value_type = String, default = "me")]
    pub(crate) seat1: SeatChoice,
    #[schema(value_type = String, default = "ninja1")]
    pub(crate) seat2: SeatChoice,
    /// The nickname for which a reserved seat is.
    pub(crate) reserved1: String,
    pub(crate) reserved2: String,
    /// The nickname of a guest.
    pub(crate) nickname: String,
    /// `none`, `turn`, `game`, or the minutes of a game and the seconds added with each move, `3+2`.
    #[schema(value_type = String, default = "none")]
    pub(crate) clock: ClockChoice,
    /// The time of a turn or of a game, in seconds.
    pub(crate) seconds: u32,
    /// The time of a game in minutes, as the form has it; empty if it is given in seconds.
    pub(crate) minutes: String,
    /// The increment for each move, in seconds.
    pub(crate) increment: u32,
    pub(crate) visibility: Visibility,
    /// `yes` or nothing.
    #[serde(deserialize_with = "yes_or_nothing")]
    #[schema(value_type = String, default = "")]
    pub(crate) rated: bool,
    /// The number of games of the match, 1 or 2.
    pub(crate) games: u32,
    pub(crate) illegal: IllegalRule,
    /// The position with which its games begin, in the game's notation, instead of that of the options.
    pub(crate) position: String,
    /// The first move, if the visitor makes it: a board on another page may begin the game.
    #[serde(rename = "move")]
    pub(crate) first_move: String,
}

/// The clock of a new table: `none`, `turn`, `game`, or the minutes of a game and the seconds added with each move, `3+2`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum ClockChoice {
    None,
    Turn,
    Game,
    Preset { minutes: String, increment: u32 },
}

impl TryFrom<String> for ClockChoice {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Self, Self::Error> {
        let preset = |(minutes, increment): (&str, &str)| {
            Some(Self::Preset { minutes: minutes.to_owned(), increment: increment.parse().ok()? })
        };
        match &*word {
            "none" => Ok(Self::None),
            "turn" => Ok(Self::Turn),
            "game" => Ok(Self::Game),
            _ => word.split_once('+').and_then(preset).ok_or("there is no such clock"),
        }
    }
}

impl fmt::Display for ClockChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Turn => f.write_str("turn"),
            Self::Game => f.write_str("game"),
            Self::Preset { minutes, increment } => write!(f, "{minutes}+{increment}"),
        }
    }
}

/// Who can find a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Visibility {
    /// Only those who have the link.
    Link,
    Public,
}

/// What an illegal move of a program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IllegalRule {
    Forfeit,
    Retry,
}

impl Default for NewTable {
    fn default() -> Self {
        Self {
            game: String::new(),
            options: "-".to_owned(),
            map: String::new(),
            seat1: SeatChoice::Me,
            seat2: SeatChoice::BuiltIn("ninja1".to_owned()),
            reserved1: String::new(),
            reserved2: String::new(),
            nickname: String::new(),
            clock: ClockChoice::None,
            seconds: 300,
            minutes: String::new(),
            increment: 0,
            visibility: Visibility::Link,
            rated: false,
            games: 1,
            illegal: IllegalRule::Forfeit,
            position: String::new(),
            first_move: String::new(),
        }
    }
}

/// Range of a clock's initial time in seconds.
const CLOCK_SECONDS: std::ops::RangeInclusive<u32> = 1..=24 * 3600;

/// The largest increment of a clock.
const MAX_INCREMENT_SECONDS: u32 = 3600;

impl NewTable {
    /// The time control.
    pub(crate) fn time(&self) -> Result<TimeControl, Refused> {
        let wrong = || Refused::bad("tables.clock");
        let (seconds, increment) = match &self.clock {
            ClockChoice::None => return Ok(TimeControl::Unlimited),
            ClockChoice::Preset { minutes, increment } => (seconds_of(minutes).ok_or_else(wrong)?, *increment),
            ClockChoice::Game if !self.minutes.is_empty() => {
                (seconds_of(&self.minutes).ok_or_else(wrong)?, self.increment)
            }
            ClockChoice::Turn | ClockChoice::Game => (self.seconds, self.increment),
        };
        if !CLOCK_SECONDS.contains(&seconds) || increment > MAX_INCREMENT_SECONDS {
            return Err(wrong());
        }
        let [total, increment] = [seconds, increment].map(|seconds| Duration::from_secs(seconds.into()));
        Ok(if self.clock == ClockChoice::Turn {
            TimeControl::Wall(total)
        } else {
            TimeControl::Game { total, increment }
        })
    }

    /// The field that is wrong if the time control is.
    pub(super) fn wrong_clock(&self) -> &'static str {
        match self.clock {
            _ if self.increment > MAX_INCREMENT_SECONDS => "increment",
            ClockChoice::Turn => "seconds",
            _ => "minutes",
        }
    }

    /// The number of games of the match.
    pub(crate) fn games(&self) -> Result<u32, Refused> {
        if (1..=2).contains(&self.games) { Ok(self.games) } else { Err(Refused::bad("refused.form")) }
    }
}

/// The seconds of a number of minutes, which may be a fraction such as 0.5.
fn seconds_of(minutes: &str) -> Option<u32> {
    let minutes: f64 = minutes.trim().parse().ok()?;
    let is_one = (0.0..=f64::from(*CLOCK_SECONDS.end())).contains(&minutes);
    is_one.then_some((minutes * 60.0).round() as u32)
}

/// A check box: `yes`, or an empty text.
fn yes_or_nothing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match &*String::deserialize(deserializer)? {
        "yes" => Ok(true),
        "" => Ok(false),
        other => Err(serde::de::Error::unknown_variant(other, &["yes", ""])),
    }
}
