//! Games that are interrupted and go on: by a server that starts again, with a clock that begins anew.

use std::time::Duration;

use palestra_arena::{Action, Event, Referee, Rules, Saved, SavedError, TimeControl};
use palestra_games::Side::{self, One, Two};
use palestra_protocol::ForfeitKind;
use proptest::prelude::*;

use crate::support::{MS, record, rules, with_time};

fn mv(side: Side, text: &str) -> Event {
    Event::Move { side, text: text.to_owned(), cpu: None, waited: Duration::ZERO, thought: None }
}

/// A game in the middle: two moves made, the third asked for at 2 s, an offer on the table, somebody away since 2.5 s.
fn interrupted(rules: Rules) -> Referee {
    let mut referee = Referee::new(record("mancala"), rules);
    referee.record_mut().set_tag("Player1", "somebody").expect("a header");
    referee.on(Event::Asked, Duration::ZERO);
    referee.on(mv(One, "4"), 1000 * MS);
    referee.on(Event::Asked, 1000 * MS);
    referee.on(mv(One, "1"), 2000 * MS);
    referee.on(Event::Asked, 2000 * MS);
    referee.on(Event::OfferDraw(Two), 2000 * MS);
    referee.on(Event::Dropped(One), 2500 * MS);
    referee
}

/// Through text and back, as a server would keep it.
fn restored(referee: &Referee, saved_at: Duration, now: Duration) -> Referee {
    let text = serde_json::to_string(&referee.save(saved_at)).expect("a game that can be written");
    let saved: Saved = serde_json::from_str(&text).expect("a game that was written");
    assert_eq!(saved, referee.save(saved_at));
    Referee::restore(&saved, now).expect("a game that can go on")
}

#[test]
fn an_interrupted_game_goes_on_where_it_was() {
    let before = interrupted(with_time(TimeControl::Game { total: 10_000 * MS, increment: 100 * MS }));
    // By the same clock, by one that is ahead, and by one that has just begun.
    for now in [3000 * MS, 1_000_000 * MS, Duration::ZERO, 400 * MS] {
        let mut after = restored(&before, 3000 * MS, now);
        assert_eq!(after.record().to_string(), before.record().to_string());
        assert_eq!(after.record().tag("Player1"), Some("somebody"));
        assert_eq!((after.charged(), after.budget()), (before.charged(), before.budget()));
        assert_eq!(after.question().history, before.question().history);
        assert_eq!(after.deadline(), Some(now + 9000 * MS), "one second of ten had passed");
        assert_eq!(after.save(now), before.save(3000 * MS), "saving it again changes nothing");
        assert_eq!(after.on(Event::Asked, now), [], "who is asked again has no more time for that");
        assert_eq!(after.on(Event::OfferDraw(Two), now), [], "the offer stands");
        let actions = after.on(mv(Two, "2"), now + 500 * MS);
        assert_eq!(actions[0], Action::Used { side: Two, cpu: None, wall: 1500 * MS }, "from {now:?}");
        assert_eq!(after.charged(), [2000 * MS, 1500 * MS]);
    }
}

#[test]
fn the_clocks_of_a_restored_game_run_out_when_they_should() {
    let before = interrupted(with_time(TimeControl::Wall(2000 * MS)));
    for now in [Duration::ZERO, 5000 * MS] {
        let mut after = restored(&before, 3500 * MS, now);
        after.on(Event::Tick { cpu: None, waited: Duration::ZERO }, now + 500 * MS);
        assert_eq!(after.verdict(), None);
        after.on(Event::Tick { cpu: None, waited: Duration::ZERO }, now + 501 * MS);
        assert_eq!(
            after.verdict().and_then(|verdict| verdict.fault()).map(|fault| fault.kind),
            Some(ForfeitKind::Timeout)
        );
    }
    let before = interrupted(with_time(TimeControl::Unlimited));
    let mut after = restored(&before, 42_500 * MS, Duration::ZERO);
    assert_eq!(after.deadline(), Some(20_000 * MS), "away for 40 s of 60");
    after.on(Event::Tick { cpu: None, waited: Duration::ZERO }, 20_000 * MS);
    let verdict = after.verdict().expect("a verdict");
    assert_eq!((verdict.winner, verdict.reason.word()), (Some(Two), "disconnect"));
}

#[test]
fn a_game_that_is_over_does_not_go_on() {
    let mut referee = interrupted(rules());
    referee.on(Event::Resign(One), 3000 * MS);
    assert_eq!(Referee::restore(&referee.save(3000 * MS), Duration::ZERO).map(|_| ()), Err(SavedError::Over));
}

/// A game with everything in it, written.
fn written() -> String {
    let rules = with_time(TimeControl::Game { total: 10_000 * MS, increment: 100 * MS });
    serde_json::to_string(&interrupted(rules).save(3000 * MS)).expect("a game that can be written")
}

/// Drives a game that came from somewhere: whatever its clocks say, nothing panics, and it can be ended.
fn drive(text: &str) {
    let Ok(saved) = serde_json::from_str::<Saved>(text) else { return };
    let Ok(mut referee) = Referee::restore(&saved, 1000 * MS) else { return };
    for (second, _) in (1..).zip(0..20) {
        let now = Duration::from_secs(second);
        let _ = (referee.deadline(), referee.budget().to_string(), referee.question().history.len());
        referee.on(Event::Asked, now);
        let (side, text) = (referee.turn(), referee.position().moves().pop());
        if let Some(text) = text {
            referee.on(Event::Move { side, text, cpu: Some(Duration::MAX), waited: Duration::MAX, thought: None }, now);
        }
        referee.on(Event::Tick { cpu: None, waited: Duration::ZERO }, now);
        let _ = referee.save(now);
    }
    referee.on(Event::Resign(One), Duration::MAX);
    assert!(referee.verdict().is_some() && referee.record().result().is_some());
}

#[test]
fn clocks_beyond_all_measure_do_no_harm() {
    let max = format!("{{\"secs\":{},\"nanos\":999999999}}", u64::MAX);
    let text = written();
    let mut value: serde_json::Value = serde_json::from_str(&text).expect("a game that was written");
    let max: serde_json::Value = serde_json::from_str(&max).expect("a duration");
    for field in ["turn", "charged", "left", "gone"] {
        value[field] = if field == "turn" { max.clone() } else { serde_json::json!([max, max]) };
        drive(&value.to_string());
    }
    for time in ["unlimited", "wall", "cpu"] {
        value["rules"]["time"] = match time {
            "unlimited" => serde_json::json!("unlimited"),
            "wall" => serde_json::json!({ "wall": max }),
            _ => serde_json::json!({ "cpu": { "cpu": max, "wall": max } }),
        };
        value["rules"]["absence"] = max.clone();
        drive(&value.to_string());
    }
    value["record"] = serde_json::json!("");
    let saved: Saved = serde_json::from_value(value).expect("well formed");
    assert_eq!(Referee::restore(&saved, MS).map(|_| ()), Err(SavedError::Empty));
}

#[test]
fn a_game_that_an_older_version_saved_goes_on() {
    let mut value: serde_json::Value = serde_json::from_str(&written()).expect("a game that was written");
    let fields = value.as_object_mut().expect("an object");
    fields.remove("waited").expect("what it did not know of yet");
    fields.insert("answered".to_owned(), serde_json::json!([1, 0]));
    let saved: Saved = serde_json::from_value(value).expect("well formed");
    let referee = Referee::restore(&saved, MS).expect("a game that can go on");
    assert_eq!(referee.save(MS), serde_json::from_str(&written()).expect("a game that was written"));
}

proptest! {
    #[test]
    fn a_game_with_flaws_goes_on_or_is_refused(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..22), 1..6),
    ) {
        let mut bytes = written().into_bytes();
        for (index, byte, how) in cuts {
            // Most flaws are in numbers, so that most texts can be read all the same.
            let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
            let (digit, any) = (digits[index.index(digits.len())], index.index(bytes.len()));
            match how {
                0..10 => bytes[digit] = b'0' + byte % 10,
                10..20 => bytes.insert(digit, b'0' + byte % 10),
                20 => bytes[any] = byte,
                _ => { bytes.remove(any); }
            }
        }
        if let Ok(text) = String::from_utf8(bytes) {
            drive(&text);
        }
    }
}
