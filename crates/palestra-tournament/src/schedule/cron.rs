//! Cron expressions: five fields that say at which minutes of which days something happens, in local time.
//!
//! A field is `*` or a list of values and ranges, each perhaps with a step: `0 18 * * mon,thu`, `*/30 9-14 1 * *`. As in every
//! cron, an expression that names days of the month and days of the week means both kinds of days. Written here because
//! the crate for it skips what falls into the hour that a clock change leaves out, where a league must run after it.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, DateTime, Time};
use palestra_games::{Phrase, phrase};

/// Days within which every expression happens at least once: 29 February may be eight years away.
const MAX_DAYS: usize = 8 * 366 + 1;

/// Maximum length of an expression.
const MAX_LENGTH: usize = 100;

/// The most days that each month may have, from January.
const MONTH_DAYS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// The names of the months, from January.
const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The names of the days of the week, from Sunday.
const WEEKDAYS: &[&str] = &["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// A cron expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cron {
    text: String,
    minutes: Values,
    hours: Values,
    days: Values,
    months: Values,
    /// Sunday is 0.
    weekdays: Values,
}

/// The values of a field, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Values {
    bits: u64,
    /// Whether the field begins with `*`: then it restricts no days.
    is_any: bool,
}

impl Values {
    const fn has(self, value: u32) -> bool {
        self.bits >> value & 1 == 1
    }

    fn iter(self) -> impl Iterator<Item = i8> {
        (0..60i8).filter(move |&value| self.bits >> value & 1 == 1)
    }
}

/// A field of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum CronField {
    /// The minute of the hour.
    Minute,
    /// The hour of the day.
    Hour,
    /// The day of the month.
    Day,
    /// The month.
    Month,
    /// The day of the week.
    Weekday,
}

impl CronField {
    /// The lowest and the highest value. Sunday may be 0 or 7.
    const fn bounds(self) -> (u32, u32) {
        match self {
            Self::Minute => (0, 59),
            Self::Hour => (0, 23),
            Self::Day => (1, 31),
            Self::Month => (1, 12),
            Self::Weekday => (0, 7),
        }
    }

    /// The names that stand for values, and the value of the first one.
    const fn names(self) -> (&'static [&'static str], u32) {
        match self {
            Self::Month => (MONTHS, 1),
            Self::Weekday => (WEEKDAYS, 0),
            Self::Minute | Self::Hour | Self::Day => (&[], 0),
        }
    }

    fn phrase(self) -> Phrase {
        match self {
            Self::Minute => phrase!("schedule.minute", "minute"),
            Self::Hour => phrase!("schedule.hour", "hour"),
            Self::Day => phrase!("schedule.day", "day of the month"),
            Self::Month => phrase!("schedule.month", "month"),
            Self::Weekday => phrase!("schedule.weekday", "day of the week"),
        }
    }

    fn read(self, text: &str) -> Result<Values, CronError> {
        let mut bits = 0;
        for item in text.split(',') {
            bits |= self.read_item(item).ok_or_else(|| CronError::Value { field: self, text: item.to_owned() })?;
        }
        if self == Self::Weekday {
            bits = (bits | bits >> 7) & 0x7f;
        }
        Ok(Values { bits, is_any: text.starts_with('*') })
    }

    /// The bits of a value, a range, or a range with a step.
    fn read_item(self, item: &str) -> Option<u64> {
        let (range, step) = match item.split_once('/') {
            Some((range, step)) => (range, Some(number(step).filter(|&step| step > 0)?)),
            None => (item, None),
        };
        let (low, high) = match range.split_once('-') {
            _ if range == "*" => self.bounds(),
            Some((low, high)) => (self.read_value(low)?, self.read_value(high)?),
            // A step needs a range.
            None if step.is_some() => return None,
            None => (self.read_value(range)?, self.read_value(range)?),
        };
        let values = (low..=high).step_by(step.unwrap_or(1) as usize);
        (low <= high).then(|| values.fold(0, |bits, value| bits | 1 << value))
    }

    fn read_value(self, text: &str) -> Option<u32> {
        let (names, first) = self.names();
        let named = names.iter().zip(first..).find(|(name, _)| name.eq_ignore_ascii_case(text));
        let (low, high) = self.bounds();
        named.map(|(_, value)| value).or_else(|| number(text)).filter(|value| (low..=high).contains(value))
    }
}

/// A number of at most two digits, without a sign.
fn number(text: &str) -> Option<u32> {
    let is_number = matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// A text that is no cron expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CronError {
    /// There are more or fewer than five fields.
    Fields(usize),
    /// A value that the field cannot have.
    Value {
        /// In which field.
        field: CronField,
        /// What stands there.
        text: String,
    },
    /// Only days that no such month has, such as 30 February.
    Never,
    /// Longer than any expression need be.
    Long,
}

impl CronError {
    /// What is wrong.
    #[must_use]
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Fields(found) => phrase!(
                "schedule.fields",
                "a cron expression has five fields: minute, hour, day of the month, month, day of the week; here are {found}",
                found = *found,
            ),
            Self::Value { field, text } => phrase!(
                "schedule.value",
                "the {field} cannot be \"{text}\": values are {low} to {high}",
                field = field.phrase(),
                text = text.as_str(),
                low = field.bounds().0,
                high = field.bounds().1,
            ),
            Self::Never => phrase!("schedule.never", "no month that is named has such a day"),
            Self::Long => {
                phrase!("schedule.long", "a cron expression has at most {max} characters", max = MAX_LENGTH)
            }
        }
    }
}

impl fmt::Display for CronError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for CronError {}

impl Cron {
    /// The first time after a local time at which it happens.
    #[must_use]
    pub fn next(&self, after: DateTime) -> Option<DateTime> {
        let today = after.date();
        if let Some(time) = self.times(after.hour()).find(|&time| time > after.time())
            && self.is_on(today)
        {
            return Some(today.to_datetime(time));
        }
        let days = std::iter::successors(today.tomorrow().ok(), |date| date.tomorrow().ok());
        let day = days.take(MAX_DAYS).find(|&date| self.is_on(date))?;
        Some(day.to_datetime(self.times(0).next()?))
    }

    /// Whether it happens on a day.
    fn is_on(&self, date: Date) -> bool {
        let is_day = self.days.has(date.day().unsigned_abs().into());
        let weekday = date.weekday().to_sunday_zero_offset();
        let is_weekday = self.weekdays.has(weekday.unsigned_abs().into());
        let is_one = if self.days.is_any || self.weekdays.is_any { is_day && is_weekday } else { is_day || is_weekday };
        is_one && self.months.has(date.month().unsigned_abs().into())
    }

    /// The times of day from an hour on at which it happens, the first first.
    fn times(&self, from_hour: i8) -> impl Iterator<Item = Time> {
        let hours = self.hours.iter().filter(move |&hour| hour >= from_hour);
        hours.flat_map(|hour| self.minutes.iter().filter_map(move |minute| Time::new(hour, minute, 0, 0).ok()))
    }

    /// Whether any day is one of its days.
    fn happens(&self) -> bool {
        let has_day = |days: u32| (1..=days).any(|day| self.days.has(day));
        let is_restricted_by_weekday = !self.days.is_any && !self.weekdays.is_any;
        is_restricted_by_weekday || (1..).zip(MONTH_DAYS).any(|(month, days)| self.months.has(month) && has_day(days))
    }
}

impl FromStr for Cron {
    type Err = CronError;

    fn from_str(text: &str) -> Result<Self, CronError> {
        if text.len() > MAX_LENGTH {
            return Err(CronError::Long);
        }
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let &[minute, hour, day, month, weekday] = fields.as_slice() else {
            return Err(CronError::Fields(fields.len()));
        };
        let cron = Self {
            text: fields.join(" "),
            minutes: CronField::Minute.read(minute)?,
            hours: CronField::Hour.read(hour)?,
            days: CronField::Day.read(day)?,
            months: CronField::Month.read(month)?,
            weekdays: CronField::Weekday.read(weekday)?,
        };
        if cron.happens() { Ok(cron) } else { Err(CronError::Never) }
    }
}

impl fmt::Display for Cron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(cron: &str, after: &str, count: usize) -> Vec<String> {
        let cron: Cron = cron.parse().expect("an expression");
        let first = cron.next(after.parse().expect("a time"));
        std::iter::successors(first, |&at| cron.next(at))
            .take(count)
            .map(|at| at.strftime("%a %F %R").to_string())
            .collect()
    }

    #[test]
    fn expressions_happen_when_they_say() {
        let soon = |cron| times(cron, "2026-11-19T14:07", 3);
        assert_eq!(soon("0 18 * * *"), ["Thu 2026-11-19 18:00", "Fri 2026-11-20 18:00", "Sat 2026-11-21 18:00"]);
        assert_eq!(soon("7 14 * * *"), ["Fri 2026-11-20 14:07", "Sat 2026-11-21 14:07", "Sun 2026-11-22 14:07"]);
        assert_eq!(soon("30 9 * * mon,Thu"), ["Mon 2026-11-23 09:30", "Thu 2026-11-26 09:30", "Mon 2026-11-30 09:30"]);
        assert_eq!(soon("*/30 9-10 * * 1"), ["Mon 2026-11-23 09:00", "Mon 2026-11-23 09:30", "Mon 2026-11-23 10:00"]);
        assert_eq!(soon("0 0 1 */6 *"), ["Fri 2027-01-01 00:00", "Thu 2027-07-01 00:00", "Sat 2028-01-01 00:00"]);
        assert_eq!(soon("0 0 31 jan-apr *"), ["Sun 2027-01-31 00:00", "Wed 2027-03-31 00:00", "Mon 2028-01-31 00:00"]);
        assert_eq!(times("0 0 29 2 *", "2096-03-01T00:00", 1), ["Fri 2104-02-29 00:00"]);
    }

    #[test]
    fn sunday_has_two_numbers_and_a_range_may_end_on_it() {
        for cron in ["0 8 * * 0", "0 8 * * 7", "0 8 * * sun"] {
            assert_eq!(times(cron, "2026-11-19T00:00", 1), ["Sun 2026-11-22 08:00"], "{cron}");
        }
        let days = ["Fri 2026-11-20 08:00", "Sat 2026-11-21 08:00", "Sun 2026-11-22 08:00", "Fri 2026-11-27 08:00"];
        assert_eq!(times("0 8 * * 5-7", "2026-11-19T00:00", 4), days);
    }

    #[test]
    fn days_of_the_month_and_of_the_week_add_up_unless_one_is_any() {
        let both = ["Fri 2026-11-20 00:00", "Fri 2026-11-27 00:00", "Tue 2026-12-01 00:00", "Fri 2026-12-04 00:00"];
        assert_eq!(times("0 0 1 * fri", "2026-11-19T00:00", 4), both);
        let either = ["Fri 2026-11-27 00:00", "Fri 2026-12-11 00:00"];
        assert_eq!(times("0 0 */2 * fri", "2026-11-20T00:00", 2), either, "odd days that are Fridays");
        assert_eq!(times("0 0 30 2 mon", "2026-11-19T00:00", 1), ["Mon 2027-02-01 00:00"]);
    }

    #[test]
    fn what_is_no_expression_is_refused_with_its_field() {
        let error = |text: &str| text.parse::<Cron>().expect_err(text).to_string();
        assert!(error("").ends_with("here are 0"));
        assert!(error("0 18 * *").ends_with("here are 4"));
        assert!(error("0 0 18 * * *").ends_with("here are 6"));
        assert_eq!(error("60 * * * *"), "the minute cannot be \"60\": values are 0 to 59");
        assert_eq!(error("0 9-8 * * *"), "the hour cannot be \"9-8\": values are 0 to 23");
        assert_eq!(error("0 0 0 * *"), "the day of the month cannot be \"0\": values are 1 to 31");
        assert_eq!(error("0 0 * 1,,2 *"), "the month cannot be \"\": values are 1 to 12");
        assert_eq!(error("0 0 * * 8"), "the day of the week cannot be \"8\": values are 0 to 7");
        for wrong in ["*/0", "5/2", "*/", "/2", "-", "1-", "+1", "007", "1-2-3", "1/2/3", "**", "a", "L", "٣", "*/100"]
        {
            assert!(error(&format!("{wrong} * * * *")).contains(&format!("{wrong:?}")), "{wrong}");
        }
        assert_eq!(error("0 0 30,31 2 *"), "no month that is named has such a day");
        assert_eq!(error("0 0 31 4,6,9,11 *"), "no month that is named has such a day");
        assert!("0 0 31 4,5 *".parse::<Cron>().is_ok());
        assert_eq!(error(&"0 ".repeat(60)), "a cron expression has at most 100 characters");
    }

    #[test]
    fn blanks_are_written_once() {
        let cron: Cron = "  0\t18  * * mon ".parse().expect("an expression");
        assert_eq!(cron.to_string(), "0 18 * * mon");
        assert_eq!(cron.to_string().parse(), Ok(cron));
    }
}
