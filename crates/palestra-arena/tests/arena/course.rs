//! Old programs of the Mancala course, in their own language.

use std::sync::mpsc;

use palestra_arena::testing::{Reaction, VirtualClock};
use palestra_arena::{PlayedGame, Reason, TimeControl};
use palestra_games::Side;
use palestra_protocol::ForfeitKind;

use crate::support::{MS, bot, course_bot, fault, play, proper, rules, with_time};

/// A program of the course: reads words, and answers each GETMOVE with what `choose` says about its line.
fn program(mut choose: impl FnMut(&str) -> String + Send + 'static) -> impl FnMut(&str) -> Vec<Reaction> + Send {
    let (mut last, mut awaited) = (String::new(), "");
    move |line| {
        let answer = match (std::mem::take(&mut awaited), line) {
            // It repeats its last answer, as the course's programs do.
            ("TIMEOUT", _) => last.clone(),
            ("SETPLAYER", _) => "OK".to_owned(),
            ("GETMOVE", state) => choose(state),
            (_, "PING") => "PONG".to_owned(),
            (_, "END") => "OK".to_owned(),
            (_, "TIMEOUT") => {
                awaited = "TIMEOUT";
                return vec![];
            }
            (_, "SETPLAYER") => {
                awaited = "SETPLAYER";
                return vec![];
            }
            (_, "GETMOVE") => {
                awaited = "GETMOVE";
                return vec![];
            }
            (_, other) => panic!("no word of the course: {other}"),
        };
        last.clone_from(&answer);
        vec![Reaction::line(&answer)]
    }
}

/// The first pit that is not empty, of whoever is to move.
fn first_pit(state: &str) -> String {
    let numbers: Vec<usize> = state.split(' ').map(|word| word.parse().expect("a number")).collect();
    let state = &numbers[1 + numbers[0]..];
    let pits = &state[2 + 7 * state[0]..8 + 7 * state[0]];
    (pits.iter().position(|&seeds| seeds > 0).expect("a move") + 1).to_string()
}

/// Plays the course's program at a side against one that plays the first pit too.
fn play_course(side: Side, choose: impl FnMut(&str) -> String + Send + 'static) -> PlayedGame {
    let clock = VirtualClock::new();
    let mut seats = [course_bot(&clock, program(choose)), bot(&clock, proper())];
    seats.rotate_left(side.index());
    play(rules(), &clock, seats)
}

#[test]
fn an_old_program_plays_to_the_end_as_a_new_one_does() {
    let clock = VirtualClock::new();
    let new = play(rules(), &clock, [bot(&clock, proper()), bot(&clock, proper())]);
    let moves = |played: &PlayedGame| played.record.moves().iter().map(|mv| mv.text.clone()).collect::<Vec<_>>();
    for side in Side::BOTH {
        let old = play_course(side, first_pit);
        assert_eq!((&old.verdict, moves(&old)), (&new.verdict, moves(&new)));
    }
}

#[test]
fn it_hears_the_opponents_moves_since_its_own_and_none_on_an_extra_turn() {
    let (heard, hear) = mpsc::channel();
    let mut own = ["4", "1"].into_iter();
    play_course(Side::One, move |state| {
        heard.send(state.to_owned()).expect("the test listens");
        own.next().map_or_else(|| first_pit(state), str::to_owned)
    });
    let states: Vec<String> = hear.iter().collect();
    assert_eq!(states[0], "0 0 0 4 4 4 4 4 4 0 4 4 4 4 4 4");
    assert_eq!(states[1], "0 0 1 5 5 5 0 4 4 0 4 4 4 4 4 4", "an extra turn");
    assert!(states[2].starts_with("1 1 0 "), "{}", states[2]);
}

#[test]
fn the_second_player_is_told_all_moves_of_an_extra_turn() {
    let (heard, hear) = mpsc::channel();
    let clock = VirtualClock::new();
    let listener = program(move |state| {
        heard.send(state.to_owned()).expect("the test listens");
        first_pit(state)
    });
    let mut own = ["4", "1"].into_iter();
    let other = program(move |state| own.next().map_or_else(|| first_pit(state), str::to_owned));
    play(rules(), &clock, [course_bot(&clock, other), course_bot(&clock, listener)]);
    assert!(hear.iter().next().expect("a question").starts_with("2 4 1 1 "));
}

#[test]
fn it_is_told_its_time_and_its_side() {
    let clock = VirtualClock::new();
    let (heard, hear) = mpsc::channel();
    let mut inner = program(first_pit);
    let listener = move |line: &str| {
        heard.send(line.to_owned()).expect("the test listens");
        inner(line)
    };
    play(with_time(TimeControl::Wall(1500 * MS)), &clock, [bot(&clock, proper()), course_bot(&clock, listener)]);
    let lines: Vec<String> = hear.iter().collect();
    assert_eq!(lines[..5], ["PING", "TIMEOUT", "1500", "SETPLAYER", "1"]);
    assert_eq!(lines.last().map(String::as_str), Some("END"));
}

#[test]
fn seven_is_no_move_and_loses() {
    for side in Side::BOTH {
        let played = play_course(side, |_| "7".to_owned());
        assert_eq!((fault(&played).kind, fault(&played).line.as_deref()), (ForfeitKind::Illegal, Some("7")));
        let points = if side == Side::One { [0, 48] } else { [48, 0] };
        assert_eq!((played.verdict.winner, played.verdict.points), (Some(side.other()), points));
        assert!(played.record.moves().iter().all(|mv| mv.played.side != side));
    }
}

#[test]
fn an_empty_pit_ends_the_game_by_its_own_rules() {
    let mut moves = ["4", "4"].into_iter();
    let played = play_course(Side::One, move |_| moves.next().expect("no third question").to_owned());
    assert_eq!((played.verdict.reason, played.verdict.points), (Reason::Finished, [0, 48]));
    assert_eq!(played.record.moves().len(), 2, "the fatal move is part of the record");

    let clock = VirtualClock::new();
    let immolates = crate::support::proper_until(1, |_| vec![Reaction::line("move 1")]);
    let played = play(rules(), &clock, [bot(&clock, immolates), bot(&clock, proper())]);
    assert_eq!((played.verdict.reason, played.verdict.winner), (Reason::Finished, Some(Side::Two)));
    assert_eq!(played.verdict.points, [0, 48]);
}

#[test]
fn what_is_no_answer_of_the_course_loses() {
    for (answer, kind) in [
        ("M4", ForfeitKind::Protocol),
        ("", ForfeitKind::Protocol),
        ("-1", ForfeitKind::Protocol),
        ("move 4", ForfeitKind::Protocol),
        ("0", ForfeitKind::Illegal),
        ("04", ForfeitKind::Illegal),
        ("99999999999999999999", ForfeitKind::Illegal),
    ] {
        let played = play_course(Side::One, move |_| answer.to_owned());
        assert_eq!((fault(&played).kind, played.verdict.winner), (kind, Some(Side::Two)), "{answer:?}");
        assert_eq!(fault(&played).line.as_deref(), Some(answer));
    }
    let clock = VirtualClock::new();
    let wrong = |_: &str| vec![Reaction::line("ready")];
    let played = play(rules(), &clock, [course_bot(&clock, wrong), bot(&clock, proper())]);
    assert_eq!(fault(&played).kind, ForfeitKind::Startup);
    assert_eq!(fault(&played).detail, "it wrote a line that the protocol does not know (PING is answered with PONG)");
}

#[test]
fn two_answers_to_one_question_are_one_too_many() {
    let played = play_course(Side::One, |state| format!("{}\n1", first_pit(state)));
    assert_eq!((fault(&played).kind, fault(&played).line.as_deref()), (ForfeitKind::Protocol, Some("1")));
}
