//! What is written beside the moves: costs and thoughts, and what strangers make of that.

use std::time::Duration;

use palestra_arena::testing::Reaction;
use palestra_arena::{Event, PlayedGame, Referee};
use palestra_games::{Record, Side};
use palestra_protocol::Thought;
use proptest::prelude::*;

use crate::support::{MS, play_odd, proper_until, record, rules};

/// The note beside the first move of a bot that says this before each of them.
fn note(info: &[&str]) -> String {
    let lines: String = info.iter().map(|line| format!("{line}\n")).collect();
    let played = play_saying(lines.into_bytes());
    assert_eq!(played.verdict.fault(), None, "{info:?}");
    played.record.moves()[0].note.clone().expect("a note beside every move")
}

fn play_saying(bytes: Vec<u8>) -> PlayedGame {
    let bot = proper_until(0, move |legal| {
        let think = Reaction::Think { wall: 12_345 * MS / 1000, cpu: 1_234_567 * MS / 1_000_000 };
        vec![Reaction::Say(bytes.clone()), think, Reaction::line(&format!("move {}", legal[0]))]
    });
    play_odd(rules(), Side::One, bot).0
}

#[test]
fn costs_and_thoughts_stand_beside_each_move() {
    assert_eq!(note(&[]), "cpu 1.234 wall 12");
    assert_eq!(
        note(&["info depth 7 score -1.5 states 81234 pv 4 1 6"]),
        "cpu 1.234 wall 12 depth 7 score -1.5 states 81234 pv 4 1 6"
    );
    assert_eq!(
        note(&["info depth 1", "info depth 2 text so far so good"]),
        "cpu 1.234 wall 12 depth 2 text so far so good"
    );
    assert_eq!(note(&["info"]), "cpu 1.234 wall 12");
    assert_eq!(note(&["info text"]), "cpu 1.234 wall 12");
}

#[test]
fn a_thought_belongs_to_one_move() {
    let mut first = true;
    let bot = proper_until(0, move |legal| {
        let info = if std::mem::take(&mut first) { vec![Reaction::line("info depth 9")] } else { vec![] };
        [info, vec![Reaction::line(&format!("move {}", legal[0]))]].concat()
    });
    let (played, _) = play_odd(rules(), Side::One, bot);
    let notes: Vec<&str> = played.record.moves().iter().filter_map(|mv| mv.note.as_deref()).collect();
    assert_eq!(notes[0], "cpu 0.000 wall 0.000 depth 9");
    assert!(notes[1..].iter().all(|note| !note.contains("depth")), "{notes:?}");
}

#[test]
fn hostile_words_are_kept_readable() {
    assert_eq!(note(&["info text {nasty} } 4 {"]), "cpu 1.234 wall 12 text |nasty| | 4 |");
    assert_eq!(note(&["info text a\u{202e}b\u{200b}"]), r"cpu 1.234 wall 12 text a\u|202e|b\u|200b|");
    assert_eq!(note(&["info text a\tb"]), r"cpu 1.234 wall 12 text a\tb");
    assert_eq!(note(&["info pv } {x Game:"]), "cpu 1.234 wall 12 pv | |x Game:");
    assert_eq!(note(&["info text Game: mancala"]), "cpu 1.234 wall 12 text Game: mancala");
    let long = note(&[&format!("info text {}", "ñ".repeat(1000))]);
    assert_eq!(long, format!("cpu 1.234 wall 12 text {}...", "ñ".repeat(200)));
}

#[test]
fn thoughts_that_no_protocol_has_checked_are_noted_too() {
    let mut referee = Referee::new(record("mancala"), rules());
    let thought = Thought { text: Some(" \u{3000}\n".to_owned()), line: vec![String::new()], ..Thought::default() };
    let text = "4".to_owned();
    referee.on(Event::Move { side: Side::One, text, cpu: None, waited: Duration::ZERO, thought: Some(thought) }, MS);
    assert_eq!(referee.record().moves()[0].note.as_deref(), Some("wall 0.000"));
    let again = Record::read_all(referee.record().to_string().as_bytes()).expect("a record that was written");
    assert_eq!(again[0].moves(), referee.record().moves());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_noted_or_loses_and_the_record_reads_back(
        text: String,
        pv in prop::collection::vec("[^\\s\\pC]{1,5}", 0..5),
    ) {
        let thought = if pv.is_empty() { format!("text {text}") } else { format!("pv {}", pv.join(" ")) };
        let played = play_saying(format!("info depth 3 {thought}\n").into_bytes());
        if let Some(fault) = played.verdict.fault() {
            prop_assert!(thought.contains(char::is_control), "{fault:?}");
        } else {
            prop_assert!(played.record.moves()[0].note.as_ref().is_some_and(|note| note.contains("depth 3")));
        }
    }
}
