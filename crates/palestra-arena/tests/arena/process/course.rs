//! Programs of the Mancala course, unmodified.

use palestra_arena::{Bot, EntrantKind, Reason};
use palestra_protocol::Dialect;
use palestra_sandbox::Process;

use super::bots::{COURSE_BOT, ample, assert_nothing_left, built_in, find, launch, play, record};

#[test]
fn a_program_of_the_course_plays_both_sides_and_leaves() {
    let start = || Process::start(&launch(&[COURSE_BOT.to_str().unwrap()])).unwrap();
    let mut greedy = built_in("mancala", "greedy");
    for is_first in [true, false] {
        let process = start();
        let id = process.id();
        let mut bot = Bot::new(process, Dialect::Course);
        let played = if is_first {
            play(record("mancala"), ample(), [&mut bot, &mut greedy])
        } else {
            play(record("mancala"), ample(), [&mut greedy, &mut bot])
        };
        assert_eq!(played.verdict.reason, Reason::Finished, "{:?}", played.verdict);
        assert!(played.verdict.points != [0, 48] && played.verdict.points != [48, 0], "nobody played an empty pit");
        assert_nothing_left(id);
    }
}

#[test]
fn two_programs_of_the_course_play_each_other() {
    let [one, two] = [(); 2].map(|()| Process::start(&launch(&[COURSE_BOT.to_str().unwrap()])).unwrap());
    let ids = [one.id(), two.id()];
    let (mut one, mut two) = (Bot::new(one, Dialect::Course), Bot::new(two, Dialect::Course));
    let played = play(record("mancala"), ample(), [&mut one, &mut two]);
    assert_eq!(played.verdict.reason, Reason::Finished);
    ids.into_iter().for_each(assert_nothing_left);
}

#[test]
fn a_program_of_the_course_that_is_dropped_without_a_word_ends_too() {
    // Its input ends, and it would print for ever.
    let process = Process::start(&launch(&[COURSE_BOT.to_str().unwrap()])).unwrap();
    let id = process.id();
    drop(process);
    assert_nothing_left(id);
}

#[test]
fn the_language_and_the_name_are_found_by_asking() {
    let path = COURSE_BOT.to_str().unwrap();
    let found = find("mancala", path).unwrap();
    assert_eq!(found.name, "Sembrador_7");
    let EntrantKind::Program(program) = found.kind else { panic!("it is a program") };
    assert_eq!(program.dialect, Dialect::Course);
    assert_eq!(find("mancala", &format!("mine={path}")).unwrap().name, "mine");
}

#[test]
fn a_program_that_needs_a_second_to_start_is_understood_too() {
    // By then it has been greeted in both languages.
    let path = COURSE_BOT.to_str().unwrap();
    let found = find("mancala", &format!("sh -c 'sleep 0.6; exec {path}'")).unwrap();
    assert_eq!(found.name, "Sembrador_7");
    assert!(matches!(found.kind, EntrantKind::Program(program) if program.dialect == Dialect::Course));
}
