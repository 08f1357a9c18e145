use std::collections::BTreeSet;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use proptest::prelude::*;

use super::*;

const ZONES: [&str; 6] =
    ["Europe/Madrid", "Atlantic/Canary", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC"];

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).expect("the database is in the binary")
}

fn cron(text: &str) -> Schedule {
    Schedule::new(Some(Rule::Cron(text.parse().expect("an expression"))), []).expect("a schedule")
}

fn every(days: u16, at: &str, from: &str) -> Schedule {
    let rule = Rule::Days { days, at: read_time(at).expect("a time"), from: read_date(from).expect("a date") };
    Schedule::new(Some(rule), []).expect("a schedule")
}

fn on(dates: &[&str]) -> Schedule {
    Schedule::new(None, dates.iter().map(|text| read_date_time(text).expect("a date"))).expect("a schedule")
}

fn time(text: &str) -> Timestamp {
    text.parse().expect("a moment")
}

/// The next moments in a zone, in UTC.
fn next(schedule: &Schedule, name: &str, after: &str, count: usize) -> Vec<String> {
    schedule.upcoming(&zone(name), time(after)).take(count).map(|at| at.strftime("%d %R").to_string()).collect()
}

#[test]
fn every_three_days_keeps_its_local_time_across_a_clock_change() {
    // Clocks go back on the 25th: 18:00 is 16:00 UTC before and 17:00 after.
    let schedule = every(3, "18:00", "2026-10-20");
    let moments = ["20 16:00", "23 16:00", "26 17:00", "29 17:00"];
    assert_eq!(next(&schedule, "Europe/Madrid", "2026-01-01T00:00Z", 4), moments);
    assert_eq!(next(&schedule, "Europe/Madrid", "2026-10-23T15:59:59Z", 1), ["23 16:00"]);
    assert_eq!(next(&schedule, "Europe/Madrid", "2026-10-23T16:00Z", 1), ["26 17:00"]);
    assert_eq!(next(&every(366, "00:00", "2026-01-01"), "UTC", "2031-01-01T00:00Z", 1), ["05 00:00"]);
}

#[test]
fn what_a_clock_change_skips_runs_at_the_change() {
    // 02:00 to 03:00 is skipped in Madrid, which is at 01:00 UTC; an hour earlier by the clock, and so at the same moment, in
    // the Canaries.
    let daily = every(1, "02:30", "2026-03-01");
    assert_eq!(next(&daily, "Europe/Madrid", "2026-03-28T00:00Z", 3), ["28 01:30", "29 01:00", "30 00:30"]);
    assert_eq!(next(&on(&["2026-03-29 01:30"]), "Atlantic/Canary", "2026-03-01T00:00Z", 2), ["29 01:00"]);
    assert_eq!(next(&on(&["2026-03-29 02:00"]), "Europe/Madrid", "2026-03-01T00:00Z", 2), ["29 01:00"]);
    assert_eq!(next(&on(&["2026-03-08 02:59"]), "America/New_York", "2026-03-01T00:00Z", 2), ["08 07:00"]);
    // Half an hour is skipped, from 02:00 to 02:30.
    let half = cron("*/15 2 4 10 *");
    assert_eq!(next(&half, "Australia/Lord_Howe", "2026-10-03T12:00Z", 3), ["03 15:30", "03 15:45", "03 15:00"]);
    // Samoa went without 30 December 2011, from 10 hours behind UTC to 14 before it.
    let daily = every(1, "12:00", "2011-12-01");
    assert_eq!(next(&daily, "Pacific/Apia", "2011-12-29T00:00Z", 3), ["29 22:00", "30 10:00", "30 22:00"]);
}

#[test]
fn several_times_of_a_skipped_hour_are_one_run() {
    assert_eq!(
        next(&cron("*/20 1-3 29 3 *"), "Europe/Madrid", "2026-03-28T12:00Z", 6),
        ["29 00:00", "29 00:20", "29 00:40", "29 01:00", "29 01:20", "29 01:40"]
    );
}

#[test]
fn what_comes_twice_runs_the_first_time() {
    let daily = every(1, "02:30", "2026-10-01");
    assert_eq!(next(&daily, "Europe/Madrid", "2026-10-24T12:00Z", 2), ["25 00:30", "26 01:30"]);
    assert_eq!(next(&cron("30 1 1 11 *"), "America/New_York", "2026-10-31T12:00Z", 1), ["01 05:30"]);
    let half = cron("*/15 1 5 4 *");
    let moments = ["04 14:00", "04 14:15", "04 14:30", "04 14:45"];
    assert_eq!(next(&half, "Australia/Lord_Howe", "2026-04-04T12:00Z", 4), moments);
}

#[test]
fn single_dates_come_between_and_count_once() {
    let rule = Rule::Cron("0 18 * * *".parse().expect("an expression"));
    let dates = ["2026-11-20 18:00", "2026-11-20 09:00"].map(|text| read_date_time(text).expect("a date"));
    let schedule = Schedule::new(Some(rule), dates).expect("a schedule");
    assert_eq!(next(&schedule, "UTC", "2026-11-20T00:00Z", 3), ["20 09:00", "20 18:00", "21 18:00"]);
    assert_eq!(next(&on(&["2026-11-20 09:00"]), "UTC", "2026-11-20T09:00Z", 1), [""; 0], "nothing more");
    assert_eq!(next(&Schedule::default(), "UTC", "2026-11-20T09:00Z", 1), [""; 0]);
}

#[test]
fn what_was_missed_is_due_once() {
    let (schedule, zone) = (every(3, "18:00", "2026-11-01"), zone("UTC"));
    let last = time("2026-11-04T18:00Z");
    assert_eq!(schedule.due(&zone, last, time("2026-11-07T17:59Z")), None);
    assert_eq!(schedule.due(&zone, last, time("2026-11-07T18:00Z")), Some(time("2026-11-07T18:00Z")));
    let now = time("2026-11-17T00:00Z");
    assert_eq!(schedule.due(&zone, last, now), Some(time("2026-11-07T18:00Z")), "three were missed");
    assert_eq!(schedule.due(&zone, now, now), None, "they were made up");
}

#[test]
fn the_shortest_interval_is_found() {
    let hours = |schedule: &Schedule| {
        schedule.shortest_interval(&zone("UTC"), time("2026-11-19T00:00Z")).map(|it| it.as_secs() / 3600)
    };
    assert_eq!(hours(&every(3, "18:00", "2026-11-01")), Some(72));
    assert_eq!(hours(&cron("0 18 * * mon,tue")), Some(24));
    assert_eq!(hours(&on(&["2026-11-20 18:00", "2026-11-20 20:00", "2026-12-20 18:00"])), Some(2));
    assert_eq!(hours(&on(&["2026-11-20 18:00"])), None);
}

#[test]
fn schedules_are_written_and_read() {
    let texts = [
        "{}",
        r#"{"rule":{"every":{"days":3,"at":"18:00","from":"2026-11-20"}}}"#,
        r#"{"rule":{"cron":"0 18 * * mon,thu"},"dates":["2026-12-18T09:00","2027-01-20T10:30"]}"#,
    ];
    for text in texts {
        assert_eq!(Schedule::read(text).map(|schedule| schedule.json()).as_deref(), Ok(text));
    }
}

#[test]
fn what_is_no_schedule_is_refused_with_its_reason() {
    let error = |text: &str| Schedule::read(text).expect_err(text).to_string();
    let every = |days: &str, at: &str, from: &str| {
        error(&format!(r#"{{"rule":{{"every":{{"days":{days},"at":"{at}","from":"{from}"}}}}}}"#))
    };
    assert_eq!(every("0", "18:00", "2026-11-20"), "a league plays every 1 to 366 days, not 0");
    assert_eq!(every("367", "18:00", "2026-11-20"), "a league plays every 1 to 366 days, not 367");
    assert_eq!(every("3", "24:00", "2026-11-20"), "\"24:00\" is no time such as 18:00");
    assert_eq!(every("3", "18:00", "2026-02-29"), "\"2026-02-29\" is no date such as 2026-11-20");
    assert_eq!(every("3", "18:00", "2026-2-9"), "\"2026-2-9\" is no date such as 2026-11-20");
    let date = error(r#"{"dates":["2026-11-20"]}"#);
    assert_eq!(date, "\"2026-11-20\" is no date with a time, such as 2026-11-20 18:00");
    assert!(error(r#"{"rule":{"cron":"0 25 * * *"}}"#).starts_with("the hour cannot be"));
    assert!(error(r#"{"rules":{}}"#).starts_with("this is no schedule: unknown field `rules`"));
    assert!(error("").starts_with("this is no schedule: "));
    let minutes = (0..51).map(|minute| format!("\"2026-11-20T18:{minute:02}\"")).collect::<Vec<_>>().join(",");
    assert_eq!(error(&format!(r#"{{"dates":[{minutes}]}}"#)), "51 single dates; at most 50 are possible");
}

/// Words of expressions.
const WORDS: [&str; 16] =
    ["*", "0", "1", "2", "3", "*/2", "*/7", "1-3", "2-4", "15", "30", "0,30", "1,2,3", "28-31", "10-12", "5"];

/// The values that an expression of these words names, field by field.
struct Fields([(BTreeSet<i8>, bool); 5]);

impl Fields {
    fn of(cron: &str) -> Self {
        let words: Vec<&str> = cron.split(' ').collect();
        let lows = [0, 0, 1, 1, 0];
        Self([0, 1, 2, 3, 4].map(|at| (Self::values(words[at], lows[at]), words[at].starts_with('*'))))
    }

    fn values(word: &str, low: i8) -> BTreeSet<i8> {
        let number = |text: &str| text.parse::<i8>().expect("a number");
        match (word, word.strip_prefix("*/"), word.split_once('-')) {
            ("*", ..) => (0..60).collect(),
            (_, Some(step), _) => (low..60).step_by(number(step) as usize).collect(),
            (.., Some((from, to))) => (number(from)..=number(to)).collect(),
            _ => word.split(',').map(number).collect(),
        }
    }

    fn name(&self, at: DateTime) -> bool {
        let Self([minutes, hours, days, months, weekdays]) = self;
        let is_day = days.0.contains(&at.day());
        let weekday = at.weekday().to_sunday_zero_offset();
        let is_weekday = weekdays.0.contains(&weekday) || weekday == 0 && weekdays.0.contains(&7);
        let is_on = if days.1 || weekdays.1 { is_day && is_weekday } else { is_day || is_weekday };
        is_on && minutes.0.contains(&at.minute()) && hours.0.contains(&at.hour()) && months.0.contains(&at.month())
    }
}

fn any_cron() -> impl Strategy<Value = Schedule> {
    let field = prop::sample::select(WORDS.to_vec());
    prop::collection::vec(field, 5).prop_filter_map("an expression", |fields| {
        let rule = Rule::Cron(fields.join(" ").parse().ok()?);
        Schedule::new(Some(rule), []).ok()
    })
}

fn any_schedule() -> impl Strategy<Value = Schedule> {
    let date = (2020i16..2040, 1i8..=12, 1i8..=28, 0i8..24, 0i8..60).prop_map(|(year, month, day, hour, minute)| {
        DateTime::new(year, month, day, hour, minute, 0, 0).expect("a date")
    });
    let days = (1u16..=MAX_DAYS, date.clone()).prop_map(|(days, first)| Rule::Days {
        days,
        at: first.time(),
        from: first.date(),
    });
    let rule = prop_oneof![any_cron().prop_map(|schedule| schedule.rule), days.prop_map(Some), Just(None)];
    (rule, prop::collection::vec(date, 0..4)).prop_map(|(rule, dates)| Schedule::new(rule, dates).expect("a schedule"))
}

/// Moments near clock changes of all zones, and others.
fn any_moment() -> impl Strategy<Value = Timestamp> {
    let changes =
        ["2026-03-28T12:00Z", "2026-10-24T12:00Z", "2026-03-07T12:00Z", "2026-10-31T12:00Z", "2026-04-04T00:00Z"];
    let near = (prop::sample::select(changes.map(time).to_vec()), 0i64..3 * 86_400);
    let near = near.prop_map(|(change, seconds)| change.checked_add(Span::new().seconds(seconds)).expect("a moment"));
    let any = (1_577_836_800i64..2_208_988_800).prop_map(|second| Timestamp::from_second(second).expect("a moment"));
    prop_oneof![near, any]
}

fn any_zone() -> impl Strategy<Value = TimeZone> {
    prop::sample::select(ZONES.to_vec()).prop_map(zone)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn moments_grow_and_next_leaves_none_out(schedule in any_schedule(), zone in any_zone(), after in any_moment()) {
        let moments: Vec<Timestamp> = schedule.upcoming(&zone, after).take(12).collect();
        prop_assert!(moments.iter().all(|&at| at > after));
        prop_assert!(moments.windows(2).all(|pair| pair[0] < pair[1]));
        for pair in moments.windows(2) {
            let between = pair[0].as_second().midpoint(pair[1].as_second());
            let between = Timestamp::from_second(between).expect("between two moments");
            prop_assert_eq!(schedule.next(&zone, between.max(pair[0])), Some(pair[1]));
        }
        prop_assert_eq!(Schedule::read(&schedule.json()), Ok(schedule));
    }

    #[test]
    fn a_cron_runs_at_the_minutes_that_it_names_and_each_local_time_once(
        schedule in any_cron(), zone in any_zone(), after in any_moment(),
    ) {
        let Some(Rule::Cron(cron)) = schedule.rule() else { unreachable!("made with an expression") };
        // All local minutes of two days, one by one.
        let first = zone.to_datetime(after).date().to_datetime(jiff::civil::Time::midnight());
        let minutes = (0..2 * 24 * 60).map(|minute| first.checked_add(Span::new().minutes(minute)).expect("a time"));
        let fields = Fields::of(&cron.to_string());
        let named = minutes.filter(|&at| fields.name(at));
        let expected: BTreeSet<Timestamp> =
            named.filter_map(|at| moment(&zone, at)).filter(|&at| at > after).collect();
        let end = moment(&zone, first.checked_add(Span::new().days(2)).expect("a time")).expect("a moment");
        let found: BTreeSet<Timestamp> = schedule.upcoming(&zone, after).take_while(|&at| at < end).collect();
        let expected: BTreeSet<Timestamp> = expected.into_iter().filter(|&at| at < end).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn no_mutation_does_harm(
        which in 0usize..2,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..6),
    ) {
        let texts = [
            r#"{"rule":{"cron":"*/5 1-3 1,2 * mon"},"dates":["2026-12-18T09:00"]}"#,
            r#"{"rule":{"every":{"days":3,"at":"18:00","from":"2026-11-20"}}}"#,
        ];
        let mut bytes = texts[which].as_bytes().to_vec();
        for (at, byte, kind) in changes {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        if let Ok(schedule) = Schedule::read(&String::from_utf8_lossy(&bytes)) {
            prop_assert_eq!(Schedule::read(&schedule.json()), Ok(schedule.clone()));
            let _ = schedule.next(&zone("Europe/Madrid"), time("2026-11-19T00:00Z"));
        }
    }
}
