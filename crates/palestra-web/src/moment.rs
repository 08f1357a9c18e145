//! Moments as people say them: "5 min ago", "yesterday", "3 Nov 2026". The exact time is in the element's attributes.

use askama::Template;
use jiff::Zoned;

use crate::calendar::Utc;
use crate::locale::Locale;
use crate::page::time;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Days up to which a moment is told by their number.
const MAX_DAYS: i64 = 6;

/// A moment, as a `<time>`.
#[derive(Clone, Debug, PartialEq, Eq, Template)]
#[template(source = "<time datetime=\"{{ machine }}\" title=\"{{ exact }}\">{{ text }}</time>", ext = "html")]
pub(crate) struct Moment {
    /// For programs.
    machine: String,
    /// Date and time of day.
    exact: String,
    /// How far it is from now.
    text: String,
}

// What it renders is escaped already.
impl askama::filters::HtmlSafe for Moment {}

impl Moment {
    /// A moment, as it is told at another one.
    pub(crate) fn new(ms: i64, now_ms: i64, locale: Locale) -> Self {
        Self { machine: time(ms), exact: exact(ms, locale), text: text(ms, now_ms, locale) }
    }
}

/// How far a moment is from now, in words; the date if that is further than a week.
fn text(ms: i64, now_ms: i64, locale: Locale) -> String {
    let with = |key: &str, number: i64| locale.with(key, &[("what", &number.to_string())]);
    let passed = now_ms - ms;
    // Days that begin at midnight: what was at 23:00 is "yesterday" an hour later, unless it is told in hours.
    let days = now_ms.div_euclid(DAY_MS) - ms.div_euclid(DAY_MS);
    match passed {
        ..0 if -passed < HOUR_MS => with("time.in_minutes", (-passed / MINUTE_MS).max(1)),
        ..0 if -passed < 2 * DAY_MS => with("time.in_hours", -passed / HOUR_MS),
        0..MINUTE_MS => locale.t("time.now").to_owned(),
        MINUTE_MS..HOUR_MS => with("time.minutes", passed / MINUTE_MS),
        HOUR_MS.. if days == 0 || passed < 6 * HOUR_MS => with("time.hours", passed / HOUR_MS),
        HOUR_MS.. if days == 1 => locale.t("time.yesterday").to_owned(),
        HOUR_MS.. if days <= MAX_DAYS => with("time.days", days),
        _ => date(ms, locale),
    }
}

/// The date, with the name of its month.
fn date(ms: i64, locale: Locale) -> String {
    let Utc { year, month, day, .. } = Utc::from_ms(ms);
    format!("{day} {} {year}", locale.t(&format!("time.month.{month}")))
}

/// The date of a local time, with the name of its month.
pub(crate) fn local_date(local: &Zoned, locale: Locale) -> String {
    format!("{} {} {}", local.day(), locale.t(&format!("time.month.{}", local.month())), local.year())
}

/// The date and the time of day.
fn exact(ms: i64, locale: Locale) -> String {
    let Utc { hour, minute, .. } = Utc::from_ms(ms);
    format!("{}, {hour:02}:{minute:02} UTC", date(ms, locale))
}

/// A span of time as people say it: "5 min", "30 s", "1 h 30 min".
pub(crate) fn span(seconds: u64) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let told: Vec<String> =
        parts.iter().filter(|(number, _)| *number > 0).map(|(number, unit)| format!("{number} {unit}")).collect();
    if told.is_empty() { "0 s".to_owned() } else { told.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_as_people_do() {
        // 16 November 2026, 12:00 UTC.
        const NOW: i64 = 1_794_830_400_000;
        let english = |ms| text(ms, NOW, Locale::English);
        assert_eq!(english(NOW - 5_000), "just now");
        assert_eq!(english(NOW - 5 * MINUTE_MS), "5 min ago");
        assert_eq!(english(NOW - 7 * HOUR_MS), "7 h ago");
        assert_eq!(english(NOW - 13 * HOUR_MS), "yesterday");
        assert_eq!(english(NOW - 3 * DAY_MS), "3 days ago");
        assert_eq!(english(NOW - 30 * DAY_MS), "17 Oct 2026");
        assert_eq!(english(NOW + 47 * HOUR_MS), "in 47 h");
        assert_eq!(text(NOW - 13 * HOUR_MS, NOW, Locale::Spanish), "ayer");
        assert_eq!(text(NOW - 300 * DAY_MS, NOW, Locale::Spanish), "20 ene 2026");
        let moment = Moment::new(NOW, NOW, Locale::English).render().unwrap();
        let expected = "<time datetime=\"2026-11-16T12:00Z\" title=\"16 Nov 2026, 12:00 UTC\">just now</time>";
        assert_eq!(moment, expected);
    }

    #[test]
    fn spans_have_no_more_units_than_they_need() {
        assert_eq!(
            [0, 45, 300, 90, 5400, 86_400].map(span),
            ["0 s", "45 s", "5 min", "1 min 30 s", "1 h 30 min", "24 h"]
        );
    }
}
