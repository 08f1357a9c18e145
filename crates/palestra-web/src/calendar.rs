//! Dates of the Gregorian calendar in UTC, from and to milliseconds since the Unix epoch.
//!
//! Leap years repeat every 400 years, which are 146,097 days. Years are counted from March here, so that the leap day is the
//! last of its year and the length of a month depends on its number alone.

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;

/// Days of 400 years.
const ERA_DAYS: i64 = 146_097;

/// Days from 1 March of the year 0 to 1 January 1970.
const EPOCH_DAYS: i64 = 719_468;

/// A date and a time of day in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Utc {
    pub(crate) year: i64,
    pub(crate) month: i64,
    pub(crate) day: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
}

impl Utc {
    /// The moment with this number of milliseconds since the Unix epoch.
    pub(crate) const fn from_ms(ms: i64) -> Self {
        let (day, rest) = (ms.div_euclid(DAY_MS), ms.rem_euclid(DAY_MS) / 1000);
        let (year, month, day) = date(day);
        Self { year, month, day, hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60 }
    }
}

/// The milliseconds at which a day begins that is written as `2026-11-16`; `None` if there is no such day.
pub(crate) fn day_begin_ms(text: &str) -> Option<i64> {
    let is_shaped = text.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    if text.len() != 10 || !is_shaped {
        return None;
    }
    let number = |from: usize, to: usize| text[from..to].parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    if !(1..=12).contains(&month) {
        return None;
    }
    let days = days(year, month, day);
    // A day that its month does not have would be another one.
    (date(days) == (year, month, day)).then_some(days * DAY_MS)
}

/// The milliseconds at which the next day begins.
pub(crate) const fn next_day_ms(begin_ms: i64) -> i64 {
    begin_ms + DAY_MS
}

/// Year, month and day of the day with this number since the Unix epoch.
const fn date(day: i64) -> (i64, i64, i64) {
    let day = day + EPOCH_DAYS;
    let (era, day) = (day.div_euclid(ERA_DAYS), day.rem_euclid(ERA_DAYS));
    // Without the leap days before this day every year has 365 days.
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (400 * era + year + later, month, day)
}

/// The number of a day since the Unix epoch.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    era * ERA_DAYS + 365 * year + year / 4 - year / 100 + (153 * month + 2) / 5 + day - 1 - EPOCH_DAYS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_their_date_and_time() {
        let utc = |ms| {
            let Utc { year, month, day, hour, minute, second } = Utc::from_ms(ms);
            format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
        };
        assert_eq!(utc(0), "1970-01-01 00:00:00");
        assert_eq!(utc(-1), "1969-12-31 23:59:59");
        assert_eq!(utc(951_827_696_789), "2000-02-29 12:34:56");
        assert_eq!(utc(1_763_251_199_000), "2025-11-15 23:59:59");
        assert_eq!(utc(4_107_542_400_000), "2100-03-01 00:00:00");
    }

    #[test]
    fn every_day_of_eight_centuries_follows_the_one_before() {
        let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let (mut year, mut month, mut day) = (1600, 1, 1);
        for number in days(1600, 1, 1)..days(2400, 1, 1) {
            assert_eq!(date(number), (year, month, day), "day {number}");
            assert_eq!(days(year, month, day), number);
            let length = match month {
                2 => 28 + i64::from(is_leap(year)),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
        assert_eq!((year, month, day), (2400, 1, 1));
    }

    #[test]
    fn days_are_read_and_what_is_no_day_is_refused() {
        assert_eq!(day_begin_ms("1970-01-02"), Some(DAY_MS));
        assert_eq!(day_begin_ms("2024-02-29"), Some(1_709_164_800_000));
        for bad in [
            "",
            "2023-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-04-31",
            "2026-01-00",
            "26-1-1",
            "2026-01-1é",
            "é026-01-01",
            "+026-01-01",
        ] {
            assert_eq!(day_begin_ms(bad), None, "{bad}");
        }
    }
}
