//! Local dates and times in the time zones of the IANA database, which is in the binary.

use jiff::civil::{Date, Time};
use jiff::tz::{self, TimeZone};
use jiff::{Timestamp, Zoned};

/// A time zone.
#[derive(Clone, Debug)]
pub(crate) struct Zone(TimeZone);

impl Zone {
    /// The zone of this name, such as Europe/Madrid.
    pub(crate) fn find(name: &str) -> Option<Self> {
        TimeZone::get(name).ok().filter(|zone| zone.iana_name().is_some()).map(Self)
    }

    /// The zone that a course was given, whose name was checked then.
    pub(crate) fn of(name: &str) -> Self {
        Self::find(name).unwrap_or(Self(TimeZone::UTC))
    }

    /// The name, as the database spells it.
    pub(crate) fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The zone itself.
    pub(crate) const fn time_zone(&self) -> &TimeZone {
        &self.0
    }

    /// The names of all zones.
    pub(crate) fn names() -> impl Iterator<Item = String> {
        tz::db().available().map(|name| name.to_string())
    }

    /// The local time at a moment.
    pub(crate) fn local(&self, ms: i64) -> Zoned {
        Timestamp::from_millisecond(ms).unwrap_or_default().to_zoned(self.0.clone())
    }

    /// The moment at which clocks show a date and a time, as forms write them: 2026-11-27 and 23:59. Of an hour that comes
    /// twice it is the first one, and a time that a clock change skips is after it.
    pub(crate) fn moment_ms(&self, date: &str, time: &str) -> Option<i64> {
        let time = Time::strptime("%H:%M", time).ok()?;
        Some(day(date)?.to_datetime(time).to_zoned(self.0.clone()).ok()?.timestamp().as_millisecond())
    }

    /// The local date at a moment, as forms write it: 2026-11-27.
    pub(crate) fn date(&self, ms: i64) -> String {
        self.local(ms).date().to_string()
    }

    /// The moment at which a day is over that is written as 2026-11-27.
    pub(crate) fn day_end_ms(&self, date: &str) -> Option<i64> {
        let next = day(date)?.tomorrow().ok()?;
        Some(next.to_zoned(self.0.clone()).ok()?.timestamp().as_millisecond())
    }
}

/// A date as forms write it. `%Y` alone would take years before the first.
fn day(text: &str) -> Option<Date> {
    Date::strptime("%Y-%m-%d", text).ok().filter(|date| date.year() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_found_by_name_without_the_files_of_the_machine() {
        assert_eq!(Zone::find("europe/madrid").unwrap().name(), "Europe/Madrid");
        for name in ["", "Nowhere/Land", "/etc/localtime", "Europe/Madrid\0", "CET-1CEST"] {
            assert!(Zone::find(name).is_none(), "{name:?}");
        }
        assert!(Zone::names().any(|name| name == "Atlantic/Canary"));
        assert_eq!(Zone::of("Nowhere/Land").name(), "UTC");
    }

    #[test]
    fn days_end_at_local_midnight() {
        let zone = Zone::of("Europe/Madrid");
        // In summer midnight is two hours before that of UTC, in winter one.
        assert_eq!(zone.day_end_ms("2027-07-31"), Some(1_817_071_200_000));
        assert_eq!(zone.day_end_ms("2026-10-25"), Some(1_792_969_200_000));
        assert_eq!(zone.date(1_817_071_199_999), "2027-07-31");
        assert_eq!(zone.date(1_817_071_200_000), "2027-08-01");
        for wrong in ["", "2027-02-29", "31.07.2027", "2027-7-31x", "99999-01-01", "-1-01-01"] {
            assert_eq!(zone.day_end_ms(wrong), None, "{wrong}");
        }
    }
}
