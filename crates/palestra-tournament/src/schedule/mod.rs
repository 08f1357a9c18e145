//! When a league plays: every N days or by a cron expression, and on single dates, all in local time.
//!
//! A local time is not always one moment. What a clock change skips happens at the moment of the change; what comes twice
//! happens the first time. So moments are in the order of their local times, and [`Schedule::next`] is always later.

mod cron;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Span, Timestamp};
use palestra_games::{Phrase, phrase};
use serde::{Deserialize, Serialize};

pub use self::cron::{Cron, CronError, CronField};

/// When a league plays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Schedule {
    rule: Option<Rule>,
    dates: BTreeSet<DateTime>,
}

/// What comes again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Every N days.
    Days {
        /// How many.
        days: u16,
        /// At what time of day.
        at: Time,
        /// The first day.
        from: Date,
    },
    /// By a cron expression.
    Cron(Cron),
}

/// A schedule that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleError {
    /// An interval that is too short or too long.
    Days(u16),
    /// Too many single dates.
    ManyDates(usize),
    /// A text that is no date, or none of this calendar.
    Date(String),
    /// A text that is no time of day.
    Time(String),
    /// A text that is no date with a time of day.
    DateTime(String),
    /// An expression that is none.
    Cron(CronError),
    /// Something else than the JSON of a schedule.
    Json(String),
}

impl ScheduleError {
    /// What is wrong.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Days(found) => {
                phrase!(
                    "schedule.days",
                    "a league plays every 1 to {max} days, not {found}",
                    max = MAX_DAYS,
                    found = *found
                )
            }
            Self::ManyDates(found) => {
                phrase!(
                    "schedule.dates",
                    "{found} single dates; at most {max} are possible",
                    found = *found,
                    max = MAX_DATES
                )
            }
            Self::Date(text) => {
                phrase!("schedule.date", "\"{text}\" is no date such as 2026-11-20", text = text.as_str())
            }
            Self::Time(text) => phrase!("schedule.time", "\"{text}\" is no time such as 18:00", text = text.as_str()),
            Self::DateTime(text) => phrase!(
                "schedule.date_time",
                "\"{text}\" is no date with a time, such as 2026-11-20 18:00",
                text = text.as_str(),
            ),
            Self::Cron(error) => error.phrase(),
            Self::Json(problem) => Phrase::untranslated(format!("this is no schedule: {problem}")),
        }
    }
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for ScheduleError {}

impl From<CronError> for ScheduleError {
    fn from(error: CronError) -> Self {
        Self::Cron(error)
    }
}

/// The longest interval in days.
pub const MAX_DAYS: u16 = 366;

/// The most single dates.
pub const MAX_DATES: usize = 50;

/// How many moments are looked at to find the shortest interval.
const SHORTEST_OF: usize = 20;

impl Schedule {
    /// A schedule, if it can be.
    pub fn new(rule: Option<Rule>, dates: impl IntoIterator<Item = DateTime>) -> Result<Self, ScheduleError> {
        let dates: BTreeSet<DateTime> = dates.into_iter().collect();
        match &rule {
            Some(Rule::Days { days, .. }) if !(1..=MAX_DAYS).contains(days) => Err(ScheduleError::Days(*days)),
            _ if dates.len() > MAX_DATES => Err(ScheduleError::ManyDates(dates.len())),
            _ => Ok(Self { rule, dates }),
        }
    }

    /// Reads what [`Schedule::json`] wrote.
    pub fn read(json: &str) -> Result<Self, ScheduleError> {
        let written: Written = serde_json::from_str(json).map_err(|error| ScheduleError::Json(error.to_string()))?;
        written.try_into()
    }

    /// The schedule as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON")
    }

    /// What comes again and again, if anything does.
    #[must_use]
    pub const fn rule(&self) -> Option<&Rule> {
        self.rule.as_ref()
    }

    /// The single dates, the first first.
    pub fn dates(&self) -> impl Iterator<Item = DateTime> {
        self.dates.iter().copied()
    }

    /// The first moment after another; `None` if there is no more.
    #[must_use]
    pub fn next(&self, zone: &TimeZone, after: Timestamp) -> Option<Timestamp> {
        // What is later than a moment is later by the clock too; the reverse does not hold for an hour that comes twice.
        let local = zone.to_datetime(after);
        let later = |at: DateTime| moment(zone, at).filter(|&moment| moment > after);
        let single = self.dates.range(local..).find_map(|&at| later(at));
        let repeated = self.rule.as_ref().and_then(|rule| rule.times(local).find_map(later));
        single.into_iter().chain(repeated).min()
    }

    /// The moment that has come since the last one: the first that was missed, however many there were, so that all of them
    /// are made up once. The next is then that after `now`.
    #[must_use]
    pub fn due(&self, zone: &TimeZone, last: Timestamp, now: Timestamp) -> Option<Timestamp> {
        self.next(zone, last).filter(|&due| due <= now)
    }

    /// All moments after another, the first first.
    pub fn upcoming(&self, zone: &TimeZone, after: Timestamp) -> impl Iterator<Item = Timestamp> {
        std::iter::successors(self.next(zone, after), |&at| self.next(zone, at))
    }

    /// The shortest time between two of the next moments.
    #[must_use]
    pub fn shortest_interval(&self, zone: &TimeZone, after: Timestamp) -> Option<Duration> {
        let moments: Vec<Timestamp> = self.upcoming(zone, after).take(SHORTEST_OF).collect();
        moments.windows(2).map(|pair| pair[1].duration_since(pair[0]).unsigned_abs()).min()
    }
}

impl Rule {
    /// The local times after a time; one of its own day, before it, may be the first.
    fn times(&self, from: DateTime) -> impl Iterator<Item = DateTime> {
        let mut last = from;
        let mut date = self.first_day(from.date());
        std::iter::from_fn(move || match self {
            Self::Days { days, at, .. } => {
                let today = date?;
                date = today.checked_add(Span::new().days(*days)).ok();
                Some(today.to_datetime(*at))
            }
            Self::Cron(cron) => {
                last = cron.next(last)?;
                Some(last)
            }
        })
    }

    /// The day of the interval that is the last not after another, or the first of all.
    fn first_day(&self, today: Date) -> Option<Date> {
        let Self::Days { days, from, .. } = *self else { return None };
        let passed = today.duration_since(from).as_hours() / 24;
        let whole = passed.max(0) / i64::from(days) * i64::from(days);
        from.checked_add(Span::new().try_days(whole).ok()?).ok()
    }
}

/// The moment at which clocks show a local time. If they skip it, the moment of the change; if they show it twice, the first.
fn moment(zone: &TimeZone, local: DateTime) -> Option<Timestamp> {
    let ambiguous = zone.to_ambiguous_timestamp(local);
    let AmbiguousOffset::Gap { before, .. } = ambiguous.offset() else { return ambiguous.earlier().ok() };
    // As if the clocks had not been changed: at the change or some time after it.
    let unchanged = before.to_timestamp(local).ok()?;
    let just_after = unchanged.checked_add(Span::new().nanoseconds(1)).ok()?;
    zone.preceding(just_after).next().map(|change| change.timestamp())
}

/// How dates are written.
const DATE: &str = "%Y-%m-%d";

/// How times of day are written.
const TIME: &str = "%H:%M";

/// Reads a date as forms send it, `2026-11-20`.
pub fn read_date(text: &str) -> Result<Date, ScheduleError> {
    let date = Date::strptime(DATE, text).ok();
    date.filter(|date| date.strftime(DATE).to_string() == text).ok_or_else(|| ScheduleError::Date(text.to_owned()))
}

/// Reads a time of day as forms send it, `18:00`.
pub fn read_time(text: &str) -> Result<Time, ScheduleError> {
    let time = Time::strptime(TIME, text).ok();
    time.filter(|time| write_time(*time) == text).ok_or_else(|| ScheduleError::Time(text.to_owned()))
}

/// Reads a date with a time of day, with a blank or, as forms send it, a `T` between them.
pub fn read_date_time(text: &str) -> Result<DateTime, ScheduleError> {
    let (date, time) = text.split_once(['T', ' ']).ok_or_else(|| ScheduleError::DateTime(text.to_owned()))?;
    match (read_date(date), read_time(time)) {
        (Ok(date), Ok(time)) => Ok(date.to_datetime(time)),
        _ => Err(ScheduleError::DateTime(text.to_owned())),
    }
}

fn write_time(time: Time) -> String {
    time.strftime(TIME).to_string()
}

/// A schedule as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<WrittenRule>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dates: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
enum WrittenRule {
    Every { days: u16, at: String, from: String },
    Cron(String),
}

impl TryFrom<Written> for Schedule {
    type Error = ScheduleError;

    fn try_from(written: Written) -> Result<Self, ScheduleError> {
        let rule = written.rule.map(Rule::try_from).transpose()?;
        let dates = written.dates.iter().map(|text| read_date_time(text)).collect::<Result<Vec<_>, _>>()?;
        Self::new(rule, dates)
    }
}

impl TryFrom<WrittenRule> for Rule {
    type Error = ScheduleError;

    fn try_from(written: WrittenRule) -> Result<Self, ScheduleError> {
        Ok(match written {
            WrittenRule::Every { days, at, from } => Self::Days { days, at: read_time(&at)?, from: read_date(&from)? },
            WrittenRule::Cron(text) => Self::Cron(Cron::from_str(&text)?),
        })
    }
}

impl From<Schedule> for Written {
    fn from(schedule: Schedule) -> Self {
        let rule = schedule.rule.map(|rule| match rule {
            Rule::Days { days, at, from } => {
                WrittenRule::Every { days, at: write_time(at), from: from.strftime(DATE).to_string() }
            }
            Rule::Cron(cron) => WrittenRule::Cron(cron.to_string()),
        });
        let dates = schedule.dates.iter().map(|at| at.strftime("%Y-%m-%dT%H:%M").to_string()).collect();
        Self { rule, dates }
    }
}
