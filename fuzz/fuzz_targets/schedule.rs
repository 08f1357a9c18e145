//! Any text as the schedule of a league: what is accepted writes and reads back, and its moments grow.
#![no_main]

use jiff::Timestamp;
use jiff::tz::TimeZone;
use libfuzzer_sys::fuzz_target;
use palestra_tournament::schedule::Schedule;

fuzz_target!(|text: &str| {
    if let Ok(schedule) = Schedule::read(text) {
        assert_eq!(Schedule::read(&schedule.json()).as_ref(), Ok(&schedule));
        let zone = TimeZone::get("Europe/Madrid").expect("the database is in the binary");
        let moments: Vec<Timestamp> = schedule.upcoming(&zone, Timestamp::UNIX_EPOCH).take(20).collect();
        assert!(moments.windows(2).all(|pair| pair[0] < pair[1]));
    }
});
